import assert from 'node:assert/strict';
import type { QueuedMessage } from '../../src/controller/controller-types.js';
import type { Key } from '../../src/model/json.js';
import type { FaultyPage } from './faulty-page.js';
import {
  draft,
  assertShownOnce,
  lastMessage,
  newText,
  SEARCH,
  textOf,
  type ActionCase,
} from './action-case.js';

/** Starts a run that is held. */
const startHeldRun = async (page: FaultyPage) => {
  page.controller.switchToNewThread();
  page.hold();
  await page.send(SEARCH);
};
const release = async (page: FaultyPage) => {
  page.release();
  await page.world.settle();
};

/** Actions that stop an active run. */
export const STOP_CASES: readonly ActionCase[] = [
  {
    name: 'stop',
    request: /^POST .*\/stop$/u,
    ignoredFaults: ['invalid JSON'],
    prepare: startHeldRun,
    execute: ({ controller }) => controller.stop(),
    release,
    checkDone: (page) => assert.equal(lastMessage(page).status, 'stopped'),
  },
  {
    name: 'send now',
    request: /^POST .*\/stop$/u,
    ignoredFaults: ['invalid JSON'],
    prepare: startHeldRun,
    execute: (page) => page.controller.enqueue(draft(newText(page)), true),
    retry: (page) => page.controller.sendQueued(queued(page)[0]),
    checkFailed: (page) => {
      assert.equal(page.controller.thread?.run.state, 'streaming', 'the run continues');
      assert.equal(queued(page)[1].text, textOf(page), 'the text is queued');
    },
    release,
    checkDone: assertShownOnce,
  },
];

/** Messages that are sent from the queue. Their errors are notices, because no call waits for them. */
export const QUEUE_CASES: readonly ActionCase[] = [
  {
    name: 'queued message',
    request: /^POST .*\/messages$/u,
    startsRun: true,
    prepare: async (page) => {
      await startHeldRun(page);
      await page.controller.enqueue(draft(newText(page)));
    },
    execute: async (page) => {
      const sent = new Promise<void>((resolve, reject) => {
        page.controller.onNotice((notice) => {
          if (notice.type === 'error') reject(notice.error);
          if (notice.type === 'queued-sent') resolve();
        });
      });
      page.release();
      return sent;
    },
    retry: (page) => page.controller.sendQueued(queued(page)[0]),
    checkFailed: (page) => {
      assert.equal(queued(page)[1].text, textOf(page), 'the text is queued');
      assert.equal(queued(page)[1].state, 'paused');
    },
    checkDone: (page) => {
      assertShownOnce(page);
      assert.equal(page.controller.thread?.list('queue').size, 0);
    },
  },
];

function queued({ controller }: FaultyPage): readonly [Key, QueuedMessage] {
  const [entry] = controller.thread?.list('queue') ?? [];
  assert.ok(entry, 'a message is queued');
  return entry as unknown as readonly [Key, QueuedMessage];
}
