import type { Batch, Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { IDLE_RUN, type Thread } from '../../model/thread.js';
import type { Scope } from '../controller-types.js';

type Listener = (change: Change) => void;

/**
 * Tells changes to those who asked for them, and counts them. A change costs what its listeners cost, however many others there
 * are. What listeners do themselves is told after what they are being told of.
 */
export class Notifier {
  readonly #report: (error: unknown) => void;
  readonly #observers = new Set<(batch: Batch) => void>();
  /** By scope, see {@link nameOf}. */
  readonly #listeners = new Map<string, Set<Listener>>();
  /** How often something was to be told, by scope. Not kept for parts, which count themselves. */
  readonly #counts = new Map<string, number>();
  #current: Thread | null = null;
  readonly #waiting: (() => void)[] = [];
  #telling = false;

  /** @param report takes what a listener threw */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** The thread that scopes without a thread are about. */
  get current(): Thread | null {
    return this.#current;
  }

  /** Makes a thread the current one and tells its listeners. */
  switchTo(thread: Thread | null): void {
    this.#current = thread;
    for (const name of ['thread', 'list checkpoints', 'list documents', 'list queue'])
      this.#rise(name);
    const { id = null, title = '', head = null, run = IDLE_RUN } = thread ?? {};
    this.#enqueue(() => {
      this.#tell('thread', { do: 'thread', set: { id, title, head, run } });
    });
  }

  /** Adds a listener; returns the way to remove it. */
  subscribe(scope: Scope, listener: Listener): () => void {
    const name = nameOf(scope);
    const listeners = this.#listeners.get(name) ?? new Set();
    // The same function may be given twice; each subscription is one of its own.
    const own: Listener = (change) => {
      listener(change);
    };
    this.#listeners.set(name, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(name) === listeners)
        this.#listeners.delete(name);
    };
  }

  /** Adds an observer of batches; returns the way to remove it. */
  observe(listener: (batch: Batch) => void): () => void {
    const own = (batch: Batch): void => {
      listener(batch);
    };
    this.#observers.add(own);
    return () => void this.#observers.delete(own);
  }

  /** Counts and tells a batch that was applied. */
  publish(batch: Batch): void {
    for (const change of batch.changes) this.#count(batch.thread, change);
    this.#enqueue(() => {
      for (const observer of this.#observers) this.#call(observer, batch);
      for (const change of batch.changes) this.#spread(batch.thread, change);
    });
  }

  /** How often something changed in a scope. */
  version(scope: Scope): number {
    if (!('part' in scope)) return this.#counts.get(nameOf(scope)) ?? 0;
    return this.#current?.messages.get(scope.message)?.parts.version(scope.part) ?? 0;
  }

  /** Forgets everybody. */
  close(): void {
    this.#observers.clear();
    this.#listeners.clear();
    this.#waiting.length = 0;
  }

  /** Messages and lists count whatever the thread is: a number that rises too often costs a look, one that stays costs the truth. */
  #count(thread: Key, change: Change): void {
    this.#rise('all');
    if (change.do === 'item') this.#rise(nameOf({ list: change.list }));
    else if (change.do !== 'thread') this.#rise(nameOf({ message: change.message }));
    if (thread === this.#current?.key) this.#rise('thread');
  }

  #rise(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #spread(thread: Key, change: Change): void {
    this.#tell('all', change);
    if (change.do === 'item' && change.list === 'threads') {
      this.#tell(nameOf({ list: 'threads' }), change);
      return;
    }
    if (thread !== this.#current?.key) return;
    this.#tell('thread', change);
    if (change.do === 'thread') return;
    if (change.do === 'item') {
      this.#tell(nameOf({ list: change.list }), change);
      return;
    }
    const { message } = change;
    this.#tell(nameOf({ message }), change);
    const part = 'part' in change ? change.part : null;
    if (part !== null) this.#tell(nameOf({ message, part }), change);
    if (change.do === 'part' && change.parent !== null) {
      this.#tell(nameOf({ message, part: change.parent }), change);
    }
  }

  #tell(name: string, change: Change): void {
    const listeners = this.#listeners.get(name);
    if (listeners) for (const listener of listeners) this.#call(listener, change);
  }

  #call<T>(listener: (value: T) => void, value: T): void {
    try {
      listener(value);
    } catch (error) {
      this.#report(error);
    }
  }

  /** A listener may act: what comes of it is told when everybody has heard what it heard. */
  #enqueue(telling: () => void): void {
    this.#waiting.push(telling);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) next();
    } finally {
      this.#telling = false;
    }
  }
}

/** A name for a scope. Keys may hold anything, so their lengths keep them apart. */
function nameOf(scope: Scope): string {
  if ('all' in scope) return 'all';
  if ('thread' in scope) return 'thread';
  if ('list' in scope) return `list ${scope.list}`;
  if (!('part' in scope)) return `message ${scope.message}`;
  return `part ${scope.message.length} ${scope.message} ${scope.part}`;
}
