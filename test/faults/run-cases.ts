import assert from 'node:assert/strict';
import type { FaultyPage } from './faulty-page.js';
import {
  pendingRequest,
  draft,
  GREET,
  assertComplete,
  assertShownOnce,
  lastMessage,
  lastUserMessage,
  newText,
  SEARCH,
  textOf,
  type ActionCase,
} from './action-case.js';

const answer = (page: FaultyPage) => {
  const { message, request } = pendingRequest(page);
  return page.controller.provideInput(message, request, { type: 'text', text: 'by length' });
};
const decline = (page: FaultyPage) => {
  const { message, request } = pendingRequest(page);
  return page.controller.provideInput(message, request, {
    type: 'declined',
    text: 'I don’t want to answer this.',
  });
};
const askTool = async (page: FaultyPage) => {
  page.controller.switchToNewThread();
  await page.send('Ask me for text');
};
const askAgent = async (page: FaultyPage) => {
  page.controller.switchToNewThread();
  await page.send('Which is the biggest river?');
};
/** Actions that start or continue a run. */
export const RUN_CASES: readonly ActionCase[] = [
  {
    name: 'send',
    request: /^POST .*\/messages$/u,
    startsRun: true,
    setUp: (page) => page.send(GREET),
    execute: (page) => page.controller.send(draft(newText(page))),
    retry: ({ controller }) => controller.send(controller.getDraft()),
    checkFailed: (page) => {
      const { controller } = page;
      assert.equal(controller.getDraft().text, textOf(page), 'the text is the draft');
    },
    checkDone: (page) => {
      assertShownOnce(page);
      assert.equal(page.controller.getDraft().text, '');
    },
  },
  {
    name: 'answer to a tool',
    request: /^POST .*\/provide-input$/u,
    startsRun: true,
    ignoredFaults: ['invalid JSON'],
    prepare: askTool,
    execute: answer,
    checkDone: assertComplete,
  },
  {
    name: 'declined answer to a tool',
    request: /^POST .*\/provide-input$/u,
    startsRun: true,
    ignoredFaults: ['invalid JSON'],
    prepare: askTool,
    execute: decline,
    checkDone: assertComplete,
  },
  {
    name: 'answer to the agent',
    request: /^POST .*\/messages$/u,
    startsRun: true,
    prepare: askAgent,
    execute: answer,
    checkDone: assertComplete,
  },
  {
    name: 'declined answer to the agent',
    request: /^POST .*\/messages$/u,
    startsRun: true,
    prepare: askAgent,
    execute: decline,
    checkDone: assertComplete,
  },
  {
    name: 'edit',
    request: /^POST .*\/edit$/u,
    startsRun: true,
    setUp: (page) => page.send(GREET),
    execute: (page) => page.controller.edit(lastUserMessage(page).key, draft(newText(page))),
    retry: (page) => page.controller.edit(lastUserMessage(page).key, draft(textOf(page))),
    checkDone: assertShownOnce,
  },
  {
    name: 'regenerate',
    request: /^POST .*\/regenerate$/u,
    startsRun: true,
    setUp: (page) => page.send(GREET),
    execute: (page) => page.controller.regenerate(lastMessage(page).key),
    checkDone: assertComplete,
  },
  {
    name: 'restore with a hint',
    request: /^POST .*\/navigate-to-checkpoint$/u,
    startsRun: true,
    loadsFirst: true,
    setUp: (page) => page.send(SEARCH),
    execute: async ({ controller }) => {
      const [checkpoint] = await controller.listCheckpoints();
      await controller.restoreCheckpoint(checkpoint?.name ?? '', 'only the second document');
    },
    checkDone: (page) =>
      assert.equal(lastMessage(page).restoredFrom?.hint, 'only the second document'),
  },
  {
    name: 'first message',
    request: /^POST \/agent-sessions$/u,
    prepare: async ({ controller }) => controller.switchToNewThread(),
    execute: (page) => page.controller.send(draft(newText(page))),
    checkFailed: (page) => {
      const { controller } = page;
      assert.equal(controller.thread, null, 'there is no thread');
      assert.equal(controller.getDraft().text, textOf(page), 'the text is the draft');
    },
    retry: ({ controller }) => controller.send(controller.getDraft()),
    checkDone: assertShownOnce,
  },
];
