import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bundleTests } from '../../scripts/bundle-tests.mjs';
import { ROOT, runCommand } from '../../scripts/run-command.mjs';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** Runs test files with the given sources in one process, and returns its output. */
async function runJoined(sources: Record<string, string>): Promise<string> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.cache', 'joined-'));
  folders.push(folder);
  for (const [name, source] of Object.entries(sources)) {
    await writeFile(join(folder, name), source);
  }
  const tests = Object.keys(sources).filter((name) => name.endsWith('.unit.ts'));
  const paths = tests.map((name) => join(folder.slice(ROOT.length), name));
  const bundle = await bundleTests([paths.join(',')]);
  folders.push(bundle.folder);
  const env = { NODE_TEST_CONTEXT: undefined };
  const { output } = await runCommand(['node', '--test-reporter=tap', ...bundle.files], { env });
  return output;
}

/** A test that passes if only the hooks of its own file run around it. */
const withHook = (name: string): string => `
  import assert from 'node:assert';
  import { beforeEach, test } from 'node:test';
  import { hooks } from './hooks.ts';
  beforeEach(() => hooks.push('${name}'));
  test('${name}', () => assert.deepEqual(hooks.splice(0), ['${name}']));`;

test('files that share a process and a module that loads asynchronously do not share hooks', async () => {
  const output = await runJoined({
    'hooks.ts': 'export const hooks = await Promise.resolve([]);',
    'first.unit.ts': withHook('first'),
    'second.unit.ts': withHook('second'),
    'third.unit.ts': withHook('third'),
  });
  assert.match(output, /# pass 3\n# fail 0\n/, output);
});

test('a file that does not load fails alone', async () => {
  const output = await runJoined({
    'first.unit.ts': "throw new Error('This file does not load.');",
    'second.unit.ts': "import { test } from 'node:test'; test('second', () => {});",
  });
  assert.match(output, /not ok 1 .*first\.unit\.ts/, output);
  assert.match(output, /ok 1 - second/, output);
  // Node counts the file that does not load among the suites, not among the tests that fail.
  assert.match(output, /# pass 1\n# fail 0\n/, output);
});
