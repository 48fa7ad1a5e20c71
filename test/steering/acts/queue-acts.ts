import { aNumber, ask, number, pick, question, type Act } from './act.js';
import type { Tab } from '../world/tab.js';
import type { QueuedMessage } from '../../../src/controller/controller-types.js';
import type { Key } from '../../../src/model/json.js';

/** Messages that wait behind the run of the thread that is shown. */
function listQueued({ controller }: Tab): (readonly [Key, QueuedMessage])[] {
  const list = controller.thread?.list('queue') ?? new Map<Key, unknown>();
  return [...list] as (readonly [Key, QueuedMessage])[];
}

/** What a person does with messages that are written during a run. */
export const QUEUE_ACTS: Readonly<Record<string, Act>> = {
  queue: {
    weight: 8,
    choose: (random) => question(random).slice(0, 1),
    do(world, tab, kind = '') {
      const { text } = ask(world, kind);
      world.begin(tab, 'queue', text, () => tab.controller.enqueue({ text, attachments: [] }));
    },
  },
  'edit-queued': {
    weight: 3,
    choose: (random) => [number(random), ...question(random).slice(0, 1)],
    do(world, tab, which, kind = '') {
      const [key, { text: before }] = pick(listQueued(tab), which) ?? [null, { text: '' }];
      if (key === null) return;
      const { text } = ask(world, kind);
      world.begin(tab, 'edit-queued', text, async () => {
        await tab.controller.updateQueued(key, { text, attachments: [] });
        world.withdrawn.add(before);
      });
    },
  },
  'remove-queued': {
    weight: 2,
    choose: aNumber,
    do(world, tab, which) {
      const [key, { text }] = pick(listQueued(tab), which) ?? [null, { text: '' }];
      if (key === null) return;
      world.begin(tab, 'remove-queued', null, async () => {
        await tab.controller.removeQueued(key);
        world.withdrawn.add(text);
      });
    },
  },
  'send-queued': {
    weight: 4,
    choose: aNumber,
    do(world, tab, which) {
      const [key] = pick(listQueued(tab), which) ?? [null];
      if (key === null) return;
      world.begin(tab, 'send-queued', null, () => tab.controller.sendQueued(key));
    },
  },
};
