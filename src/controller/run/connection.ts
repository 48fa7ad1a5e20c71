import type { RunStream } from '../../backends/backend.js';
import type { UbikError } from '../../errors.js';
import type { Batch } from '../../model/change.js';
import type { Watchdog } from '../../transport/watchdog.js';
import type { ControllerContext } from '../controller-context.js';
import { toUbikError } from './failure.js';

/** How a connection ended: by an error, by silence, or (null) by the end of its stream. */
export type ConnectionEnd = UbikError | 'stalled' | null;

/** Options of a {@link Connection}. */
export interface ConnectionOptions {
  readonly context: ControllerContext;
  /** Started with the connection and stopped with its end; whoever created it calls {@link Connection.stall}. */
  readonly watchdog: Watchdog;
  readonly open: (signal: AbortSignal) => RunStream;
  readonly onBatch: (batch: Batch) => void;
  /** Called once, unless the connection was closed before. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** One stream of one run, from its opening to its end. The constructor opens it. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #abort = new AbortController();
  /** The stream stalled while the page was hidden; `wake` reports it. */
  #hasStalledHidden = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    options.watchdog.start();
    this.#read().then(
      () => this.#end(null),
      (error: unknown) => this.#end(toUbikError(error)),
    );
  }

  /** The stream has been silent for too long. */
  stall(): void {
    // Browsers throttle hidden pages, so their silence proves nothing.
    this.#hasStalledHidden = this.#options.context.options.page?.visible === false;
    if (!this.#hasStalledHidden) this.#end('stalled');
  }

  /** The page is back: a silence that has lasted too long is reported now. `grace`: the stream has so many ms to bring something. */
  wake(grace: number | null): void {
    if (this.#hasStalledHidden) this.stall();
    else if (grace === null) this.#options.watchdog.check();
    else this.#options.watchdog.expectWithin(grace);
  }

  /** Aborts the stream. Neither callback is called any more. */
  close(): void {
    this.#options.watchdog.stop();
    this.#abort.abort();
  }

  #end(end: ConnectionEnd): void {
    if (this.#abort.signal.aborted) return;
    this.close();
    this.#options.onEnd(end);
  }

  /** Applies each batch as it arrives and pauses after a slice of work. The time between batches is not counted as work. */
  async #read(): Promise<void> {
    const { context, open, onBatch, watchdog } = this.#options;
    const { environment, limits } = context;
    const { signal } = this.#abort;
    let worked = 0;
    for await (const batch of open(signal)) {
      if (signal.aborted) return;
      const started = environment.monotonic();
      if (this.#hasStalledHidden) watchdog.start();
      else watchdog.reset();
      this.#hasStalledHidden = false;
      onBatch(batch);
      worked += environment.monotonic() - started;
      if (worked < limits.sliceBudget) continue;
      await environment.yieldToEventLoop();
      worked = 0;
    }
  }
}
