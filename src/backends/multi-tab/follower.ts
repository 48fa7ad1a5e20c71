import { UbikError } from '../../errors.js';
import type { Batch, Change } from '../../model/change.js';
import type { Timer } from '../../transport/environment.js';
import type { TabRun } from './leader.js';
import type { LeaderMessage } from './messages.js';
import type { TabChannel } from './tab-channel.js';
import type { TabLock } from './tab-link.js';
import { QUERY_TIMEOUT, TAKEOVER_TIMEOUT } from './takeover-timeout.js';

/**
 * How following ended: the run has ended or waits for input; this tab has to read the stream without sharing it (`unshared`), because the
 * leader reads another run or cannot send its state, or no lock is granted; or this tab was granted the lock and leads from now on.
 */
export type FollowResult = 'ended' | 'unshared' | TabLock;

type FollowerEvent = LeaderMessage | 'tick' | 'aborted' | TabLock;

/**
 * Shows a run that another tab reads. When that tab is closed, the browser grants its lock to the next follower in the queue. When the
 * leader has not replied to a query for too long, the lock is stolen. Silence is measured in ticks of this tab instead of the clock, so
 * that a tab that was frozen itself queries the leader first.
 */
export class Follower {
  readonly #channel: TabChannel;
  readonly #run: TabRun;
  readonly #events = new AsyncQueue<FollowerEvent>();
  /** Aborts the pending requests for the lock. */
  readonly #closing = new AbortController();
  #timer: Timer | null = null;
  /** The term of the leader whose state was received. A later leader has a higher term. */
  #term = 0;
  /** Number of the last applied batch; null until the whole state was received. */
  #seq: number | null = null;
  /** Number of ticks since the last message of the leader. */
  #silentTicks = 0;

  constructor(channel: TabChannel, run: TabRun) {
    this.#channel = channel;
    this.#run = run;
  }

  /** Emits the batches of the run until it ends or this tab has to read it. */
  async *read(): AsyncGenerator<Batch, FollowResult> {
    const { signal, thread } = this.#run;
    const unfollow = this.#channel.follow(thread, this.#events.push);
    const abort = () => this.#events.push('aborted');
    signal.addEventListener('abort', abort);
    try {
      this.#requestLock();
      this.#query(true);
      this.#scheduleTick();
      for (;;) {
        if (signal.aborted) throw new UbikError('aborted');
        const result = yield* this.#handle(await this.#events.next());
        if (result === 'ended') yield this.#createBatch(this.#run.mirror.localStatusChanges);
        if (result) return result;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      unfollow();
      this.#closing.abort();
      this.#releaseUnusedLocks();
      if (this.#timer) this.#channel.environment.clearTimer(this.#timer);
    }
  }

  async *#handle(event: FollowerEvent): AsyncGenerator<Batch, FollowResult | null> {
    if (event === 'aborted') return null;
    if (event === 'tick') return this.#handleTick();
    if ('release' in event) return this.#acceptLock(event);
    this.#silentTicks = 0;
    if (event.type === 'resigned') return null;
    // A run that waits for input is replaced by the run that answers it.
    if (!this.#isSameRun(event.run)) return this.#run.mirror.shown.isSettled ? 'ended' : 'unshared';
    if (event.type === 'unsendable') return this.#isUpToDate(event) ? null : 'unshared';
    const changes = this.#apply(event);
    if (!changes) return null;
    yield this.#createBatch(changes);
    return this.#run.mirror.shown.isEnded ? 'ended' : null;
  }

  #createBatch(changes: readonly Change[]): Batch {
    return { thread: this.#run.keys.thread, time: this.#channel.environment.now(), changes };
  }

  /** Returns the changes that a message makes in this tab; null for a message that is not applied. */
  #apply(
    event: Exclude<LeaderMessage, { type: 'resigned' | 'unsendable' }>,
  ): readonly Change[] | null {
    const { mirror } = this.#run;
    const { term, seq } = event;
    if (event.type === 'state') {
      this.#term = term;
      this.#seq = seq;
      return mirror.replaceState(event.changes);
    }
    const isSynced = term === this.#term && this.#seq !== null;
    if (event.type === 'batch' && isSynced && seq === (this.#seq ?? 0) + 1) {
      this.#seq = seq;
      return mirror.applyRemote(event.changes);
    }
    // A batch was lost, or the leader has changed: query the whole state. While the state is awaited, a `leader` message causes no second query.
    const isBehind = !isSynced || seq > (this.#seq ?? 0);
    if (isBehind && (event.type === 'batch' || this.#seq !== null)) this.#query(true);
    if (isBehind) this.#seq = null;
    return null;
  }

  /** Whether this tab has received a state and all that was published since. */
  #isUpToDate({ term, seq }: LeaderMessage & { readonly seq: number }): boolean {
    return term === this.#term && seq === this.#seq;
  }

  /** Whether the run that the leader reads is the one to be shown. */
  #isSameRun(runId: string | null): boolean {
    const { ref, mirror } = this.#run;
    const id = mirror.shown.run.id ?? ref.id;
    if (runId === null) return true;
    return id === null ? !ref.otherRunIds.includes(runId) : id === runId;
  }

  /**
   * Returns the lock, with which this tab leads. Releases it if reading was aborted, and if the run needs no stream because it has ended or
   * waits for input.
   */
  #acceptLock(lock: TabLock): FollowResult {
    const { mirror, signal } = this.#run;
    if (!signal.aborted && !mirror.shown.isSettled) return lock;
    lock.release();
    return signal.aborted ? 'unshared' : 'ended';
  }

  #query(full: boolean): void {
    this.#channel.post({ type: 'query', thread: this.#run.thread, full });
  }

  #requestLock(): void {
    const { signal } = this.#closing;
    void this.#channel.requestLock(this.#run.thread, 'queue', signal).then((lock) => {
      if (!lock) return;
      if (signal.aborted) lock.release();
      else this.#events.push(lock);
    });
  }

  /** Releases a lock that was granted, but not handled before following ended. */
  #releaseUnusedLocks(): void {
    for (const event of this.#events.clear()) {
      if (typeof event === 'object' && 'release' in event) event.release();
    }
  }

  #scheduleTick(): void {
    const { environment } = this.#channel;
    this.#timer = environment.setTimer(() => {
      this.#events.push('tick');
      this.#scheduleTick();
    }, QUERY_TIMEOUT);
  }

  async #handleTick(): Promise<FollowResult | null> {
    this.#silentTicks += 1;
    if (this.#silentTicks * QUERY_TIMEOUT < TAKEOVER_TIMEOUT) {
      this.#query(this.#seq === null);
      return null;
    }
    const { signal } = this.#closing;
    const lock = await this.#channel.requestLock(this.#run.thread, 'steal', signal);
    return lock ? this.#acceptLock(lock) : 'unshared';
  }
}

/** An asynchronous queue with one reader. */
class AsyncQueue<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | null = null;

  /** Appends an item and wakes the reader. */
  readonly push = (item: T): void => {
    this.#items.push(item);
    this.#wake?.();
    this.#wake = null;
  };

  /** Removes and returns all items. */
  clear(): T[] {
    return this.#items.splice(0);
  }

  /** Resolves with the next item. */
  async next(): Promise<T> {
    for (;;) {
      const [item] = this.#items.splice(0, 1);
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
