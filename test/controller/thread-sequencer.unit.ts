import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, ThreadContent } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored, type ScriptedBackend } from './scripted-backend.js';
import { codeOf, draftOf, setupController, type ControllerFixture } from './setup-controller.js';

const QUESTION = stored('u1', 'user', 'Question');

/** The stored thread while version `n` of the answer is active. */
function versionOf(n: number): ThreadContent {
  const { fields, ...answer } = stored(`a${n}`, 'assistant', `Version ${n}`, {
    runId: `task-${n}`,
  });
  const siblingIds = ['a1', 'a2', 'a3'];
  return contentOf('t', [QUESTION, { ...answer, fields: { ...fields, siblingIds } }]);
}

/** Opens the thread on its first version. */
async function openFirstVersion(): Promise<ControllerFixture> {
  const fixture = setupController();
  fixture.backend.threads.set('t', versionOf(1));
  await fixture.controller.openThread('t');
  return fixture;
}

/** Makes the next call of a method wait until the test settles it. */
function delay(backend: ScriptedBackend, method: string): Deferred<ThreadContent | Error> {
  const slow = new Deferred<ThreadContent | Error>();
  backend.responses.set(method, async () => {
    backend.responses.delete(method);
    const answer = await slow.promise;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return slow;
}

/** Sends a message whose run ends at once and is stored. */
async function sendStored(
  { backend, controller, environment }: ControllerFixture,
  record: ThreadContent,
) {
  const sent = controller.send(draftOf('Next'));
  await environment.settle();
  backend.stream.begin('task-9');
  await sent;
  backend.stream.append(0, 'Answer');
  backend.threads.set('t', record);
  backend.stream.finish('complete');
  await environment.settle();
}

const AFTER_NEXT = contentOf('t', [
  ...versionOf(1).messages,
  stored('u2', 'user', 'Next'),
  stored('a9', 'assistant', 'Answer', { runId: 'task-9' }),
]);

/** Actions that load a thread that is in memory already. */
const READINGS: Readonly<Record<string, (fixture: ControllerFixture) => void>> = {
  'opening the thread again': ({ controller }) => void controller.openThread('t'),
  'a change made elsewhere': ({ backend }) => (backend as Backend).onExternalChange?.('t'),
};

for (const [what, begin] of Object.entries(READINGS)) {
  test(`a branch switch outdates ${what} that started before it`, async () => {
    const fixture = await openFirstVersion();
    const { backend, controller, environment, texts } = fixture;
    const slow = delay(backend, 'loadThread');
    begin(fixture);
    await environment.settle();
    backend.threads.set('t', versionOf(2));
    backend.responses.set('switchBranch', () => versionOf(2));
    await controller.switchBranch('a2');
    const reads = backend.count('loadThread');
    slow.resolve(versionOf(1));
    await environment.settle();
    assert.deepEqual(texts(), ['Question', 'Version 2']);
    assert.equal(backend.count('loadThread'), reads + 1, 'the outdated load is repeated');
  });

  test(`a branch switch outdates ${what} that started during it`, async () => {
    const fixture = await openFirstVersion();
    const { backend, controller, environment, texts } = fixture;
    const switching = delay(backend, 'switchBranch');
    const switched = controller.switchBranch('a2');
    const slow = delay(backend, 'loadThread');
    begin(fixture);
    await environment.settle();
    backend.threads.set('t', versionOf(2));
    switching.resolve(versionOf(2));
    await switched;
    slow.resolve(versionOf(1));
    await environment.settle();
    assert.deepEqual(texts(), ['Question', 'Version 2']);
  });

  test(`a finished run outdates ${what} that started before it`, async () => {
    const fixture = await openFirstVersion();
    const { backend, environment, texts, controller } = fixture;
    const slow = delay(backend, 'loadThread');
    begin(fixture);
    await environment.settle();
    await sendStored(fixture, AFTER_NEXT);
    slow.resolve(versionOf(1));
    await environment.settle();
    assert.deepEqual(texts(), ['Question', 'Version 1', 'Next', 'Answer']);
    assert.equal(controller.thread?.run.state, 'complete');
  });

  test(`a newer load outdates ${what} that started before it`, async () => {
    const fixture = await openFirstVersion();
    const { backend, controller, environment, texts } = fixture;
    const slow = delay(backend, 'loadThread');
    begin(fixture);
    await environment.settle();
    backend.threads.set('t', versionOf(3));
    await controller.openThread('t');
    slow.resolve(versionOf(1));
    await environment.settle();
    assert.deepEqual(texts(), ['Question', 'Version 3']);
  });

  test(`a run that starts to wait for the user meanwhile outdates ${what}, and its stream stays open`, async () => {
    const fixture = await openFirstVersion();
    const { backend, controller, environment } = fixture;
    const slow = delay(backend, 'loadThread');
    begin(fixture);
    await environment.settle();
    const sent = controller.send(draftOf('Next'));
    await environment.settle();
    backend.stream.begin('task-9');
    await sent;
    backend.stream.request('request-1', 'tool');
    backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
    await environment.settle();
    const asking = contentOf('t', AFTER_NEXT.messages, 'task-9');
    backend.threads.set('t', asking);
    slow.resolve(versionOf(1));
    await environment.settle();
    assert.equal(backend.stream.signal.aborted, false);
    assert.equal(controller.thread?.run.state, 'waiting');
  });
}

test('a branch switch outdates the reload after a run, which is repeated', async () => {
  const fixture = await openFirstVersion();
  const { backend, controller, environment, last, texts } = fixture;
  const regenerated = controller.regenerate(last().key);
  await environment.settle();
  backend.stream.begin('task-2');
  await regenerated;
  backend.stream.append(0, 'Version 2');
  const slow = delay(backend, 'loadThread');
  backend.stream.finish('complete');
  await environment.settle();
  backend.responses.set('switchBranch', () => versionOf(1));
  await controller.switchBranch('a1');
  slow.resolve(versionOf(2));
  await environment.settle();
  await environment.advance(120_000);
  assert.deepEqual(texts(), ['Question', 'Version 1']);
});

test('a second branch switch is requested after the first one', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  const first = delay(backend, 'switchBranch');
  const shown = [controller.switchBranch('a2'), controller.switchBranch('a3')];
  await environment.settle();
  assert.equal(backend.count('switchBranch'), 1);
  backend.responses.set('switchBranch', () => versionOf(3));
  first.resolve(versionOf(2));
  await Promise.all(shown);
  assert.deepEqual(texts(), ['Question', 'Version 3']);
});

test('a branch switch that fails reloads the thread, and the next one is still executed', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  const first = delay(backend, 'switchBranch');
  const failed = codeOf(controller.switchBranch('a2'));
  const next = controller.switchBranch('a3');
  backend.threads.set('t', versionOf(2));
  first.resolve(new UbikError('network'));
  assert.equal(await failed, 'network');
  backend.responses.set('switchBranch', () => versionOf(3));
  await environment.settle();
  await next;
  assert.deepEqual(
    backend.calls.map(({ method }) => method).filter((method) => method !== 'listCheckpoints'),
    ['loadThread', 'switchBranch', 'loadThread', 'switchBranch'],
  );
  assert.deepEqual(texts(), ['Question', 'Version 3']);
});

