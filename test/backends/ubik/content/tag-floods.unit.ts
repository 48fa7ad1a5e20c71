import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { serializeContent } from '../../../../src/backends/ubik/content/serialize-content.js';
import type { PartTree } from '../../../../src/model/part.js';
import { canonicalize } from '../../../../src/model/canonicalize.js';
import { sampleOf, seedsUpTo } from '../../../helpers/sample.js';
import { MARKER, TAG_FLOODS } from '../../../helpers/tag-floods.js';
import { readPieces, setupParser } from './read-pieces.js';
import { cutAtRandom, makeTagSoup } from './tag-soup.js';

const flatten = (parts: readonly PartTree[]): PartTree[] =>
  parts.flatMap((part) => [part, ...flatten(part.parts ?? [])]);

/** All texts of these parts. Labels are left out, because the source of a mark repeats them. */
const readAll = (parts: readonly PartTree[]): string =>
  JSON.stringify(parts, (name, value: unknown) => (name === 'label' ? '' : value));

const countMarkers = (text: string): number => text.split(MARKER).length - 1;

/** Floods that lose text by design: the last answer to a request counts, equal errors are shown once, and temporary tags are dropped. */
const LOSSY = /USER_INPUT|ERROR|TOOL_EVENT|of all kinds/;

for (const [index, { name, make }] of TAG_FLOODS.entries()) {
  const losesText = LOSSY.test(name);
  test(`content parser creates a bounded number of parts for a flood of ${name}${losesText ? '' : ' and loses no text'}`, () => {
    const text = make(60_000);
    const parts = parseContent(text);
    const all = flatten(parts);
    // The limit is 1,000 parts. Texts do not count towards it; in these floods there are about as many of them.
    assert.ok(all.length <= 2100, `${String(all.length)} parts`);
    const marks = all.flatMap((part) => Object.keys(('marks' in part && part.marks) || {}));
    assert.ok(marks.length <= 1000);
    if (!losesText) assert.equal(countMarkers(readAll(parts)), countMarkers(text));
    const again = parseContent(serializeContent(parts));
    assert.ok(isDeepStrictEqual(again, parts), 'printed and parsed again, the parts are the same');
  });

  test(`content parser reads a flood of ${name} the same in pieces`, () => {
    const text = make(20_000);
    for (const mode of sampleOf(['live', 'stored'] as const, 2, index)) {
      const whole = readPieces(mode, [text]);
      const pieces = readPieces(mode, cutAtRandom(text, 7));
      assert.ok(isDeepStrictEqual(pieces, whole), mode);
    }
  });
}

for (const { name, make } of TAG_FLOODS.filter((flood) =>
  /^<.*(?:thinking|TOOL_STEP)/.test(flood.name),
)) {
  test(`content parser reads a flood of ${name} the same live and stored`, () => {
    const text = make(60_000);
    assert.deepEqual(canonicalize(readPieces('live', [text])), canonicalize(parseContent(text)));
  });
}

/** Low limits. Texts do not count towards the limit of parts. */
const SMALL = { parts: 3, marks: 2 };

test('serializeContent prints tag soup over the limits so that it parses to the same parts', () => {
  for (const seed of seedsUpTo(4000)) {
    const parts = readPieces('stored', [makeTagSoup(seed)], undefined, SMALL);
    const again = readPieces('stored', [serializeContent(parts)], undefined, SMALL);
    if (!isDeepStrictEqual(again, parts)) assert.deepEqual(again, parts, `seed ${String(seed)}`);
  }
});

test('content parser reads tag soup over the limits the same in pieces', () => {
  for (const seed of seedsUpTo(1500)) {
    const soup = makeTagSoup(seed);
    const whole = readPieces('stored', [soup], undefined, SMALL);
    const pieces = readPieces('stored', cutAtRandom(soup, seed), undefined, SMALL);
    if (!isDeepStrictEqual(pieces, whole)) assert.deepEqual(pieces, whole, `seed ${String(seed)}`);
  }
});

/** Reads a text with a limit of parts, towards which texts do not count. */
const read = (text: string, parts: number): string[] => {
  const all = flatten(readPieces('stored', [text], undefined, { parts }));
  return all.map((part) => {
    const inside = part.kind === 'tool' ? ` ${part.name} ${part.state} ${String(part.result)}` : '';
    return `${part.kind}${inside} ${part.text ?? ''}`.trim();
  });
};

test('content parser does not assign the result of a tool over the limit to the tool before it', () => {
  const result = (text: string): string =>
    `<<TOOL_STEP_RESULT_START>>${text}<<TOOL_STEP_RESULT_END>>`;
  const text = [
    '<<TOOL_STEP_START/find:1>><<TOOL_STEP_START/find:2>>',
    result('second'),
    '<<TOOL_STEP_END/find:2>>',
    result('first'),
    '<<TOOL_STEP_END/find:1>>So.',
  ].join('\n');
  assert.deepEqual(read(text, 1), ['tool find done first', 'text second', 'text So.']);
});

test('content parser counts a checkpoint, and an error in it, towards the limit before they end', () => {
  const text =
    '<<CHECKPOINT_START>>\nCheckpoint: a\n<<ERROR_START>>\nError: b\n<<STEP_START>>\nc<<STEP_END>>';
  assert.deepEqual(read(text, 2), ['checkpoint c', 'error']);
  assert.deepEqual(read(text, 3), ['checkpoint', 'step', 'text c', 'error']);
});

test('content parser does not assign the answer of a request over the limit to the request before it', () => {
  const ask = (name: string, answer: string): string =>
    `<<INPUT_REQUIRED_START>>${name}?<<INPUT_REQUIRED_END>><<USER_INPUT_PROVIDED_START>>${answer}<<USER_INPUT_PROVIDED_END>>`;
  const [request, text] = readPieces('stored', [ask('a', '1') + ask('b', '2')], undefined, {
    parts: 1,
  });
  assert.equal(request?.kind === 'input-request' ? request.answer : null, '1');
  assert.equal(text?.text, 'b?\n2');
});

test('content parser reads the content of a part over the limit as text when the part starts in a later chunk', () => {
  const { parser, trees } = setupParser('stored', undefined, { parts: 2 });
  parser.push('<<thinking>>a<</thinking>>');
  assert.equal(trees().length, 1);
  parser.push('<<thinking>>b<</thinking>><<thinking>>c<</thinking>>');
  parser.end();
  assert.deepEqual(
    trees().map(({ kind, text }) => `${kind} ${text ?? ''}`),
    ['thinking a', 'thinking b', 'text c'],
  );
});
