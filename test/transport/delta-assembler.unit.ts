import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UbikError } from '../../src/errors.js';
import { createDeltaAssembler, type DeltaLimits } from '../../src/transport/delta-assembler.js';
import { createRandom, pickIndex } from '../helpers/seeded-random.js';

function setup(limits?: DeltaLimits) {
  const diagnostics: UbikError[] = [];
  const assembler = createDeltaAssembler({
    limits,
    onDiagnostic: (error) => diagnostics.push(error),
  });
  return {
    assembler,
    add: (group: unknown, index: unknown, total: unknown, text: unknown = '') =>
      assembler.add({ group, index, total, text }),
    codes: () => diagnostics.map(({ code }) => code),
  };
}

test('delta assembler joins pieces that arrive in order', () => {
  const { add, assembler } = setup();
  assert.equal(add('a', 0, 3, 'x'), null);
  assert.equal(add('a', 1, 3, 'y'), null);
  assert.equal(assembler.openGroups, 1);
  assert.equal(add('a', 2, 3, 'z'), 'xyz');
  assert.equal(assembler.openGroups, 0);
});

test('delta assembler returns a text of one piece at once, even an empty one', () => {
  const { add } = setup();
  assert.equal(add('a', 0, 1, 'x'), 'x');
  assert.equal(add('b', 0, 1, ''), '');
});

test('delta assembler joins pieces that arrive in any order', () => {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (const order of orders) {
    const { add } = setup();
    const results = order.map((index) => add('a', index, 3, 'xyz'[index]));
    assert.deepEqual(results, [null, null, 'xyz']);
  }
});

test('delta assembler joins a text cut at any position, even inside escapes and surrogate pairs', () => {
  const text = JSON.stringify({ content: 'é🧪 \u2028"\\ \u0007' });
  for (let cut = 0; cut <= text.length; cut++) {
    const { add } = setup();
    add('a', 1, 2, text.slice(cut));
    assert.equal(add('a', 0, 2, text.slice(0, cut)), text);
  }
});

test('delta assembler separates interleaved groups whose pieces are repeated and shuffled', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const { add, codes } = setup();
    const pieces = Array.from({ length: 10 }, (_, group) =>
      Array.from({ length: 5 }, (_, index) => ({
        group: `g${group}`,
        index,
        text: `${group}.${index};`,
      })),
    ).flat();
    const sent = [...pieces, ...pieces.filter(() => random() < 0.5)]
      .map((piece) => ({ piece, at: random() }))
      .sort((a, b) => a.at - b.at);
    const joined = sent
      .map(({ piece }) => add(piece.group, piece.index, 5, piece.text))
      .filter((text) => text !== null);
    const expected = Array.from({ length: 10 }, (_, group) =>
      [0, 1, 2, 3, 4].map((index) => `${group}.${index};`).join(''),
    );
    assert.deepEqual(joined.sort(), expected.sort(), `seed ${seed}`);
    assert.deepEqual(codes(), []);
  }
});

test('delta assembler uses the first of repeated pieces', () => {
  const { add } = setup();
  add('a', 0, 2, 'first');
  add('a', 0, 2, 'second');
  assert.equal(add('a', 1, 2, '.'), 'first.');
});

test('delta assembler ignores repeated pieces of a joined group', () => {
  const { add, assembler, codes } = setup();
  add('a', 0, 2, 'x');
  assert.equal(add('a', 1, 2, 'y'), 'xy');
  assert.equal(add('a', 0, 2, 'x'), null);
  assert.equal(add('a', 1, 2, 'y'), null);
  assert.equal(assembler.openGroups, 0);
  assert.deepEqual(codes(), []);
});

test('delta assembler reports a group that is incomplete at the end', () => {
  const { add, assembler, codes } = setup();
  add('a', 0, 3, 'x');
  add('a', 2, 3, 'z');
  assert.equal(assembler.openGroups, 1);
  assembler.end();
  assert.equal(assembler.openGroups, 0);
  assert.deepEqual(codes(), ['unusable-group']);
});

const UNUSABLE: readonly (readonly [
  title: string,
  index: unknown,
  total: unknown,
  text: unknown,
])[] = [
  ['a total of zero', 0, 0, 'x'],
  ['a negative total', 0, -1, 'x'],
  ['a total as text', 0, '3', 'x'],
  ['a fractional total', 0, 2.5, 'x'],
  ['a missing total', 0, undefined, 'x'],
  ['an infinite total', 0, Infinity, 'x'],
  ['a total of NaN', 0, NaN, 'x'],
  ['a negative index', -1, 3, 'x'],
  ['a fractional index', 0.5, 3, 'x'],
  ['an index as text', '0', 3, 'x'],
  ['an index past the last', 3, 3, 'x'],
  ['a huge index', 4_294_967_294, 3, 'x'],
  ['an index that is an object', { toString: () => '0' }, 3, 'x'],
  ['an object as text', 0, 3, { text: 'x' }],
];

for (const [title, index, total, text] of UNUSABLE) {
  test(`delta assembler drops a group with one diagnostic for ${title}`, () => {
    const { add, assembler, codes } = setup();
    add('a', 1, 3, 'y');
    assert.equal(add('a', index, total, text), null);
    assert.equal(assembler.openGroups, 0);
    assert.deepEqual(codes(), ['unusable-group']);
    add('a', 0, 3, 'x');
    assert.equal(add('a', 2, 3, 'z'), null);
    assert.deepEqual(codes(), ['unusable-group']);
  });
}

