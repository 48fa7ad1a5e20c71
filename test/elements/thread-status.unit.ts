import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamController } from '../../src/controller/controller-types.js';
import { ThreadStatusTracker } from '../../src/elements/threads/thread-status.js';
import type { AcquireLock } from '../../src/elements/threads/page-presence.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { draftOf, setupController } from '../controller/setup-controller.js';
import { MemoryTabs, type MemoryTab } from '../helpers/memory-tabs.js';
import { createTestEnvironment, type TestEnvironment } from '../helpers/test-environment.js';

/** A page of the user with a thread list. */
interface ListPage {
  readonly tab: MemoryTab;
  readonly controller: StreamController;
  readonly statuses: ThreadStatusTracker;
  /** Starts a run in a thread, by default `t0`, and opens `t1`. */
  run(id?: string): Promise<void>;
  /** Adds a request for input to the run, and opens `t2`. */
  ask(): Promise<void>;
  finish(state: 'complete' | 'failed' | 'stopped'): Promise<void>;
}

function setup() {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const pages: ListPage[] = [];
  /** Waits until all notifications and writes are done. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 9 || !tabs.isIdle; turn += 1) {
      await environment.settle();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  /** Makes all pages read what the others have stored. */
  const syncPages = async (): Promise<void> => {
    await settle();
    await Promise.all(pages.map(({ statuses }) => statuses.reload()));
    await settle();
  };
  const open = async (hasLocks = true): Promise<ListPage> => {
    const page = openPage(environment, tabs.open(), settle, hasLocks);
    pages.push(page);
    await settle();
    return page;
  };
  const close = (page: ListPage): void => void pages.splice(pages.indexOf(page), 1);
  return { close, environment, syncPages, open, pages, settle, tabs };
}

function openPage(
  environment: TestEnvironment,
  tab: MemoryTab,
  settle: () => Promise<void>,
  hasLocks: boolean,
): ListPage {
  const { backend, controller } = setupController({ environment });
  for (const id of ['t0', 't1', 't2'])
    backend.threads.set(id, contentOf(id, [stored(`m-${id}`, 'user', `Question of ${id}`)]));
  const acquireLock: AcquireLock = async (name, signal) => {
    const lock = hasLocks ? await tab.requestLock(name, 'queue', signal) : null;
    return lock && (() => lock.release());
  };
  const statuses = new ThreadStatusTracker(controller, () => undefined, acquireLock);
  controller.onNotice((notice) => statuses.handleNotice(notice));
  return {
    tab,
    controller,
    statuses,
    run: async (id = 't0') => {
      await controller.openThread(id);
      void controller.send(draftOf('Go on'));
      await settle();
      backend.stream.begin();
      await settle();
      await controller.openThread('t1');
      await settle();
    },
    ask: async () => {
      backend.stream.request('r');
      await settle();
      await controller.openThread('t2');
      await settle();
    },
    finish: async (state) => {
      backend.stream.finish(state);
      await settle();
    },
  };
}

test('thread status is unread when the page that reads the run is closed', async () => {
  const { close, syncPages, open, settle } = setup();
  const there = await open();
  const here = await open();
  await there.run();
  await syncPages();
  assert.equal(here.statuses.statusOf('t0'), 'running');
  there.tab.freeze();
  await syncPages();
  assert.equal(here.statuses.statusOf('t0'), 'running', 'a frozen page is not closed');
  close(there);
  there.tab.crash();
  await settle();
  assert.equal(here.statuses.statusOf('t0'), 'unread');
  await syncPages();
  assert.equal(here.statuses.statusOf('t0'), 'unread', 'it stays unread');
});

test('thread status of the second run of a page, in another thread, is running, and unread when the page is closed', async () => {
  const { close, syncPages, open, settle } = setup();
  const there = await open();
  const here = await open();
  await there.run();
  await syncPages();
  await there.finish('complete');
  await syncPages();
  assert.equal(here.statuses.statusOf('t0'), 'unread');
  await there.run('t2');
  await syncPages();
  assert.equal(here.statuses.statusOf('t2'), 'running');
  close(there);
  there.tab.crash();
  await settle();
  assert.equal(here.statuses.statusOf('t2'), 'unread');
});

