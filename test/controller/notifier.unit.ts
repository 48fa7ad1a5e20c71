import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeScope } from '../../src/controller/controller-types.js';
import { apply } from '../../src/model/apply.js';
import { canonicalize } from '../../src/model/canonicalize.js';
import type { Batch, Change } from '../../src/model/change.js';
import { USER_TEXT } from '../../src/model/message.js';
import { createStore } from '../../src/model/store.js';
import type { Thread } from '../../src/model/thread.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupController } from './setup-controller.js';

test('a text change is emitted in the scopes that contain it and in no other', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  const { keys } = backend.stream;
  const message = keys.answer;
  const emitted = new Map<string, number>();
  const subscribeAs = (name: string, scope: ChangeScope): void => {
    emitted.set(name, 0);
    controller.subscribe(scope, () => emitted.set(name, (emitted.get(name) ?? 0) + 1));
  };
  subscribeAs('part', { message, part: '/0:text' });
  subscribeAs('other part', { message, part: 'step:1' });
  subscribeAs('message', { message });
  subscribeAs('other message', { message: keys.user ?? '' });
  subscribeAs('part of other message', { message: keys.user ?? '', part: USER_TEXT });
  subscribeAs('thread', { thread: true });
  subscribeAs('list', { list: 'checkpoints' });
  subscribeAs('all', { all: true });
  backend.stream.append(0, 'word');
  await environment.settle();
  assert.deepEqual(Object.fromEntries(emitted), {
    part: 1,
    'other part': 0,
    message: 1,
    'other message': 0,
    'part of other message': 0,
    thread: 1,
    list: 0,
    all: 1,
  });
});

test('a part that is added is emitted in the scope of its parent', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  const message = backend.stream.keys.answer;
  const addPart = (part: string, parent: string | null): void => {
    const value = { kind: 'text' } as const;
    backend.stream.push({ type: 'part', message, part, parent, before: null, value });
  };
  addPart('parent', null);
  await environment.settle();
  const emitted: Change[] = [];
  controller.subscribe({ message, part: 'parent' }, (change) => emitted.push(change));
  addPart('child', 'parent');
  await environment.settle();
  assert.deepEqual(
    emitted.map((change) => change.type === 'part' && change.part),
    ['child'],
  );
});

test('revision counts changes in the scopes that contain them', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  const message = backend.stream.keys.answer;
  const scopes: ChangeScope[] = [
    { all: true },
    { thread: true },
    { message },
    { message, part: '/0:text' },
    { list: 'queue' },
    { message: backend.stream.keys.user ?? '' },
  ];
  const before = scopes.map((scope) => controller.revision(scope));
  backend.stream.append(0, 'word');
  await environment.settle();
  const risen = scopes.map((scope, index) => controller.revision(scope) > (before[index] ?? 0));
  assert.deepEqual(risen, [true, true, true, true, false, false]);
});

test('a change of a background thread is emitted only in the scope `all`', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  const { stream } = backend;
  controller.switchToNewThread();
  const emitted: string[] = [];
  controller.subscribe({ thread: true }, () => emitted.push('thread'));
  controller.subscribe({ message: stream.keys.answer }, () => emitted.push('message'));
  controller.subscribe({ all: true }, () => emitted.push('all'));
  stream.append(0, 'word');
  await environment.settle();
  assert.deepEqual(emitted, ['all']);
});

test('a thread change with all fields is emitted when another thread becomes current', async () => {
  const { controller, backend, start } = setupController();
  await start();
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')]));
  const changes: Change[] = [];
  let revision = controller.revision({ thread: true });
  controller.subscribe({ thread: true }, (change) => changes.push(change));
  await controller.openThread('a');
  const switched = changes.at(-1);
  assert.ok(switched?.type === 'thread');
  assert.equal(switched.set.id, 'a');
  assert.equal(switched.set.head, controller.thread?.head);
  assert.ok(controller.revision({ thread: true }) > revision);
  revision = controller.revision({ thread: true });
  controller.switchToNewThread();
  assert.ok(controller.revision({ thread: true }) > revision);
});

test('a batch is applied completely before its changes are emitted', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  const message = backend.stream.keys.answer;
  const seen: (string | undefined)[] = [];
  controller.subscribe({ message, part: '/0:text' }, () => {
    seen.push(controller.thread?.messages.get(message)?.parts.get('/0:text')?.text?.read());
  });
  backend.stream.push(
    { type: 'text', message, part: '/0:text', at: 0, text: 'one ' },
    { type: 'text', message, part: '/0:text', at: 4, text: 'two' },
  );
  await environment.settle();
  assert.deepEqual(seen, ['one two', 'one two']);
});

