import type { Batch } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Timer } from '../../transport/environment.js';
import type { RunKeys, RunRef } from '../backend.js';
import type { TabLock } from './tab-link.js';
import type { TabMessage } from './messages.js';
import type { RunMirror } from './run-mirror.js';

/** What a tab does with a thread, and where it shows it. */
export interface TabCall {
  readonly thread: string;
  readonly keys: RunKeys;
  readonly signal: AbortSignal;
  readonly mirror: RunMirror;
  /** It asks the service for something, once; null: it joins a run that is on. */
  readonly act: TabAct | null;
  /** The run that is joined, as far as it is known. */
  readonly run: Pick<RunRef, 'id' | 'finishedRuns'>;
}

/** What is asked of the service. */
export interface TabAct {
  /** The question that it is the answer to. */
  readonly request: Key | null;
  /** A run that is on goes on with it. */
  readonly aside: boolean;
}

/** Whether others may have the thread: an error's code, or null when they may. */
export type Refusal = 'busy' | 'not-open' | null;

/** This tab reads the stream of a thread, and tells the others. */
export class LeaderElection {
  readonly thread: string;
  readonly lock: TabLock;
  readonly term: number;
  /** Who reads at present: an act takes over from what the same tab did before. */
  call: TabCall;
  /** The thread is promised to another tab, until this fires. */
  promise: Timer | null = null;
  readonly #post: (message: TabMessage) => void;
  #seq = 0;
  #isAnnounced = false;
  /** The service has said something since the present call began. */
  #isTaken = false;
  #follower: 'none' | 'waits' | 'has-all' = 'none';

  constructor(lock: TabLock, term: number, call: TabCall, post: (message: TabMessage) => void) {
    this.lock = lock;
    this.term = term;
    this.call = call;
    this.thread = call.thread;
    this.#post = post;
  }

  /** The service's id of the run. */
  get run(): string | null {
    const { mirror, run } = this.call;
    return mirror.shown.run.id ?? run.id;
  }

  /** Goes on with something else. */
  begin(call: TabCall): void {
    this.call = call;
    this.#isAnnounced = false;
    this.#isTaken = false;
    if (this.#follower === 'has-all') this.#follower = 'waits';
  }

  /** Takes a batch of the own backend; gives what is shown here. */
  take(batch: Batch): Batch {
    const { mirror, act } = this.call;
    const { own, others } = mirror.take(batch);
    this.#isTaken ||= batch.changes.length > 0;
    if (act && !this.#isAnnounced && mirror.shown.isBegun) {
      this.#isAnnounced = true;
      this.tell(true);
    }
    if (this.#follower === 'has-all') {
      this.#seq += 1;
      this.#post({ do: 'batch', ...this.#facts, changes: others });
    } else if (this.#follower === 'waits') this.tellAll();
    return own;
  }

  /** Tells that it is this tab; `begun`: what others do not know of has begun. */
  tell(begun = false): void {
    const answers = this.call.act?.request ?? null;
    this.#post({ do: 'lead', ...this.#facts, begun, answers });
  }

  /** Tells all there is to see, now or when there is something. */
  tellAll(): void {
    const { mirror } = this.call;
    this.#follower = mirror.shown.isBegun ? 'has-all' : 'waits';
    if (this.#follower === 'waits') this.tell();
    else this.#post({ do: 'state', ...this.#facts, changes: mirror.state });
  }

  /** Whether another tab may act in the thread. */
  refusalOf(request: Key | null, aside: boolean): Refusal {
    const { act, mirror } = this.call;
    const isSame = request !== null && act?.request === request;
    const { isAtRest } = mirror.shown;
    if (request !== null && mirror.shown.isClosed(request)) return 'not-open';
    // Whether it was taken is not known yet.
    if (this.promise || (act && !this.#isTaken)) return isSame ? 'not-open' : 'busy';
    if (isAtRest || (aside && !isSame)) return null;
    return isSame ? 'not-open' : 'busy';
  }

  get #facts() {
    return { thread: this.thread, term: this.term, run: this.run, seq: this.#seq };
  }
}
