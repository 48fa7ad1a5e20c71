import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ContentMode,
  ContentSink,
} from '../../../../src/backends/ubik/content/content-parser-types.js';
import { createContentParser } from '../../../../src/backends/ubik/content/content-parser.js';
import { createKeyGenerator } from '../../../../src/backends/ubik/content/keys.js';
import { createRandom, pickIndex } from '../../../helpers/seeded-random.js';
import { seedsUpTo } from '../../../helpers/sample.js';
import { readContentFixtures } from './content-fixtures.js';
import { cutAtRandom, makeTagSoup } from './tag-soup.js';

/** A parser that records each call of its sink as one line. */
function setupRecorder(mode: ContentMode): {
  readonly lines: string[];
  readonly keys: ReturnType<typeof createKeyGenerator>;
  readonly parser: ReturnType<typeof createContentParser>;
} {
  const lines: string[] = [];
  const record =
    (method: string) =>
    (...args: readonly unknown[]): void =>
      void lines.push(JSON.stringify([method, ...args]));
  const sink: ContentSink = {
    open: record('open'),
    append: record('append'),
    mark: record('mark'),
    set: record('set'),
  };
  const keys = createKeyGenerator();
  return { lines, keys, parser: createContentParser({ mode, sink, keys }) };
}

function assertSameAfterRestore(mode: ContentMode, text: string, seed: number): void {
  const pieces = cutAtRandom(text, seed);
  const at = pickIndex(createRandom(seed), pieces.length + 1);
  const { lines, keys, parser } = setupRecorder(mode);
  for (const piece of pieces.slice(0, at)) parser.push(piece);
  const saved = { parser: parser.snapshot(), keys: keys.snapshot(), lines: lines.length };
  const finish = (): string[] => {
    for (const piece of pieces.slice(at)) parser.push(piece);
    parser.end();
    return lines.splice(saved.lines);
  };
  const first = finish();
  for (let round = 0; round < 2; round += 1) {
    parser.restore(saved.parser);
    keys.restore(saved.keys);
    assert.deepEqual(finish(), first, `seed ${String(seed)}`);
  }
}

for (const mode of ['stored', 'live'] as const) {
  test(`content parser emits the same after restoring a snapshot (${mode})`, () => {
    for (const seed of seedsUpTo(1500)) assertSameAfterRestore(mode, makeTagSoup(seed), seed);
    for (const { text } of readContentFixtures()) {
      for (const seed of seedsUpTo(50)) assertSameAfterRestore(mode, text, seed);
    }
  });
}

test('snapshot of the content parser does not grow with the text that was read', () => {
  const { parser } = setupRecorder('live');
  const size = (): number => JSON.stringify(parser.snapshot()).length;
  parser.push('a <<thinking>>b<</thinking>>');
  const small = size();
  for (let count = 0; count < 900; count += 1) parser.push('word\n<<thinking>>b<</thinking>>\n');
  assert.ok(size() < small + 20);
});