test('a listener that throws is reported and does not affect the others', async () => {
  const reported: unknown[] = [];
  const { controller, backend, environment, start, notices } = setupController({
    reportError: (error) => reported.push(error),
  });
  await start();
  const message = backend.stream.keys.answer;
  let emitted = 0;
  const scope = { message, part: '/0:text' };
  const thrown = new Error('The view failed.');
  controller.subscribe(scope, () => {
    throw thrown;
  });
  controller.onBatch(() => {
    throw thrown;
  });
  controller.onNotice(() => {
    throw thrown;
  });
  controller.subscribe(scope, () => (emitted += 1));
  backend.stream.append(0, 'word');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(emitted, 1);
  assert.equal(controller.thread?.run.state, 'complete');
  assert.ok(reported.includes(thrown));
  assert.ok(notices.some((n) => n.type === 'diagnostic' && n.error.offender === 'listener'));
});

test('a change that a listener makes is emitted after the current change', async () => {
  const { controller } = setupController();
  const emitted: string[] = [];
  controller.subscribe({ list: 'threads' }, (change) => {
    if (change.type === 'item' && change.key === 'first')
      controller.setListItem('threads', 'second', 1);
  });
  controller.subscribe({ list: 'threads' }, (change) => {
    if (change.type === 'item') emitted.push(change.key);
  });
  controller.setListItem('threads', 'first', 1);
  assert.deepEqual(emitted, ['first', 'second']);
});

test('unsubscribing takes effect at once, for each subscription separately', async () => {
  const { controller } = setupController();
  let emitted = 0;
  const listener = (): void => void (emitted += 1);
  const first = controller.subscribe({ all: true }, listener);
  controller.subscribe({ all: true }, listener);
  controller.setListItem('threads', 'a', 1);
  first();
  first();
  controller.setListItem('threads', 'b', 1);
  assert.equal(emitted, 3);
});

test('onBatch gets every batch of every thread, which suffices to rebuild the store', async () => {
  const { controller, backend, environment, start } = setupController();
  const batches: Batch[] = [];
  const stop = controller.onBatch((batch) => batches.push(batch));
  await start();
  const { stream } = backend;
  controller.switchToNewThread();
  stream.append(0, 'word');
  stream.sendHeartbeat();
  await environment.settle();
  const last = batches.at(-1);
  assert.equal(last?.thread, stream.keys.thread);
  assert.deepEqual(
    last.changes.map((change) => change.type),
    ['text'],
  );
  assert.ok(batches.every(({ changes }) => changes.length > 0));
  const rebuilt = createStore();
  for (const batch of batches) assert.deepEqual(apply(rebuilt, batch).rejected, []);
  const [copy, thread] = [rebuilt.threads.get(last.thread), controller.getThread(last.thread)];
  assert.ok(copy && thread);
  const describe = ({ id, title, head, run, messages }: Thread) => [
    { id, title, head, run },
    [...messages.values()].map(canonicalize),
  ];
  assert.deepEqual(describe(copy), describe(thread));
  stop();
  const count = batches.length;
  stream.append(4, 'more');
  await environment.settle();
  assert.equal(batches.length, count);
});

test('a rejected change is left out and reported without its text', async () => {
  const { controller, backend, environment, start, notices } = setupController();
  await start();
  backend.stream.push({
    type: 'text',
    message: backend.stream.keys.answer,
    part: 'gone',
    at: 0,
    text: 'secret',
  });
  await environment.settle();
  const diagnostic = notices.find(({ type }) => type === 'diagnostic');
  assert.ok(diagnostic && 'error' in diagnostic);
  assert.equal(diagnostic.error.offender, 'text');
  assert.equal(JSON.stringify(diagnostic.error.message).includes('secret'), false);
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('a diagnostic of the backend is emitted as a notice', () => {
  const { backend, notices, controller } = setupController();
  const error = new Error('diagnostic');
  backend.onDiagnostic?.(error as never);
  assert.deepEqual(notices, [{ type: 'diagnostic', error }]);
  controller.close();
  assert.equal(backend.onDiagnostic, undefined);
});

test('a change of the thread list is not emitted in the scope `thread`', () => {
  const { controller } = setupController();
  const emitted: string[] = [];
  controller.subscribe({ thread: true }, () => emitted.push('thread'));
  controller.subscribe({ list: 'threads' }, () => emitted.push('threads'));
  controller.subscribe({ list: 'documents' }, () => emitted.push('documents'));
  const before = controller.revision({ thread: true });
  controller.setListItem('threads', 'a', 1);
  assert.deepEqual(emitted, ['threads']);
  assert.equal(controller.revision({ thread: true }), before);
});

test('a change of a list of the thread is counted in the scope `thread`', async () => {
  const { controller, start } = setupController();
  await start();
  const before = controller.revision({ thread: true });
  const emitted: string[] = [];
  controller.subscribe({ thread: true }, () => emitted.push('thread'));
  controller.subscribe({ list: 'documents' }, () => emitted.push('documents'));
  controller.setListItem('documents', 'a', 1);
  assert.deepEqual(emitted.sort(), ['documents', 'thread']);
  assert.ok(controller.revision({ thread: true }) > before);
});

test('a change of the thread is not emitted in the scope of a message', async () => {
  const { controller, start } = setupController();
  let count = 0;
  // A change of a thread has no message, which must not match this key.
  controller.subscribe({ message: 'undefined' }, () => (count += 1));
  await start();
  assert.equal(controller.thread?.run.state, 'streaming');
  assert.equal(count, 0);
});
