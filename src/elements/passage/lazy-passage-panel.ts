import { isUbikError } from '../../errors.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { PassagePanel } from './passage-panel.js';

/** What shows passages. */
const lazyPanel = createLazyModule(() => import('./passage-panel.js'));

/** What the citations of a conversation point to. What shows it is fetched when the first is asked for. */
export class LazyPassagePanel {
  readonly #host: ConnectedHost;
  #panel: PassagePanel | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Shows what a citation that was pressed points to, where the service can tell. */
  readonly handleClick = ({ target }: Event): void => {
    const cited = target instanceof Element && target.closest<HTMLElement>('.cite');
    if (cited && this.#host.context.actions.loadPassage) void this.#show(cited);
  };

  async #show(cited: HTMLElement): Promise<void> {
    try {
      const { PassagePanel } = await lazyPanel.load();
      this.#panel ??= new PassagePanel(this.#host);
      this.#panel.open(cited);
    } catch (error) {
      // The card has said what is known.
      if (!isUbikError(error)) throw error;
      this.#host.context.report(error);
    }
  }
}
