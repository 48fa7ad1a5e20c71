import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodeReader, sliceCode } from '../../src/markdown/extras/code-reader.js';

/** What the library's patterns look at again and again, in lines of every length. */
const SIGNS = ['a', '_', '1', '(', "'", '<', ' '];
const LANGUAGES = ['java', 'ts', 'ini', 'markdown', 'cpp'];

/** CPU time for so much code of one sign, in lines of one length. */
async function costOf(language: string, sign: string, size: number, line: number): Promise<number> {
  const reader = await createCodeReader(language);
  assert.ok(reader);
  reader('x\n');
  const code = `${sign.repeat(line)}\n`.repeat(size / line);
  const start = process.cpuUsage().user;
  for (const slice of sliceCode(code)) reader(slice);
  return process.cpuUsage().user - start;
}

/** How much dearer eight times the code is, by the cheapest of some rounds. */
async function growth(language: string, sign: string, line: (size: number) => number) {
  let [short, long] = [Infinity, Infinity];
  for (let round = 0; round < 6; round += 1) {
    short = Math.min(short, await costOf(language, sign, 4000, line(4000)));
    long = Math.min(long, await costOf(language, sign, 32_000, line(32_000)));
  }
  // Below some milliseconds the machine tells more than the input.
  return long / Math.max(short, 5000);
}

for (const language of LANGUAGES) {
  test(`reading ${language} grows no faster than the code, however long its lines are`, async () => {
    for (const sign of SIGNS) {
      const inLines = await growth(language, sign, () => 1000);
      const inOne = await growth(language, sign, (size) => size);
      assert.ok(inLines < 16, `${JSON.stringify(sign)} in lines: ${inLines}`);
      assert.ok(inOne < 16, `${JSON.stringify(sign)} in one line: ${inOne}`);
    }
  });
}
