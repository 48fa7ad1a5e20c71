import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, runCommand } from '../../scripts/run-command.mjs';

/** Rules that need no types, and code that violates each of them, in a file of `src` and in one of `test`. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'eslint(eqeqeq)': 'export const f = (a: number) => a == 1;',
  'eslint(max-params)':
    'export const f = (a = 1, b = 1, c = 1, d = 1, e = 1, g = 1) => [a, b, c, d, e, g];',
  'eslint(no-array-constructor)': 'export const list = new Array(1, 2);',
  'eslint(no-unused-vars)': 'const unused = 1;',
  'eslint(no-var)': 'export var a = 1;',
  'eslint(prefer-const)': 'let a = 1; export const b = a;',
  'eslint(prefer-spread)':
    'export const f = (call: (...all: number[]) => void, all: number[]) => call.apply(undefined, all);',
  'typescript(ban-ts-comment)': '// @ts-ignore\nexport const a = 1;',
  'typescript(consistent-type-imports)': "import { A } from './a.js'; export type B = A;",
  'typescript(no-duplicate-enum-values)': 'export enum E { A = 1, B = 1 }',
  'typescript(no-empty-object-type)': 'export interface Empty {}',
  'typescript(no-explicit-any)': 'export const a: any = 1;',
  'typescript(no-extra-non-null-assertion)': 'export const f = (a: { b: 1 } | null) => a!!.b;',
  'typescript(no-misused-new)': 'export interface Bad { new (): Bad; }',
  'typescript(no-namespace)': 'export namespace A { export const a = 1; }',
  'typescript(no-non-null-asserted-optional-chain)': 'export const f = (a?: { b?: 1 }) => a?.b!;',
  'typescript(no-non-null-assertion)': 'export const f = (a: { b: 1 } | null) => a!.b;',
  'typescript(no-require-imports)': "import fs = require('node:fs'); export const read = fs.read;",
  'typescript(no-this-alias)': 'export class A { f() { const self = this; return self; } }',
  'typescript(no-unnecessary-type-constraint)': 'export const f = <T extends unknown>(a: T) => a;',
  'typescript(no-unsafe-declaration-merging)': 'export class A {} export interface A { a: 1 }',
  'typescript(no-unsafe-function-type)': 'export const f: Function = () => 1;',
  'typescript(no-wrapper-object-types)': "export const text: String = '';",
  'typescript(prefer-as-const)': "export const a = 'a' as 'a';",
  'typescript(prefer-namespace-keyword)': 'export module A { export const a = 1; }',
  'typescript(triple-slash-reference)': '/// <reference path="./a.ts" />\nexport const a = 1;',
};

/** Rules that apply to only one of the two folders. */
const OF_FOLDER: readonly (readonly [folder: string, rule: string, code: string])[] = [
  ['src', 'eslint(no-unused-expressions)', 'export const a = 1; a;'],
  ['src', 'eslint(prefer-rest-params)', 'export function f() { return arguments; }'],
  ...['describe', 'it', 'suite', 'test'].map(
    (name) =>
      ['test', 'eslint(no-restricted-properties)', `${name}.only('alone', () => {});`] as const,
  ),
];

const CASES = [
  ...['src', 'test'].flatMap((folder) =>
    Object.entries(VIOLATIONS).map(([rule, code]) => [folder, rule, code] as const),
  ),
  ...OF_FOLDER,
];

test('oxlint reports a violation of each rule that needs no types', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ubik-oxlint-'));
  try {
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    const files = CASES.map(([where], index) => `${where}/case-${String(index)}.ts`);
    for (const where of ['src', 'test']) mkdirSync(join(folder, where));
    files.forEach((file, index) =>
      writeFileSync(join(folder, file), `${CASES[index]?.[2] ?? ''}\n`),
    );
    const { output } = await runCommand(['oxlint', '--format', 'json'], { cwd: folder });
    const { diagnostics } = JSON.parse(output) as {
      diagnostics: { code: string; filename: string }[];
    };
    const missing = CASES.filter(
      ([, rule], index) =>
        !diagnostics.some(({ code, filename }) => code === rule && filename === files[index]),
    );
    assert.deepEqual(missing, []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
