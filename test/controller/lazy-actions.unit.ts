/** Does not use `setup-controller.ts`, which loads the actions that are lazily loaded here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStreamController } from '../../src/controller/controller.js';
import { documentActions, queueActions, storedThreads } from '../../src/controller/lazy-actions.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import type { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { emptyContent, ScriptedBackend } from './scripted-backend.js';

const DOCUMENT = {
  id: 'd1',
  name: 'Rivers.pdf',
  status: 'completed',
  fileType: 'pdf',
  error: null,
  starred: false,
  createdAt: null,
};

function setup() {
  const environment = createTestEnvironment();
  const backend = new ScriptedBackend(() => 0);
  backend.threads.set('a', emptyContent('a'));
  return { environment, backend, controller: createStreamController({ backend, environment }) };
}

test('a thread is not opened when a new thread is shown while the code for stored threads is loading', async () => {
  const { backend, controller } = setup();
  assert.equal(storedThreads.value, undefined);
  const opening = controller.openThread('a');
  controller.switchToNewThread();
  await opening;
  assert.equal(controller.thread, null);
  assert.equal(backend.count('loadThread'), 0);
  controller.close();
});

test('an action rejects with aborted when a new thread is shown while the code of the action is loading', async () => {
  const { backend, controller } = setup();
  await controller.openThread('a');
  const listed = controller.listCheckpoints();
  controller.switchToNewThread();
  await assert.rejects(listed, { code: 'aborted' });
  assert.equal(backend.count('listCheckpoints'), 0);
  controller.close();
});

for (const [what, act, threads] of [
  ['opened', (controller) => controller.openThread('a'), []],
  ['created', (controller) => controller.send({ text: 'Question', attachments: [] }), ['new']],
] as const satisfies [string, (controller: StreamController) => Promise<void>, string[]][]) {
  test(`an action that starts without a thread is ${threads.length ? '' : 'not '}performed in a thread that is ${what} while the code of the action is loading`, async () => {
    const { environment, backend, controller } = setup();
    await storedThreads.load();
    backend.responses.set('createThread', () => ({ id: 'new', title: '' }));
    documentActions.value = undefined;
    const { load } = documentActions;
    const held = new Deferred<undefined>();
    documentActions.load = () => held.promise.then(() => load.call(documentActions));
    try {
      const linked = controller.linkDocuments([DOCUMENT]).catch(({ code }: UbikError) => code);
      act(controller).catch(() => undefined);
      await environment.settle();
      assert.ok(controller.thread?.id);
      held.resolve(undefined);
      assert.equal(await linked, threads.length ? undefined : 'aborted');
      const calls = backend.calls.filter(({ method }) => method === 'linkDocuments');
      assert.deepEqual(
        calls.map(({ args }) => args[0]),
        threads,
      );
    } finally {
      documentActions.load = load;
      controller.close();
    }
  });
}

for (const times of [1, 2]) {
  test(`an action that starts while a thread is loading is performed in that thread when the code of the action is loaded later${times === 1 ? '' : ', also when the thread is opened again meanwhile'}`, async () => {
    const { backend, controller } = setup();
    documentActions.value = undefined;
    let opening = controller.openThread('a');
    const { load } = documentActions;
    documentActions.load = async () => {
      await Promise.resolve();
      await opening;
      return load.call(documentActions);
    };
    try {
      const linked = controller.linkDocuments([DOCUMENT]);
      if (times === 2) opening = controller.openThread('a');
      await linked;
      assert.deepEqual(
        backend.calls.filter(({ method }) => method === 'linkDocuments').map(({ args }) => args[0]),
        ['a'],
      );
    } finally {
      documentActions.load = load;
      controller.close();
    }
  });
}

test('the code of the queue is loaded a second after the end of the first run', async () => {
  const { environment, backend, controller } = setup();
  const sent = controller.send({ text: 'Question', attachments: [] });
  await environment.settle();
  backend.stream.begin();
  await sent;
  backend.stream.finish('complete');
  await environment.settle();
  await environment.advance(999);
  // An import that has begun is complete when a later one of the same module is.
  await import('../../src/controller/messages/message-queue.js');
  await environment.settle();
  assert.equal(queueActions.value, undefined);
  await environment.advance(1);
  await import('../../src/controller/messages/message-queue.js');
  await environment.settle();
  assert.ok(queueActions.value);
  controller.close();
});

test('a message can be queued while the code of the queue is not loaded', async () => {
  const { environment, backend, controller } = setup();
  queueActions.value = undefined;
  const sent = controller.send({ text: 'Question', attachments: [] });
  await environment.settle();
  backend.stream.begin();
  await sent;
  await controller.enqueue({ text: 'Next', attachments: [] });
  const texts = [...(controller.thread?.list('queue').values() ?? [])].map(
    (message) => (message as { text?: unknown }).text,
  );
  assert.deepEqual(texts, ['Next']);
  controller.close();
});
