import { html, type TemplateResult } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { langOfContent } from '../../message/content-lang.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { SidePanels } from './side-panels.js';

/** The module that lays the panels out as columns or drawers. */
const lazySidePanels = createLazyModule(() => import('./side-panels.js'));

/** Renders the slots beside the messages. The layout code is loaded when the host page assigns an element to one of them. */
export class LazySidePanels {
  readonly #host: ConnectedHost;
  #panels: SidePanels | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Renders the slot of one side. */
  render(side: 'start' | 'end'): TemplateResult {
    return html`<div class="side ${side}">
      <slot
        name=${side}
        lang=${langOfContent(this.#host.context.locale)}
        @slotchange=${this.#handleSlotChange}
      ></slot>
    </div>`;
  }

  /** Closes the open drawer. */
  close(): void {
    this.#panels?.close();
  }

  /** Called when another controller was connected: restores the columns from its storage. */
  handleConnect(): void {
    this.#panels?.restore();
  }

  /** Renders the labels again. */
  redraw(): void {
    this.#panels?.update();
  }

  readonly #handleSlotChange = (): void => {
    if (!this.#host.element.querySelector(':scope > [slot]')) return this.redraw();
    lazySidePanels.load().then(({ SidePanels }) => {
      this.#panels ??= new SidePanels(this.#host);
      this.#panels.update();
    }, this.#host.context.report);
  };
}
