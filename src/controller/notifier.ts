import type { Batch, Change } from '../model/change.js';
import { IDLE_RUN, type Thread } from '../model/thread.js';
import type { ChangeScope } from './controller-types.js';

/** One subscription: the same function may be subscribed several times. */
interface Subscription {
  emit(value: unknown): void;
}

/**
 * Delivers changes to their subscribers and counts revisions. Subscriptions are kept under keys: that of a scope ({@link scopeKey}),
 * `batches` or `notices`. The cost of a change depends on its own subscribers only. Changes that a listener makes are delivered after
 * the present one.
 */
export class Notifier {
  /** The thread that scopes refer to. */
  currentThread: Thread | null = null;
  readonly #onError: (error: unknown, value: unknown) => void;
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  /** Changes so far, by scope key. */
  readonly #counts = new Map<string, number>();
  /** How often the current thread was replaced: this counts as a change in each of its scopes. */
  #switches = 0;
  readonly #enqueue = createDispatchQueue();

  /** `onError` is called with the error that a listener threw and with the value that it was called with. */
  constructor(onError: (error: unknown, value: unknown) => void) {
    this.#onError = onError;
  }

  /** Adds a listener. Returns the unsubscribe function. */
  subscribe<T>(key: string, listener: (value: T) => void): () => void {
    const subscription: Subscription = { emit: listener };
    const subscriptions = this.#subscriptions.get(key) ?? new Set();
    this.#subscriptions.set(key, subscriptions.add(subscription));
    return () => {
      if (subscriptions.delete(subscription) && subscriptions.size === 0)
        this.#subscriptions.delete(key);
    };
  }

  /** Calls the listeners of a key now. */
  emit(key: string, value: unknown): void {
    for (const subscription of this.#subscriptions.get(key) ?? []) {
      try {
        subscription.emit(value);
      } catch (error) {
        this.#onError(error, value);
      }
    }
  }

  /** Replaces the current thread and emits a `thread` change with all its fields. */
  setCurrentThread(thread: Thread | null): void {
    this.currentThread = thread;
    const { id = null, title = '', head = null, run = IDLE_RUN } = thread ?? {};
    this.#switches += 1;
    this.#enqueue(() => this.emit('thread', { type: 'thread', set: { id, title, head, run } }));
  }

  /**
   * Counts and emits the changes of an applied batch. Threads in the background are counted too: a spurious increment costs one redraw,
   * a missed one leaves stale content on screen.
   */
  publish(batch: Batch): void {
    const changes = batch.changes.map((change) => ({ change, keys: listScopeKeys(change) }));
    for (const { keys } of changes) for (const key of keys) this.#increment(key);
    this.#enqueue(() => {
      this.emit('batches', batch);
      // The thread list belongs to no thread.
      const isCurrent = batch.thread === '' || batch.thread === this.currentThread?.key;
      for (const { change, keys } of changes) {
        for (const key of isCurrent ? keys : ['all']) this.emit(key, change);
      }
    });
  }

  /** The number of changes in a scope. That of a part includes its children. */
  revision(scope: ChangeScope): number {
    if (!('part' in scope)) return (this.#counts.get(scopeKey(scope)) ?? 0) + this.#switches;
    return this.currentThread?.messages.get(scope.message)?.parts.version(scope.part) ?? 0;
  }

  /** Removes all subscriptions and counts. */
  close(): void {
    this.#subscriptions.clear();
    this.#counts.clear();
    this.#switches += 1;
    this.currentThread = null;
  }

  #increment(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

/** Returns a function that runs dispatches one after the other: one that is added by a listener runs after the present one. */
function createDispatchQueue(): (dispatch: () => void) => void {
  const queue: (() => void)[] = [];
  let isDispatching = false;
  return (dispatch) => {
    queue.push(dispatch);
    if (isDispatching) return;
    isDispatching = true;
    for (let next = queue.shift(); next; next = queue.shift()) next();
    isDispatching = false;
  };
}

/** Keys of the scopes that contain a change. */
function listScopeKeys(change: Change): string[] {
  if (change.type === 'thread') return ['all', 'thread'];
  if (change.type === 'item') {
    const key = scopeKey(change);
    return change.list === 'threads' ? ['all', key] : ['all', 'thread', key];
  }
  const { message } = change;
  const keys = ['all', 'thread', scopeKey({ message })];
  const parent = change.type === 'part' ? change.parent : null;
  for (const part of ['part' in change ? change.part : null, parent]) {
    if (part !== null) keys.push(scopeKey({ message, part }));
  }
  return keys;
}

/** A unique key of a scope. Model keys may contain any character, so the length of the first one separates the two. */
export function scopeKey(scope: ChangeScope): string {
  if ('list' in scope) return `list ${scope.list}`;
  if (!('message' in scope)) return Object.keys(scope).join();
  if (!('part' in scope)) return `message ${scope.message}`;
  return `part ${scope.message.length} ${scope.message} ${scope.part}`;
}