test('thread status running of another page is restored by a page that is opened later, until the other one is released or closed', async () => {
  const { close, syncPages, open, settle } = setup();
  const there = await open();
  await there.run();
  const here = await open();
  assert.equal(here.statuses.statusOf('t0'), 'running');
  there.statuses.release();
  await settle();
  assert.equal(here.statuses.statusOf('t0'), 'unread', 'a released tracker holds no lock');
  close(there);
  there.tab.crash();
  const last = await open();
  await syncPages();
  assert.equal(last.statuses.statusOf('t0'), 'unread');
});

for (const [state, mark] of [
  ['complete', 'unread'],
  ['failed', 'failed'],
] as const) {
  test(`thread status is ${mark} when a run ends as ${state} before its page is closed`, async () => {
    const { close, syncPages, open, settle } = setup();
    const there = await open();
    const here = await open();
    await there.run();
    await syncPages();
    await there.finish(state);
    close(there);
    there.tab.crash();
    await settle();
    assert.equal(here.statuses.statusOf('t0'), mark);
  });
}

test('thread status running that a third page stores again is unread when the page that reads the run is closed', async () => {
  const { close, syncPages, open, settle } = setup();
  const there = await open();
  const between = await open();
  const here = await open();
  await there.run();
  await syncPages();
  // The third page stores all statuses that it knows, including those of other pages.
  await between.run('t2');
  await between.finish('complete');
  await syncPages();
  close(there);
  there.tab.crash();
  await settle();
  assert.equal(here.statuses.statusOf('t0'), 'unread');
  assert.equal(here.statuses.statusOf('t2'), 'unread', 'the run of the third page has ended');
});

test('thread status running is removed when the run is stopped in the background, also when another page has stored it meanwhile', async () => {
  const { syncPages, open } = setup();
  const here = await open();
  const between = await open();
  await here.run();
  await syncPages();
  // The other page stores all statuses that it knows, and this page reads its own run from there.
  await between.run('t2');
  await syncPages();
  assert.equal(here.statuses.statusOf('t0'), 'running');
  await here.finish('stopped');
  assert.equal(here.statuses.statusOf('t0'), undefined);
  await syncPages();
  assert.equal(between.statuses.statusOf('t0'), undefined);
});

test('thread status waiting is removed when the run is stopped in the background, also when another page has stored it meanwhile', async () => {
  const { syncPages, open } = setup();
  const here = await open();
  const between = await open();
  await here.run();
  await here.ask();
  await syncPages();
  await between.run('t2');
  await syncPages();
  assert.equal(here.statuses.statusOf('t0'), 'waiting');
  await here.finish('stopped');
  assert.equal(here.statuses.statusOf('t0'), undefined);
  await syncPages();
  assert.equal(between.statuses.statusOf('t0'), undefined);
});

test('thread status running without Web Locks is shown if it is stored while the page is open, and restored as unread', async () => {
  const { syncPages, open } = setup();
  const there = await open(false);
  const here = await open(false);
  await there.run();
  await syncPages();
  assert.equal(here.statuses.statusOf('t0'), 'running');
  const later = await open(false);
  assert.equal(later.statuses.statusOf('t0'), 'unread');
});

test('thread status ignores notices about threads that were never shown', async () => {
  const { open } = setup();
  const { statuses } = await open();
  statuses.handleNotice({ type: 'run-started', thread: 'unknown' } as never);
  assert.equal(statuses.statusOf('unknown'), undefined);
});

const PAGE_ID = 'p'.repeat(64);

/** A page that finds stored statuses and, by default, never sees another page close. */
async function setupStored(stored: unknown, acquireLock: AcquireLock = () => new Promise(() => 0)) {
  const environment = createTestEnvironment();
  const { backend, controller } = setupController({ environment });
  controller.storage.set('marks', stored as never);
  await environment.settle();
  const changed: string[] = [];
  const statuses = new ThreadStatusTracker(controller, (id) => changed.push(id), acquireLock);
  await environment.settle();
  return { backend, changed, controller, environment, statuses };
}

