import type { DocumentInfo } from '../../backends/backend.js';
import { isUbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Timer } from '../../transport/environment.js';
import type { StreamController } from '../controller-types.js';

/** First and longest wait between two questions, in ms. */
const SHORTEST = 1_000;
const LONGEST = 30_000;
/** Answers that the same question gets again. */
const FINAL_ERRORS = ['unauthorized', 'forbidden', 'not-found', 'unsupported', 'not-an-api'];

/** What became of a document. */
export type ProcessingOutcome = 'ready' | 'failed';

/** Hears what became of a document. */
export type OutcomeListener = (document: DocumentInfo, outcome: ProcessingOutcome) => void;

/** What a status says about the end; null while the service is at work. A word that nobody knows is no end. */
export function outcomeOf({ status }: Pick<DocumentInfo, 'status'>): ProcessingOutcome | null {
  const word = status.toLowerCase();
  if (['completed', 'complete', 'ready', ''].includes(word)) return 'ready';
  return ['failed', 'error', 'cancelled', 'canceled'].includes(word) ? 'failed' : null;
}

/** Asks about the documents of the shown thread until the service is done with them: only while somebody looks, ever less often. */
export class ProcessingWatch {
  readonly #controller: StreamController;
  readonly #lookers = new Set<OutcomeListener>();
  /** Documents of the shown thread that the service is not done with; false: of which no more will be heard. */
  readonly #open = new Map<Key, boolean>();
  /** Documents by their thread of whose end nobody has been told, also while nobody looks. */
  readonly #untold = new Map<Key, Set<Key>>();
  #timer: Timer | null = null;
  #asking = false;
  #wait = SHORTEST;
  #undo: readonly (() => void)[] = [];

  constructor(controller: StreamController) {
    this.#controller = controller;
  }

  /**
   * Somebody looks, from now on until the returned function is called. What became of a document is told once, to whoever looks
   * longest; what became of one meanwhile, to the next who looks.
   */
  observe(hear: OutcomeListener): () => void {
    // The same listener may look from two places.
    const looker: OutcomeListener = (...outcome) => {
      hear(...outcome);
    };
    this.#lookers.add(looker);
    if (this.#lookers.size === 1) this.#start();
    this.#soon();
    return () => {
      this.#lookers.delete(looker);
      if (this.#lookers.size === 0) this.#stop();
    };
  }

  /** A document has come from here: what is said of it may be the end already. */
  add(document: DocumentInfo, thread: Key | null): void {
    const outcome = outcomeOf(document);
    if (outcome && this.#lookers.size > 0) this.#tell(document, outcome);
    else if (thread !== null) this.#untoldIn(thread).add(document.id);
  }

  /** Asks about nothing any more. */
  clear(): void {
    this.#rest();
    this.#open.clear();
    this.#untold.clear();
  }

  #start(): void {
    this.#undo = [
      this.#controller.subscribe({ list: 'documents' }, this.#hear),
      this.#controller.onNotice(({ type }) => {
        if (type !== 'thread-changed') return;
        this.#readList();
        this.#soon();
      }),
    ];
    this.#readList();
  }

  #stop(): void {
    for (const undo of this.#undo) undo();
    this.#undo = [];
    this.#rest();
  }

  #readList(): void {
    this.#open.clear();
    const { thread } = this.#controller;
    const untold = this.#untoldIn(thread?.key ?? '');
    for (const [key, value] of thread?.list('documents') ?? []) {
      const document = value as unknown as DocumentInfo;
      const outcome = outcomeOf(document);
      if (!outcome) {
        this.#open.set(key, true);
        untold.add(key);
      } else if (untold.delete(key)) this.#tell(document, outcome);
    }
  }

  #untoldIn(thread: Key): Set<Key> {
    const untold = this.#untold.get(thread) ?? new Set();
    this.#untold.set(thread, untold);
    return untold;
  }

  readonly #hear = (change: Change): void => {
    if (change.type !== 'item') return;
    const { key } = change;
    const document = change.value as DocumentInfo | undefined;
    const outcome = document && outcomeOf(document);
    const untold = this.#untoldIn(this.#controller.thread?.key ?? '');
    if (outcome === null) {
      if (this.#open.has(key)) return;
      this.#open.set(key, true);
      untold.add(key);
      this.#soon();
      return;
    }
    this.#open.delete(key);
    if (untold.delete(key) && document && outcome) this.#tell(document, outcome);
  };

  #tell(document: DocumentInfo, outcome: ProcessingOutcome): void {
    const [first] = this.#lookers;
    first?.(document, outcome);
  }

  /** Something is new, or somebody has come: asked soon, and then ever less often. */
  #soon(): void {
    this.#wait = SHORTEST;
    if (!this.#asking) this.#plan();
  }

  #plan(): void {
    this.#rest();
    const { environment } = this.#controller;
    if (this.#lookers.size === 0 || ![...this.#open.values()].includes(true)) return;
    // Many pages that began together do not ask together.
    const wait = this.#wait * (0.75 + environment.random() / 4);
    this.#timer = environment.setTimer(() => void this.#ask(), wait);
  }

  #rest(): void {
    if (this.#timer) this.#controller.environment.clearTimer(this.#timer);
    this.#timer = null;
  }

  async #ask(): Promise<void> {
    this.#timer = null;
    this.#asking = true;
    this.#wait = Math.min(LONGEST, this.#wait * 2);
    for (const [key, isHeard] of [...this.#open]) {
      // Nobody looks any more, or at another thread.
      if (isHeard && this.#open.has(key)) await this.#askAbout(key);
    }
    this.#asking = false;
    this.#plan();
  }

  async #askAbout(key: Key): Promise<void> {
    try {
      await this.#controller.loadDocument(key);
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (FINAL_ERRORS.includes(error.code) && this.#open.has(key)) this.#open.set(key, false);
      this.#wait = Math.max(this.#wait, error.retryAfter ?? 0);
    }
  }
}
