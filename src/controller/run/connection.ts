import type { RunStream } from '../../backends/backend.js';
import type { UbikError } from '../../errors.js';
import type { Batch } from '../../model/change.js';
import { createWatchdog, type Watchdog } from '../../transport/watchdog.js';
import type { Conversation } from '../conversation.js';
import { toUbikError } from './failure.js';

/** How a connection ended: by an error, by silence, or (null) by the end of its stream. */
export type ConnectionEnd = UbikError | 'stalled' | null;

/** Options of a {@link Connection}. */
export interface ConnectionOptions {
  readonly conversation: Conversation;
  /** Silence, in ms, that counts as a stall. */
  readonly idleTimeout: number;
  readonly open: (signal: AbortSignal) => RunStream;
  readonly onBatch: (batch: Batch) => void;
  /** Called once, unless the connection was closed before. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** One stream of one run, from its opening to its end. The constructor opens it. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #abort = new AbortController();
  #idleTimeout: number;
  #watchdog: Watchdog;
  /** The stream stalled while the page was hidden; `wake` reports it. */
  #hasStalledHidden = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#idleTimeout = options.idleTimeout;
    this.#watchdog = this.#watch();
    this.#read().then(
      () => this.#end(null),
      (error: unknown) => this.#end(toUbikError(error)),
    );
  }

  /** Changes the silence that counts as a stall, in ms; a new limit is measured from now. */
  setIdleTimeout(limit: number): void {
    if (limit === this.#idleTimeout) return;
    this.#idleTimeout = limit;
    this.#watchdog.stop();
    this.#watchdog = this.#watch();
  }

  /** The page is back: a silence that has lasted too long is reported now. `grace`: the stream has so many ms to bring something. */
  wake(grace: number | null): void {
    if (this.#hasStalledHidden) this.#stall();
    else if (grace === null) this.#watchdog.check();
    else this.#watchdog.expectWithin(grace);
  }

  /** Aborts the stream. Neither callback is called any more. */
  close(): void {
    this.#watchdog.stop();
    this.#abort.abort();
  }

  #watch(): Watchdog {
    const { environment } = this.#options.conversation;
    const watchdog = createWatchdog({
      environment,
      limit: this.#idleTimeout,
      onStall: () => this.#stall(),
    });
    watchdog.start();
    return watchdog;
  }

  #stall(): void {
    // Browsers throttle hidden pages, so their silence proves nothing.
    this.#hasStalledHidden = this.#options.conversation.options.page?.visible === false;
    if (!this.#hasStalledHidden) this.#end('stalled');
  }

  #end(end: ConnectionEnd): void {
    if (this.#abort.signal.aborted) return;
    this.close();
    this.#options.onEnd(end);
  }

  /** Applies each batch as it arrives and pauses after a slice of work. The time between batches is not counted as work. */
  async #read(): Promise<void> {
    const { conversation, open, onBatch } = this.#options;
    const { environment, limits } = conversation;
    const { signal } = this.#abort;
    let worked = 0;
    for await (const batch of open(signal)) {
      if (signal.aborted) return;
      const started = environment.monotonic();
      if (this.#hasStalledHidden) this.#watchdog.start();
      else this.#watchdog.reset();
      this.#hasStalledHidden = false;
      onBatch(batch);
      worked += environment.monotonic() - started;
      if (worked < limits.sliceBudget) continue;
      await environment.yieldToEventLoop();
      worked = 0;
    }
  }
}