test('thread status is restored from valid entries of the storage', async () => {
  const { changed, statuses } = await setupStored([
    ['a', 'unread'],
    ['b', 'waiting'],
    ['c', 'failed', 'p1'],
    ['d', 'running'],
    ['e', 'running', PAGE_ID],
    ['f', 'running', `${PAGE_ID}p`],
    ['g', 'other'],
    [7, 'unread'],
    'text',
    null,
  ]);
  const found = [...'abcdefg'].map((id) => statuses.statusOf(id));
  // `d` and `f` have no valid id of a page that reads the run, so its outcome is unknown.
  assert.deepEqual(found, [
    'unread',
    'waiting',
    'failed',
    'unread',
    'running',
    'unread',
    undefined,
  ]);
  assert.deepEqual(changed, [...'abcdef']);
});

test('thread status is restored from the last 200 entries of the storage', async () => {
  const entries = Array.from({ length: 250 }, (_, index) => [`t${index}`, 'unread']);
  const { statuses } = await setupStored(entries);
  assert.deepEqual(
    ['t49', 't50', 't249'].map((id) => statuses.statusOf(id)),
    [undefined, 'unread', 'unread'],
  );
});

test('thread status is not restored from a value that is no list of entries', async () => {
  const { changed } = await setupStored({ a: 'unread' });
  assert.deepEqual(changed, []);
});

test('thread status is that of the thread list of the service where this browser knows none', async () => {
  const { controller, statuses } = await setupStored([['known', 'waiting']]);
  controller.setListItem('threads', 'running', { isRunning: true, isUnread: true });
  controller.setListItem('threads', 'unread', { isUnread: true });
  controller.setListItem('threads', 'failed', { isUnread: true, hasFailed: true });
  controller.setListItem('threads', 'read', { hasFailed: true });
  controller.setListItem('threads', 'known', { isUnread: true });
  const ids = ['running', 'unread', 'failed', 'read', 'known', 'none'];
  assert.deepEqual(
    ids.map((id) => statuses.statusOf(id)),
    ['running', 'unread', 'failed', undefined, 'waiting', undefined],
  );
});

test('hasExternalRun is true for a listed run that this browser does not read', async () => {
  const { controller, statuses } = await setupStored([['known', 'waiting']]);
  assert.equal(statuses.hasExternalRun, false);
  controller.setListItem('threads', 'known', { isRunning: true });
  controller.setListItem('threads', 'other', { isUnread: true });
  assert.equal(statuses.hasExternalRun, false);
  controller.setListItem('threads', 'other', { isRunning: true });
  assert.equal(statuses.hasExternalRun, true);
});

test('thread status unread is removed when the thread is shown, also in the list', async () => {
  const { backend, controller, environment, statuses } = await setupStored([]);
  controller.onNotice((notice) => statuses.handleNotice(notice));
  backend.threads.set('t0', contentOf('t0', [stored('m', 'user', 'Question')]));
  controller.setListItem('threads', 't0', { isUnread: true });
  assert.equal(statuses.statusOf('t0'), 'unread');
  await controller.openThread('t0');
  await environment.settle();
  assert.equal(statuses.statusOf('t0'), undefined);
  const item = controller.threads.get('t0') as { readonly title?: string; isUnread?: boolean };
  assert.deepEqual([item.title, item.isUnread], ['Title of t0', false]);
});

test('thread status of a deleted thread is forgotten', async () => {
  const { environment, controller, statuses } = await setupStored([
    ['a', 'unread'],
    ['b', 'unread'],
  ]);
  statuses.delete('a');
  await environment.settle();
  assert.equal(statuses.statusOf('a'), undefined);
  assert.deepEqual(await controller.storage.get('marks'), [['b', 'unread']]);
});

