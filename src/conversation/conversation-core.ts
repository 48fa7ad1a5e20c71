import type { Backend, NewThread } from '../backends/backend.js';
import { UbikError } from '../errors.js';
import type { Batch } from '../model/change.js';
import type { Key } from '../model/json.js';
import type { Thread } from '../model/thread.js';
import { createEnvironment, type Environment } from '../stream/environment.js';
import type { ControllerNotice, ControllerOptions, PageState } from './controller-types.js';
import { ConversationStore } from './data/conversation-store.js';
import { Drafts } from './data/drafts.js';
import { createClosed, toUbikError } from './run/failure.js';
import { RequestWatch, type RequestPlace } from './data/input-requests.js';
import { KeptNotes } from './data/kept-notes.js';
import { Notifier } from './data/notifier.js';
import { fillLimits, type FullLimits } from './run/rejoin-schedule.js';
import type { RunHost } from './run/run-plan.js';
import type { EndState } from './run/run-record.js';
import type { RunSession } from './run/run-session.js';
import { Runs } from './run/runs.js';

/** A page that is always there: for hosts without one. */
const STEADY_PAGE: PageState = {
  visible: true,
  online: true,
  onWake: () => () => undefined,
  onHide: () => () => undefined,
};

/** What the acts of one controller share: data, listeners, storage, runs. */
export class ConversationCore implements RunHost {
  readonly backend: Backend;
  readonly environment: Environment;
  readonly limits: FullLimits;
  readonly page: PageState;
  readonly userKey: string | null;
  readonly newThread: NewThread | undefined;
  readonly notifier: Notifier;
  readonly store: ConversationStore;
  readonly notes: KeptNotes;
  readonly drafts: Drafts;
  readonly runs: Runs;
  /** Told when a run is over; `state` null: it never was one. */
  onRunOver: (session: RunSession, state: EndState | null) => void = () => undefined;
  readonly #reportError: ((error: unknown) => void) | undefined;
  readonly #listeners = new Set<(notice: ControllerNotice) => void>();
  readonly #requests = new RequestWatch();
  readonly #release: (() => void)[];
  readonly #told = new WeakSet<UbikError>();
  #closed = false;
  #opening = 0;

  constructor(options: ControllerOptions) {
    this.backend = options.backend;
    this.environment = options.environment ?? createEnvironment();
    this.limits = fillLimits(options.limits ?? {}, options.backend.idleLimit);
    this.page = options.page ?? STEADY_PAGE;
    this.userKey = options.userKey ?? null;
    this.newThread = options.newThread;
    this.#reportError = options.reportError;
    this.notifier = new Notifier((error) => {
      this.#reportListener(error, true);
    });
    this.store = this.#createStore();
    this.notes = this.#createNotes(options.storageScope ?? this.backend.name);
    this.drafts = this.#createDrafts();
    this.runs = new Runs(this);
    this.backend.onDiagnostic = this.diagnose;
    this.#release = [
      this.page.onWake((reason) => {
        this.runs.wake(reason);
      }),
      this.page.onHide(() => {
        this.runs.park();
      }),
    ];
  }

  /** Whether everything was given back. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The current thread. */
  get current(): Thread | null {
    return this.notifier.current;
  }

  /** Makes a thread the current one. */
  setCurrent(thread: Thread | null): void {
    if (this.current === thread) return;
    this.notifier.switchTo(thread);
    this.notify({ type: 'thread-changed', thread: thread?.key ?? null });
  }

  /** Tells that a thread was opened, and then what it asks. */
  tellOpened(thread: Thread): void {
    this.notify({ type: 'thread-opened', thread: thread.key });
    this.#tellPlaces(this.#requests.takeKept(thread));
  }

  /** Begins to lead the person to another thread. Returns whether no later call has begun to do so since. */
  beginOpening(): () => boolean {
    this.#opening += 1;
    const call = this.#opening;
    return () => call === this.#opening && !this.#closed;
  }

  /** Adds a listener of notices; returns the way to remove it. */
  addListener(listener: (notice: ControllerNotice) => void): () => void {
    const own = (notice: ControllerNotice): void => {
      listener(notice);
    };
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Tells a notice. */
  readonly notify = (notice: ControllerNotice): void => {
    for (const listener of this.#listeners) {
      try {
        listener(notice);
      } catch (error) {
        // Telling the listeners of notices about it might call the same one again.
        this.#reportListener(error, notice.type !== 'diagnostic');
      }
    }
  };

  /** Tells what was odd and changed nothing. */
  readonly diagnose = (error: UbikError): void => {
    this.notify({ type: 'diagnostic', error });
  };

  /** A run is over. */
  onOver(session: RunSession, state: EndState | null): void {
    if (!this.#closed) this.onRunOver(session, state);
  }

  /** Does an act that is not a run: what it throws becomes a {@link UbikError}, and a missing token is told. */
  async act<T>(work: () => Promise<T> | T): Promise<T> {
    this.checkOpen();
    try {
      return await work();
    } catch (thrown) {
      const error = toUbikError(thrown);
      this.tellUnauthorized(error);
      throw error;
    }
  }

  /** Tells that the person has to sign in, once for each error: a run and the act behind it end with the same. */
  tellUnauthorized(error: UbikError): void {
    if (error.code !== 'unauthorized' || this.#told.has(error)) return;
    this.#told.add(error);
    this.notify({ type: 'auth-required' });
  }

  /** Throws when the controller is closed. */
  checkOpen(): void {
    if (this.#closed) throw createClosed();
  }

  /** Gives everything back. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const release of this.#release) release();
    this.runs.close();
    this.drafts.close();
    if (this.backend.onDiagnostic === this.diagnose) this.backend.onDiagnostic = undefined;
    this.notify({ type: 'closed' });
    this.notifier.close();
    this.#listeners.clear();
  }

  #createStore(): ConversationStore {
    return new ConversationStore({
      notifier: this.notifier,
      now: () => this.environment.now(),
      report: this.diagnose,
      onApplied: (batch) => {
        this.#tellRequests(batch);
      },
    });
  }

  #createNotes(scope: string): KeptNotes {
    const report = (cause: unknown): void => {
      this.diagnose(new UbikError('storage', 'The storage of this page does not work.', { cause }));
    };
    return new KeptNotes({ environment: this.environment, userKey: this.userKey, scope, report });
  }

  #createDrafts(): Drafts {
    return new Drafts({
      environment: this.environment,
      notes: this.notes,
      delay: this.limits.draftDelay,
      idOf: (thread: Key) => this.store.thread(thread)?.id ?? null,
      onChange: (thread) => {
        this.notify({ type: 'draft-changed', thread });
      },
    });
  }

  #tellRequests(batch: Batch): void {
    const thread = this.store.thread(batch.thread);
    if (!thread) return;
    const places = this.#requests.look(batch, thread);
    if (thread === this.current) this.#tellPlaces(places);
    else this.#requests.keep(thread.key, places);
  }

  #tellPlaces(places: readonly RequestPlace[]): void {
    for (const place of places) this.notify({ type: 'input-required', ...place });
  }

  #reportListener(cause: unknown, tell: boolean): void {
    this.#reportError?.(cause);
    const text = 'A listener of the conversation threw. The others were told.';
    if (tell) this.diagnose(new UbikError('misuse', text, { cause, offender: 'listener' }));
  }
}
