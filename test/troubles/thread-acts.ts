import assert from 'node:assert/strict';
import { PendingDeletions } from '../../src/elements/threads/thread-actions.js';
import type { Stage } from './stage.js';
import {
  GREET,
  idOf,
  isAnswered,
  last,
  newText,
  PAGE,
  SEARCH,
  textOf,
  word,
  type TriedAct,
} from './tried-act.js';

const others = new WeakMap<Stage, string>();
const otherOf = (stage: Stage): string => others.get(stage) ?? '';
const makeOther = async (stage: Stage) => {
  if (!stage.controller.thread) await stage.send(GREET);
  const { id } = await stage.controller.backend.createThread({ title: word() });
  others.set(stage, id);
  await stage.controller.listThreads(PAGE);
};
const listed = ({ controller }: Stage, id: string) =>
  controller.threads.get(id) as { readonly title: string } | undefined;

const isThere = async (stage: Stage, isThere: boolean) => {
  await stage.controller.listThreads(PAGE);
  assert.equal(listed(stage, otherOf(stage)) !== undefined, isThere);
};
/** Deletes a thread, and takes it back before its time is over. */
const takeBack = async ({ controller, tab }: Stage, id: string) => {
  const clock = { now: () => 0, everySecond: () => () => undefined, run: () => undefined };
  const sent: Promise<void>[] = [];
  const send = (each: string) => void sent.push(controller.deleteThread(each));
  const deletions = new PendingDeletions(clock, { undoTime: 8000, send });
  deletions.add(id);
  deletions.undo(id);
  deletions.flush(tab.isGone);
  await Promise.all(sent);
};
const unread = new WeakMap<Stage, string>();
/** Makes a version of the newest answer that this page has not read. */
const makeVersion = async (stage: Stage) => {
  const { controller } = stage;
  stage.controller.switchToNewThread();
  await stage.send(GREET);
  for (const at of [0, 1]) {
    const keys = { thread: 't', user: null, answer: 'a' };
    const never = new AbortController().signal;
    const answer = last(stage).id ?? '';
    for await (const _told of controller.backend.regenerate?.(idOf(stage), answer, keys, never) ??
      []);
    const { messages } = await controller.backend.loadThread(idOf(stage));
    if (at === 0) unread.set(stage, messages.at(-1)?.id ?? '');
  }
  await controller.openThread(idOf(stage));
};
const isRead = ({ controller }: Stage, id: string | undefined) =>
  [...(controller.thread?.messages.values() ?? [])].some((message) => message.id === id);

/** Acts on threads, and what is only read. */
export const THREAD_ACTS: readonly TriedAct[] = [
  {
    name: 'other version',
    request: /^POST .*\/navigate$/u,
    takes: ['no JSON'],
    setUp: async (stage) => {
      await stage.send(GREET);
      await stage.controller.regenerate(last(stage).key);
      await stage.world.settle();
    },
    act: (stage) => {
      const { id, siblingIds } = last(stage);
      return stage.controller.switchBranch(siblingIds.find((other) => other !== id) ?? '');
    },
    // A lost answer may be that of a change that was made: the service is asked.
    kept: async (stage) => {
      const { headId } = await stage.controller.backend.loadThread(idOf(stage));
      assert.equal(last(stage).id, headId);
    },
    works: isAnswered,
  },
  {
    name: 'checkpoints',
    request: /^GET .*\/checkpoints$/u,
    setUp: (stage) => stage.send(SEARCH),
    act: ({ controller }) => controller.listCheckpoints(),
    works: ({ controller }) => assert.ok((controller.thread?.list('checkpoints').size ?? 0) > 0),
  },
  {
    name: 'open a thread',
    request: /^GET \/agent-sessions\/[^/]+(?:\/messages)?$/u,
    prepare: makeOther,
    act: (stage) => stage.controller.openThread(otherOf(stage)),
    works: (stage) => assert.equal(idOf(stage), otherOf(stage)),
  },
  {
    name: 'rename',
    request: /^PATCH /u,
    takes: ['no JSON'],
    prepare: makeOther,
    act: (stage) => stage.controller.renameThread(otherOf(stage), newText(stage)),
    works: async (stage) => {
      await stage.controller.listThreads(PAGE);
      assert.equal(listed(stage, otherOf(stage))?.title, textOf(stage));
    },
  },
  {
    name: 'delete',
    request: /^DELETE /u,
    // What is not there is deleted.
    takes: ['no JSON', '404'],
    prepare: makeOther,
    act: (stage) => stage.controller.deleteThread(otherOf(stage)),
    works: (stage) => isThere(stage, false),
  },
  {
    name: 'delete while the page goes',
    request: /^DELETE /u,
    takes: ['no JSON', '404'],
    prepare: makeOther,
    act: (stage) => stage.controller.deleteThread(otherOf(stage), true),
    works: (stage) => isThere(stage, false),
  },
  {
    name: 'delete that is taken back',
    request: /^DELETE /u,
    always: 'done',
    prepare: makeOther,
    act: (stage) => takeBack(stage, otherOf(stage)),
    works: async (stage) => {
      assert.deepEqual(stage.asked, [], 'nothing was asked');
      await isThere(stage, true);
    },
  },
  {
    name: 'reading another version',
    request: /^GET .*\/messages\/[^/]+$/u,
    // One that is gone is no version any more.
    takes: ['404'],
    prepare: makeVersion,
    act: (stage) => stage.controller.loadVersion(last(stage).key, unread.get(stage) ?? ''),
    works: (stage) => assert.ok(isRead(stage, unread.get(stage))),
  },
  {
    name: 'list of threads',
    request: /^GET \/agent-sessions$/u,
    setUp: makeOther,
    act: ({ controller }) => controller.listThreads(PAGE),
    works: ({ controller }) => assert.equal(controller.threads.size, 2),
  },
];