test('delta assembler drops a group whose pieces name different totals', () => {
  const { add, codes } = setup();
  add('a', 0, 3, 'x');
  add('a', 1, 2, 'y');
  assert.deepEqual(codes(), ['unusable-group']);
});

test('delta assembler rejects a piece without a usable group id', () => {
  for (const group of [undefined, null, '', {}, [], NaN, true, 'x'.repeat(1025)]) {
    const { add, assembler, codes } = setup();
    assert.equal(add(group, 0, 1, 'x'), null);
    assert.equal(assembler.openGroups, 0);
    assert.deepEqual(codes(), ['unusable-group']);
  }
});

test('delta assembler accepts a number as the id of a group', () => {
  assert.equal(setup().add(7, 0, 1, 'x'), 'x');
});

test('delta assembler does not touch prototypes for group ids such as __proto__', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const { add } = setup();
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    add(name, 0, 2, 'x');
    assert.equal(add(name, 1, 2, 'y'), 'xy');
  }
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
  assert.equal(Object.hasOwn(Object.prototype, '0'), false);
});

test('delta assembler joins 4,096 pieces and drops a group of more', () => {
  const { add, codes } = setup();
  for (let index = 0; index < 4095; index++) assert.equal(add('a', index, 4096, 'x'), null);
  assert.equal(add('a', 4095, 4096, 'x')?.length, 4096);
  for (const total of [4097, 1_000_000, 1e308]) add(`b${total}`, 0, total, 'x');
  assert.deepEqual(codes(), ['group-too-large', 'group-too-large', 'group-too-large']);
});

test('delta assembler joins a group of 16 Mi UTF-16 units and drops a larger one', () => {
  const mebiUnits = 'x'.repeat(1 << 20);
  const { add, codes } = setup();
  for (let index = 0; index < 16; index++) add('a', index, 17, mebiUnits);
  assert.equal(add('a', 16, 17, '')?.length, 1 << 24);
  for (let index = 0; index < 17; index++) add('b', index, 17, index < 16 ? mebiUnits : 'x');
  assert.deepEqual(codes(), ['group-too-large']);
});

test('delta assembler drops the oldest of more than 64 open groups', () => {
  const { add, assembler, codes } = setup();
  for (let group = 0; group < 65; group++) add(`g${group}`, 0, 2, 'x');
  assert.equal(assembler.openGroups, 64);
  assert.deepEqual(codes(), ['too-many-groups']);
  assert.equal(add('g0', 1, 2, 'y'), null);
  assert.equal(add('g1', 1, 2, 'y'), 'xy');
  assert.equal(add('g64', 1, 2, 'y'), 'xy');
});

test('delta assembler keeps at most 64 of 10,000 incomplete groups', () => {
  const { add, assembler, codes } = setup();
  for (let group = 0; group < 10_000; group++) add(`g${group}`, 0, 2, 'x');
  assert.equal(assembler.openGroups, 64);
  assert.equal(codes().length, 10_000 - 64);
});

test('delta assembler drops the oldest group when all open groups exceed 32 Mi UTF-16 units', () => {
  const { add, assembler, codes } = setup();
  const large = 'x'.repeat(15 << 20);
  for (const group of ['a', 'b']) add(group, 0, 2, large);
  add('c', 0, 2, 'x'.repeat(2 << 20));
  assert.deepEqual(codes(), []);
  add('d', 0, 2, 'x');
  assert.deepEqual(codes(), ['too-many-groups']);
  assert.equal(assembler.openGroups, 3);
  assert.equal(add('b', 1, 2, '.')?.length, large.length + 1);
});

test('delta assembler stops counting the size of a group that is joined or dropped', () => {
  const { add, codes } = setup({ totalSize: 10 });
  for (let round = 0; round < 100; round++) {
    add(`a${round}`, 0, 2, '12345');
    assert.equal(add(`a${round}`, 1, 2, '67890'), '1234567890');
    add(`b${round}`, 0, 2, '12345');
    add(`b${round}`, 0, 'no', '');
  }
  assert.equal(
    codes().every((code) => code === 'unusable-group'),
    true,
  );
});

test('delta assembler joins 4,000 shuffled pieces', () => {
  const random = createRandom(1);
  const { add } = setup();
  const order = Array.from({ length: 4000 }, (_, index) => index);
  for (let at = order.length - 1; at > 0; at--) {
    const other = pickIndex(random, at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  const results = order.map((index) => add('a', index, 4000, `${index},`));
  assert.equal(results.at(-1), Array.from({ length: 4000 }, (_, index) => `${index},`).join(''));
});

test('delta assembler accepts group ids of up to 1,024 characters', () => {
  const { add, codes } = setup();
  assert.equal(add('x'.repeat(1024), 0, 1, 'text'), 'text');
  assert.deepEqual(codes(), []);
});

test('delta assembler remembers the last 4,096 groups that it has joined', () => {
  const { add } = setup();
  for (let group = 0; group <= 4096; group++) assert.equal(add(`g${group}`, 0, 1, 'x'), 'x');
  assert.equal(add('g1', 0, 1, 'again'), null);
  assert.equal(add('g0', 0, 1, 'again'), 'again');
});
