import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCodeTokenizer,
  sliceCode,
  type TokenRun,
} from '../../src/markdown/extras/code-tokenizer.js';
import { CODE_SAMPLES } from './code-samples.js';

async function read(language: string, parts: readonly string[]): Promise<readonly TokenRun[]> {
  const reader = await createCodeTokenizer(language);
  return parts.flatMap((part) => reader?.(part) ?? []);
}

/** The kind of each character. */
async function kindsOf(language: string, parts: readonly string[]): Promise<string> {
  const runs = await read(language, parts);
  return runs.map(({ kind, text }) => `${kind || '-'} `.repeat(text.length)).join('');
}

/** The lines behind which a piece of code can be parted without looking otherwise, and those behind which it cannot. */
async function tryCuts(language: string): Promise<{ same: number[]; other: number[] }> {
  const lines = CODE_SAMPLES[language]?.split(/(?<=\n)/) ?? [];
  const whole = await kindsOf(language, [lines.join('')]);
  const cuts = { same: [] as number[], other: [] as number[] };
  for (let cut = 1; cut < lines.length; cut += 1) {
    const parts = [lines.slice(0, cut).join(''), lines.slice(cut).join('')];
    const isSame = (await kindsOf(language, parts)) === whole;
    cuts[isSame ? 'same' : 'other'].push(cut);
  }
  return cuts;
}

/** What the library takes as one sign over several lines begins anew in the next part: behind these lines of the samples. */
const BEGINS_ANEW: Readonly<Record<string, readonly number[]>> = {
  c: [4],
  dockerfile: [2, 3],
  http: [3],
  matlab: [3],
  ruby: [6, 7],
  rust: [6],
  yaml: [4, 5, 9, 10, 11],
};

test('Code looks the same in parts as in one piece, wherever its lines are parted', async () => {
  for (const language of Object.keys(CODE_SAMPLES)) {
    const { same, other } = await tryCuts(language);
    assert.deepEqual(other, BEGINS_ANEW[language] ?? [], language);
    assert.ok(same.length > 1, language);
  }
});

test('Code in many parts gives its text back, each as it was', async () => {
  for (const [language, sample] of Object.entries(CODE_SAMPLES)) {
    const lines = sample.split(/(?<=\n)/);
    const runs = await read(language, lines);
    assert.equal(runs.map(({ text }) => text).join(''), sample, language);
    assert.ok(
      runs.some(({ kind }) => kind !== ''),
      language,
    );
  }
});

test('Pieces of one language that are read by turns do not know of one another', async () => {
  const [note, code] = [await createCodeTokenizer('js'), await createCodeTokenizer('js')];
  note?.('/* a note\n');
  assert.deepEqual(code?.('let x;\n')[0], { kind: 'keyword', text: 'let' });
  assert.deepEqual(note?.('goes on */ let\n')[0], { kind: 'comment', text: 'goes on */' });
  assert.deepEqual(code?.('let y;\n')[0], { kind: 'keyword', text: 'let' });
});

test('Languages inside of one another are read, whatever was read before', async () => {
  const runs = await read('html', ['<script>let x;</script>\n<style>a { top: 0 }</style>']);
  const kinds = runs.map(({ kind, text }) => `${kind} ${text}`);
  assert.ok(kinds.includes('keyword let'), kinds.join());
  assert.ok(kinds.includes('number 0'), kinds.join());
});

test('A language that nobody knows has no reader', async () => {
  for (const name of ['', 'nothing', '__proto__', 'constructor', 'own', 'rest']) {
    assert.equal(await createCodeTokenizer(name), null, name);
  }
});

test('A line that is very long stays as it is, and what was open before it goes on behind it', async () => {
  const long = `${'a'.repeat(5000)}\n`;
  const code = `/* a note\n${long}goes on */ let x;\n`;
  const slices = sliceCode(code);
  assert.deepEqual(slices, ['/* a note\n', long, 'goes on */ let x;\n']);
  const [note, word, rest] = await read('js', slices);
  assert.deepEqual(note, { kind: 'comment', text: '/* a note\n' });
  assert.deepEqual(word, { kind: '', text: long });
  assert.deepEqual(rest, { kind: 'comment', text: 'goes on */' });
});

test('Slices are whole lines, none is long, and together they are the code', () => {
  const lines = Array.from({ length: 300 }, (_, index) => `${'x'.repeat((index * 7) % 90)}\n`);
  const code = `${lines.join('')}end`;
  const slices = sliceCode(code);
  assert.equal(slices.join(''), code);
  assert.ok(slices.length < 20);
  for (const slice of slices) assert.ok(slice.length <= 1500);
  for (const slice of slices.slice(0, -1)) assert.ok(slice.endsWith('\n'));
});
