import { apply, type Applied } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import type { Message, MessageFields } from '../../src/model/message.js';
import { createStore, type Store } from '../../src/model/store.js';

/** Fields of an empty answer that is being written. */
export const ANSWER: MessageFields = {
  id: null,
  taskId: null,
  role: 'assistant',
  parent: null,
  siblingIds: [],
  createdAt: null,
  status: 'streaming',
  attachments: [],
  origin: null,
  failure: null,
};

/** A store with one thread `t` and one empty message `m` in it. */
export function setupMessage(): {
  store: Store;
  message: () => Message;
  run: (...changes: Change[]) => Applied;
} {
  const store = createStore();
  const run = (...changes: Change[]): Applied => apply(store, { thread: 't', at: 0, changes });
  run({ do: 'message', message: 'm', value: ANSWER });
  const message = (): Message => {
    const found = store.threads.get('t')?.messages.get('m');
    if (!found) throw new Error('The message is gone.');
    return found;
  };
  return { store, message, run };
}
