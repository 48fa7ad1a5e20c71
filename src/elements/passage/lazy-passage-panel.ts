import { isUbikError } from '../../errors.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { PassagePanel } from './passage-panel.js';

/** Loaded when the first citation is opened. */
const lazyPanel = createLazyModule(() => import('./passage-panel.js'));

/** Shows cited passages. The panel is loaded when the first passage is opened. */
export class LazyPassagePanel {
  readonly #host: ConnectedHost;
  #panel: PassagePanel | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Opens the passage of a clicked citation, if the service supports it. */
  readonly handleClick = ({ target }: Event): void => {
    const citation = target instanceof Element && target.closest<HTMLElement>('.cite');
    if (citation && this.#host.context.actions.loadPassage) void this.#show(citation);
  };

  async #show(citation: HTMLElement): Promise<void> {
    try {
      const { PassagePanel } = await lazyPanel.load();
      this.#panel ??= new PassagePanel(this.#host);
      this.#panel.open(citation);
    } catch (error) {
      // The citation card still shows what is known about the source.
      if (!isUbikError(error)) throw error;
      this.#host.context.report(error);
    }
  }
}
