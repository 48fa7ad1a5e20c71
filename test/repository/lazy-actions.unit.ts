import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HELPER = 'test/helpers/load-lazy-actions.ts';

/** The modules that a file names with a pattern, as paths without an extension. */
function listModules(file: string, pattern: RegExp): string[] {
  const base = new URL(file, 'file:///');
  const specifiers = [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(pattern)];
  return specifiers.map(([, name = '']) => new URL(name, base).pathname.slice(1, -'.js'.length));
}

// Tests with a scripted network wait for responses and for turns of the event loop, but cannot wait for the file system.
test('tests with scripted time load all code of controller, backends and transport in advance', () => {
  const files = ['src/backends', 'src/controller', 'src/transport'].flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  );
  // The files `lazy-….ts` load whole backends, which such tests create themselves.
  const others = files.filter((file) => !/\/backends\/(?:.*\/)?lazy-[^/]+\.ts$/u.test(file));
  const onDemand = others.flatMap((file) => listModules(file, /\bimport\(\s*'(\.[^']+)'/gu));
  const loaded = new Set(listModules(HELPER, /\b(?:import\(|from )'(\.[^']+)'/gu));
  assert.ok(onDemand.length > 0);
  assert.deepEqual(
    [...new Set(onDemand)].filter((file) => !loaded.has(file)),
    [],
  );
});
