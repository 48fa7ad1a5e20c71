import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodeTokenizer, sliceCode } from '../../src/markdown/extras/code-tokenizer.js';
import { measureCpuRatio } from './cost-ratio.js';

/** Characters at which the patterns of the highlighter backtrack. */
const CHARACTERS = ['a', '_', '1', '(', "'", '<', ' '];
const LANGUAGES = ['java', 'ts', 'ini', 'markdown', 'cpp'];

/** CPU time for code of one repeated character in lines of equal length. */
async function costOf(
  language: string,
  character: string,
  size: number,
  line: number,
): Promise<number> {
  const tokenizer = await createCodeTokenizer(language);
  assert.ok(tokenizer);
  tokenizer('x\n');
  const code = `${character.repeat(line)}\n`.repeat(size / line);
  const start = process.cpuUsage().user;
  for (const slice of sliceCode(code)) tokenizer(slice);
  return process.cpuUsage().user - start;
}

/** Eight times the input may cost twice as much per character. */
const LIMIT = 16;

for (const language of LANGUAGES) {
  test(`code tokenizer takes linear time for ${language}, whatever the length of lines`, async () => {
    for (const character of CHARACTERS) {
      const growth = (line: (size: number) => number) =>
        measureCpuRatio(
          LIMIT,
          () => costOf(language, character, 4000, line(4000)),
          () => costOf(language, character, 32_000, line(32_000)),
        );
      const inLines = await growth(() => 1000);
      const inOne = await growth((size) => size);
      assert.ok(inLines < LIMIT, `${JSON.stringify(character)} in lines: ${inLines}`);
      assert.ok(inOne < LIMIT, `${JSON.stringify(character)} in one line: ${inOne}`);
    }
  });
}
