import { ServerClosedError } from './run-errors.js';

/** Simulated speed of thinking and writing. */
export interface Pace {
  /** Waits `milliseconds` at normal speed, less at a higher speed. Rejects with a `ServerClosedError` when the server closes. */
  pause(milliseconds: number): Promise<void>;
  /** Rejects all pauses. */
  close(): void;
}

/**
 * Creates a pace.
 *
 * @param speed 1 for a natural pace, 10 for ten times as fast, 0 for no delays.
 */
export function createPace(speed: number): Pace {
  const open = new Set<() => void>();
  let closed = false;
  return {
    pause: (milliseconds) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new ServerClosedError());
          return;
        }
        const end = (): void => {
          open.delete(cancel);
          if (closed) reject(new ServerClosedError());
          else resolve();
        };
        // Even at speed 0 it yields to the event loop, so that requests and stops are handled between chunks.
        const timer = speed === 0 ? setImmediate(end) : setTimeout(end, milliseconds / speed);
        const cancel = (): void => {
          if (speed === 0) clearImmediate(timer as NodeJS.Immediate);
          else clearTimeout(timer as NodeJS.Timeout);
          end();
        };
        open.add(cancel);
      }),
    close: () => {
      closed = true;
      for (const finish of [...open]) finish();
      open.clear();
    },
  };
}
