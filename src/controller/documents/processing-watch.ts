import type { DocumentInfo } from '../../backends/backend.js';
import { isUbikError, type UbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Timer } from '../../transport/environment.js';
import type { StreamController } from '../controller-types.js';
import { DEFAULT_LIMITS } from '../limits.js';

/** First and maximum delay between two rounds of requests, in ms. */
const MIN_DELAY = 1_000;
const MAX_DELAY = 30_000;
/** Errors after which polling a document is pointless. */
const FINAL_ERRORS = ['unauthorized', 'forbidden', 'not-found', 'unsupported'];

/**
 * Whether polling is pointless. An HTML page in place of JSON (`not-an-api`) with a successful status is not final: it may be the sign-in page
 * of a Wi-Fi network, or come from a service worker.
 */
function isFinal({ code, status = 0 }: UbikError): boolean {
  return FINAL_ERRORS.includes(code) || (code === 'not-an-api' && status >= 400);
}

/** The result of processing a document. */
export type ProcessingOutcome = 'ready' | 'failed';

/** Called once with the outcome of a document. */
export type OutcomeListener = (document: DocumentInfo, outcome: ProcessingOutcome) => void;

/** Returns the outcome for a document status; null while the service is processing, and for an unknown status. */
export function outcomeOf({ status }: Pick<DocumentInfo, 'status'>): ProcessingOutcome | null {
  const name = status.toLowerCase();
  if (['completed', 'complete', 'ready', ''].includes(name)) return 'ready';
  return ['failed', 'error', 'cancelled', 'canceled'].includes(name) ? 'failed' : null;
}

/**
 * Polls the documents of the current thread with a growing delay until the service has processed them. Polls only while there are
 * listeners.
 */
export class ProcessingWatch {
  readonly #controller: StreamController;
  readonly #listeners = new Set<OutcomeListener>();
  /** Documents of the current thread that are being processed, and whether they are still polled. */
  readonly #pending = new Map<Key, boolean>();
  /** Documents whose outcome was not reported to a listener yet, by thread. Also collected while there are no listeners. */
  readonly #unreported = new Map<Key, Set<Key>>();
  #timer: Timer | null = null;
  #isPolling = false;
  #delay = MIN_DELAY;
  /** Monotonic time until which the service has asked to wait (`Retry-After`). */
  #notBefore = 0;
  #unsubscribe: readonly (() => void)[] = [];

  constructor(controller: StreamController) {
    this.#controller = controller;
  }

  /**
   * Adds a listener; the first one starts the polling. Each outcome is reported once, to the listener that was added first. An outcome
   * received while there are no listeners is reported to the next one. Returns the unsubscribe function.
   */
  observe(listener: OutcomeListener): () => void {
    // Wrapped, because the same function can be added several times.
    const added: OutcomeListener = (...outcome) => {
      listener(...outcome);
    };
    this.#listeners.add(added);
    if (this.#listeners.size === 1) this.#start();
    this.#pollSoon();
    return () => {
      this.#listeners.delete(added);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /**
   * Adds a document that was uploaded on this page. Reports its outcome as soon as its status contains one, its thread is the current one,
   * and there is a listener.
   */
  add(document: DocumentInfo, thread: Key | null): void {
    const outcome = outcomeOf(document);
    const isShown = thread === (this.#controller.thread?.key ?? null);
    if (outcome && isShown && this.#listeners.size > 0) this.#report(document, outcome);
    else if (thread !== null) this.#unreportedOf(thread).add(document.id);
  }

  /** Stops the polling and clears the memory. */
  clear(): void {
    this.#clearTimer();
    this.#pending.clear();
    this.#unreported.clear();
  }

  #start(): void {
    this.#unsubscribe = [
      this.#controller.subscribe({ list: 'documents' }, this.#handleChange),
      this.#controller.onNotice(({ type }) => {
        if (type !== 'thread-changed') return;
        this.#readList();
        this.#pollSoon();
      }),
    ];
    this.#readList();
  }

  #stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
    this.#clearTimer();
  }

  #readList(): void {
    this.#pending.clear();
    const { thread } = this.#controller;
    const unreported = this.#unreportedOf(thread?.key ?? '');
    for (const [key, value] of thread?.list('documents') ?? []) {
      const document = value as unknown as DocumentInfo;
      const outcome = outcomeOf(document);
      if (!outcome) {
        this.#pending.set(key, true);
        unreported.add(key);
      } else if (unreported.delete(key)) this.#report(document, outcome);
    }
  }

  #unreportedOf(thread: Key): Set<Key> {
    const unreported = this.#unreported.get(thread) ?? new Set();
    this.#unreported.set(thread, unreported);
    return unreported;
  }

  readonly #handleChange = (change: Change): void => {
    if (change.type !== 'item') return;
    const { key } = change;
    const document = change.value as DocumentInfo | undefined;
    const outcome = document && outcomeOf(document);
    const unreported = this.#unreportedOf(this.#controller.thread?.key ?? '');
    if (outcome === null) {
      if (this.#pending.has(key)) return;
      this.#pending.set(key, true);
      unreported.add(key);
      this.#pollSoon();
      return;
    }
    this.#pending.delete(key);
    if (unreported.delete(key) && document && outcome) this.#report(document, outcome);
  };

  #report(document: DocumentInfo, outcome: ProcessingOutcome): void {
    const [first] = this.#listeners;
    first?.(document, outcome);
  }

  /** For a new document, listener or current thread: resets the delay to the minimum, and schedules a poll unless one is in progress. */
  #pollSoon(): void {
    this.#delay = MIN_DELAY;
    if (!this.#isPolling) this.#schedule();
  }

  #schedule(): void {
    this.#clearTimer();
    const { environment } = this.#controller;
    if (this.#listeners.size === 0 || ![...this.#pending.values()].includes(true)) return;
    // The jitter spreads the requests of pages that have started together.
    const delay = Math.max(
      this.#delay * (0.75 + environment.random() / 4),
      this.#notBefore - environment.monotonic(),
    );
    this.#timer = environment.setTimer(() => void this.#poll(), delay);
  }

  #clearTimer(): void {
    if (this.#timer) this.#controller.environment.clearTimer(this.#timer);
    this.#timer = null;
  }

  async #poll(): Promise<void> {
    this.#timer = null;
    this.#isPolling = true;
    this.#delay = Math.min(MAX_DELAY, this.#delay * 2);
    for (const [key, isPolled] of [...this.#pending]) {
      if (this.#listeners.size === 0) break;
      // Meanwhile the document may have been processed or removed, or the thread may have changed.
      if (isPolled && this.#pending.has(key)) await this.#loadStatus(key);
      if (this.#controller.environment.monotonic() < this.#notBefore) break;
    }
    this.#isPolling = false;
    this.#schedule();
  }

  async #loadStatus(key: Key): Promise<void> {
    try {
      await this.#controller.loadDocument(key);
    } catch (error) {
      if (!isUbikError(error)) throw error;
      // At the end, so that the others are polled first after a `Retry-After`.
      if (this.#pending.delete(key)) this.#pending.set(key, !isFinal(error));
      const { retryAfter = 0 } = error;
      const delay = Math.min(retryAfter, DEFAULT_LIMITS.maxRetryAfter);
      this.#notBefore = Math.max(this.#notBefore, this.#controller.environment.monotonic() + delay);
    }
  }
}