test('a branch switch whose response was lost shows the branch of the service', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  backend.threads.set('t', versionOf(2));
  backend.responses.set('switchBranch', () => Promise.reject(new UbikError('network')));
  assert.equal(await codeOf(controller.switchBranch('a2')), 'network');
  await environment.settle();
  assert.deepEqual(texts(), ['Question', 'Version 2']);
});

/** Actions that start a run, and what is shown when they have waited for a branch switch. */
const STARTS: Readonly<
  Record<string, { start(fixture: ControllerFixture): Promise<void>; readonly shown: string[] }>
> = {
  send: {
    start: ({ controller }) => controller.send(draftOf('Next')),
    shown: ['Question', 'Version 2', 'Next', ''],
  },
  enqueue: {
    start: ({ controller }) => controller.enqueue(draftOf('Next')),
    shown: ['Question', 'Version 2', 'Next', ''],
  },
  edit: {
    start: ({ controller }) => {
      const [question = ''] = [...(controller.thread?.messages.keys() ?? [])];
      return controller.edit(question, draftOf('Other'));
    },
    shown: ['Other', ''],
  },
  regenerate: {
    start: ({ controller, last }) => controller.regenerate(last().key),
    shown: ['Question', ''],
  },
  restoreCheckpoint: {
    start: ({ backend, controller }) => {
      backend.checkpoints = [
        { name: 'c', runId: null, createdAt: 1, id: null, metadata: null, restorable: true },
      ];
      return controller.restoreCheckpoint('c', null);
    },
    shown: ['Question', 'Version 2', ''],
  },
};

for (const [act, { start, shown }] of Object.entries(STARTS)) {
  test(`${act} waits for a branch switch and starts on the new branch`, async () => {
    const fixture = await openFirstVersion();
    const { backend, controller, environment, texts } = fixture;
    const switching = delay(backend, 'switchBranch');
    const switched = controller.switchBranch('a2');
    const started = start(fixture);
    await environment.settle();
    assert.equal(backend.streams.length, 0);
    switching.resolve(versionOf(2));
    await switched;
    await environment.settle();
    assert.equal(backend.streams.length, 1);
    assert.deepEqual(texts(), shown);
    backend.stream.begin('task-9');
    await started;
  });
}

