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
    const { actions, report } = this.#host.context;
    // Without the passage, the citation card still shows what is known about the source.
    if (citation && actions.loadPassage) void this.#host.attempt(this.#show(citation), report);
  };

  async #show(citation: HTMLElement): Promise<void> {
    const { PassagePanel } = await lazyPanel.load();
    this.#panel ??= new PassagePanel(this.#host);
    this.#panel.open(citation);
  }
}
