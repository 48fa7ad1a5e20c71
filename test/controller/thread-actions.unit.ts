import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ThreadContent, ThreadSummary } from '../../src/backends/backend.js';
import { createStreamController } from '../../src/controller/controller.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import { UbikError } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored } from './scripted-backend.js';
import {
  codeOf,
  draftOf,
  FIRST_REJOIN_DELAY,
  setupController,
  textOf,
} from './setup-controller.js';

const TALK = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];

/** The titles of the listed threads by id, in the order of the list. */
function listedTitles({ threads }: StreamController): (readonly [string, string])[] {
  return [...threads].map(([id, value]) => [id, (value as unknown as ThreadSummary).title]);
}

test('openThread loads and shows a thread', async () => {
  const { controller, backend, texts, notices } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  assert.deepEqual(texts(), ['Hello', 'Good day']);
  assert.equal(controller.thread?.title, 'Title of a');
  assert.deepEqual(
    notices.map(({ type }) => type),
    ['thread-changed', 'thread-opened'],
  );
});

test('openThread keeps all messages and parts of an unchanged thread', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  const before = [...(controller.thread?.messages.values() ?? [])];
  const revision = controller.revision({ all: true });
  await controller.openThread('a');
  assert.equal(controller.revision({ all: true }), revision);
  assert.deepEqual([...(controller.thread?.messages.values() ?? [])], before);
});

test('openThread adds the ids to messages and keeps their keys', async () => {
  const { controller, backend, environment, start, last } = setupController();
  await start('Hello');
  backend.stream.append(0, 'Good');
  backend.stream.finish('complete');
  await environment.settle();
  const { key } = last();
  backend.threads.set('thread-id-1', contentOf('thread-id-1', TALK));
  await controller.openThread('thread-id-1');
  assert.equal(last().key, key);
  assert.equal(last().id, 'm2');
  assert.equal(textOf(last()), 'Good day');
  assert.equal(controller.thread?.messages.size, 2);
});

test('openThread keeps the end of a run that this page has received and the stored thread lacks', async () => {
  const { controller, backend, environment, start, last } = setupController();
  await start('Hello');
  backend.stream.finish('stopped');
  await environment.settle();
  backend.threads.set('thread-id-1', contentOf('thread-id-1', TALK));
  await controller.openThread('thread-id-1');
  assert.equal(last().status, 'stopped');
});

test('openThread restores an undelivered message as the draft', async () => {
  const { controller, backend, environment, texts } = setupController();
  const sent = codeOf(controller.send(draftOf('Lost')));
  await environment.settle();
  backend.stream.fail();
  await environment.advance(FIRST_REJOIN_DELAY);
  backend.stream.fail(new UbikError('forbidden', 'no'));
  assert.equal(await sent, 'forbidden');
  assert.deepEqual(texts(), ['Lost', '']);
  const [lost = ''] = [...(controller.thread?.messages.keys() ?? [])];
  backend.threads.set('thread-id-1', contentOf('thread-id-1', TALK));
  await controller.openThread('thread-id-1');
  assert.deepEqual(texts(), ['Hello', 'Good day']);
  assert.equal(controller.getDraft().text, 'Lost');
  assert.equal(controller.thread?.messages.has(lost), false, 'another question has another key');
});

test('openThread ignores the response of an older call', async () => {
  const { controller, backend, texts } = setupController();
  const slow = new Deferred<ThreadContent>();
  backend.responses.set('loadThread', (id) => (id === 'a' ? slow.promise : contentOf('b', TALK)));
  const first = controller.openThread('a');
  await controller.openThread('b');
  slow.resolve(contentOf('a', [stored('x', 'user', 'Old')]));
  await first;
  assert.equal(controller.thread?.id, 'b');
  assert.deepEqual(texts(), ['Hello', 'Good day']);
});

test('openThread is ignored when a message is sent while it loads', async () => {
  const { controller, backend, environment, texts } = setupController();
  const slow = new Deferred<ThreadContent>();
  backend.responses.set('loadThread', () => slow.promise);
  const opening = controller.openThread('a');
  void controller.send(draftOf('New'));
  slow.resolve(contentOf('a', TALK));
  await opening;
  await environment.settle();
  assert.deepEqual(texts(), ['New', '']);
});

test('openThread keeps the current thread when another one cannot be loaded', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  assert.equal(await codeOf(controller.openThread('gone')), 'not-found');
  assert.equal(controller.thread?.id, 'a');
});

