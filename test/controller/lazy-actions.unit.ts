/** Does not use `setup-controller.ts`, which loads the actions that are lazily loaded here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStreamController } from '../../src/controller/controller.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { emptyContent, ScriptedBackend } from './scripted-backend.js';

test('an action whose code is being loaded is not performed in the thread that has replaced its own', async () => {
  const backend = new ScriptedBackend(() => 0);
  const controller = createStreamController({ backend, environment: createTestEnvironment() });
  backend.threads.set('a', emptyContent('a'));
  await controller.openThread('a');
  const listed = controller.listCheckpoints();
  controller.switchToNewThread();
  await assert.rejects(listed, { code: 'aborted' });
  assert.equal(backend.count('listCheckpoints'), 0);
  controller.close();
});
