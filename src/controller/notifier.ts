import type { Batch, Change } from '../model/change.js';
import type { Key } from '../model/json.js';
import { IDLE_RUN, type Thread } from '../model/thread.js';
import type { ChangeScope } from './controller-types.js';

/** One subscription. A separate object, because the same function can be subscribed several times. */
interface Subscription {
  emit(value: unknown): void;
}

/**
 * Delivers changes to their subscribers and counts revisions. A subscription has a key: that of a scope ({@link scopeKey}), `batches` or
 * `notices`. Delivering a change takes time proportional to its subscribers. A change made by a listener is delivered after the current
 * batch.
 */
export class Notifier {
  /** The thread that scopes refer to. */
  currentThread: Thread | null = null;
  readonly #onError: (error: unknown, value: unknown) => void;
  readonly #subscriptions = new Map<string, Set<Subscription>>();
  /** Number of changes so far, by scope key. */
  readonly #counts = new Map<string, number>();
  /** The scope keys of the last text change, cached because a text grows by many changes. */
  #textKeys: {
    readonly message: Key;
    readonly part: Key;
    readonly keys: readonly string[];
  } | null = null;
  /** How often the current thread was replaced. Each replacement counts as a change in every scope except those of parts. */
  #switches = 0;
  readonly #enqueue = createDispatchQueue();

  /** `onError` is called with the error that a listener threw and with the emitted value. */
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

  /** Calls the listeners of a key synchronously. */
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
   * Counts and emits the changes of an applied batch. Changes of threads in the background are counted too: a spurious increment causes
   * one redundant render, a missed one leaves stale content on screen.
   */
  publish(batch: Batch): void {
    const changes = batch.changes.map((change) => ({ change, keys: this.#keysOf(change) }));
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

  /** Returns the number of changes in a scope. That of a part includes its children. */
  revision(scope: ChangeScope): number {
    if (!('part' in scope)) return (this.#counts.get(scopeKey(scope)) ?? 0) + this.#switches;
    return this.currentThread?.messages.get(scope.message)?.parts.revision(scope.part) ?? 0;
  }

  /** Removes all subscriptions and counts. */
  close(): void {
    this.#subscriptions.clear();
    this.#counts.clear();
    this.#switches += 1;
    this.currentThread = null;
  }

  #keysOf(change: Change): readonly string[] {
    if (change.type !== 'text') return listScopeKeys(change);
    const { message, part } = change;
    if (this.#textKeys?.message !== message || this.#textKeys.part !== part)
      this.#textKeys = { message, part, keys: listScopeKeys(change) };
    return this.#textKeys.keys;
  }

  #increment(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

/** Returns a function that runs dispatches in sequence. A dispatch that is added during another one runs after it. */
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

/** Returns the keys of the scopes that contain a change. */
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

/** Returns a unique key of a scope. Model keys can contain any character, so the length of the first one delimits it. */
export function scopeKey(scope: ChangeScope): string {
  if ('list' in scope) return `list ${scope.list}`;
  if (!('message' in scope)) return Object.keys(scope).join();
  if (!('part' in scope)) return `message ${scope.message}`;
  return `part ${scope.message.length} ${scope.message} ${scope.part}`;
}
