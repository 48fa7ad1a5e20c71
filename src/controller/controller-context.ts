import type { Backend } from '../backends/backend.js';
import { UbikError } from '../errors.js';
import { apply } from '../model/apply.js';
import type { Batch, Change, ThreadChange } from '../model/change.js';
import type { Key } from '../model/json.js';
import { ACTIVITY } from '../model/part.js';
import { createStore } from '../model/store.js';
import type { Thread } from '../model/thread.js';
import { createEnvironment, type Environment } from '../transport/environment.js';
import type { ControllerNotice, ControllerOptions } from './controller-types.js';
import { Drafts } from './messages/drafts.js';
import { Deadlines } from './requests/activity-notices.js';
import { isPending } from './requests/input-requests.js';
import { createNotes, type Notes } from './controller-storage.js';
import { Notifier } from './notifier.js';
import { createOrigins, type Origins } from './checkpoints/restore-origins.js';
import { createQuestions, type Questions } from './requests/request-details.js';
import { ThreadOrder } from './threads/thread-sequencer.js';
import { Queue } from './messages/message-queue.js';
import { toUbikError } from './run/failure.js';
import type { RunSession } from './run/run-session.js';
import { readUserKey } from './user-key.js';

/** What the acts of one controller share: data, listeners, storage, runs. */
export class ControllerContext {
  readonly options: ControllerOptions;
  readonly backend: Backend;
  readonly environment: Environment;
  readonly limits;
  readonly store = createStore();
  readonly notifier = new Notifier((cause, told) => this.#reportListener(cause, told));
  readonly notes: Notes;
  readonly drafts: Drafts;
  readonly queue = new Queue(this);
  /** Where answers began that went back to a checkpoint. */
  readonly origins: Origins;
  /** What only events have told of questions. */
  readonly questions: Questions;
  /** The order of readings, navigations and runs of each thread. */
  readonly order = new ThreadOrder();
  /** The present or last run of each thread. */
  readonly runs = new Map<Key, RunSession>();
  /** Messages of runs, by thread, that the service's record has not been seen to contain: what is shown of them stays. */
  readonly unrecorded = new Map<Key, Set<Key>>();
  /** Threads that are being made. */
  readonly creating = new Map<Key, Promise<void>>();
  /** Threads whose checkpoints somebody has asked for: they are kept up to date. */
  readonly watched = new Set<Key>();
  /** Threads that somebody else has changed while a run of ours was on. */
  readonly outdated = new Set<Key>();
  /** When the open question of a thread was last looked for at the service, by the wall clock. */
  readonly questionChecks = new Map<Key, number>();
  /** When a thread was last read because the page has returned, by the wall clock, and whether it will be read once more for another return. */
  readonly returns = new Map<Key, { readonly at: number; isRepeated: boolean }>();
  /** Hears when somebody else has changed a thread. */
  hear: Backend['onForeignChange'];
  /** Aborted when everything was given back. */
  readonly closing = new AbortController();
  /** Called when the page has become visible, online or active again. */
  onReturn: () => void = () => undefined;
  /** Told when a run is over. */
  onRunOver: (session: RunSession) => void = () => undefined;
  /** Told when one was not begun, and what it showed is taken back. */
  onRefused: (session: RunSession, error: UbikError) => void = () => undefined;
  /** When open questions close. */
  readonly deadlines = new Deadlines(this);
  /** Told when the time of a question has run out. */
  onExpired: (thread: Key) => void = () => undefined;
  /** Armed requests that were told. */
  readonly #toldRequests = new Set<string>();
  /** Completed steps that were told. */
  readonly #toldSteps = new Set<string>();
  readonly #release: ((() => void) | undefined)[];
  /** The thread that was shown last. */
  #shown: Key | null = null;
  /** Stands for the latest call that leads the person to a thread. */
  #opening: unknown;
  #keys = 0;

  constructor(options: ControllerOptions) {
    const { backend, environment = createEnvironment(), page } = options;
    this.options = { ...options, userKey: readUserKey(options.userKey) };
    this.backend = backend;
    this.environment = environment;
    this.limits = {
      idleTimeout: backend.idleTimeout,
      maxIdleTimeout: 300_000,
      resumeGrace: 1_000,
      sliceBudget: 8,
      draftDelay: 300,
      ...options.limits,
    };
    this.notes = createNotes(this);
    this.drafts = new Drafts(this);
    this.origins = createOrigins(this);
    this.questions = createQuestions(this);
    backend.onDiagnostic = this.diagnose;
    this.#release = [
      page?.onWake((reason) => {
        this.runs.forEach((session) => session.wake(reason));
        this.onReturn();
      }),
      page?.onHide(() => {
        this.runs.forEach((session) => session.hide());
        // The page may not come back.
        this.drafts.flush();
      }),
    ];
  }

