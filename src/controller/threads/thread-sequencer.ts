import { UbikError } from '../../errors.js';
import type { Thread } from '../../model/thread.js';

/**
 * The order of what is asked about each thread. Answers may come in another order than they were asked for: what was read is worth
 * showing only if the thread has not moved on since, and what depends on where the thread stands waits until that is known.
 */
export class ThreadOrder {
  /** When each thread has last moved on. */
  readonly #moved = new WeakMap<Thread, number>();
  /** Navigations under way, the last one of each thread. Never reject. */
  readonly #navigations = new WeakMap<Thread, Promise<void>>();
  /** Threads on which a run waits for a navigation. */
  readonly #awaited = new WeakSet<Thread>();
  #count = 0;

  /** Begins a reading. Returns a number for {@link isNewest}. */
  begin(): number {
    this.#count += 1;
    return this.#count;
  }

  /** A thread has moved on: each reading that has begun before is outdated. */
  outdate(thread: Thread): void {
    this.#moved.set(thread, this.begin());
  }

  /** Whether a thread has not moved on since a reading began. If so, the earlier readings are outdated by it. */
  isNewest(thread: Thread, reading: number): boolean {
    if (reading < (this.#moved.get(thread) ?? 0)) return false;
    this.#moved.set(thread, reading);
    return true;
  }

  /** Navigates once the navigations before have ended. Readings that overlap with it are outdated. */
  async navigate(thread: Thread, work: () => Promise<void>): Promise<void> {
    const before = this.#navigations.get(thread);
    const turn = (async () => {
      if (before) await before;
      this.outdate(thread);
      await work();
    })();
    const end = (): void => {
      this.outdate(thread);
      if (this.#navigations.get(thread) === ended) this.#navigations.delete(thread);
    };
    const ended = turn.then(end, end);
    this.#navigations.set(thread, ended);
    await turn;
  }

  /** Resolves when the navigations asked for so far have ended; undefined when none is under way. */
  navigated(thread: Thread): Promise<void> | undefined {
    return this.#navigations.get(thread);
  }

  /** Whether a run waits for a navigation of a thread. */
  isAwaited(thread: Thread): boolean {
    return this.#awaited.has(thread);
  }

  /**
   * Begins a run at the branch that is known to be the active one: at once, or when the navigation under way has ended.
   *
   * @throws `busy` when another run waits already
   */
  async start<T>(thread: Thread, begin: () => Promise<T>): Promise<T> {
    const navigated = this.#navigations.get(thread);
    if (this.#awaited.has(thread)) throw new UbikError('busy');
    if (!navigated) return begin();
    this.#awaited.add(thread);
    await navigated;
    this.#awaited.delete(thread);
    return begin();
  }
}
