import type { Batch } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Timer } from '../../transport/environment.js';
import type { RunKeys, RunRef } from '../backend.js';
import { parseTabMessage, type TabMessage } from './messages.js';
import type { RunMirror } from './run-mirror.js';
import type { TabLock } from './tab-link.js';

/** One run that this tab starts or rejoins, and its mirror. */
export interface TabRun {
  readonly thread: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
  readonly mirror: RunMirror;
  /** The request of this tab that starts the run; null when the tab rejoins a run. */
  readonly start: RunStart | null;
  /** The run that is rejoined, as far as it is identified. */
  readonly ref: Pick<RunRef, 'id' | 'otherRunIds'>;
}

/** The data that other tabs need about a request that starts a run. */
export interface RunStart {
  /** Key of the input request that the run answers; null when it answers none. */
  readonly request: Key | null;
  /** Whether it continues the current run instead of starting another one. */
  readonly continues: boolean;
}

/** Why another tab may not take over a thread; null when it may. */
export type TakeOverRefusal = 'busy' | 'not-open' | null;

/** This tab as the leader of a thread: publishes the run that it reads to the other tabs. */
export class Leader {
  readonly thread: string;
  readonly lock: TabLock;
  /** Higher than that of each former leader of the thread. */
  readonly term: number;
  /** The run that is being read. A new run of this tab replaces it. */
  current: TabRun;
  /** Timer of the reservation for another tab; null when the thread is not reserved. */
  reservation: Timer | null = null;
  readonly #post: (message: TabMessage) => void;
  /** Number of the last published batch. */
  #seq = 0;
  /** Whether the start of the current run was announced. */
  #isAnnounced = false;
  /** Whether a batch with changes, not only heartbeats, has arrived since the current run was requested. */
  #isAccepted = false;
  /** Whether any tab follows, and whether it has received the state to which batches are applied. */
  #followers: 'none' | 'await-state' | 'up-to-date' = 'none';

  constructor(lock: TabLock, term: number, run: TabRun, post: (message: TabMessage) => void) {
    this.lock = lock;
    this.term = term;
    this.current = run;
    this.thread = run.thread;
    this.#post = post;
  }

  /** The service's id of the run; null while it is unknown. */
  get runId(): string | null {
    const { mirror, ref } = this.current;
    return mirror.shown.run.id ?? ref.id;
  }

  /** Publishes another run from now on. */
  switchTo(run: TabRun): void {
    this.current = run;
    this.#isAnnounced = false;
    this.#isAccepted = false;
    if (this.#followers === 'up-to-date') this.#followers = 'await-state';
  }

  /** Publishes a batch of this tab's backend. `isLast`: its stream has ended. Returns the batch to show in this tab. */
  publish(batch: Batch, isLast = false): Batch {
    const { mirror, start } = this.current;
    const { local, remote } = mirror.receive(batch, isLast);
    this.#isAccepted ||= batch.changes.length > 0;
    if (start && !this.#isAnnounced && mirror.shown.isStarted) {
      this.#isAnnounced = true;
      this.announce(true);
    }
    if (this.#followers === 'up-to-date') {
      this.#seq += 1;
      this.#post({ type: 'batch', ...this.#header, changes: remote });
    } else if (this.#followers === 'await-state') this.publishState();
    return local;
  }

  /** Announces to other tabs that this tab leads. `started`: whether it has started a run that they do not know. */
  announce(started = false): void {
    const answered = this.current.start?.request ?? null;
    this.#post({ type: 'leader', ...this.#header, started, answered });
  }

  /** Publishes the whole state, or that it cannot be sent. If there is no state yet, `publish` does so with the batch that creates it. */
  publishState(): void {
    const { mirror } = this.current;
    if (!mirror.shown.isStarted) {
      this.#followers = 'await-state';
      this.announce();
      return;
    }
    const state: TabMessage = { type: 'state', ...this.#header, changes: mirror.stateChanges };
    const canSend = parseTabMessage(state) !== null;
    if (canSend) this.#followers = 'up-to-date';
    // Followers that await the state read the run themselves; those that are up to date continue to receive batches.
    else if (this.#followers === 'await-state') {
      // The higher `seq` shows a tab with an earlier state that it lacks the current one.
      this.#followers = 'none';
      this.#seq += 1;
    }
    this.#post(canSend ? state : { type: 'unsendable', ...this.#header });
  }

  /** Returns why another tab may not take over the thread to start a run; null when it may. */
  checkTakeOver(request: Key | null, continues: boolean): TakeOverRefusal {
    const { start, mirror } = this.current;
    const isAnswered = request !== null && start?.request === request;
    const { isSettled } = mirror.shown;
    if (request !== null && mirror.shown.isRequestClosed(request)) return 'not-open';
    // Until the service has accepted the current run, it is unknown whether the request is still open.
    if (this.reservation || (start && !this.#isAccepted)) return isAnswered ? 'not-open' : 'busy';
    if (isSettled || (continues && !isAnswered)) return null;
    return isAnswered ? 'not-open' : 'busy';
  }

  get #header() {
    return { thread: this.thread, term: this.term, run: this.runId, seq: this.#seq };
  }
}
