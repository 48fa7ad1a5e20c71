import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, setupController, type ControllerFixture } from './setup-controller.js';
import { keyOf, recordKey } from './setup-queue.js';

const SETTINGS = {
  options: { deepThinking: true },
  context: { title: 'Danube', data: { river: 'Danube' } },
} as const;

function draftWithSettings(text: string): Draft {
  return { text, attachments: [], ...SETTINGS };
}

/** Drafts that were sent, in order. */
function listSent({ backend }: ControllerFixture): unknown[] {
  return backend.streams.filter(({ method }) => method === 'send').map(({ args }) => args[1]);
}

test('send passes options and context to the backend, and stores neither with the text', async () => {
  const fixture = setupController();
  const { controller, backend, environment } = fixture;
  const sending = controller.send(draftWithSettings('Which countries?'));
  await environment.settle();
  assert.deepEqual(listSent(fixture), [draftWithSettings('Which countries?')]);
  const record = await environment.storage.get(recordKey('draft'));
  assert.match(record ?? '', /Which countries/u);
  assert.doesNotMatch(record ?? '', /Danube|deepThinking/u);
  backend.stream.begin();
  await sending;
});

test('a message that the service rejects becomes the draft without its settings', async () => {
  const { controller, backend, environment } = setupController();
  const sending = codeOf(controller.send(draftWithSettings('Which countries?')));
  await environment.settle();
  backend.stream.fail(new UbikError('forbidden', 'no', { status: 403 }));
  assert.equal(await sending, 'forbidden');
  assert.deepEqual(controller.getDraft(), { text: 'Which countries?', attachments: [] });
});

test('a queued message is sent with the settings that it was written with, also after it was edited', async () => {
  const fixture = setupController();
  const { controller, backend, environment } = fixture;
  await fixture.start('First');
  await controller.enqueue(draftWithSettings('Second'));
  await controller.enqueue({ text: 'Third', attachments: [], context: null });
  await controller.updateQueued(keyOf(fixture, 'Second'), { text: 'Better', attachments: [] });
  for (const task of ['task-2', 'task-3']) {
    backend.stream.finish('complete');
    await environment.settle();
    backend.stream.begin(task);
    await environment.settle();
  }
  assert.deepEqual(listSent(fixture), [
    { text: 'First', attachments: [] },
    draftWithSettings('Better'),
    { text: 'Third', attachments: [], context: null },
  ]);
});

test('regenerate passes settings to the backend', async () => {
  const { controller, backend, environment } = setupController();
  const messages = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];
  backend.threads.set('a', contentOf('a', messages));
  await controller.openThread('a');
  const answer = controller.thread?.head ?? '';
  const regenerating = controller.regenerate(answer, SETTINGS);
  await environment.settle();
  assert.deepEqual(backend.stream.args, ['a', 'm2', SETTINGS]);
  backend.stream.begin();
  await regenerating;
});
