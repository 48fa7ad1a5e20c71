import { Closed } from './signals.js';

/** How fast the agent seems to think and write. */
export interface Pace {
  /** Waits as long as this would take at normal speed. Rejects with `Closed` when the server closes. */
  pause(milliseconds: number): Promise<void>;
  /** Ends every pause. */
  close(): void;
}

/**
 * @param speed 1 for a natural pace, 10 for ten times as fast, 0 for no waiting at all.
 */
export function createPace(speed: number): Pace {
  const open = new Set<() => void>();
  let closed = false;
  return {
    pause: (milliseconds) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Closed());
          return;
        }
        const end = (): void => {
          open.delete(cancel);
          if (closed) reject(new Closed());
          else resolve();
        };
        // Without waiting it is still a turn of the loop: requests and stops are heard between two pieces.
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
