import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodeTokenizer, sliceCode } from '../../src/markdown/extras/code-tokenizer.js';
import { measureCpuRatio } from './cost-ratio.js';

/** What the library's patterns look at again and again, in lines of every length. */
const SIGNS = ['a', '_', '1', '(', "'", '<', ' '];
const LANGUAGES = ['java', 'ts', 'ini', 'markdown', 'cpp'];

/** CPU time for so much code of one sign, in lines of one length. */
async function costOf(language: string, sign: string, size: number, line: number): Promise<number> {
  const reader = await createCodeTokenizer(language);
  assert.ok(reader);
  reader('x\n');
  const code = `${sign.repeat(line)}\n`.repeat(size / line);
  const start = process.cpuUsage().user;
  for (const slice of sliceCode(code)) reader(slice);
  return process.cpuUsage().user - start;
}

/** Eight times the code is at most twice as dear for its length. */
const LIMIT = 16;

for (const language of LANGUAGES) {
  test(`reading ${language} grows no faster than the code, however long its lines are`, async () => {
    for (const sign of SIGNS) {
      const growth = (line: (size: number) => number) =>
        measureCpuRatio(
          LIMIT,
          () => costOf(language, sign, 4000, line(4000)),
          () => costOf(language, sign, 32_000, line(32_000)),
        );
      const inLines = await growth(() => 1000);
      const inOne = await growth((size) => size);
      assert.ok(inLines < LIMIT, `${JSON.stringify(sign)} in lines: ${inLines}`);
      assert.ok(inOne < LIMIT, `${JSON.stringify(sign)} in one line: ${inOne}`);
    }
  });
}
