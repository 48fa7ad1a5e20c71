import assert from 'node:assert/strict';
import type { Stage } from './stage.js';
import {
  asking,
  draft,
  GREET,
  isAnswered,
  isShown,
  last,
  lastQuestion,
  newText,
  SEARCH,
  textOf,
  type TriedAct,
} from './tried-act.js';

const answer = (stage: Stage) => {
  const { message, request } = asking(stage);
  return stage.controller.provideInput(message, request, { type: 'text', text: 'by length' });
};
const decline = (stage: Stage) => {
  const { message, request } = asking(stage);
  return stage.controller.provideInput(message, request, {
    type: 'declined',
    text: "I don't want to answer this.",
  });
};
const askTool = async (stage: Stage) => {
  stage.controller.switchToNewThread();
  await stage.send('Ask me for text');
};
const askAgent = async (stage: Stage) => {
  stage.controller.switchToNewThread();
  await stage.send('Which is the biggest river?');
};
/** Acts that begin a run or go on with one. */
export const RUN_ACTS: readonly TriedAct[] = [
  {
    name: 'send',
    request: /^POST .*\/messages$/u,
    begins: true,
    setUp: (stage) => stage.send(GREET),
    act: (stage) => stage.controller.send(draft(newText(stage))),
    again: ({ controller }) => controller.send(controller.getDraft()),
    kept: (stage) => {
      const { controller } = stage;
      assert.equal(controller.getDraft().text, textOf(stage), 'the text is in the box');
    },
    works: (stage) => {
      isShown(stage);
      assert.equal(stage.controller.getDraft().text, '');
    },
  },
  {
    name: 'answer to a tool',
    request: /^POST .*\/provide-input$/u,
    begins: true,
    takes: ['no JSON'],
    prepare: askTool,
    act: answer,
    works: isAnswered,
  },
  {
    name: 'refusal to answer a tool',
    request: /^POST .*\/provide-input$/u,
    begins: true,
    takes: ['no JSON'],
    prepare: askTool,
    act: decline,
    works: isAnswered,
  },
  {
    name: 'answer to the agent',
    request: /^POST .*\/messages$/u,
    begins: true,
    prepare: askAgent,
    act: answer,
    works: isAnswered,
  },
  {
    name: 'refusal to answer the agent',
    request: /^POST .*\/messages$/u,
    begins: true,
    prepare: askAgent,
    act: decline,
    works: isAnswered,
  },
  {
    name: 'edit',
    request: /^POST .*\/edit$/u,
    begins: true,
    setUp: (stage) => stage.send(GREET),
    act: (stage) => stage.controller.edit(lastQuestion(stage).key, draft(newText(stage))),
    again: (stage) => stage.controller.edit(lastQuestion(stage).key, draft(textOf(stage))),
    works: isShown,
  },
  {
    name: 'regenerate',
    request: /^POST .*\/regenerate$/u,
    begins: true,
    setUp: (stage) => stage.send(GREET),
    act: (stage) => stage.controller.regenerate(last(stage).key),
    works: isAnswered,
  },
  {
    name: 'restore with a hint',
    request: /^POST .*\/navigate-to-checkpoint$/u,
    begins: true,
    reads: true,
    setUp: (stage) => stage.send(SEARCH),
    act: async ({ controller }) => {
      const [checkpoint] = await controller.listCheckpoints();
      await controller.restoreCheckpoint(checkpoint?.name ?? '', 'only the second document');
    },
    works: (stage) => assert.equal(last(stage).restoredFrom?.hint, 'only the second document'),
  },
  {
    name: 'first message',
    request: /^POST \/agent-sessions$/u,
    prepare: async ({ controller }) => controller.switchToNewThread(),
    act: (stage) => stage.controller.send(draft(newText(stage))),
    kept: (stage) => {
      const { controller } = stage;
      assert.equal(controller.thread, null, 'there is no thread');
      assert.equal(controller.getDraft().text, textOf(stage), 'the text is in the box');
    },
    again: ({ controller }) => controller.send(controller.getDraft()),
    works: isShown,
  },
];
