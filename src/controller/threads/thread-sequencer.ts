import { UbikError } from '../../errors.js';
import type { Thread } from '../../model/thread.js';

/**
 * Orders the requests of each thread. Because responses can arrive in a different order than their requests were sent, a loaded thread
 * is applied only if the thread has not changed since the request, and a run waits for pending branch switches and removals of documents.
 * Loaded threads are applied one after the other, because a long one is merged in slices.
 */
export class ThreadSequencer {
  /** The sequence number of the last accepted read or the last change of each thread. */
  readonly #lastChange = new WeakMap<Thread, number>();
  /** The last pending branch switch of each thread. Never rejects. */
  readonly #pendingSwitches = new WeakMap<Thread, Promise<void>>();
  /** The pending removals of documents of each thread. */
  readonly #pendingRemovals = new WeakMap<Thread, Promise<unknown>>();
  /** Resolves when a loaded thread has been applied to the thread. Never rejects. */
  readonly #applying = new WeakMap<Thread, Promise<void>>();
  /** Threads in which a run waits for a branch switch. */
  readonly #scheduledRuns = new WeakSet<Thread>();
  /** The last deletion (title null) or renaming of each thread by this client, by the service's id. */
  readonly #titles = new Map<string, { readonly at: number; readonly title: string | null }>();
  /** The last sequence number, of a read or a change. */
  #count = 0;

  /** Starts a read. Returns its sequence number for {@link acceptRead}. */
  startRead(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Makes all earlier reads of a thread outdated. */
  invalidateReads(thread: Thread): void {
    this.#lastChange.set(thread, this.startRead());
  }

  /** Returns whether a read is valid: no change and no accepted later read has made it outdated. If so, earlier reads become outdated. */
  acceptRead(thread: Thread, read: number): boolean {
    if (read < (this.#lastChange.get(thread) ?? 0)) return false;
    this.#lastChange.set(thread, read);
    return true;
  }

  /** Records that a thread was renamed, or (`null`) deleted. */
  recordTitle(id: string, title: string | null): void {
    this.#titles.set(id, { at: this.startRead(), title });
  }

  /** Returns the title that a thread was given since the start of a read; null when it was deleted, undefined when neither happened. */
  titleSince(read: number, id: string): string | null | undefined {
    const change = this.#titles.get(id);
    return change && change.at > read ? change.title : undefined;
  }

  /** Waits until no other loaded thread is being applied to the same thread, then applies this one. */
  async runApply<T>(thread: Thread, apply: () => T | Promise<T>): Promise<T> {
    while (this.#applying.has(thread)) await this.#applying.get(thread);
    const applying = Promise.resolve(apply());
    const finish = (): void => void this.#applying.delete(thread);
    this.#applying.set(thread, applying.then(finish, finish));
    return applying;
  }

  /** Runs a branch switch after the pending ones. Reads that overlap with it are outdated. */
  async runSwitch(thread: Thread, run: () => Promise<void>): Promise<void> {
    const previous = this.#pendingSwitches.get(thread);
    const current = (async () => {
      if (previous) await previous;
      this.invalidateReads(thread);
      await run();
    })();
    const finish = (): void => {
      this.invalidateReads(thread);
      if (this.#pendingSwitches.get(thread) === finished) this.#pendingSwitches.delete(thread);
    };
    const finished = current.then(finish, finish);
    this.#pendingSwitches.set(thread, finished);
    await current;
  }

  /** Returns a promise that resolves when all pending branch switches of a thread are done; undefined when there are none. */
  pendingSwitch(thread: Thread): Promise<void> | undefined {
    return this.#pendingSwitches.get(thread);
  }

  /**
   * Records the removal of a document. A run that is started while the removal is pending is requested after its response
   * (`RunSession.start` waits for {@link pendingRemoval}), because the agent must not read the document.
   */
  recordRemoval(thread: Thread, removal: Promise<unknown>): void {
    const pending = Promise.all([this.#pendingRemovals.get(thread), removal]);
    const finish = (): void => {
      if (this.#pendingRemovals.get(thread) === pending) this.#pendingRemovals.delete(thread);
    };
    this.#pendingRemovals.set(thread, pending);
    pending.then(finish, finish);
  }

  /** Returns a promise that settles with the pending removals of a thread, and rejects when one fails; undefined when there are none. */
  pendingRemoval(thread: Thread): Promise<unknown> | undefined {
    return this.#pendingRemovals.get(thread);
  }

  /** Whether a run is scheduled: it starts after the pending branch switches. */
  hasScheduledRun(thread: Thread): boolean {
    return this.#scheduledRuns.has(thread);
  }

  /**
   * Starts a run at once, or after the pending branch switches of the thread.
   *
   * @throws {UbikError} `busy` when another run is scheduled.
   */
  async scheduleRun<T>(thread: Thread, start: () => Promise<T>): Promise<T> {
    const pending = this.#pendingSwitches.get(thread);
    if (this.#scheduledRuns.has(thread)) throw new UbikError('busy');
    if (!pending) return start();
    this.#scheduledRuns.add(thread);
    await pending;
    this.#scheduledRuns.delete(thread);
    return start();
  }
}