test('a run continues when its thread is closed and is up to date when it is opened again', async () => {
  const { controller, backend, environment, start, texts, notices } = setupController();
  await start('First');
  const [first] = backend.streams;
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  first?.append(0, 'Grown in the background');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Good day']);
  await controller.openThread('thread-id-1');
  assert.deepEqual(texts(), ['First', 'Grown in the background']);
  assert.equal(backend.count('loadThread'), 1);
  first?.finish('complete');
  await environment.settle();
  assert.equal(notices.filter(({ type }) => type === 'run-completed').length, 1);
});

test('runs are active in several threads at once', async () => {
  const { controller, backend, environment, start, texts } = setupController();
  await start('One');
  controller.switchToNewThread();
  assert.equal(controller.thread, null);
  await start('Two');
  const [one, two] = backend.streams;
  one?.append(0, 'first');
  two?.append(0, 'second');
  await environment.settle();
  assert.deepEqual(texts(), ['Two', 'second']);
  await controller.openThread('thread-id-1');
  assert.deepEqual(texts(), ['One', 'first']);
});

test('openThread joins the unfinished run of the service', async () => {
  const { controller, backend, environment, texts, runNotices, last } = setupController();
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')], 'task-9'));
  await controller.openThread('a');
  assert.equal(backend.stream.method, 'rejoin');
  assert.equal((backend.stream.args[1] as { id: string }).id, 'task-9');
  assert.equal(controller.thread?.run.state, 'rejoining');
  backend.stream.begin('task-9');
  backend.stream.append(0, 'Still here');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Still here']);
  assert.equal(controller.thread.run.resumed, true);
  assert.equal(last().status, 'complete');
  assert.deepEqual(runNotices(), ['run-started', 'run-completed']);
});

test('openThread removes the answer when there is no run to join', async () => {
  const { controller, backend, environment, texts, runNotices } = setupController();
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')], 'task-9'));
  await controller.openThread('a');
  backend.stream.fail(new UbikError('not-found', 'no such task'));
  await environment.settle();
  assert.deepEqual(texts(), ['Hello']);
  assert.equal(controller.thread?.run.state, 'idle');
  assert.deepEqual(runNotices(), []);
});

test('an active run is recorded and joined after a reload', async () => {
  const page = setupController();
  await page.start();
  page.controller.close();
  const { environment } = page;
  const answer = stored('m2', 'assistant', 'Half', { runId: 'task-1' });
  const talk = contentOf('thread-id-1', [stored('m1', 'user', 'Question'), answer]);
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('thread-id-1', talk);
  assert.equal(await reloaded.controller.openLastThread(), true);
  assert.equal(reloaded.backend.stream.method, 'rejoin');
  assert.equal(reloaded.last().status, 'streaming');
  reloaded.backend.stream.append(4, ' and whole');
  reloaded.backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(reloaded.texts(), ['Question', 'Half and whole']);
  reloaded.controller.close();
  const third = setupController({ environment });
  third.backend.threads.set('thread-id-1', talk);
  await third.controller.openLastThread();
  assert.equal(third.backend.streams.length, 0);
  assert.equal(third.last().status, 'complete');
});

test('the record of a run is ignored when it belongs to an older message', async () => {
  const page = setupController();
  await page.start();
  page.controller.close();
  const reloaded = setupController({ environment: page.environment });
  const answer = stored('m2', 'assistant', 'Other', { runId: 'task-2' });
  reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', [answer]));
  await reloaded.controller.openThread('thread-id-1');
  assert.equal(reloaded.backend.streams.length, 0);
});

test('openLastThread opens the last thread of this user and service only', async () => {
  const first = setupController();
  first.backend.threads.set('a', contentOf('a', TALK));
  await first.controller.openThread('a');
  const { environment, backend } = first;
  const open = async (userKey: string | null, storageScope: string): Promise<boolean> => {
    const page = { environment, backend, userKey, storageScope };
    return createStreamController(page).openLastThread();
  };
  assert.equal(await open('user-1', 'https://service.test'), true);
  assert.equal(await open('user-2', 'https://service.test'), false);
  assert.equal(await open('user-1', 'https://other.test'), false);
  assert.equal(await open(null, 'https://service.test'), false);
});

test('openLastThread resolves to false for a thread that was deleted, and removes its record', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  backend.threads.clear();
  assert.equal(await controller.openLastThread(), false);
  assert.equal(await controller.openLastThread(), false);
  assert.equal(backend.count('loadThread'), 2);
});

