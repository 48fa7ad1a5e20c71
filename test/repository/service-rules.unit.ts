import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

const SOURCES = new URL('../../src/', import.meta.url);

/** Backends by the names of their services. Modules above them must not depend on a specific service. */
const SERVICES = ['ubik', 'data-agent'] as const;

/** The source files by their paths, without comments. */
const sources = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(new URL(path, SOURCES), 'utf8');
      return [path, text.replace(/\/\*[^]*?\*\//g, '').replace(/(?<=^|\s)\/\/.*$/gm, '')] as const;
    }),
);

/** Returns the names in snake case in a backend: those of fields and events of its service. */
function listWireNames(service: string): string[] {
  const names = [...sources]
    .filter(([path]) => path.startsWith(`backends/${service}/`))
    .flatMap(([, text]) => [...text.matchAll(/['"`]([a-z]+(?:_[a-z]+)+)['"`]/g)])
    .map(([, name = '']) => name);
  return [...new Set(names)];
}

/** Lines outside the backends of services that match, as `path: line`. */
function findOutside(services: readonly string[], expression: RegExp): string[] {
  return [...sources]
    .filter(([path]) => !services.some((service) => path.startsWith(`backends/${service}/`)))
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line) => (expression.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
}

/** The lines that may name a service: its registration, its use as the default, and its entry point. */
const NAMED: Readonly<Record<(typeof SERVICES)[number], readonly string[]>> = {
  ubik: [
    `define.ts: import { createLazyUbikBackend, loadUbikFormat } from './backends/ubik/lazy-ubik.js';`,
    `define.ts: registerBackend('ubik', ({ baseUrl, getToken, agentId, userKey, environment }) =>`,
    `define.ts: registerContentFormat('ubik', loadUbikFormat);`,
    `elements/chat/open-service.ts: const service = element.service || 'ubik';`,
    `elements/ubik-chat.ts: service = 'ubik';`,
    `elements/ubik-message.ts: format = 'ubik';`,
    `elements/ubik-message.ts: const format = this.format || 'ubik';`,
    'elements/ubik-message.ts: `<ubik-message> knows no format "${format}". Call registerContentFormat(), or import define.js for "ubik".`,',
    `entries/ubik.ts: } from '../backends/ubik/index.js';`,
  ],
  'data-agent': [
    `define.ts: import { createLazyDataAgentBackend } from './backends/data-agent/lazy-data-agent.js';`,
    `define.ts: registerBackend('data-agent', createLazyDataAgentBackend);`,
    `entries/data-agent.ts: export * from '../backends/data-agent/index.js';`,
  ],
};

/** The class and the container of the root of each element. */
const ROOT_NAMES =
  /\.ubik\b|['"]ubik(?: launch)?['"](?= part| lang|, this)|class: 'ubik'|container(?:: | )ubik\b/g;

suite('names of services', () => {
  for (const service of SERVICES) {
    test(`wire names of ${service} occur only in backends`, () => {
      const names = listWireNames(service);
      assert.ok(names.length > 50, `${String(names.length)} names`);
      const wire = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`);
      assert.deepEqual(findOutside(SERVICES, wire), []);
    });

    test(`the name ${service} occurs outside its backend only where it is registered, exported or the default`, () => {
      const name = new RegExp(`(?<![\\w-])${service}\\b(?!-)`, 'i');
      const found = findOutside([service], name).filter((line) =>
        name.test(line.slice(line.indexOf(': ')).replaceAll(ROOT_NAMES, '')),
      );
      assert.deepEqual(new Set(found), new Set(NAMED[service]));
    });
  }
});
