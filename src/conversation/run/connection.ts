import type { RunStream } from '../../backends/backend.js';
import type { Batch } from '../../model/change.js';
import type { Environment } from '../../stream/environment.js';
import { createWatchdog, type Watchdog } from '../../stream/watchdog.js';

/** How a connection ended: by itself, by an error, or by silence. */
export type ConnectionEnd =
  | { readonly how: 'returned' }
  | { readonly how: 'threw'; readonly error: unknown }
  | { readonly how: 'stalled' };

/** What {@link Connection} is made from. Times in ms. */
export interface ConnectionOptions {
  readonly environment: Environment;
  /** How long batches may be worked off in one go. */
  readonly sliceBudget: number;
  readonly idleLimit: number;
  readonly longestIdleLimit: number;
  /** Whether silence means something: a hidden page hears late. */
  readonly isVisible: () => boolean;
  readonly open: (signal: AbortSignal) => RunStream;
  readonly onBatch: (batch: Batch) => void;
  /** Called once, unless the connection was closed before. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/**
 * One stream of one run, from its opening to its end or break. It has an abort signal of its own; after its end nothing that the
 * stream still brings comes through.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #abort = new AbortController();
  #watchdog: Watchdog;
  #over = false;
  /** Silence was noticed while nobody could see the page; it is looked at again when the page wakes. */
  #silent = false;
  #heard = false;
  #idleLimit: number;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#idleLimit = options.idleLimit;
    this.#watchdog = this.#createWatchdog();
  }

  /** Whether anything has come. */
  get heard(): boolean {
    return this.#heard;
  }

  /** The silence that counts as a stall at present, in ms. */
  get idleLimit(): number {
    return this.#watchdog.limit;
  }

  /** Opens the stream. */
  start(): void {
    this.#watchdog.start();
    void this.#read();
  }

  /** Leaves the stream. Nothing is told any more. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#watchdog.stop();
    this.#abort.abort();
  }

  /** The page is there again: silence that lasted too long shows now. */
  wake(): void {
    if (this.#silent) this.#stall();
    else this.#watchdog.check();
  }

  /** After a freeze a stream may be dead without saying so: something must come within `ms`. */
  expect(ms: number): void {
    if (this.#silent) this.#stall();
    else this.#watchdog.expect(ms);
  }

  /** The silence before was none: the service had nothing to say. Allows for twice as much. */
  provedAlive(): void {
    this.#watchdog.provedAlive();
  }

  /** Allows for `limit` ms of silence from now on. */
  limitIdle(limit: number): void {
    if (this.#over || this.#watchdog.limit === limit) return;
    this.#watchdog.stop();
    this.#idleLimit = limit;
    this.#watchdog = this.#createWatchdog();
    this.#watchdog.start();
  }

  /** A batch that comes is applied at once; the pause, if one is due, comes after it. */
  async #read(): Promise<void> {
    const { environment, open, onBatch, sliceBudget } = this.#options;
    try {
      let since = environment.monotonic();
      for await (const batch of open(this.#abort.signal)) {
        if (this.#over) return;
        this.#hear();
        onBatch(batch);
        if (environment.monotonic() - since < sliceBudget) continue;
        await environment.pause();
        since = environment.monotonic();
      }
      this.#end({ how: 'returned' });
    } catch (error) {
      this.#end({ how: 'threw', error });
    }
  }

  #hear(): void {
    this.#heard = true;
    if (this.#silent) this.#watchdog.start();
    else this.#watchdog.heard();
    this.#silent = false;
  }

  #end(end: ConnectionEnd): void {
    if (this.#over) return;
    this.close();
    this.#options.onEnd(end);
  }

  #stall(): void {
    this.#silent = !this.#options.isVisible();
    if (!this.#silent) this.#end({ how: 'stalled' });
  }

  #createWatchdog(): Watchdog {
    const { environment, longestIdleLimit: longestLimit } = this.#options;
    return createWatchdog({
      environment,
      limit: this.#idleLimit,
      longestLimit,
      onStall: () => {
        this.#stall();
      },
    });
  }
}
