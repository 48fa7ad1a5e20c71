import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyGenerator } from '../../../../src/backends/ubik/content/keys.js';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import type { PartTree } from '../../../../src/model/part.js';
import { makeTagSoup } from './tag-soup.js';
import { seedsUpTo } from '../../../helpers/sample.js';

function keysOf(parts: readonly PartTree[]): string[] {
  return parts.flatMap((part) => [part.key, ...keysOf(part.parts ?? [])]);
}

test('part keys come from the name of a part, or from the part before it', () => {
  const text = [
    'a',
    '<<thinking>>b<</thinking>>',
    'c',
    '<<STEP_START>>\nStep 2: d\ne\n<<thinking>>f<</thinking>>',
    '<<TOOL_STEP_START/g:call_1>>h<<TOOL_STEP_END/g:call_1>>i',
    '<<TOOL_STEP_START/j>><<TOOL_STEP_END/j>>',
    '<<STEP_END>>',
    'k',
    '<<CHECKPOINT_START>>\nCheckpoint: l\n<<CHECKPOINT_END>>',
    '<<INPUT_REQUIRED_START>>\nm\ncheckpoint_name: n\n<<INPUT_REQUIRED_END>>',
    '<<INPUT_REQUIRED_START>>\no\n<<INPUT_REQUIRED_END>>',
    '<<ERROR_START>>p<<ERROR_END>>',
  ].join('\n');
  assert.deepEqual(keysOf(parseContent(text)), [
    '/0:text',
    '/1:thinking',
    '/2:text',
    'step:2',
    'step:2/0:text',
    'step:2/1:thinking',
    'tool:call_1',
    'tool:call_1/0:text',
    'tool:call_1+0:text',
    'tool:/j',
    'step:2+0:text',
    'checkpoint:l',
    'request:n',
    'request:?',
    'error',
  ]);
});

test('part keys number parts with equal names', () => {
  const step = '<<STEP_START>>\nStep 1: a\n<<STEP_END>>\n';
  assert.deepEqual(keysOf(parseContent(step.repeat(3))), ['step:1', 'step:1#2', 'step:1#3']);
});

test('part keys are unique for any names of tools', () => {
  const keys = createKeyGenerator();
  const created = ['tool:a', 'tool:a#2', 'tool:a', 'tool:a', 'tool:a#2', 'tool:a+0:text'].map(
    (base) => keys.createKey(base),
  );
  created.push(keys.createTextKey('tool:a+', 0, 'text'));
  assert.equal(new Set(created).size, created.length);
  for (const seed of seedsUpTo(2000)) {
    const partKeys = keysOf(parseContent(makeTagSoup(seed)));
    assert.equal(new Set(partKeys).size, partKeys.length);
  }
});

test('key generator has room again after restoring a snapshot from before its limits were reached', () => {
  const keys = createKeyGenerator({ parts: 1, marks: 1 });
  const before = keys.snapshot();
  keys.createKey('step:1');
  assert.deepEqual([keys.hasRoom(0), keys.reserveMark(), keys.reserveMark()], [false, true, false]);
  keys.restore(before);
  assert.deepEqual([keys.hasRoom(0), keys.reserveMark()], [true, true]);
});

test('key generator repeats its keys after restoring a snapshot', () => {
  const keys = createKeyGenerator();
  keys.createKey('step:1');
  const before = keys.snapshot();
  const created = [
    keys.createKey('step:1'),
    keys.createKey('step:1'),
    keys.createTextKey('/', 0, 'text'),
  ];
  keys.restore(before);
  assert.deepEqual(
    [keys.createKey('step:1'), keys.createKey('step:1'), keys.createTextKey('/', 0, 'text')],
    created,
  );
});
