import { elementOf } from '../../dom/event-target.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { PassageDetails } from './passage-details.js';

/** Loaded when the first citation is opened. */
const lazyDetails = createLazyModule(() => import('./passage-details.js'));

/** Shows cited passages. Their code is loaded when the first passage is opened. */
export class LazyPassageDetails {
  readonly #host: ConnectedHost;
  #details: PassageDetails | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Opens the passage of a clicked citation, if the service supports it. */
  readonly handleClick = (event: Event): void => {
    const citation = elementOf(event)?.closest<HTMLElement>('.cite');
    const { actions, report } = this.#host.context;
    // If the code cannot be loaded, the citation card still shows what is known about the source, so the error is only reported.
    if (citation && actions.loadPassage) void this.#host.attempt(this.#show(citation), report);
  };

  async #show(citation: HTMLElement): Promise<void> {
    const { PassageDetails } = await lazyDetails.load();
    this.#details ??= new PassageDetails(this.#host);
    this.#details.open(citation);
  }
}
