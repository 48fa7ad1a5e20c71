import type { RunState } from '../../model/thread.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** How long a run has been asked to stop. The host is drawn each second while its line of state says a time. */
export class RunTimer {
  readonly #host: ConnectedHost;
  #since: number | undefined;
  #stop: (() => void) | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Looks how the run stands now. */
  look(state: RunState): void {
    const { clock } = this.#host.context;
    this.#since = state === 'stopping' ? (this.#since ?? clock.now()) : undefined;
    if (state === 'stopping' || state === 'broken') {
      this.#stop ??= clock.everySecond(this.#host.requestUpdate);
    } else {
      this.#stop?.();
      this.#stop = undefined;
    }
  }

  /** Ms since the end was asked for; 0 while it was not. */
  get stopping(): number {
    const now = this.#host.context.clock.now();
    return now - (this.#since ?? now);
  }
}
