import type { RunStream } from '../../backends/backend.js';
import type { UbikError } from '../../errors.js';
import type { Batch } from '../../model/change.js';
import { createWatchdog } from '../../stream/watchdog.js';
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
  { patience, conversation }: RunSession,
  open: (signal: AbortSignal) => RunStream,
  { onBatch, onEnd }: ConnectionListener,
): Connection {
  const { environment, limits, options } = conversation;
  const abort = new AbortController();
  const { signal } = abort;
  /** Silence was noticed while nobody could see the page; it is looked at again when the page wakes. */
  let isSilent = false;
  const end = (how: ConnectionEnd) => {
    if (signal.aborted) return;
    close();
    onEnd(how);
  };
  const onStall = () => {
    // A hidden page hears late: its silence means nothing.
    isSilent = options.page?.visible === false;
    if (!isSilent) end('stalled');
  };
  const watch = (limit: number) => {
    const dog = createWatchdog({ environment, limit, onStall });
    dog.start();
    return dog;
  };
  let watchdog = watch(patience);
  const close = () => {
    watchdog.stop();
    abort.abort();
  };
  /** A batch that comes is applied at once; the pause, if one is due, comes after it. Waiting for a batch is no work. */
  const read = async () => {
    let worked = 0;
    for await (const batch of open(signal)) {
      if (signal.aborted) return;
      const started = environment.monotonic();
      if (isSilent) watchdog.start();
      else watchdog.heard();
      isSilent = false;
      onBatch(batch);
      worked += environment.monotonic() - started;
      if (worked < limits.sliceBudget) continue;
      await environment.pause();
      worked = 0;
    }
  };
  read().then(
    () => end(null),
    (error: unknown) => end(toUbikError(error)),
  );
  return {
    close,
    listen(limit) {
      watchdog.stop();
      watchdog = watch(limit);
    },
    wake(grace) {
      if (isSilent) onStall();
      else if (grace === null) watchdog.check();
      else watchdog.expect(grace);
    },
  };
}
