import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { createStreamController } from '../../src/controller/controller.js';
import type { GetToken } from '../../src/controller/registry.js';
import { shareController } from '../../src/controller/shared-controllers.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { contentOf, ScriptedBackend, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController } from './setup-controller.js';
import { recordKey } from './setup-queue.js';

test('two retainers share one stream', async () => {
  const { controller, backend, environment, start } = setupController({ keepAlive: false });
  const emitted: string[] = [];
  const first = controller.retain();
  const second = controller.retain();
  controller.subscribe({ all: true }, () => emitted.push('first'));
  controller.subscribe({ all: true }, () => emitted.push('second'));
  await start();
  emitted.length = 0;
  backend.stream.append(0, 'word');
  await environment.settle();
  assert.deepEqual(emitted, ['first', 'second']);
  assert.equal(backend.streams.length, 1);
  first();
  await environment.advance(1);
  assert.equal(backend.stream.signal.aborted, false);
  second();
  await environment.advance(1);
  assert.equal(backend.stream.signal.aborted, true);
});

test('retain keeps the controller open when its only retainer releases and retains in one task', async () => {
  const { controller, backend, environment, start, texts } = setupController({
    keepAlive: false,
  });
  const release = controller.retain();
  await start();
  release();
  const releaseAgain = controller.retain();
  backend.stream.append(0, 'word');
  await environment.advance(10);
  assert.deepEqual(texts(), ['Question', 'word']);
  assert.equal(backend.streams.length, 1);
  assert.equal(environment.timers, 1, 'the watchdog');
  releaseAgain();
  // A second call does nothing.
  releaseAgain();
  await environment.advance(1);
  assert.equal(environment.timers, 0);
});

test('a controller with keepAlive stays open without retainers', async () => {
  const { controller, backend, environment, start } = setupController();
  controller.retain()();
  await start();
  await environment.advance(10);
  assert.equal(backend.stream.signal.aborted, false);
});

test('close releases everything and sends nothing', async () => {
  const { controller, backend, environment, start, page, runNotices, notices } = setupController();
  await start();
  controller.setDraft(draftOf('unsent'));
  controller.switchToNewThread();
  await start('Second');
  backend.streams[0]?.fail();
  await environment.settle();
  assert.ok(environment.timers > 0);
  const callCount = backend.calls.filter(({ method }) => method !== 'releaseRun').length;
  controller.close();
  controller.close();
  await environment.settle();
  assert.equal(environment.timers, 0);
  assert.equal(page.wakeListeners.size + page.hideListeners.size, 0);
  assert.ok(backend.streams.every(({ signal }) => signal.aborted));
  assert.equal(backend.calls.filter(({ method }) => method !== 'releaseRun').length, callCount);
  assert.equal(notices.filter(({ type }) => type === 'closed').length, 1);
  const before = runNotices().length;
  const revision = controller.revision({ all: true });
  for (const stream of backend.streams) {
    stream.append(0, 'late');
    stream.finish('complete');
  }
  page.wake('online');
  await environment.advance(600_000);
  assert.equal(backend.streams.length, 2);
  assert.equal(runNotices().length, before);
  assert.equal(controller.revision({ all: true }), revision);
});

test('close finishes when the backend throws while it releases a run', async () => {
  const { controller, environment, backend, start, notices } = setupController();
  await start();
  Object.assign(backend, {
    releaseRun: () => {
      throw new TypeError('no such run');
    },
  });
  controller.setDraft(draftOf('unsent'));
  controller.close();
  await environment.settle();
  assert.equal(notices.at(-1)?.type, 'closed');
  assert.ok(notices.some((notice) => notice.type === 'diagnostic'));
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', []));
  await reloaded.controller.openThread('thread-id-1');
  assert.equal(reloaded.controller.getDraft().text, 'unsent');
});

test('close stores a draft before its delay has passed', async () => {
  const { controller, environment, backend } = setupController();
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')]));
  await controller.openThread('a');
  controller.setDraft(draftOf('unsent'));
  controller.close();
  await environment.settle();
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('a', contentOf('a', []));
  await reloaded.controller.openThread('a');
  assert.equal(reloaded.controller.getDraft().text, 'unsent');
});

