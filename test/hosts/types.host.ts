/** The types of frameworks for which there is no app. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { HOSTS_FOLDER } from './host-site.js';

test('the types for Solid accept what an element has, and reject misspelled and wrong values', () => {
  const cwd = join(HOSTS_FOLDER, 'solid');
  const compiler = ['node_modules/typescript/bin/tsc', '--noEmit'];
  const { status, stdout } = spawnSync(process.execPath, compiler, { cwd, encoding: 'utf8' });
  assert.equal(stdout, '');
  assert.equal(status, 0);
});
