import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sampleMutants, findMutants, insertMutants } from '../../scripts/mutation/find-mutants.mjs';
import { tryMutants } from '../../scripts/mutation/try-mutants.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const changesIn = (source: string): string[] =>
  findMutants('a.ts', source).map(({ change }) => change);

test('findMutants changes conditions and boundaries, removes calls, and empties arrays', () => {
  assert.deepEqual(changesIn('if (a < 1 && b) act();'), [
    'a < 1 && b → true',
    'a < 1 && b → false',
    'a < 1 && b → (a < 1) || b',
    'a < 1 → a <= 1',
    'a < 1 → a >= 1',
    'act() → undefined',
  ]);
  assert.deepEqual(changesIn('x = !a ? items.slice(1) : [1];'), [
    '!a → true',
    '!a → false',
    '!a → a',
    'items.slice(1) → items',
    '[1] → []',
  ]);
});

test('findMutants skips types, error messages, style sheets and concatenated text', () => {
  for (const source of [
    'type A = true | [1];',
    'throw new Error(a + b);',
    'const error = new UbikError(a && b);',
    'const style = css`${a + b}`;',
    "const text = 'a' + b;",
  ])
    assert.deepEqual(changesIn(source), [], source);
});

test('findMutants empties arrays that are assigned, iterated over or a default', () => {
  for (const [source, change] of [
    ['x = [1];', '[1] → []'],
    ['for (const each of [1, 2]) act;', '[1, 2] → []'],
    ['[a = [1]] = b;', '[1] → []'],
    ['({ a: b = [1] } = c);', '[1] → []'],
    ['a[[1].length] = 2;', '[1] → []'],
  ] as const)
    assert.deepEqual(changesIn(source), [change], source);
});

test('findMutants keeps arrays that are the target of an assignment', () => {
  for (const source of [
    '[a, b] = c;',
    '[[a], ...[b]] = c;',
    '({ a: [b], ...c } = d);',
    '[{ a: [b] = c }] = d;',
    'for ([a, b] of c) d;',
    'for ([[a]] of c) d;',
    'const [a, [b]] = c;',
  ])
    assert.deepEqual(changesIn(source), [], source);
});

test('findMutants skips calls in optional chains', () => {
  assert.deepEqual(changesIn('x = a?.b.trim().length;'), []);
});

test('insertMutants nests mutants and keeps line numbers', () => {
  const source = 'export const f = (a: number, b: number) =>\n  a < 1 && b > 2;\n';
  const mutants = new Map(findMutants('a.ts', source).entries());
  const mutated = insertMutants(source, mutants, './switch.mjs');
  assert.equal(mutated.split('\n').length, source.split('\n').length);
  for (const id of mutants.keys()) assert.ok(mutated.includes(`$isActive(${id})`), String(id));
});

test('sampleMutants is deterministic per seed and stable when other code changes', () => {
  const source = Array.from({ length: 40 }, (_, index) => `x = a${index} < ${index};`).join('\n');
  const draw = (text: string, seed: number): string[] =>
    sampleMutants(findMutants('a.ts', text), { seed, count: 10 }).map(({ change }) => change);
  const first = draw(source, 1);
  assert.equal(first.length, 10);
  assert.deepEqual(draw(source, 1), first);
  assert.notDeepEqual(draw(source, 2), first);
  const changed = draw(`y = b > 1;\n${source}`, 1);
  assert.ok(changed.filter((change) => first.includes(change)).length >= 8);
});

/** Writes a source and its test into a folder of the repository. */
async function writeFiles(context: TestContext, source: string, tests: string) {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'mutants-test-'));
  context.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'code.ts'), source);
  await writeFile(
    join(folder, 'code.unit.ts'),
    `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { code } from './code.js';\n${tests}`,
  );
  const mutants = new Map(findMutants('code.ts', source).entries());
  const edit = (path: string, text: string): string =>
    path === join(folder, 'code.ts')
      ? insertMutants(text, mutants, join(ROOT, 'scripts/mutation/switch.mjs'))
      : text;
  return { mutants, edit, file: relative(ROOT, join(folder, 'code.unit.ts')) };
}

const LIMITED = 'export const code = (count: number): boolean => count < 10;\n';

/** Runs the mutants of a source and returns which were killed and which were never reached. */
async function runMutants(context: TestContext, source: string, tests: string) {
  const { mutants, edit, file } = await writeFiles(context, source, tests);
  const { killed, reached } = await tryMutants(mutants, [file], edit);
  const changes = [...mutants].map(([id, { change }]) => ({ id, change }));
  const pick = (matches: (id: number) => boolean): string[] =>
    changes.filter(({ id }) => matches(id)).map(({ change }) => change);
  return { killed: pick((id) => killed.has(id)), unreached: pick((id) => !reached.has(id)) };
}

test('tryMutants reports a survivor of a weak test', async (context) => {
  const weak = "test('counts', () => assert.equal(code(3), true));\n";
  const { killed, unreached } = await runMutants(context, LIMITED, weak);
  assert.deepEqual(killed, ['count < 10 → count >= 10']);
  assert.deepEqual(unreached, []);
});

test('tryMutants kills a boundary mutant by a test of the boundary', async (context) => {
  const good = "test('counts', () => assert.deepEqual([9, 10].map(code), [true, false]));\n";
  const { killed } = await runMutants(context, LIMITED, good);
  assert.deepEqual(killed, ['count < 10 → count <= 10', 'count < 10 → count >= 10']);
});

test('tryMutants reports mutants that no test reaches', async (context) => {
  const none = "test('is there', () => assert.equal(typeof code, 'function'));\n";
  const { killed, unreached } = await runMutants(context, LIMITED, none);
  assert.deepEqual([killed.length, unreached.length], [0, 2]);
});

test('tryMutants kills a mutant that loops endlessly', async (context) => {
  const source =
    'export const code = (count: number): number => {\n  let sum = 0;\n  for (let at = 0; at < count; at++) sum += at;\n  return sum;\n};\n';
  const { killed } = await runMutants(
    context,
    source,
    "test('adds', () => assert.equal(code(4), 6));\n",
  );
  assert.ok(killed.includes('at++ → at--'));
});

test('tryMutants rejects tests that fail without a mutant', async (context) => {
  const wrong = "test('counts', () => assert.equal(code(3), false));\n";
  await assert.rejects(
    runMutants(context, LIMITED, wrong),
    /code\.unit\.ts fails without any mutant/,
  );
});
