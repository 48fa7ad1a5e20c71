import assert from 'node:assert/strict';
import { PendingDeletions } from '../../src/elements/base/pending-deletions.js';
import type { FaultyPage } from './faulty-page.js';
import {
  GREET,
  threadIdOf,
  assertComplete,
  lastMessage,
  newText,
  PAGE,
  SEARCH,
  textOf,
  createWord,
  type ActionCase,
} from './action-case.js';

/** The id of another thread of the user, by page. */
const otherThreads = new WeakMap<FaultyPage, string>();
const otherThreadOf = (page: FaultyPage): string => otherThreads.get(page) ?? '';
const createOtherThread = async (page: FaultyPage) => {
  if (!page.controller.thread) await page.send(GREET);
  const { id } = await page.controller.backend.createThread({ title: createWord() });
  otherThreads.set(page, id);
  await page.controller.listThreads(PAGE);
};
const listed = ({ controller }: FaultyPage, id: string) =>
  controller.threads.get(id) as { readonly title: string } | undefined;

const assertListed = async (page: FaultyPage, isListed: boolean) => {
  await page.controller.listThreads(PAGE);
  assert.equal(listed(page, otherThreadOf(page)) !== undefined, isListed);
};
/** Deletes a thread and undoes the deletion in time. */
const undoDelete = async ({ controller, tab }: FaultyPage, id: string) => {
  const clock = { now: () => 0, everySecond: () => () => undefined, run: () => undefined };
  const sent: Promise<void>[] = [];
  const send = (each: string) => void sent.push(controller.deleteThread(each));
  const deletions = new PendingDeletions(clock, { undoTime: 8000, send });
  deletions.add(id);
  deletions.undo(id);
  deletions.flush(tab.isClosed);
  await Promise.all(sent);
};
/** The id of a version that the page has not loaded, by page. */
const unloadedVersions = new WeakMap<FaultyPage, string>();
/** Creates two more versions of the last answer. `openThread` loads the second, so that this page has not loaded the first. */
const createUnloadedVersion = async (page: FaultyPage) => {
  const { controller } = page;
  page.controller.switchToNewThread();
  await page.send(GREET);
  for (const at of [0, 1]) {
    const keys = { thread: 't', user: null, answer: 'a' };
    const { signal } = new AbortController();
    const answer = lastMessage(page).id ?? '';
    for await (const _batch of controller.backend.regenerate?.(
      threadIdOf(page),
      answer,
      {},
      keys,
      signal,
    ) ?? []);
    const { messages } = await controller.backend.loadThread(threadIdOf(page));
    if (at === 0) unloadedVersions.set(page, messages.at(-1)?.id ?? '');
  }
  await controller.openThread(threadIdOf(page));
};
const isLoaded = ({ controller }: FaultyPage, id: string | undefined) =>
  [...(controller.thread?.messages.values() ?? [])].some((message) => message.id === id);

/** Actions on threads, and requests that only load. */
export const THREAD_CASES: readonly ActionCase[] = [
  {
    name: 'branch switch',
    request: /^POST .*\/navigate$/u,
    ignoredFaults: ['invalid JSON'],
    setUp: async (page) => {
      await page.send(GREET);
      await page.controller.regenerate(lastMessage(page).key);
      await page.world.settle();
    },
    execute: (page) => {
      const { id, siblingIds } = lastMessage(page);
      return page.controller.switchBranch(siblingIds.find((other) => other !== id) ?? '');
    },
    // The service may have switched although its response was lost.
    checkFailed: async (page) => {
      const { headId } = await page.controller.backend.loadThread(threadIdOf(page));
      assert.equal(lastMessage(page).id, headId);
    },
    checkDone: assertComplete,
  },
  {
    name: 'list of checkpoints',
    request: /^GET .*\/checkpoints$/u,
    setUp: (page) => page.send(SEARCH),
    execute: ({ controller }) => controller.listCheckpoints(),
    checkDone: ({ controller }) =>
      assert.ok((controller.thread?.list('checkpoints').size ?? 0) > 0),
  },
  {
    name: 'open a thread',
    request: /^GET \/agent-sessions\/[^/]+(?:\/messages)?$/u,
    prepare: createOtherThread,
    execute: (page) => page.controller.openThread(otherThreadOf(page)),
    checkDone: (page) => assert.equal(threadIdOf(page), otherThreadOf(page)),
  },
  {
    name: 'rename',
    request: /^PATCH /u,
    ignoredFaults: ['invalid JSON'],
    prepare: createOtherThread,
    execute: (page) => page.controller.renameThread(otherThreadOf(page), newText(page)),
    checkDone: async (page) => {
      await page.controller.listThreads(PAGE);
      assert.equal(listed(page, otherThreadOf(page))?.title, textOf(page));
    },
  },
  {
    name: 'delete',
    request: /^DELETE /u,
    // A 404 counts as success: the thread is gone.
    ignoredFaults: ['invalid JSON', '404'],
    prepare: createOtherThread,
    execute: (page) => page.controller.deleteThread(otherThreadOf(page)),
    checkDone: (page) => assertListed(page, false),
  },
  {
    name: 'delete while the page closes',
    request: /^DELETE /u,
    ignoredFaults: ['invalid JSON', '404'],
    prepare: createOtherThread,
    execute: (page) => page.controller.deleteThread(otherThreadOf(page), true),
    checkDone: (page) => assertListed(page, false),
  },
  {
    name: 'undone delete',
    request: /^DELETE /u,
    fixedOutcome: 'done',
    prepare: createOtherThread,
    execute: (page) => undoDelete(page, otherThreadOf(page)),
    checkDone: async (page) => {
      assert.deepEqual(page.requests, [], 'nothing was sent');
      await assertListed(page, true);
    },
  },
  {
    name: 'load of another version',
    request: /^GET .*\/messages\/[^/]+$/u,
    // After a 404 the version is removed from the thread, which is no error.
    ignoredFaults: ['404'],
    prepare: createUnloadedVersion,
    execute: (page) =>
      page.controller.loadVersion(lastMessage(page).key, unloadedVersions.get(page) ?? ''),
    checkDone: (page) => assert.ok(isLoaded(page, unloadedVersions.get(page))),
  },
  {
    name: 'list of threads',
    request: /^GET \/agent-sessions$/u,
    setUp: createOtherThread,
    execute: ({ controller }) => controller.listThreads(PAGE),
    checkDone: ({ controller }) => assert.equal(controller.threads.size, 2),
  },
];
