import { apply, type Applied } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { EMPTY_ANSWER, type Message } from '../../src/model/message.js';
import { createStore, type Store } from '../../src/model/store.js';

export { EMPTY_ANSWER as ANSWER };

/** A store with one thread `t` and one empty message `m` in it. */
export function setupMessage(): {
  store: Store;
  message: () => Message;
  run: (...changes: Change[]) => Applied;
} {
  const store = createStore();
  const run = (...changes: Change[]): Applied => apply(store, { thread: 't', at: 0, changes });
  run({ do: 'message', message: 'm', value: EMPTY_ANSWER });
  const message = (): Message => {
    const found = store.threads.get('t')?.messages.get('m');
    if (!found) throw new Error('The message is gone.');
    return found;
  };
  return { store, message, run };
}