test('close rejects pending and later actions with aborted', async () => {
  const { controller, environment, backend } = setupController();
  const sent = codeOf(controller.send(draftOf('Hello')));
  await environment.settle();
  controller.close();
  assert.equal(await sent, 'aborted');
  assert.equal(await codeOf(controller.openThread('a')), 'aborted');
  assert.equal(await codeOf(controller.send(draftOf('Hello'))), 'aborted');
  controller.setDraft(draftOf('x'));
  controller.switchToNewThread();
  controller.setListItem('threads', 'x', 1);
  assert.equal(controller.threads.has('x'), false);
  controller.detach();
  assert.equal(backend.streams.length, 1);
  assert.equal(environment.timers, 0);
});

test('close prevents the run of an action that still loads what it needs', async () => {
  const { controller, environment, backend, start } = setupController();
  await start();
  backend.stream.finish('complete');
  await environment.settle();
  const { key, id } = [...(controller.thread?.messages.values() ?? [])][0] ?? {};
  assert.equal(id, null);
  const named = { name: 'c1', runId: null, createdAt: 1, id: null, metadata: null };
  backend.checkpoints = [{ ...named, restorable: true }];
  const edited = codeOf(controller.edit(key ?? '', draftOf('Hi')));
  const restored = codeOf(controller.restoreCheckpoint('c1', null));
  controller.close();
  await environment.settle();
  assert.equal(backend.streams.length, 1);
  assert.deepEqual([await edited, await restored], ['aborted', 'aborted']);
});

test('close keeps the record of an active run', async () => {
  const { controller, environment, start } = setupController();
  await start();
  controller.close();
  await environment.settle();
  assert.equal(await environment.storage.get(recordKey('run')), '{"task":"task-1"}');
});

test('no timer and no open stream remains of a hundred closed controllers', async () => {
  const environment = createTestEnvironment();
  const backend = new ScriptedBackend(() => environment.monotonic());
  for (let count = 0; count < 100; count += 1) {
    const controller = createStreamController({ backend, environment, userKey: 'u' });
    void controller.send(draftOf('Hello')).catch(() => undefined);
    await environment.settle();
    backend.stream.begin();
    await environment.settle();
    controller.close();
  }
  assert.equal(environment.timers, 0);
  assert.ok(backend.streams.every(({ signal }) => signal.aborted));
});

test('shareController returns the same controller only for the same identity', async () => {
  const environment = createTestEnvironment();
  const make = (): ReturnType<typeof createStreamController> => {
    const backend = new ScriptedBackend(() => 0);
    return createStreamController({ backend, environment, keepAlive: false });
  };
  const getToken: GetToken = () => 'token';
  const base = {
    service: 'ubik',
    baseUrl: 'https://a.test',
    threadId: 't',
    storageKey: '',
    agentId: null,
    userKey: null,
    persistDrafts: true,
  };
  const identity = { ...base, getToken };
  const first = shareController(identity, make);
  assert.equal(shareController({ ...identity }, make), first);
  for (const other of [
    { ...identity, getToken: () => 'token' },
    { ...identity, getToken: null },
    { ...identity, threadId: null },
    { ...identity, baseUrl: 'https://b.test' },
    { ...identity, service: 'other' },
    { ...identity, userKey: 'someone' },
    { ...identity, agentId: 'agent' },
    { ...identity, persistDrafts: false },
  ]) {
    assert.notEqual(shareController(other, make), first);
  }
  first.retain()();
  assert.equal(shareController(identity, make), first, 'it stays open until the end of the task');
  await environment.advance(0);
  assert.notEqual(shareController(identity, make), first);
});

test('close removes the callbacks of the controller from the backend, and no others', () => {
  const first = setupController();
  const backend = first.backend as Backend;
  assert.ok(backend.onExternalChange);
  first.controller.close();
  assert.deepEqual([backend.onExternalChange, backend.onDiagnostic], [undefined, undefined]);
  const second = setupController();
  const onExternalChange = (): void => undefined;
  const onDiagnostic = (): void => undefined;
  Object.assign(second.backend, { onExternalChange, onDiagnostic });
  second.controller.close();
  const { onExternalChange: foreign, onDiagnostic: diagnostic } = second.backend as Backend;
  assert.deepEqual([foreign, diagnostic], [onExternalChange, onDiagnostic]);
});
