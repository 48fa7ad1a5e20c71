import assert from 'node:assert/strict';
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
      return stage.controller.navigate(siblingIds.find((other) => other !== id) ?? '');
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
    works: async (stage) => {
      await stage.controller.listThreads(PAGE);
      assert.equal(listed(stage, otherOf(stage)), undefined);
    },
  },
  {
    name: 'list of threads',
    request: /^GET \/agent-sessions$/u,
    setUp: makeOther,
    act: ({ controller }) => controller.listThreads(PAGE),
    works: ({ controller }) => assert.equal(controller.threads.size, 2),
  },
];