  /** Whether everything was given back. */
  get closed(): boolean {
    return this.closing.signal.aborted;
  }

  /** The current thread. */
  get current(): Thread | null {
    return this.notifier.current;
  }

  /** The server's id of a thread; empty while it has none. */
  idOf(thread: Key | null): string {
    return this.store.threads.get(thread ?? '')?.id ?? '';
  }

  /** The thread that the server calls `id`. */
  threadOf(id: string): Thread | undefined {
    return [...this.store.threads.values()].find((thread) => thread.id === id);
  }

  /** A key that nothing else here has. */
  readonly createKey = (kind: 'thread' | 'message' = 'message'): Key => {
    this.#keys += 1;
    return `${kind}-${this.#keys}`;
  };

  /** Makes changes of our own in a thread, or (`''`) in the list of threads. Nothing happens in one that was deleted. */
  commit(thread: Key, changes: readonly Change[]): void {
    if (thread !== '' && !this.store.threads.has(thread)) return;
    this.take({ thread, time: this.environment.now(), changes });
  }

  /** Makes a thread: it comes into being with the first change that names it. */
  hold(key: Key, set: ThreadChange): Thread {
    this.take({ thread: key, time: this.environment.now(), changes: [{ type: 'thread', set }] });
    return this.store.threads.get(key) as Thread;
  }

  /**
   * Takes a batch whole, unless everything was given back, then has it told: the only call of `apply` in this room. Returns the
   * changes that took effect.
   */
  take(batch: Batch): readonly Change[] {
    if (batch.changes.length === 0 || this.closed) return [];
    const { applied: changes, rejected: refused } = apply(this.store, batch);
    const [odd] = refused;
    // The service adapter made changes that do not fit the conversation; they were left out.
    if (odd) this.diagnose(new UbikError('malformed-event', { offender: odd.type }));
    if (changes.length === 0) return [];
    const moved = this.store.threads.get(batch.thread);
    // What was read before a run began or ended does not contain it.
    if (moved && changes.some(isRunStep)) this.order.outdate(moved);
    for (const change of changes) {
      if ('part' in change && change.part !== null && change.type !== 'text') {
        this.questions.note(this.store.threads.get(batch.thread)?.id ?? null, change);
        this.#tellRequest(batch.thread, change.message, change.part);
      }
    }
    this.notifier.publish({ ...batch, changes });
    for (const change of changes) {
      if (change.type === 'part') this.#tellStep(batch.thread, change.message, change.part);
    }
    return changes;
  }

  /** Makes a thread the current one. */
  setCurrent(thread: Thread | null): void {
    if (this.current === thread) return;
    if (thread) this.#shown = thread.key;
    this.notifier.switchTo(thread);
    this.notify({ type: 'thread-changed', thread: thread?.key ?? null });
  }

  /** Whether no other thread that the service knows was shown after this one. */
  wasShownLast(thread: Key): boolean {
    return this.#shown === thread || this.idOf(this.#shown) === '';
  }

  /** Tells that a thread was opened, and then what it asks. */
  tellOpened({ key: thread, messages }: Thread): void {
    this.notify({ type: 'thread-opened', thread });
    for (const { key, parts } of messages.values()) {
      for (const part of parts.children(ACTIVITY)) this.#tellRequest(thread, key, part);
    }
  }

  /** Begins to lead the person to another thread. Returns whether no later call has begun to do so since. */
  beginOpening(): () => boolean {
    const call = {};
    this.#opening = call;
    return () => this.#opening === call && !this.closed;
  }

