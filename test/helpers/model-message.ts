import { apply, type ApplyResult } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { EMPTY_ANSWER, type Message } from '../../src/model/message.js';
import { createStore, type Store } from '../../src/model/store.js';

export { EMPTY_ANSWER as ANSWER };

/** A store with a thread `t` and an empty message `m`. */
export function setupMessage(): {
  store: Store;
  message: () => Message;
  run: (...changes: Change[]) => ApplyResult;
} {
  const store = createStore();
  const run = (...changes: Change[]): ApplyResult =>
    apply(store, { thread: 't', time: 0, changes });
  run({ type: 'message', message: 'm', value: EMPTY_ANSWER });
  const message = (): Message => {
    const found = store.threads.get('t')?.messages.get('m');
    if (!found) throw new Error('The message was removed.');
    return found;
  };
  return { store, message, run };
}
