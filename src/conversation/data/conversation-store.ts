import { UbikError } from '../../errors.js';
import { apply } from '../../model/apply.js';
import type { Batch, Change } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import { createStore } from '../../model/store.js';
import type { Thread } from '../../model/thread.js';
import type { Notifier } from './notifier.js';

/** What {@link ConversationStore} is made from. */
export interface ConversationStoreOptions {
  readonly notifier: Notifier;
  readonly now: () => number;
  /** Takes changes that did not fit. */
  readonly report: (error: UbikError) => void;
  /** Looks at what took effect, before anybody is told. */
  readonly onApplied: (batch: Batch) => void;
}

/** All threads held. The only caller of `apply` in this room. */
export class ConversationStore {
  readonly #store = createStore();
  readonly #options: ConversationStoreOptions;
  #keys = 0;

  constructor(options: ConversationStoreOptions) {
    this.#options = options;
  }

  /** The thread under a key. */
  thread(key: Key): Thread | undefined {
    return this.#store.threads.get(key);
  }

  /** The thread that the server calls `id`. */
  threadOf(id: string): Thread | undefined {
    for (const thread of this.#store.threads.values()) if (thread.id === id) return thread;
    return undefined;
  }

  /** The entry of a thread in the list of threads. */
  listed(id: string): Json | undefined {
    return this.#store.threadList.get(id);
  }

  /** A key that nothing else here has. */
  createKey(kind: 'thread' | 'message'): Key {
    this.#keys += 1;
    return `${kind}-${this.#keys}`;
  }

  /** Makes changes of our own. */
  commit(thread: Key, changes: readonly Change[]): void {
    if (changes.length > 0) this.take({ thread, at: this.#options.now(), changes });
  }

  /** Takes a batch whole, then has it told. An empty one changes nothing and is not told. */
  take(batch: Batch): void {
    if (batch.changes.length === 0) return;
    const { changes, refused } = apply(this.#store, batch);
    const [odd] = refused;
    if (odd) {
      const count = `${refused.length} of ${batch.changes.length} changes`;
      const text = `The service adapter made ${count} that do not fit the conversation; they were left out.`;
      this.#options.report(new UbikError('malformed-event', text, { offender: odd.do }));
    }
    if (changes.length === 0) return;
    const applied = { ...batch, changes };
    this.#options.onApplied(applied);
    this.#options.notifier.publish(applied);
  }
}
