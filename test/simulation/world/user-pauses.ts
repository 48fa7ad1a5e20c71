import type { PausePoints, PausePoint } from '../../../demo/agent/run/pause-points.js';
import type { ActivitySignal } from './activity-signal.js';

/** Pauses the runs of single users: each is held at a point until it is released. */
export class UserPauses implements PausePoints {
  readonly #activity: ActivitySignal;
  readonly #points = new Map<string, { readonly point: PausePoint; left: number }>();
  readonly #held = new Map<string, (() => void)[]>();

  /** @param activity notified when a run is held */
  constructor(activity: ActivitySignal) {
    this.#activity = activity;
  }

  /** Holds each run of a user that reaches a point, after the point was passed `skip` times. */
  hold(user: string, point: PausePoint, skip = 0): void {
    this.#points.set(user, { point, left: skip });
  }

  /** Releases the held runs of a user and holds no later ones. */
  release(user: string): void {
    this.#points.delete(user);
    const held = this.#held.get(user) ?? [];
    this.#held.delete(user);
    for (const resume of held) resume();
  }

  /** Whether a run of a user is held. */
  isHolding(user: string): boolean {
    return this.#held.has(user);
  }

  /** Releases all runs. */
  close(): void {
    for (const user of [...this.#held.keys()]) this.release(user);
    this.#points.clear();
  }

  /** See {@link PausePoints}. */
  reach(owner: string | null, point: PausePoint): Promise<void> {
    const user = owner ?? '';
    const found = this.#points.get(user);
    if (found?.point !== point) return Promise.resolve();
    if (found.left > 0) {
      found.left -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#held.set(user, [...(this.#held.get(user) ?? []), resolve]);
      this.#activity.notify();
    });
  }
}