test('listThreads, renameThread and deleteThread update the thread list', async () => {
  const { controller, backend } = setupController();
  const summary = { id: 'a', title: 'Old', createdAt: 1, updatedAt: 2 };
  backend.responses.set('listThreads', () => ({ items: [summary], hasMore: false, total: 1 }));
  backend.threads.set('a', contentOf('a', TALK));
  const items: string[] = [];
  controller.subscribe({ list: 'threads' }, (change) => {
    if (change.type === 'item') items.push(JSON.stringify(change.value ?? null));
  });
  await controller.listThreads({ page: 1, limit: 20 });
  await controller.openThread('a');
  await controller.renameThread('a', 'New');
  assert.equal(controller.thread?.title, 'New');
  assert.match(items.at(-1) ?? '', /"title":"New"/);
  await controller.deleteThread('a');
  assert.equal(controller.thread, null);
  assert.equal(items.at(-1), 'null');
});

test('listThreads neither lists deleted threads nor old titles when they changed before the response', async () => {
  const { controller, backend } = setupController();
  const items = ['deleted', 'renamed', 'unlisted', 'other'].map((id) => {
    return { id, title: 'Old', createdAt: 1, updatedAt: 2 };
  });
  const page = { items, hasMore: false, total: 4 };
  backend.responses.set('listThreads', () => ({ ...page, items: items.slice(0, 2) }));
  await controller.listThreads({ page: 1, limit: 20 });

  const slow = new Deferred<typeof page>();
  backend.responses.set('listThreads', () => slow.promise);
  const listing = controller.listThreads({ page: 1, limit: 20 });
  await controller.deleteThread('deleted');
  await controller.renameThread('renamed', 'New');
  await controller.renameThread('unlisted', '');
  slow.resolve(page);
  await listing;
  assert.deepEqual(listedTitles(controller), [
    ['renamed', 'New'],
    ['unlisted', ''],
    ['other', 'Old'],
  ]);

  // A list requested later shows what other clients have changed since.
  backend.responses.set('listThreads', () => page);
  await controller.listThreads({ page: 1, limit: 20 });
  assert.deepEqual(
    new Map(listedTitles(controller)),
    new Map(items.map(({ id, title }) => [id, title])),
  );
});

test('deleteThread closes the run of the thread', async () => {
  const { controller, backend, environment, start } = setupController();
  await start();
  await controller.deleteThread('thread-id-1');
  assert.equal(backend.stream.signal.aborted, true);
  assert.equal(environment.timers, 0);
  assert.equal(controller.thread, null);
});

test('deleteThread releases the memory of the thread', async () => {
  const { controller, backend, environment } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  controller.setDraft(draftOf('unsent'));
  const thread = new WeakRef(controller.thread ?? {});
  await controller.deleteThread('a');
  assert.equal(environment.timers, 0, 'no draft waits to be stored');
  assert.equal(controller.getDraft().text, '');
  await new Promise(setImmediate);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  assert.equal(thread.deref(), undefined);
});

test('a thread that is deleted while its branch is switched is released', async () => {
  const { controller, backend, environment } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  const slow = new Deferred<ThreadContent>();
  backend.responses.set('switchBranch', () => slow.promise);
  const switched = controller.switchBranch('m1');
  const thread = new WeakRef(controller.thread ?? {});
  await controller.deleteThread('a');
  slow.resolve(contentOf('a', TALK));
  await switched;
  backend.responses.clear();
  await environment.settle();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  assert.equal(thread.deref(), undefined);
});

test('an interrupted run shows the stored answer when that is longer', async () => {
  const { controller, backend, environment, start, last } = setupController();
  await start('Hello');
  backend.stream.append(0, 'Good');
  await environment.settle();
  const answer = stored('m2', 'assistant', 'Good day', { runId: 'task-1' });
  backend.threads.set(
    'thread-id-1',
    contentOf('thread-id-1', [stored('m1', 'user', 'Hello'), answer]),
  );
  backend.stream.fail(new UbikError('forbidden', 'no'));
  await environment.settle();
  assert.equal(textOf(last()), 'Good day');
  assert.equal(last().status, 'interrupted');
  assert.equal(controller.thread?.run.state, 'interrupted');
});

test('an interrupted run keeps what is shown when the stored answer is shorter', async () => {
  const { backend, environment, start, last } = setupController();
  await start('Hello');
  backend.stream.append(0, 'Good day to you');
  const answer = stored('m2', 'assistant', 'Good', { runId: 'task-1' });
  backend.threads.set(
    'thread-id-1',
    contentOf('thread-id-1', [stored('m1', 'user', 'Hello'), answer]),
  );
  backend.stream.fail(new UbikError('forbidden', 'no'));
  await environment.settle();
  assert.equal(textOf(last()), 'Good day to you');
});