test('thread status of a thread that this page has shown is forgotten when it is deleted, also for other pages', async () => {
  for (const isDeletedHere of [true, false]) {
    const { open, settle } = setup();
    const page = await open();
    const other = await open();
    await page.run();
    await other.statuses.reload();
    assert.deepEqual(
      [page, other].map(({ statuses }) => statuses.statusOf('t0')),
      ['running', 'running'],
    );
    if (isDeletedHere) page.statuses.delete('t0');
    else await page.controller.deleteThread('t0');
    await settle();
    await other.statuses.reload();
    assert.deepEqual(
      [page, other].map(({ statuses }) => statuses.statusOf('t0')),
      [undefined, undefined],
    );
  }
});

test('thread status that another page has stored replaces the own one, except that the shown thread counts as read', async () => {
  const { backend, changed, controller, environment, statuses } = await setupStored([
    ['a', 'waiting'],
    ['b', 'unread'],
  ]);
  for (const id of 'abcd') backend.threads.set(id, contentOf(id, [stored('m', 'user', 'Q')]));
  await controller.openThread('c');
  const store = async (...entries: readonly (readonly [string, string])[]): Promise<void> => {
    controller.storage.set('marks', entries);
    await environment.settle();
    changed.length = 0;
    await statuses.reload();
  };
  const found = () => [...'abcd'].map((id) => statuses.statusOf(id));
  await store(['a', 'waiting'], ['c', 'unread'], ['d', 'failed']);
  assert.deepEqual(found(), ['waiting', undefined, undefined, 'failed']);
  assert.deepEqual(changed.sort(), ['b', 'd']);
  await store(['a', 'unread'], ['c', 'failed']);
  assert.deepEqual(found(), ['unread', undefined, undefined, undefined]);
  assert.deepEqual(changed.sort(), ['a', 'd']);
  await store(['a', 'unread'], ['c', 'waiting']);
  assert.deepEqual(found(), ['unread', undefined, 'waiting', undefined]);
  assert.deepEqual(changed, ['c']);
});

test('thread status is stored for the last 200 threads', async () => {
  const entries = Array.from({ length: 250 }, (_, index) => [`t${index}`, 'unread']);
  const { controller, environment, statuses } = await setupStored(entries);
  statuses.delete('t50');
  await environment.settle();
  const saved = (await controller.storage.get('marks')) as [string][];
  assert.deepEqual([saved.length, saved[0]?.[0], saved.at(-1)?.[0]], [199, 't51', 't249']);
});

test('hasExternalRun follows the list until the tracker is released', async () => {
  const { controller, statuses } = await setupStored([]);
  const seen: boolean[] = [];
  for (const item of [{ isRunning: true }, { isRunning: false }, { isRunning: true }, undefined]) {
    controller.setListItem('threads', 'x', item);
    seen.push(statuses.hasExternalRun);
  }
  assert.deepEqual(seen, [true, false, true, false]);
  statuses.release();
  controller.setListItem('threads', 'x', { isRunning: true });
  assert.equal(statuses.hasExternalRun, false);
  const later = new ThreadStatusTracker(
    controller,
    () => undefined,
    () => new Promise(() => 0),
  );
  assert.equal(later.hasExternalRun, true, 'listed before the tracker was created');
});

test('thread status of a thread that was created here is not unread while it is shown, nor after a new thread is shown', async () => {
  const { backend, controller, environment, statuses } = await setupStored([]);
  controller.onNotice((notice) => statuses.handleNotice(notice));
  void controller.send(draftOf('Go on'));
  await environment.settle();
  backend.stream.begin();
  backend.stream.finish('complete');
  await environment.settle();
  const id = controller.thread?.id ?? '';
  assert.notEqual(id, '');
  // The service counts it as unread, and the list is loaded while it is shown.
  controller.setListItem('threads', id, { title: 'T', isUnread: true });
  assert.equal(statuses.statusOf(id), undefined, 'while it is shown');
  controller.switchToNewThread();
  await environment.settle();
  assert.equal(statuses.statusOf(id), undefined);
});

