import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThreadStatusTracker } from '../../src/elements/threads/thread-status.js';
import type { AcquireLock } from '../../src/elements/threads/page-presence.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { draftOf, setupConversation } from '../controller/setup-conversation.js';
import { MemoryTabs, type MemoryTab } from '../helpers/memory-tabs.js';
import { createTestEnvironment, type TestEnvironment } from '../helpers/test-environment.js';

/** One page of a person with a list of threads. */
interface ListPage {
  readonly tab: MemoryTab;
  readonly marks: ThreadStatusTracker;
  /** A run in a thread, by default the first, which this page leaves for the second one. */
  run(id?: string): Promise<void>;
  finish(state: 'complete' | 'failed'): Promise<void>;
}

function setup() {
  const tabs = new MemoryTabs();
  const environment = createTestEnvironment();
  const pages: ListPage[] = [];
  /** Everything has been told and kept, and all pages have heard what the others have kept. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 9 || !tabs.isIdle; turn += 1) {
      await environment.settle();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const hear = async (): Promise<void> => {
    await settle();
    await Promise.all(pages.map(({ marks }) => marks.reload()));
    await settle();
  };
  const open = async (link = true): Promise<ListPage> => {
    const page = openPage(environment, tabs.open(), settle, link);
    pages.push(page);
    await settle();
    return page;
  };
  const close = (page: ListPage): void => void pages.splice(pages.indexOf(page), 1);
  return { close, environment, hear, open, pages, settle, tabs };
}

function openPage(
  environment: TestEnvironment,
  tab: MemoryTab,
  settle: () => Promise<void>,
  link: boolean,
): ListPage {
  const { backend, controller } = setupConversation({ environment });
  for (const id of ['t0', 't1', 't2'])
    backend.threads.set(id, contentOf(id, [stored(`m-${id}`, 'user', `Question of ${id}`)]));
  const takeLock: AcquireLock = async (name, signal) => {
    const lock = link ? await tab.requestLock(name, 'queue', signal) : null;
    return lock && (() => lock.release());
  };
  const marks = new ThreadStatusTracker(controller, () => undefined, takeLock);
  controller.notices((notice) => marks.handleNotice(notice));
  return {
    tab,
    marks,
    run: async (id = 't0') => {
      await controller.openThread(id);
      void controller.send(draftOf('Go on'));
      await settle();
      backend.stream.begin();
      await settle();
      await controller.openThread('t1');
      await settle();
    },
    finish: async (state) => {
      backend.stream.finish(state);
      await settle();
    },
  };
}

test('the mark of a run ends with the page that followed it: nobody knows how it went on', async () => {
  const { close, hear, open, settle } = setup();
  const there = await open();
  const here = await open();
  await there.run();
  await hear();
  assert.equal(here.marks.statusOf('t0'), 'running');
  there.tab.freeze();
  await hear();
  assert.equal(here.marks.statusOf('t0'), 'running', 'a frozen page is still there');
  close(there);
  there.tab.die();
  await settle();
  assert.equal(here.marks.statusOf('t0'), 'unread');
  await hear();
  assert.equal(here.marks.statusOf('t0'), 'unread', 'and it does not come back');
});

test('a page that comes later shows that a run is on in another one, and that it has gone', async () => {
  const { close, hear, open, settle } = setup();
  const there = await open();
  await there.run();
  const here = await open();
  assert.equal(here.marks.statusOf('t0'), 'running');
  there.marks.release();
  await settle();
  assert.equal(here.marks.statusOf('t0'), 'unread', 'a list that is left tells nothing more');
  close(there);
  there.tab.die();
  const last = await open();
  await hear();
  assert.equal(last.marks.statusOf('t0'), 'unread');
});

for (const [state, mark] of [
  ['complete', 'unread'],
  ['failed', 'failed'],
] as const) {
  test(`how a run ended (${state}) is told before its page goes`, async () => {
    const { close, hear, open, settle } = setup();
    const there = await open();
    const here = await open();
    await there.run();
    await hear();
    await there.finish(state);
    close(there);
    there.tab.die();
    await settle();
    assert.equal(here.marks.statusOf('t0'), mark);
  });
}

test('a mark that a third page hands on is still that of the page with the run', async () => {
  const { close, hear, open, settle } = setup();
  const there = await open();
  const between = await open();
  const here = await open();
  await there.run();
  await hear();
  // It keeps what it knows with what is its own.
  await between.run('t2');
  await between.finish('complete');
  await hear();
  close(there);
  there.tab.die();
  await settle();
  assert.equal(here.marks.statusOf('t0'), 'unread');
  assert.equal(here.marks.statusOf('t2'), 'unread', 'its own run is over');
});

test('where pages cannot be watched, what is told is believed, and what is old is not', async () => {
  const { hear, open } = setup();
  const there = await open(false);
  const here = await open(false);
  await there.run();
  await hear();
  assert.equal(here.marks.statusOf('t0'), 'running');
  const later = await open(false);
  assert.equal(later.marks.statusOf('t0'), 'unread');
});

test('what is told of a conversation that was never shown here marks nothing', async () => {
  const { open } = setup();
  const { marks } = await open();
  marks.handleNotice({ type: 'run-started', thread: 'unknown' } as never);
  assert.equal(marks.statusOf('unknown'), undefined);
});
