import type { Batch, Change } from '../model/change.js';
import { IDLE_RUN, type Thread } from '../model/thread.js';
import type { ChangeScope } from './controller-types.js';

/** Somebody who listens under a name: that of a scope ({@link nameOf}), `batches` or `notices`. */
interface Listener {
  tell(value: unknown): void;
}

/**
 * Tells changes to those who asked for them, and counts them. A change costs what its listeners cost, however many others there
 * are. What listeners do themselves is told after what they are being told of.
 */
export class Notifier {
  /** The thread that scopes without a thread are about. */
  current: Thread | null = null;
  readonly #report: (error: unknown, what: unknown) => void;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** How often something was to be told, by scope. */
  readonly #counts = new Map<string, number>();
  /** How often another thread became the current one: all that belongs to one has changed then. */
  #switches = 0;
  readonly #enqueue = createTurns();

  /** `report` takes what a listener threw, and what it was told. */
  constructor(report: (error: unknown, what: unknown) => void) {
    this.#report = report;
  }

  /** Adds a listener; returns the way to remove it. The same function may be given twice; each is one of its own. */
  add<T>(name: string, listener: (value: T) => void): () => void {
    const own: Listener = { tell: listener };
    const others = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, others.add(own));
    return () => {
      if (others.delete(own) && others.size === 0) this.#listeners.delete(name);
    };
  }

  /** Tells everybody under a name now. */
  tell(name: string, value: unknown): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        listener.tell(value);
      } catch (error) {
        this.#report(error, value);
      }
    }
  }

  /** Makes a thread the current one and tells its listeners. */
  switchTo(thread: Thread | null): void {
    this.current = thread;
    const { id = null, title = '', head = null, run = IDLE_RUN } = thread ?? {};
    this.#switches += 1;
    this.#enqueue(() => this.tell('thread', { type: 'thread', set: { id, title, head, run } }));
  }

  /**
   * Counts and tells a batch that was applied. Threads in the background count too: a number that rises too often costs a look,
   * one that stays costs the truth.
   */
  publish(batch: Batch): void {
    const changes = batch.changes.map((change) => ({ change, scopes: scopesOf(change) }));
    for (const { scopes } of changes) for (const name of scopes) this.#rise(name);
    this.#enqueue(() => {
      this.tell('batches', batch);
      // The list of threads belongs to no thread, and so does a batch of it.
      const isSeen = batch.thread === '' || batch.thread === this.current?.key;
      for (const { change, scopes } of changes) {
        for (const name of isSeen ? scopes : ['all']) this.tell(name, change);
      }
    });
  }

  /** How often something changed in a scope. A part counts itself, with what is inside it. */
  version(scope: ChangeScope): number {
    if (!('part' in scope)) return (this.#counts.get(nameOf(scope)) ?? 0) + this.#switches;
    return this.current?.messages.get(scope.message)?.parts.version(scope.part) ?? 0;
  }

  /** Forgets everybody, and what was told. */
  close(): void {
    this.#listeners.clear();
    this.#counts.clear();
    this.#switches += 1;
    this.current = null;
  }

  #rise(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** A listener may act: what comes of it is told when everybody has heard what it heard. */
function createTurns(): (telling: () => void) => void {
  const waiting: (() => void)[] = [];
  let isTelling = false;
  return (telling) => {
    waiting.push(telling);
    if (isTelling) return;
    isTelling = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) next();
    isTelling = false;
  };
}

/** Names of the scopes that hear of a change. */
function scopesOf(change: Change): string[] {
  if (change.type === 'thread') return ['all', 'thread'];
  if (change.type === 'item') {
    const name = nameOf(change);
    return change.list === 'threads' ? ['all', name] : ['all', 'thread', name];
  }
  const { message } = change;
  const names = ['all', 'thread', nameOf({ message })];
  const around = change.type === 'part' ? change.parent : null;
  for (const part of ['part' in change ? change.part : null, around]) {
    if (part !== null) names.push(nameOf({ message, part }));
  }
  return names;
}

/** A name for a scope. Keys may hold anything, so their lengths keep them apart. */
export function nameOf(scope: ChangeScope): string {
  if ('list' in scope) return `list ${scope.list}`;
  if (!('message' in scope)) return Object.keys(scope).join();
  if (!('part' in scope)) return `message ${scope.message}`;
  return `part ${scope.message.length} ${scope.message} ${scope.part}`;
}