test('openThread rejoins a detached run instead of showing a shorter stored answer', async () => {
  const { controller, backend, environment, start, texts } = setupController();
  await start('Hello');
  backend.stream.append(0, 'Good day to you');
  await environment.settle();
  controller.detach();
  const question = stored('m1', 'user', 'Hello');
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [question], 'task-1'));
  await controller.openThread('thread-id-1');
  assert.deepEqual(texts(), ['Hello', 'Good day to you']);
  backend.stream.append(15, '!');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Good day to you!']);
  assert.equal(backend.stream.method, 'rejoin');
});

test('an interrupted run stays recorded, so that a reload joins it', async () => {
  const page = setupController();
  await page.start('Hello');
  page.backend.stream.fail(new UbikError('forbidden', 'no'));
  await page.environment.settle();
  page.controller.close();
  const reloaded = setupController({ environment: page.environment });
  const answer = stored('m2', 'assistant', 'Half', { runId: 'task-1' });
  const talk = [stored('m1', 'user', 'Hello'), answer];
  reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', talk));
  await reloaded.controller.openThread('thread-id-1');
  assert.equal(reloaded.backend.stream.method, 'rejoin');
});

test('openLastThread ignores a thread that was created while another one was opened', async () => {
  const { backend, controller, environment } = setupController();
  backend.threads.set('t', contentOf('t', TALK));
  const creation = new Deferred<undefined>();
  backend.responses.set('createThread', async () => {
    await creation.promise;
    return { id: 'new', title: '', createdAt: 1, updatedAt: 1 };
  });
  void controller.send(draftOf('First'));
  await controller.openThread('t');
  creation.resolve(undefined);
  await environment.settle();
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('t', contentOf('t', TALK));
  assert.equal(await reloaded.controller.openLastThread(), true);
  assert.equal(reloaded.controller.thread?.id, 't');
});

test('openLastThread opens a thread that was created after the user had left it for a new one', async () => {
  const { backend, controller, environment } = setupController();
  const creation = new Deferred<undefined>();
  backend.responses.set('createThread', async () => {
    await creation.promise;
    return { id: 'new', title: '', createdAt: 1, updatedAt: 1 };
  });
  void controller.send(draftOf('First'));
  controller.switchToNewThread();
  creation.resolve(undefined);
  await environment.settle();
  const reloaded = setupController({ environment });
  reloaded.backend.threads.set('new', contentOf('new', []));
  assert.equal(await reloaded.controller.openLastThread(), true);
});

test('openLastThread rejects and keeps the record when the thread cannot be loaded', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  controller.switchToNewThread();
  backend.responses.set('loadThread', () => Promise.reject(new UbikError('server')));
  assert.equal(await codeOf(controller.openLastThread()), 'server');
  backend.responses.clear();
  assert.equal(await controller.openLastThread(), true);
});

/** A backend whose request for the thread `slow` is pending until it is aborted, and then rejects. */
function setupSlowThread() {
  const fixture = setupController();
  const { backend } = fixture;
  backend.threads.set('few', contentOf('few', [stored('m1', 'user', 'Hello')]));
  const load = backend.loadThread.bind(backend);
  const signals: AbortSignal[] = [];
  backend.loadThread = (id, signal?: AbortSignal) => {
    if (id !== 'slow' || !signal) return load(id);
    signals.push(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new UbikError('aborted')));
    });
  };
  return { ...fixture, signals };
}

test('openThread ends, and aborts its request, when another thread is opened or the thread is closed', async () => {
  const { controller, signals } = setupSlowThread();
  const first = controller.openThread('slow');
  await controller.openThread('few');
  assert.equal(signals[0]?.aborted, true);
  await first;
  assert.equal(controller.thread?.id, 'few');
  const second = controller.openThread('slow');
  controller.switchToNewThread();
  assert.equal(signals[1]?.aborted, true);
  await second;
  assert.equal(controller.thread, null);
});

test('openThread whose request was aborted by a later call resolves when the later call does', async () => {
  const { controller, backend, environment } = setupSlowThread();
  const slow = new Deferred<ThreadContent>();
  backend.responses.set('loadThread', () => slow.promise);
  let isOver = false;
  const first = controller.openThread('slow').then(() => (isOver = true));
  const second = controller.openThread('few');
  await environment.settle();
  assert.equal(isOver, false);
  slow.resolve(contentOf('few', TALK));
  await second;
  await first;
  assert.equal(controller.thread?.id, 'few');
});

