import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeScope } from '../../src/controller/controller-types.js';
import type { Batch, Change } from '../../src/model/change.js';
import { USER_TEXT } from '../../src/model/message.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupConversation } from './setup-conversation.js';

test('tells a piece of text to the listeners of its part and of what is around it, and to nobody else', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  const { keys } = backend.stream;
  const message = keys.answer;
  const heard = new Map<string, number>();
  const listen = (name: string, scope: ChangeScope): void => {
    heard.set(name, 0);
    controller.subscribe(scope, () => heard.set(name, (heard.get(name) ?? 0) + 1));
  };
  listen('part', { message, part: '/0:text' });
  listen('other part', { message, part: 'step:1' });
  listen('message', { message });
  listen('other message', { message: keys.user ?? '' });
  listen('other part of that', { message: keys.user ?? '', part: USER_TEXT });
  listen('thread', { thread: true });
  listen('list', { list: 'checkpoints' });
  listen('all', { all: true });
  backend.stream.say(0, 'word');
  await environment.settle();
  assert.deepEqual(Object.fromEntries(heard), {
    part: 1,
    'other part': 0,
    message: 1,
    'other message': 0,
    'other part of that': 0,
    thread: 1,
    list: 0,
    all: 1,
  });
});

test('counts versions in the same scopes', async () => {
  const { controller, backend, environment, start } = setupConversation();
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
  backend.stream.say(0, 'word');
  await environment.settle();
  const risen = scopes.map((scope, index) => controller.revision(scope) > (before[index] ?? 0));
  assert.deepEqual(risen, [true, true, true, true, false, false]);
});

test('tells nothing of a thread in the background but to listeners of all', async () => {
  const { controller, backend, environment, start } = setupConversation();
  await start();
  const { stream } = backend;
  controller.switchToNewThread();
  const heard: string[] = [];
  controller.subscribe({ thread: true }, () => heard.push('thread'));
  controller.subscribe({ message: stream.keys.answer }, () => heard.push('message'));
  controller.subscribe({ all: true }, () => heard.push('all'));
  stream.say(0, 'word');
  await environment.settle();
  assert.deepEqual(heard, ['all']);
});

test('tells listeners of the thread that another one is the current one', async () => {
  const { controller, backend, start } = setupConversation();
  await start();
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')]));
  const told: Change[] = [];
  let version = controller.revision({ thread: true });
  controller.subscribe({ thread: true }, (change) => told.push(change));
  await controller.openThread('a');
  const switched = told.at(-1);
  assert.ok(switched?.type === 'thread');
  assert.equal(switched.set.id, 'a');
  assert.equal(switched.set.head, controller.thread?.head);
  assert.ok(controller.revision({ thread: true }) > version);
  version = controller.revision({ thread: true });
  controller.switchToNewThread();
  assert.ok(controller.revision({ thread: true }) > version);
});

test('applies a batch whole before anybody is told', async () => {
  const { controller, backend, environment, start } = setupConversation();
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

test('tells the others when one listener throws, and reports it', async () => {
  const reported: unknown[] = [];
  const { controller, backend, environment, start, notices } = setupConversation({
    reportError: (error) => reported.push(error),
  });
  await start();
  const message = backend.stream.keys.answer;
  let heard = 0;
  const scope = { message, part: '/0:text' };
  const thrown = new Error('a view fell');
  controller.subscribe(scope, () => {
    throw thrown;
  });
  controller.onBatch(() => {
    throw thrown;
  });
  controller.onNotice(() => {
    throw thrown;
  });
  controller.subscribe(scope, () => (heard += 1));
  backend.stream.say(0, 'word');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(heard, 1);
  assert.equal(controller.thread?.run.state, 'complete');
  assert.ok(reported.includes(thrown));
  assert.ok(notices.some((n) => n.type === 'diagnostic' && n.error.offender === 'listener'));
});

test('tells what a listener does itself after what it is being told of', async () => {
  const { controller } = setupConversation();
  const heard: string[] = [];
  controller.subscribe({ list: 'threads' }, (change) => {
    if (change.type === 'item' && change.key === 'first')
      controller.setListItem('threads', 'second', 1);
  });
  controller.subscribe({ list: 'threads' }, (change) => {
    if (change.type === 'item') heard.push(change.key);
  });
  controller.setListItem('threads', 'first', 1);
  assert.deepEqual(heard, ['first', 'second']);
});

test('stops telling at once when asked, each subscription for itself', async () => {
  const { controller } = setupConversation();
  let heard = 0;
  const listener = (): void => void (heard += 1);
  const first = controller.subscribe({ all: true }, listener);
  controller.subscribe({ all: true }, listener);
  controller.setListItem('threads', 'a', 1);
  first();
  first();
  controller.setListItem('threads', 'b', 1);
  assert.equal(heard, 3);
});

test('shows every batch of every thread to observers, enough to build the same again', async () => {
  const { controller, backend, environment, start } = setupConversation();
  const batches: Batch[] = [];
  const stop = controller.onBatch((batch) => batches.push(batch));
  await start();
  const { stream } = backend;
  controller.switchToNewThread();
  stream.say(0, 'word');
  stream.beat();
  await environment.settle();
  const last = batches.at(-1);
  assert.equal(last?.thread, stream.keys.thread);
  assert.deepEqual(
    last.changes.map((change) => change.type),
    ['text'],
  );
  assert.ok(batches.every(({ changes }) => changes.length > 0));
  stop();
  const count = batches.length;
  stream.say(4, 'more');
  await environment.settle();
  assert.equal(batches.length, count);
});

test('leaves out changes that do not fit, and says so without their text', async () => {
  const { controller, backend, environment, start, notices } = setupConversation();
  await start();
  backend.stream.push({
    type: 'text',
    message: backend.stream.keys.answer,
    part: 'gone',
    at: 0,
    text: 'secret',
  });
  await environment.settle();
  const odd = notices.find(({ type }) => type === 'diagnostic');
  assert.ok(odd && 'error' in odd);
  assert.equal(odd.error.offender, 'text');
  assert.equal(JSON.stringify(odd.error.message).includes('secret'), false);
  assert.equal(controller.thread?.run.state, 'streaming');
});

test('hands on what the backend finds odd', () => {
  const { backend, notices, controller } = setupConversation();
  const error = new Error('odd');
  backend.onDiagnostic?.(error as never);
  assert.deepEqual(notices, [{ type: 'diagnostic', error }]);
  controller.close();
  assert.equal(backend.onDiagnostic, undefined);
});

test('Notifier keeps a change of the thread list from the listeners of the thread', () => {
  const { controller } = setupConversation();
  const heard: string[] = [];
  controller.subscribe({ thread: true }, () => heard.push('thread'));
  controller.subscribe({ list: 'threads' }, () => heard.push('threads'));
  controller.subscribe({ list: 'documents' }, () => heard.push('documents'));
  const before = controller.revision({ thread: true });
  controller.setListItem('threads', 'a', 1);
  assert.deepEqual(heard, ['threads']);
  assert.equal(controller.revision({ thread: true }), before);
});

test('Notifier counts a change of a list of the thread as a change of the thread', async () => {
  const { controller, start } = setupConversation();
  await start();
  const before = controller.revision({ thread: true });
  const heard: string[] = [];
  controller.subscribe({ thread: true }, () => heard.push('thread'));
  controller.subscribe({ list: 'documents' }, () => heard.push('documents'));
  controller.setListItem('documents', 'a', 1);
  assert.deepEqual(heard.sort(), ['documents', 'thread']);
  assert.ok(controller.revision({ thread: true }) > before);
});
