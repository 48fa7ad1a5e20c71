import {
  chooseNumberArgument,
  createQuestion,
  chooseNumber,
  pick,
  chooseKind,
  type Action,
} from './action.js';
import type { Tab } from '../world/tab.js';
import type { QueuedMessage } from '../../../src/controller/controller-types.js';
import type { Key } from '../../../src/model/json.js';

/** Queued messages of the current thread. */
function listQueued({ controller }: Tab): (readonly [Key, QueuedMessage])[] {
  const list = controller.thread?.list('queue') ?? new Map<Key, unknown>();
  return [...list] as (readonly [Key, QueuedMessage])[];
}

/** Actions on the message queue. */
export const QUEUE_ACTIONS: Readonly<Record<string, Action>> = {
  queue: {
    weight: 8,
    choose: chooseKind,
    execute(world, tab, kind = '') {
      const { text } = createQuestion(world, kind);
      world.start(tab, 'queue', text, () => tab.controller.enqueue({ text, attachments: [] }));
    },
  },
  'edit-queued': {
    weight: 3,
    choose: (random) => [chooseNumber(random), ...chooseKind(random)],
    execute(world, tab, which, kind = '') {
      const [key, { text: before }] = pick(listQueued(tab), which) ?? [null, { text: '' }];
      if (key === null) return;
      const { text } = createQuestion(world, kind);
      world.start(tab, 'edit-queued', text, async () => {
        await tab.controller.updateQueued(key, { text, attachments: [] });
        world.withdrawn.add(before);
      });
    },
  },
  'remove-queued': {
    weight: 2,
    choose: chooseNumberArgument,
    execute(world, tab, which) {
      const [key, { text }] = pick(listQueued(tab), which) ?? [null, { text: '' }];
      if (key === null) return;
      world.start(tab, 'remove-queued', null, async () => {
        await tab.controller.removeQueued(key);
        world.withdrawn.add(text);
      });
    },
  },
  'send-queued': {
    weight: 4,
    choose: chooseNumberArgument,
    execute(world, tab, which) {
      const [key] = pick(listQueued(tab), which) ?? [null];
      if (key === null) return;
      world.start(tab, 'send-queued', null, () => tab.controller.sendQueued(key));
    },
  },
};
