import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The repository's rules without the type-checked ones, because the linted files do not exist. */
const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: [
    { files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked },
    { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } },
  ] as NonNullable<ESLint.Options['overrideConfig']>,
});

const IMPORTS = '@typescript-eslint/no-restricted-imports';

async function violatedRules(file: string, code: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(code, { filePath: `${ROOT}/${file}` });
  if (!result) throw new Error(`ESLint ignores ${file}.`);
  const fatal = result.messages.find((message) => message.fatal);
  if (fatal) throw new Error(fatal.message);
  return result.messages.map((message) => message.ruleId);
}

const importing = (specifier: string): string =>
  `import { thing } from '${specifier}';\nthing();\n`;
const importingTypes = (specifier: string): string =>
  `import type { Thing } from '${specifier}';\nlet thing: Thing;\nthing = 1;\n`;

/** Files and imports that are forbidden in them: each module once, with its most likely wrong imports. */
const FORBIDDEN: readonly (readonly [file: string, ...specifiers: string[]])[] = [
  ['src/errors.ts', './model/part.js', 'lit', 'node:fs'],
  ['src/events/new.ts', '../message/icons.js', '../elements/ubik-chat.js', 'lit'],
  ['src/define.ts', './message/parts/part-views.js', './model/part.js', './controller/notifier.js'],
  [
    'src/model/new.ts',
    '../transport/environment.js',
    './../transport/environment.js',
    '../backends/backend.js',
    'lit',
    'marked',
  ],
  ['src/transport/new.ts', '../model/part.js', '../dom/frames.js', 'lit'],
  ['src/transport/http/new.ts', '../../model/part.js', '../../../server/index.js', 'node:http'],
  ['src/backends/ubik/new.ts', '../../controller/registry.js', '../../message/icons.js'],
  ['src/backends/ubik/content/new.ts', '../../../markdown/markdown-view.js', 'eventsource-parser'],
  ['src/controller/new.ts', '../backends/ubik/index.js', '../elements/ubik-chat.js', 'lit'],
  ['src/controller/run/new.ts', '../../backends/ubik/index.js', '../../dom/frames.js'],
  ['src/dom/new.ts', '../errors.js', '../model/part.js', '../message/icons.js'],
  ['src/locales/new.ts', '../model/part.js', '../dom/element.js'],
  ['src/markdown/new.ts', '../model/part.js', '../locales/en.js', 'lit', 'marked', 'dompurify'],
  ['src/markdown/parser/new.ts', '../../message/icons.js', '../../errors.js', 'highlight.js'],
  ['src/markdown/extras/new.ts', '../markdown-view.js', '../../dom/frames.js', 'lit'],
  [
    'src/mermaid/new.ts',
    '../markdown/markdown-view.js',
    '../locales/en.js',
    '../errors.js',
    'mermaid',
  ],
  ['src/message/new.ts', '../elements/ubik-chat.js', '../controller/registry.js', 'marked'],
  ['src/message/tool/new.ts', '../../events/index.js', '../../transport/environment.js'],
  ['src/elements/new.ts', '../backends/ubik/index.js', '../transport/environment.js', 'marked'],
  [
    'src/elements/views/new.ts',
    '../../backends/ubik/index.js',
    '../../index.js',
    '../../define.js',
  ],
  ['src/static/new.ts', '../elements/ubik-chat.js', '../controller/registry.js', 'node:fs'],
  ['server/new.ts', '../src/errors.js', '../demo/main.js', 'hono'],
  ['server/proxy/new.ts', '../../src/errors.js', '../../demo/main.js'],
  ['demo/new.ts', '../src/errors.js', '../dist/index.js', 'ubik-elements', 'express'],
  ['demo/agent/store/new.ts', '../../../src/errors.js', '../../../test/helpers/seeded-random.js'],
];