test('a page with thread statuses holds its lock only during a run, and stores only threads with a status', async () => {
  const log: string[] = [];
  const { backend, controller, environment, statuses } = await setupStored([], () => {
    log.push('lock');
    return Promise.resolve(() => void log.push('release'));
  });
  controller.onNotice((notice) => statuses.handleNotice(notice));
  for (const id of ['a', 'b']) {
    backend.threads.set(id, contentOf(id, [stored(`m-${id}`, 'user', 'Q')]));
    await controller.openThread(id);
    await environment.settle();
  }
  assert.deepEqual(log, []);
  void controller.send(draftOf('Go on'));
  await environment.settle();
  backend.stream.begin();
  await environment.settle();
  assert.deepEqual(log, ['lock']);
  const marks = (await controller.storage.get('marks')) as string[][];
  assert.deepEqual(
    marks.map((entry) => entry.slice(0, 2)),
    [['b', 'running']],
  );
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(log, ['lock', 'release']);
  assert.deepEqual(await controller.storage.get('marks'), []);
});

test('thread status running is restored as unread when the page that read the run was closed, or when there are no locks', async () => {
  for (const lock of [() => undefined, null]) {
    const { changed, statuses } = await setupStored(
      [
        ['a', 'running', 'p1'],
        ['b', 'waiting'],
      ],
      () => Promise.resolve(lock),
    );
    assert.deepEqual(
      ['a', 'b'].map((id) => statuses.statusOf(id)),
      ['unread', 'waiting'],
    );
    // `a` is running until the request for the lock of its page was answered.
    assert.deepEqual(changed, ['a', 'b', 'a']);
  }
});

/** A controller that shows the thread `a`, with stored statuses. `createTracker` adds a thread list later. */
async function setupShown(...entries: readonly (readonly [string, string])[]) {
  const environment = createTestEnvironment();
  const { backend, controller } = setupController({ environment });
  backend.threads.set('a', contentOf('a', [stored('m', 'user', 'Q')]));
  await controller.openThread('a');
  controller.storage.set('marks', entries);
  await environment.settle();
  const changed: string[] = [];
  const createTracker = (): ThreadStatusTracker =>
    new ThreadStatusTracker(
      controller,
      (id) => changed.push(id),
      () => Promise.resolve(null),
    );
  const key = controller.thread?.key ?? null;
  return { backend, changed, controller, createTracker, environment, key };
}

test('thread status of a thread that was shown before the list was added is known from the start', async () => {
  const { backend, controller, createTracker, environment } = await setupShown(['a', 'failed']);
  controller.setListItem('threads', 'a', { isUnread: true });
  const statuses = createTracker();
  await environment.settle();
  assert.equal(statuses.statusOf('a'), undefined, 'read by the user, as it is shown');
  const { isUnread } = controller.threads.get('a') as { readonly isUnread?: boolean };
  assert.equal(isUnread, false);
  void controller.send(draftOf('Go on'));
  await environment.settle();
  backend.stream.begin();
  await environment.settle();
  assert.equal(statuses.statusOf('a'), 'running');
  assert.equal(createTracker().statusOf('a'), 'running', 'in a list that is added during the run');
});

test('thread status is not written to the storage before the stored ones are restored', async () => {
  const { controller, createTracker, environment, key } = await setupShown(['b', 'unread']);
  const statuses = createTracker();
  statuses.handleNotice({ type: 'run-stopped', thread: key } as never);
  await environment.settle();
  assert.deepEqual(await controller.storage.get('marks'), [['b', 'unread']]);
  assert.equal(statuses.statusOf('b'), 'unread');
});

test('thread status of a background thread changes when a run completes or is interrupted, but not with a draft or a stopped run', async () => {
  const { changed, controller, createTracker, environment, key } = await setupShown();
  const statuses = createTracker();
  await environment.settle();
  const notify = (type: string): readonly unknown[] => {
    changed.length = 0;
    statuses.handleNotice({ type, thread: key } as never);
    return [statuses.statusOf('a'), ...changed];
  };
  controller.switchToNewThread();
  assert.deepEqual(notify('draft-changed'), [undefined]);
  assert.deepEqual(notify('run-completed'), ['unread', 'a']);
  assert.deepEqual(notify('run-stopped'), ['unread', 'a'], 'the earlier answer is still unread');
  assert.deepEqual(notify('run-interrupted'), ['failed', 'a']);
});