  /** Tells a notice. */
  notify(notice: ControllerNotice): void {
    this.notifier.tell('notices', notice);
  }

  /** Tells what was odd and changed nothing. */
  readonly diagnose = (error: UbikError): void => {
    this.notify({ type: 'diagnostic', error });
  };

  /** Does an act: what it throws becomes a {@link UbikError}, and a missing token is told. */
  async act<T>(work: () => Promise<T> | T): Promise<T> {
    if (this.closed) throw new UbikError('aborted');
    try {
      return await work();
    } catch (thrown) {
      const error = toUbikError(thrown);
      this.tellUnauthorized(error);
      throw error;
    }
  }

  /** Does an act whose failure nobody waits for, since the data tells of it. */
  quietly(work: () => Promise<unknown>): void {
    this.act(work).catch(() => undefined);
  }

  /** Tells that the person has to sign in, if that is what an error says. */
  tellUnauthorized({ code }: UbikError): void {
    if (code === 'unauthorized') this.notify({ type: 'auth-required' });
  }

  /** Gives everything back, also the memory: threads, lists and unsent text are empty afterwards. */
  close(): void {
    if (this.closed) return;
    this.closing.abort();
    for (const release of this.#release) release?.();
    this.runs.forEach((session) => session.close());
    this.drafts.close();
    this.deadlines.close();
    if (this.backend.onDiagnostic === this.diagnose) this.backend.onDiagnostic = undefined;
    if (this.backend.onForeignChange === this.hear) this.backend.onForeignChange = undefined;
    this.notify({ type: 'closed' });
    this.notifier.close();
    this.#release.length = 0;
    this.origins.clear();
    this.questions.clear();
    const { creating, outdated, questionChecks, returns, runs, store, unrecorded, watched } = this;
    const held = [creating, outdated, questionChecks, returns, runs, unrecorded, watched];
    const told = [this.#toldRequests, this.#toldSteps];
    // A page may keep the controller for ever.
    for (const each of [...held, ...told, store.threads, store.threadList]) each.clear();
  }

  /** Tells a request that became armed, once, when its thread is shown. One that is closed and armed again is a new one. */
  #tellRequest(thread: Key, message: Key, request: Key): void {
    const name = JSON.stringify([thread, message, request]);
    const part = this.store.threads.get(thread)?.messages.get(message)?.parts.get(request);
    const place = { thread, message, request };
    if (!isPending(part)) {
      this.#toldRequests.delete(name);
      this.deadlines.leave(place);
    } else if (thread === this.current?.key && !this.#toldRequests.has(name)) {
      this.#toldRequests.add(name);
      const { deadline } = part;
      // What nobody can answer any more is not asked.
      if (deadline === null || deadline > this.environment.now()) {
        this.notify({ type: 'input-required', ...place });
      }
      this.deadlines.watch(place);
    }
  }

  /** Tells a step that is done, once, when its thread is shown. One that begins again is told again. */
  #tellStep(thread: Key, message: Key, step: Key): void {
    const part = this.store.threads.get(thread)?.messages.get(message)?.parts.get(step);
    if (part?.kind !== 'step-activity') return;
    const name = JSON.stringify([thread, message, step]);
    if (part.state !== 'completed') this.#toldSteps.delete(name);
    else if (thread === this.current?.key && !this.#toldSteps.has(name)) {
      this.#toldSteps.add(name);
      this.notify({ type: 'step-completed', thread, message, step });
    }
  }

  #reportListener(cause: unknown, told: unknown): void {
    try {
      this.options.reportError?.(cause);
    } catch {
      // Nobody is left to whom it could be reported.
    }
    // Telling the listeners of notices about it might call the same one again.
    if ((told as Partial<ControllerNotice>).type === 'diagnostic') return;
    this.diagnose(new UbikError('misuse', 'A listener threw.', { cause, offender: 'listener' }));
  }
}

/** Whether a run begins, waits or ends by a change. */
function isRunStep(change: Change): boolean {
  return change.type === 'thread' && change.set.run?.state !== undefined;
}