/** Files and imports that are allowed, so that a rule that forbids everything fails. */
const ALLOWED: readonly (readonly [file: string, ...specifiers: string[]])[] = [
  ['src/define.ts', './elements/ubik-chat.js', './backends/ubik/index.js'],
  ['src/index.ts', './elements/ubik-chat.js', './model/part.js'],
  ['src/model/new.ts', './part.js', '../errors.js'],
  ['src/transport/new.ts', './http.js', '../errors.js', 'eventsource-parser'],
  ['src/transport/http/new.ts', '../environment.js', '../../errors.js'],
  [
    'src/backends/ubik/content/new.ts',
    '../events/event-reader.js',
    '../../backend.js',
    '../../../model/part.js',
  ],
  [
    'src/controller/new.ts',
    '../backends/backend.js',
    '../model/apply.js',
    '../transport/backoff.js',
  ],
  ['src/markdown/parser/new.ts', '../url-policy.js', '../../dom/frames.js'],
  ['src/mermaid/new.ts', '../dom/element.js', '../locales/diagram-strings.js', './drawing.js'],
  ['src/markdown/extras/new.ts', 'chart.js', 'highlight.js', 'temml', 'dompurify', 'marked'],
  [
    'src/message/tool/new.ts',
    '../icons.js',
    '../../model/part.js',
    'lit',
    'lit/directives/live.js',
  ],
  ['src/elements/new.ts', './styles/base.js', '../controller/registry.js', 'lit/decorators.js'],
  ['src/static/new.ts', '../elements/styles/styles.js', '../message/icons.js', 'lit'],
  ['server/new.ts', './token-handler.js', 'node:crypto'],
  ['demo/agent/new.ts', '../main.js', '../../server/index.js', 'node:fs', 'node-sqlite3-wasm'],
];

suite('imports between modules', () => {
  for (const [file, ...specifiers] of FORBIDDEN) {
    for (const specifier of specifiers) {
      test(`${file} may not import ${specifier}`, async () => {
        assert.ok((await violatedRules(file, importing(specifier))).includes(IMPORTS));
      });
    }
  }

  for (const [file, ...specifiers] of ALLOWED) {
    for (const specifier of specifiers) {
      test(`${file} may import ${specifier}`, async () => {
        assert.ok(!(await violatedRules(file, importing(specifier))).includes(IMPORTS));
      });
    }
  }

  for (const [file, specifier] of [
    ['src/elements/new.ts', '../model/part.js'],
    ['src/elements/views/new.ts', '../../backends/backend.js'],
    ['src/events/new.ts', '../model/part.js'],
  ] as const) {
    test(`${file} may import types, and nothing else, of ${specifier}`, async () => {
      assert.ok((await violatedRules(file, importing(specifier))).includes(IMPORTS));
      assert.ok(!(await violatedRules(file, importingTypes(specifier))).includes(IMPORTS));
    });
  }

  test('a re-export counts as an import', async () => {
    const violated = await violatedRules(
      'src/model/new.ts',
      `export { a } from '../transport/a.js';`,
    );
    assert.ok(violated.includes(IMPORTS));
  });
});

/** File, rule, and code that violates it. */
const PLATFORM: readonly (readonly [file: string, rule: string, ...codes: string[]])[] = [
  [
    'src/message/new.ts',
    'no-restricted-globals',
    'void fetch("/");',
    'void window.fetch("/");',
    'void globalThis.fetch("/");',
    'setTimeout(() => {}, 1);',
    'requestAnimationFrame(() => {});',
    'export const now = performance.now();',
    'localStorage.clear();',
    'export const request = new XMLHttpRequest();',
  ],
  [
    'src/controller/new.ts',
    'no-restricted-properties',
    'export const now = Date.now();',
    'export const chance = Math.random();',
    'export const id = crypto.randomUUID();',
  ],
  [
    'src/backends/new.ts',
    'no-restricted-syntax',
    'export const now = new Date();',
    'export const now = Date();',
  ],
  ['src/model/new.ts', 'no-restricted-globals', 'export const day = new Date(0);'],
  ['src/markdown/new.ts', 'no-restricted-globals', 'document.createElement("p");'],
  [
    'src/elements/new.ts',
    'no-restricted-syntax',
    'document.body.innerHTML = "";',
    'document.body.outerHTML = "";',
    'document.body.insertAdjacentHTML("beforeend", "");',
    'document.write("");',
    'new DOMParser().parseFromString("", "text/html");',
  ],
  ['src/transport/environment.ts', 'no-restricted-syntax', 'document.body.innerHTML = "";'],
  ['src/model/new.ts', 'no-console', 'console.log(1);'],
  ['src/model/new.ts', 'no-restricted-exports', 'export default 1;'],
  ['src/model/new.ts', 'jsdoc/require-jsdoc', 'export function bare(): void {}'],
];

suite('restricted globals and syntax', () => {
  for (const [file, rule, ...codes] of PLATFORM) {
    for (const code of codes) {
      test(`${file} may not contain: ${code}`, async () => {
        assert.ok((await violatedRules(file, `${code}\n`)).includes(rule));
      });
    }
  }

  test('environment.ts may use time and randomness', async () => {
    const code = 'export const now = Date.now() + Math.random() + performance.now();\n';
    const violated = await violatedRules('src/transport/environment.ts', code);
    assert.deepEqual(
      violated.filter((rule) => rule?.startsWith('no-restricted')),
      [],
    );
  });
});
