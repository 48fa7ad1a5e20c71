import type { RunStream } from '../../backends/backend.js';
import type { UbikError } from '../../errors.js';
import type { Batch } from '../../model/change.js';
import type { Watchdog } from '../../transport/watchdog.js';
import type { ControllerContext } from '../controller-context.js';
import { toUbikError } from './classify-error.js';

/** How a connection ended: by an error, by a stall, or (null) by the end of its stream. */
export type ConnectionEnd = UbikError | 'stalled' | null;

/** Options of a {@link RunConnection}. */
export interface RunConnectionOptions {
  readonly context: ControllerContext;
  /** Started when the connection opens and stopped when it ends. Its `onStall` must call {@link RunConnection.stall}. */
  readonly watchdog: Watchdog;
  readonly open: (signal: AbortSignal) => RunStream;
  /** Whether a batch shows that the stream is that of a run, and so restarts the watchdog. */
  readonly isAlive: (batch: Batch) => boolean;
  readonly onBatch: (batch: Batch) => void;
  /** Called once, unless the connection is closed before. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** One stream of one run, from its opening to its end. The constructor opens it. */
export class RunConnection {
  readonly #options: RunConnectionOptions;
  readonly #abort = new AbortController();
  #isClosed = false;
  /** Whether the stream has stalled while the page was hidden; `wake` reports it. */
  #hasStalledHidden = false;

  constructor(options: RunConnectionOptions) {
    this.#options = options;
    options.watchdog.start();
    this.#read().then(
      () => this.#end(null),
      (error: unknown) => this.#end(toUbikError(error)),
    );
  }

  /** Ends the connection as stalled, or postpones that until `wake` while the page is hidden. */
  stall(): void {
    // Browsers throttle hidden pages, so silence does not prove that the stream is dead.
    this.#hasStalledHidden = this.#options.context.options.page?.visible === false;
    if (!this.#hasStalledHidden) this.#end('stalled');
  }

  /** Checks for a stall after the page has become active again. With `grace`, the stream must send data within that many ms. */
  wake(grace: number | null): void {
    if (this.#hasStalledHidden) this.stall();
    else if (grace === null) this.#options.watchdog.check();
    else this.#options.watchdog.expectWithin(grace);
  }

  /** Aborts the request. The connection ends with the error that the backend reports. */
  abort(): void {
    this.#abort.abort();
  }

  /** Aborts the stream. No callback is called afterwards. */
  close(): void {
    this.#options.watchdog.stop();
    this.#isClosed = true;
    this.abort();
  }

  #end(end: ConnectionEnd): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onEnd(end);
  }

  /**
   * Passes on each batch as it arrives, and yields to the event loop after `sliceBudget` ms of work. Waiting for batches does not count as
   * work.
   */
  async #read(): Promise<void> {
    const { context, open, isAlive, onBatch, watchdog } = this.#options;
    const { environment, limits } = context;
    let worked = 0;
    for await (const batch of open(this.#abort.signal)) {
      if (this.#isClosed) return;
      const started = environment.monotonic();
      if (isAlive(batch)) {
        if (this.#hasStalledHidden) watchdog.start();
        else watchdog.reset();
        this.#hasStalledHidden = false;
      }
      onBatch(batch);
      worked += environment.monotonic() - started;
      if (worked < limits.sliceBudget) continue;
      await environment.yieldToEventLoop();
      worked = 0;
    }
  }
}
