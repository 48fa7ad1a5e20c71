import assert from 'node:assert/strict';
import type { QueuedMessage } from '../../src/controller/controller-types.js';
import type { Key } from '../../src/model/json.js';
import type { Stage } from './stage.js';
import { draft, isShown, last, newText, SEARCH, textOf, type TriedAct } from './tried-act.js';

const running = async (stage: Stage) => {
  stage.controller.switchToNewThread();
  stage.hold();
  await stage.send(SEARCH);
};
const release = async (stage: Stage) => {
  stage.release();
  await stage.world.settle();
};

/** Acts while a run is on. */
export const ACTS_MEANWHILE: readonly TriedAct[] = [
  {
    name: 'stop',
    request: /^POST .*\/stop$/u,
    takes: ['no JSON'],
    prepare: running,
    act: ({ controller }) => controller.stop(),
    release,
    works: (stage) => assert.equal(last(stage).status, 'stopped'),
  },
  {
    name: 'send now',
    request: /^POST .*\/stop$/u,
    takes: ['no JSON'],
    prepare: running,
    act: (stage) => stage.controller.enqueue(draft(newText(stage)), true),
    again: (stage) => stage.controller.sendQueued(queued(stage)[0]),
    kept: (stage) => {
      assert.equal(stage.controller.thread?.run.state, 'streaming', 'the run goes on');
      assert.equal(queued(stage)[1].text, textOf(stage), 'the text waits');
    },
    release,
    works: isShown,
  },
];

/** Messages that are sent when a run is over: the error is told by a notice. */
export const QUEUE_ACTS: readonly TriedAct[] = [
  {
    name: 'message of the queue',
    request: /^POST .*\/messages$/u,
    begins: true,
    prepare: async (stage) => {
      await running(stage);
      await stage.controller.enqueue(draft(newText(stage)));
    },
    act: async (stage) => {
      const sent = new Promise<void>((resolve, reject) => {
        stage.controller.onNotice((notice) => {
          if (notice.type === 'error') reject(notice.error);
          if (notice.type === 'queued-sent') resolve();
        });
      });
      stage.release();
      return sent;
    },
    again: (stage) => stage.controller.sendQueued(queued(stage)[0]),
    kept: (stage) => {
      assert.equal(queued(stage)[1].text, textOf(stage), 'the text waits');
      assert.equal(queued(stage)[1].state, 'paused');
    },
    works: (stage) => {
      isShown(stage);
      assert.equal(stage.controller.thread?.list('queue').size, 0);
    },
  },
];

function queued({ controller }: Stage): readonly [Key, QueuedMessage] {
  const [entry] = controller.thread?.list('queue') ?? [];
  assert.ok(entry, 'a message waits');
  return entry as unknown as readonly [Key, QueuedMessage];
}
