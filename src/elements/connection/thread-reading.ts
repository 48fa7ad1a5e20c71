import type { ConnectedHost } from '../base/connected-host.js';

/** Reads threads for a chat. Of several that were asked for, the last one counts. */
export class ThreadReading {
  /** `loading` while a thread is read, an error code when there is none to be shown, else empty. */
  state = '';
  readonly #host: ConnectedHost;
  #turn = 0;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Fires the events before, reads a thread, and calls back when it is there and no other was asked for since. */
  async read(
    before: readonly Event[],
    load: () => Promise<unknown>,
    done: () => void,
  ): Promise<void> {
    const turn = (this.#turn += 1);
    this.#tell('loading');
    let failure = '';
    await this.#host.attempt(
      this.#host.performAction(before, load),
      ({ code }) => (failure = code),
    );
    if (turn !== this.#turn) return;
    if (!failure) done();
    this.#tell(failure);
  }

  #tell(state: string): void {
    this.state = state;
    this.#host.requestUpdate();
  }
}
