import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCodeTokenizer,
  findLanguage,
  sliceCode,
  type TokenRun,
} from '../../src/markdown/extras/code-tokenizer.js';
import { CODE_SAMPLES } from './code-samples.js';

async function tokenize(language: string, parts: readonly string[]): Promise<readonly TokenRun[]> {
  const tokenizer = await createCodeTokenizer(language);
  return parts.flatMap((part) => tokenizer?.(part) ?? []);
}

/** The token kind of each character. */
async function kindsOf(language: string, parts: readonly string[]): Promise<string> {
  const runs = await tokenize(language, parts);
  return runs.map(({ kind, text }) => `${kind || '-'} `.repeat(text.length)).join('');
}

/** Splits a sample after each line. Returns the lines where the tokens stay the same, and those where they differ. */
async function findSplits(language: string): Promise<{ same: number[]; other: number[] }> {
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

/** Lines of the samples inside a token that spans lines: the highlighter does not continue such a token in the next part. */
const SPLIT_TOKENS: Readonly<Record<string, readonly number[]>> = {
  c: [4],
  dockerfile: [2, 3],
  http: [3],
  matlab: [3],
  ruby: [6, 7],
  rust: [6],
  yaml: [4, 5, 9, 10, 11],
};

test('code tokenizer gives the same tokens for parts as for the whole code, except for some tokens that span the parts', async () => {
  for (const language of Object.keys(CODE_SAMPLES)) {
    const { same, other } = await findSplits(language);
    assert.deepEqual(other, SPLIT_TOKENS[language] ?? [], language);
    assert.ok(same.length > 1, language);
  }
});

test('code tokenizer preserves the text of many parts', async () => {
  for (const [language, sample] of Object.entries(CODE_SAMPLES)) {
    const lines = sample.split(/(?<=\n)/);
    const runs = await tokenize(language, lines);
    assert.equal(runs.map(({ text }) => text).join(''), sample, language);
    assert.ok(
      runs.some(({ kind }) => kind !== ''),
      language,
    );
  }
});

test('code tokenizers of one language share no state', async () => {
  const [comment, code] = [await createCodeTokenizer('js'), await createCodeTokenizer('js')];
  comment?.('/* a note\n');
  assert.deepEqual(code?.('let x;\n')[0], { kind: 'keyword', text: 'let' });
  assert.deepEqual(comment?.('goes on */ let\n')[0], { kind: 'comment', text: 'goes on */' });
  assert.deepEqual(code?.('let y;\n')[0], { kind: 'keyword', text: 'let' });
});

test('code tokenizer reads embedded languages', async () => {
  const runs = await tokenize('html', ['<script>let x;</script>\n<style>a { top: 0 }</style>']);
  const kinds = runs.map(({ kind, text }) => `${kind} ${text}`);
  assert.ok(kinds.includes('keyword let'), kinds.join());
  assert.ok(kinds.includes('number 0'), kinds.join());
});

test('createCodeTokenizer returns null for an unknown language', async () => {
  // `main` and `continuation` are the names under which the tokenizer registers a language in the library.
  for (const name of ['', 'nothing', '__proto__', 'constructor', 'main', 'continuation']) {
    assert.equal(await createCodeTokenizer(name), null, name);
  }
});

test('createCodeTokenizer loads a language again for the next code block after a failure', async () => {
  const language = findLanguage('kts');
  assert.ok(language);
  const { load } = language;
  const setLoad = (value: typeof load) => Object.assign(language, { load: value });
  setLoad(() => Promise.reject(new Error('The file cannot be fetched.')));
  await assert.rejects(createCodeTokenizer('kts'), /cannot be fetched/);
  setLoad(load);
  assert.deepEqual((await createCodeTokenizer('kts'))?.('val x = 1\n')[0], {
    kind: 'keyword',
    text: 'val',
  });
});

test('code tokenizer skips a very long line and continues an open token after it', async () => {
  const long = `${'a'.repeat(5000)}\n`;
  const code = `/* a note\n${long}goes on */ let x;\n`;
  const slices = sliceCode(code);
  assert.deepEqual(slices, ['/* a note\n', long, 'goes on */ let x;\n']);
  const [comment, word, rest] = await tokenize('js', slices);
  assert.deepEqual(comment, { kind: 'comment', text: '/* a note\n' });
  assert.deepEqual(word, { kind: '', text: long });
  assert.deepEqual(rest, { kind: 'comment', text: 'goes on */' });
});

test('sliceCode returns short slices of whole lines', () => {
  const lines = Array.from({ length: 300 }, (_, index) => `${'x'.repeat((index * 7) % 90)}\n`);
  const code = `${lines.join('')}end`;
  const slices = sliceCode(code);
  assert.equal(slices.join(''), code);
  assert.ok(slices.length < 20);
  for (const slice of slices) assert.ok(slice.length <= 1500);
  for (const slice of slices.slice(0, -1)) assert.ok(slice.endsWith('\n'));
});

test('sliceCode fills a slice up to 1,500 units, and a line of this length is highlighted', async () => {
  const line = (length: number): string => 'let x;'.padEnd(length - 1).concat('\n');
  assert.equal(sliceCode(line(750) + line(750)).length, 1);
  assert.equal(sliceCode(line(750) + line(751)).length, 2);
  const [first] = await tokenize('JS', [line(1500)]);
  assert.deepEqual(first, { kind: 'keyword', text: 'let' });
  assert.deepEqual(await tokenize('JS', [line(1501)]), [{ kind: '', text: line(1501) }]);
});

test('code tokenizer gives a token of an unknown kind the kind of the token around it', async () => {
  assert.deepEqual(await tokenize('markdown', ['# One *two* three\n']), [
    { kind: 'title', text: '# One *two* three' },
    { kind: '', text: '\n' },
  ]);
});
