import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { ContentMode } from '../../../../src/backends/ubik/content/content-parser-types.js';
import type { PartTree } from '../../../../src/model/part.js';
import { readContentFixtures } from './content-fixtures.js';
import { readPieces, setupParser } from './read-pieces.js';
import { cutAtRandom, makeTagSoup } from './tag-soup.js';
import { isExhaustive, seedsUpTo } from '../../../helpers/sample.js';

const MODES: readonly ContentMode[] = ['stored', 'live'];

function assertSame(mode: ContentMode, text: string, cuts: Iterable<readonly string[]>): void {
  const whole = readPieces(mode, [text]);
  for (const pieces of cuts) {
    const read = readPieces(mode, pieces);
    // Building the message of deepEqual thousands of times would take longer than the test.
    if (!isDeepStrictEqual(read, whole)) assert.deepEqual(read, whole, JSON.stringify(pieces));
  }
}

/** Distance of the cuts in a text. */
const STEP = isExhaustive ? 1 : 3;

function* cutsOf(text: string): Generator<readonly string[]> {
  yield text.split('');
  yield text.split(/(?<=\n)/);
  for (let at = 1; at < text.length; at += STEP) yield [text.slice(0, at), text.slice(at)];
  for (let seed = 1; seed <= 20; seed += 1) yield cutAtRandom(text, seed);
}

for (const mode of MODES) {
  for (const { name, text } of readContentFixtures()) {
    test(`content parser reads ${name} the same for any chunking (${mode})`, () => {
      assertSame(mode, text, cutsOf(text));
    });
  }

  test(`content parser reads tag soup the same for any chunking (${mode})`, () => {
    for (const seed of seedsUpTo(1500)) {
      const text = makeTagSoup(seed);
      assertSame(mode, text, [text.split(''), cutAtRandom(text, seed), cutAtRandom(text, -seed)]);
    }
  });

  test(`content parser never emits text that it has to retract (${mode})`, () => {
    for (const { text } of readContentFixtures()) {
      const final = textsOf(readPieces(mode, [text]));
      const { parser, trees } = setupParser(mode);
      for (const unit of text) {
        parser.push(unit);
        for (const [key, emitted] of textsOf(trees())) {
          assert.ok(final.get(key)?.startsWith(emitted), `${key}: ${emitted}`);
        }
      }
    }
  });
}

function textsOf(parts: readonly PartTree[]): Map<string, string> {
  return new Map(
    parts.flatMap((part): [string, string][] => [
      [part.key, part.text ?? ''],
      ...textsOf(part.parts ?? []),
    ]),
  );
}