test('a message that waits for a branch switch is stored, and a second one is rejected', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  const switching = delay(backend, 'switchBranch');
  const switched = controller.switchBranch('a2');
  controller.setDraft(draftOf('First'));
  const first = controller.send(draftOf('First'));
  assert.equal(controller.getDraft().text, '');
  controller.setDraft(draftOf('Second'));
  assert.equal(await codeOf(controller.send(draftOf('Second'))), 'busy');
  assert.equal(await codeOf(controller.switchBranch('a3')), 'busy');
  assert.equal(controller.getDraft().text, 'Second');
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('t', versionOf(1));
  await environment.advance(1_000);
  await reloaded.controller.openThread('t');
  assert.equal(reloaded.controller.getDraft().text, 'First\n\nSecond');
  reloaded.controller.close();
  switching.resolve(versionOf(2));
  await switched;
  await environment.settle();
  backend.stream.begin('task-9');
  await first;
  assert.deepEqual(texts(), ['Question', 'Version 2', 'First', '']);
  assert.equal(backend.count('send'), 1);
});

test('a message that waits for a branch switch stays in its thread when another one is opened', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  backend.threads.set('b', contentOf('b', [stored('x', 'user', 'Elsewhere')]));
  const switching = delay(backend, 'switchBranch');
  const switched = controller.switchBranch('a2');
  const sent = controller.send(draftOf('Next'));
  await controller.openThread('b');
  switching.resolve(versionOf(2));
  await switched;
  await environment.settle();
  backend.stream.begin('task-9');
  await sent;
  assert.equal(backend.stream.args[0], 't');
  assert.deepEqual(texts(), ['Elsewhere']);
});

test('a message is sent after a branch switch that failed', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  const switching = delay(backend, 'switchBranch');
  const switched = codeOf(controller.switchBranch('a2'));
  const sent = controller.send(draftOf('Next'));
  backend.threads.set('t', versionOf(2));
  switching.resolve(new UbikError('network'));
  assert.equal(await switched, 'network');
  await environment.settle();
  backend.stream.begin('task-9');
  await sent;
  assert.deepEqual(texts(), ['Question', 'Version 2', 'Next', '']);
});

test('the text of a message becomes the draft when its thread is deleted during a branch switch', async () => {
  const { backend, controller } = await openFirstVersion();
  const switching = delay(backend, 'switchBranch');
  const switched = codeOf(controller.switchBranch('a2'));
  const sent = codeOf(controller.send(draftOf('Next')));
  await controller.deleteThread('t');
  switching.resolve(versionOf(2));
  await switched;
  assert.equal(await sent, 'not-found');
  assert.equal(controller.getDraft().text, 'Next');
  assert.equal(backend.count('send'), 0);
});

test('a message is not sent when the controller is closed during a branch switch', async () => {
  const { backend, controller } = await openFirstVersion();
  const switching = delay(backend, 'switchBranch');
  const switched = codeOf(controller.switchBranch('a2'));
  const sent = codeOf(controller.send(draftOf('Next')));
  controller.close();
  switching.resolve(versionOf(2));
  await switched;
  assert.equal(await sent, 'aborted');
  assert.equal(backend.count('send'), 0);
});

test('a queued message that is sent during a branch switch follows the new branch', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  const sent = controller.send(draftOf('Next'));
  await environment.settle();
  backend.stream.begin('task-9');
  await sent;
  await controller.enqueue(draftOf('Later'));
  backend.threads.set('t', AFTER_NEXT);
  backend.stream.finish('failed');
  await environment.settle();
  const switching = delay(backend, 'switchBranch');
  const switched = controller.switchBranch('a2');
  await controller.resumeQueue();
  await environment.settle();
  assert.equal(backend.count('send'), 1);
  switching.resolve(versionOf(2));
  await switched;
  await environment.settle();
  assert.equal(backend.count('send'), 2);
  assert.deepEqual(texts(), ['Question', 'Version 2', 'Later', '']);
});

test('provideInput waits for a branch switch, and rejects with not-open when its request is not in the new branch', async () => {
  const { backend, controller, environment, last } = await openFirstVersion();
  const sent = controller.send(draftOf('Next'));
  await environment.settle();
  backend.stream.begin('task-9');
  await sent;
  backend.stream.request('request-1');
  backend.stream.finish('waiting');
  await environment.settle();
  const { key } = last();
  const switching = delay(backend, 'switchBranch');
  const switched = controller.switchBranch('a2');
  let isSettled = false;
  const answer = { type: 'text', text: '2020' } as const;
  const answered = codeOf(controller.provideInput(key, 'request-1', answer)).finally(() => {
    isSettled = true;
  });
  await environment.settle();
  assert.equal(isSettled, false);
  switching.resolve(versionOf(2));
  await switched;
  assert.equal(await answered, 'not-open');
  assert.equal(backend.count('provideInput'), 0);
});

test('a branch switch away from a pending request is shown', async () => {
  const { backend, controller, environment, texts } = await openFirstVersion();
  const sent = controller.send(draftOf('Next'));
  await environment.settle();
  backend.stream.begin('task-9');
  await sent;
  backend.stream.request('request-1');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  backend.responses.set('switchBranch', () => versionOf(2));
  backend.threads.set('t', versionOf(2));
  await controller.switchBranch('a2');
  await environment.settle();
  assert.ok(backend.stream.signal.aborted, 'the stream of the run is closed');
  assert.deepEqual(texts(), ['Question', 'Version 2']);
});
