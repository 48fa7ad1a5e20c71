import type { RunStream } from '../../backends/backend.js';
import type { UbikError } from '../../errors.js';
import type { Batch } from '../../model/change.js';
import { createWatchdog, type Watchdog } from '../../transport/watchdog.js';
import { toUbikError } from './failure.js';
import type { RunSession } from './run-session.js';

/** Who is told of a connection. */
export interface ConnectionListener {
  readonly onBatch: (batch: Batch) => void;
  /** Called once, unless the connection was closed before. */
  readonly onEnd: (how: ConnectionEnd) => void;
}

/** How a connection ended: by an error, by silence, or (null) by itself. */
export type ConnectionEnd = UbikError | 'stalled' | null;

/** One stream of one run, from its opening to its end or break. */
export interface Connection {
  /** Counts silence from now on, and takes so many ms of it for a stall. */
  listen(patience: number): void;
  /** The page is there again: silence that lasted too long shows now. A number: something must come within so many ms. */
  wake(grace: number | null): void;
  /** Leaves the stream. Nothing is told any more, whatever it still brings. */
  close(): void;
}

/** Opens a stream and reads it. */
export function connect(
  session: RunSession,
  open: (signal: AbortSignal) => RunStream,
  listener: ConnectionListener,
): Connection {
  return new StreamConnection(session, open, listener);
}

class StreamConnection implements Connection {
  readonly #conversation: RunSession['conversation'];
  readonly #listener: ConnectionListener;
  readonly #abort = new AbortController();
  #watchdog: Watchdog;
  /** Silence was noticed while nobody could see the page; it is looked at again when the page wakes. */
  #isSilent = false;

  constructor(
    { patience, conversation }: RunSession,
    open: (signal: AbortSignal) => RunStream,
    listener: ConnectionListener,
  ) {
    this.#conversation = conversation;
    this.#listener = listener;
    this.#watchdog = this.#watch(patience);
    this.#read(open).then(
      () => this.#end(null),
      (error: unknown) => this.#end(toUbikError(error)),
    );
  }

  listen(patience: number): void {
    this.#watchdog.stop();
    this.#watchdog = this.#watch(patience);
  }

  wake(grace: number | null): void {
    if (this.#isSilent) this.#stalled();
    else if (grace === null) this.#watchdog.check();
    else this.#watchdog.expectWithin(grace);
  }

  close(): void {
    this.#watchdog.stop();
    this.#abort.abort();
  }

  #watch(limit: number): Watchdog {
    const { environment } = this.#conversation;
    const watchdog = createWatchdog({ environment, limit, onStall: () => this.#stalled() });
    watchdog.start();
    return watchdog;
  }

  #stalled(): void {
    // A hidden page hears late: its silence means nothing.
    this.#isSilent = this.#conversation.options.page?.visible === false;
    if (!this.#isSilent) this.#end('stalled');
  }

  #end(how: ConnectionEnd): void {
    if (this.#abort.signal.aborted) return;
    this.close();
    this.#listener.onEnd(how);
  }

  /** A batch that comes is applied at once; the pause, if one is due, comes after it. Waiting for a batch is no work. */
  async #read(open: (signal: AbortSignal) => RunStream): Promise<void> {
    const { environment, limits } = this.#conversation;
    const { signal } = this.#abort;
    let worked = 0;
    for await (const batch of open(signal)) {
      if (signal.aborted) return;
      const started = environment.monotonic();
      if (this.#isSilent) this.#watchdog.start();
      else this.#watchdog.reset();
      this.#isSilent = false;
      this.#listener.onBatch(batch);
      worked += environment.monotonic() - started;
      if (worked < limits.sliceBudget) continue;
      await environment.yieldToEventLoop();
      worked = 0;
    }
  }
}
