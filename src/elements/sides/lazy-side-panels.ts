import { html, type TemplateResult } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { langOfContent } from '../../message/content-lang.js';
import type { Sides } from './sides.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** What stands beside the messages, as columns or drawers. */
const deferredSides = createLazyModule(() => import('./sides.js'));

/** The places beside the messages. What cares for them is fetched when the page has put something there. */
export class LazySidePanels {
  readonly #host: ConnectedHost;
  #sides: Sides | undefined;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** One of them. */
  render(side: 'start' | 'end'): TemplateResult {
    return html`<div class="side ${side}">
      <slot
        name=${side}
        lang=${langOfContent(this.#host.context.locale)}
        @slotchange=${this.#fill}
      ></slot>
    </div>`;
  }

  /** Closes what stands over the messages. */
  close(): void {
    this.#sides?.close();
  }

  /** There is another conversation: how the person wants the columns is among its notes. */
  connected(): void {
    this.#sides?.restore();
  }

  /** Writes all words again. */
  redraw(): void {
    this.#sides?.update();
  }

  readonly #fill = (): void => {
    if (!this.#host.element.querySelector(':scope > [slot]')) return this.redraw();
    deferredSides.load().then(({ Sides }) => {
      this.#sides ??= new Sides(this.#host);
      this.#sides.update();
    }, this.#host.context.report);
  };
}
