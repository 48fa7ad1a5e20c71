import { UbikError } from '../../errors.js';
import type { Batch, Change } from '../../model/change.js';
import type { Timer } from '../../transport/environment.js';
import type { TabCall } from './leader.js';
import type { FromLeader } from './messages.js';
import { PATIENCE, type TabChannel } from './tab-channel.js';
import type { TabLock } from './tab-link.js';

/** How following ended: the run is over, it is another run or nobody can be followed, or this tab is to read. */
export type FollowEnd = 'over' | 'alone' | TabLock;

type Event = FromLeader | 'tick' | 'aborted' | TabLock;

/**
 * Shows a run that another tab reads. When that tab is closed, its lock comes to one of those that wait for it; when it is silent
 * for too long, although it was asked, the lock is taken from it. Silence is counted by ticks of this tab: one that was frozen
 * itself asks first.
 */
export class Follower {
  readonly #channel: TabChannel;
  readonly #call: TabCall;
  readonly #inbox = new Inbox<Event>();
  /** Gives up what is waited for. */
  readonly #leave = new AbortController();
  #timer: Timer | null = null;
  /** The one who reads, and the number of the last batch that was taken; null until all was told. */
  #term = 0;
  #seq: number | null = null;
  /** Ticks since anything was heard. */
  #silence = 0;

  constructor(channel: TabChannel, call: TabCall) {
    this.#channel = channel;
    this.#call = call;
  }

  /** The batches of the run, until somebody else has to read it. */
  async *batches(): AsyncGenerator<Batch, FollowEnd> {
    const { signal, thread } = this.#call;
    const unfollow = this.#channel.follow(thread, this.#inbox.put);
    const abort = () => this.#inbox.put('aborted');
    signal.addEventListener('abort', abort);
    try {
      this.#wait();
      this.#ask(true);
      this.#tick();
      for (;;) {
        if (signal.aborted) throw new UbikError('aborted');
        const end = yield* this.#take(await this.#inbox.take());
        if (end === 'over') yield this.#batch(this.#call.mirror.standing);
        if (end) return end;
      }
    } finally {
      signal.removeEventListener('abort', abort);
      unfollow();
      this.#leave.abort();
      if (this.#timer) this.#channel.environment.clearTimer(this.#timer);
    }
  }

  async *#take(event: Event): AsyncGenerator<Batch, FollowEnd | null> {
    if (event === 'aborted') return null;
    if (event === 'tick') return this.#count();
    // Whoever read it has gone. What waits for the person needs nobody to read.
    if ('release' in event) return this.#accept(event);
    this.#silence = 0;
    if (event.do === 'left') return null;
    // What waits for the person has made way for another run.
    if (!this.#isMine(event.run)) return this.#call.mirror.shown.isAtRest ? 'over' : 'alone';
    const changes = this.#read(event);
    if (!changes) return null;
    yield this.#batch(changes);
    return this.#call.mirror.shown.isOver ? 'over' : null;
  }

  #batch(changes: readonly Change[]): Batch {
    return { thread: this.#call.keys.thread, at: this.#channel.environment.now(), changes };
  }

  /** What a message changes here; null when it changes nothing and gives no sign of life. */
  #read(event: Exclude<FromLeader, { do: 'left' }>): readonly Change[] | null {
    const { mirror } = this.#call;
    const { term, seq } = event;
    if (event.do === 'state') {
      this.#term = term;
      this.#seq = seq;
      return mirror.adoptState(event.changes);
    }
    const isNext = term === this.#term && this.#seq !== null;
    if (event.do === 'batch' && isNext && seq === (this.#seq ?? 0) + 1) {
      this.#seq = seq;
      return mirror.adopt(event.changes);
    }
    // Something was lost on the way, or somebody else reads now: all of it, please.
    const isBehind = !isNext || seq > (this.#seq ?? 0);
    if (isBehind && (event.do === 'batch' || this.#seq !== null)) this.#ask(true);
    if (isBehind) this.#seq = null;
    return null;
  }

  /** Whether a run that another tab reads is the one that is to be shown. */
  #isMine(run: string | null): boolean {
    const { run: wanted, mirror } = this.#call;
    const id = mirror.shown.run.id ?? wanted.id;
    if (run === null) return true;
    return id === null ? !wanted.finishedRuns.includes(run) : id === run;
  }

  #accept(lock: TabLock): FollowEnd {
    const { mirror, signal } = this.#call;
    if (!signal.aborted && !mirror.shown.isAtRest) return lock;
    lock.release();
    return signal.aborted ? 'alone' : 'over';
  }

  #ask(whole: boolean): void {
    this.#channel.post({ do: 'ask', thread: this.#call.thread, whole });
  }

  /** In turn, until it is given up. */
  #wait(): void {
    const { signal } = this.#leave;
    void this.#channel.lock(this.#call.thread, 'in-turn', signal).then((lock) => {
      if (!lock) return;
      if (signal.aborted) lock.release();
      else this.#inbox.put(lock);
    });
  }

  #tick(): void {
    const { environment } = this.#channel;
    this.#timer = environment.setTimer(() => {
      this.#inbox.put('tick');
      this.#tick();
    }, PATIENCE);
  }

  async #count(): Promise<FollowEnd | null> {
    this.#silence += 1;
    if (this.#silence < 2) {
      this.#ask(this.#seq === null);
      return null;
    }
    const lock = await this.#channel.lock(this.#call.thread, 'steal', this.#leave.signal);
    return lock ? this.#accept(lock) : 'alone';
  }
}

/** Things that come one after another, for one reader. */
export class Inbox<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | null = null;

  /** Adds one. */
  readonly put = (item: T): void => {
    this.#items.push(item);
    this.#wake?.();
    this.#wake = null;
  };

  /** The next one, as soon as it is there. */
  async take(): Promise<T> {
    for (;;) {
      const [item] = this.#items.splice(0, 1);
      if (item !== undefined) return item;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