test('openThread rejects with aborted when the controller is closed', async () => {
  const { controller, signals } = setupSlowThread();
  const opening = controller.openThread('slow');
  controller.close();
  assert.equal(signals[0]?.aborted, true);
  assert.equal(await codeOf(opening), 'aborted');
});

test('openLastThread opens nothing when another thread is opened meanwhile', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  backend.threads.set('b', contentOf('b', TALK));
  await controller.openThread('a');
  const last = controller.openLastThread();
  const opened = controller.openThread('b');
  assert.equal(await last, false);
  await opened;
  assert.equal(controller.thread?.id, 'b');
});

test('deleteThread accepts that the thread is deleted already, and rejects with other errors', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  backend.responses.set('deleteThread', () => Promise.reject(new UbikError('server')));
  assert.equal(await codeOf(controller.deleteThread('a')), 'server');
  assert.equal(controller.thread?.id, 'a');
  backend.responses.set('deleteThread', () => Promise.reject(new UbikError('not-found')));
  await controller.deleteThread('a');
  assert.equal(controller.thread, null);
});

test('deleteThread of another thread keeps the shown one and the record of the last one', async () => {
  const { controller, backend } = setupController();
  for (const id of ['a', 'b']) backend.threads.set(id, contentOf(id, TALK));
  await controller.openThread('a');
  await controller.openThread('b');
  await controller.deleteThread('a');
  assert.equal(controller.thread?.id, 'b');
  controller.switchToNewThread();
  assert.equal(await controller.openLastThread(), true);
  assert.equal(controller.thread.id, 'b');
  await controller.deleteThread('b');
  assert.equal(await controller.openLastThread(), false);
  assert.equal(backend.count('loadThread'), 3);
});

test('renameThread of a thread that is not loaded changes only the thread list', async () => {
  const { controller, backend } = setupController();
  const summary = { id: 'a', title: 'Old', createdAt: 1, updatedAt: 2 };
  backend.responses.set('listThreads', () => ({ items: [summary], hasMore: false, total: 1 }));
  await controller.listThreads({ page: 1, limit: 20 });
  await controller.renameThread('a', 'New');
  await controller.renameThread('unknown', 'Other');
  assert.deepEqual([...controller.threads], [['a', { ...summary, title: 'New' }]]);
  const before = controller.revision({ list: 'threads' });
  await controller.renameThread('a', 'New');
  assert.equal(controller.revision({ list: 'threads' }), before);
});

test('openThread loads a thread again that was renamed meanwhile', async () => {
  const { controller, backend } = setupController();
  const summary = { id: 'a', title: 'Old', createdAt: 1, updatedAt: 2 };
  backend.responses.set('listThreads', () => ({ items: [summary], hasMore: false, total: 1 }));
  await controller.listThreads({ page: 1, limit: 20 });
  const slow = new Deferred<ThreadContent>();
  const old = { ...contentOf('a', TALK), thread: { id: 'a', title: 'Old' } };
  backend.responses.set('loadThread', () => slow.promise);
  const opening = controller.openThread('a');
  await controller.renameThread('a', 'New');
  backend.responses.set('loadThread', () => ({ ...old, thread: { id: 'a', title: 'New' } }));
  slow.resolve(old);
  await opening;
  assert.equal(controller.thread?.title, 'New');
  assert.equal(backend.count('loadThread'), 2);
});

test('switchBranch shows a branch that is loaded already although the service returns no new message', async () => {
  const { controller, backend, texts } = setupController();
  backend.threads.set('a', contentOf('a', TALK));
  await controller.openThread('a');
  const other = contentOf(
    'a',
    [TALK[0], stored('m3', 'assistant', 'Hi')].flatMap((one) => one ?? []),
  );
  backend.responses.set('switchBranch', () => other);
  await controller.switchBranch('m3');
  backend.responses.set('switchBranch', () => contentOf('a', TALK));
  await controller.switchBranch('m2');
  assert.deepEqual(texts(), ['Hello', 'Good day']);
});

test('a run is not joined again when its end was received and the stored thread lists it as unfinished', async () => {
  const { controller, backend, environment, start } = setupController();
  await start('Hello');
  backend.stream.append(0, 'Good day');
  backend.stream.finish('complete');
  await environment.settle();
  const messages = [
    stored('m1', 'user', 'Hello', { runId: 'task-1' }),
    stored('m2', 'assistant', 'Good day', { runId: 'task-1' }),
  ];
  backend.threads.set('thread-id-1', contentOf('thread-id-1', messages, 'task-1'));
  await controller.openThread('thread-id-1');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 0);
  assert.equal(controller.thread?.run.state, 'complete');
});
