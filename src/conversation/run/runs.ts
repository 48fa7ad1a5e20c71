import { UbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { FoundRun, RunHost, RunPlan } from './run-plan.js';
import { RunSession } from './run-session.js';

/** The runs of all threads held: at most one at a time in each. */
export class Runs {
  readonly #host: RunHost;
  readonly #sessions = new Map<Key, RunSession>();

  constructor(host: RunHost) {
    this.#host = host;
  }

  /** The present or last run of a thread. */
  of(thread: Key): RunSession | undefined {
    return this.#sessions.get(thread);
  }

  /** Whether a run is on, so that stored messages may be behind what is shown. */
  isActive(thread: Key): boolean {
    return this.#sessions.get(thread)?.active ?? false;
  }

  /** Throws `busy` when the thread can take no act now. */
  checkFree(thread: Key): void {
    if (!this.#sessions.get(thread)?.busy) return;
    throw new UbikError(
      'busy',
      'The agent is still at work in this thread. Wait for it or stop it first.',
    );
  }

  /** Begins a run. A run that waits for the person makes way. */
  begin(plan: RunPlan, ready: Promise<unknown> | null = null): RunSession {
    const { thread } = plan.keys;
    this.checkFree(thread);
    const before = this.#sessions.get(thread);
    before?.giveWay();
    const session = this.#keep(RunSession.begin(this.#host, plan, ready));
    // An answer to a tool goes on in the same message, with what the backend knows of it.
    const goesOn = before?.record.keys.answer === plan.keys.answer;
    if (before && !goesOn)
      session.accepted.then(
        () => {
          before.forget();
        },
        () => undefined,
      );
    return session;
  }

  /** Joins a run that was found. What the backend knows of an earlier one does not fit what was read since. */
  resume(found: FoundRun): void {
    this.#sessions.get(found.keys.thread)?.forget();
    this.#keep(RunSession.resume(this.#host, found));
  }

  /** Goes on with the run that a refused act had pushed aside. */
  restore(session: RunSession): void {
    this.#keep(session);
    this.goOn(session.thread);
  }

  /** Joins the run of a thread that was given up. */
  goOn(thread: Key): void {
    // Whether that works is told by the run itself.
    this.#sessions
      .get(thread)
      ?.rejoin()
      .catch(() => undefined);
  }

  /** Leaves the run of a thread for good. */
  drop(thread: Key): void {
    this.#sessions.get(thread)?.close();
    this.#sessions.delete(thread);
  }

  /** The page woke. */
  wake(reason: 'visible' | 'online' | 'pageshow' | 'resume'): void {
    for (const session of this.#sessions.values()) session.wake(reason);
  }

  /** The page goes away, maybe to come back. */
  park(): void {
    for (const session of this.#sessions.values()) session.park();
  }

  /** Gives all connections back. */
  close(): void {
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
  }

  #keep(session: RunSession): RunSession {
    this.#sessions.set(session.thread, session);
    return session;
  }
}
