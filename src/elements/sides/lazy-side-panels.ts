import { html, type TemplateResult } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { langOfContent } from '../../message/content-lang.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { applyColumnState, readSideState, SIDES, STORAGE_NAME, type Side } from './column-state.js';
import type { SidePanels } from './side-panels.js';

/** The module that lays the panels out as columns or drawers. */
const lazySidePanels = createLazyModule(() => import('./side-panels.js'));

/**
 * Renders the slots beside the messages, as columns where the chat is wide, and the bar with the buttons of the drawers where it is narrow,
 * so that the messages have their place from the first frame. The code of splitters and drawers is loaded when the host page assigns an
 * element to a slot.
 */
export class LazySidePanels {
  readonly #host: ConnectedHost;
  #panels: SidePanels | undefined;
  /** The stored state of both columns, which may be invalid. */
  #stored: unknown;

  constructor(host: ConnectedHost) {
    this.#host = host;
  }

  /** Renders the slot of one side. */
  render(side: Side, isHidden: boolean): TemplateResult {
    return html`<div class="side ${side}" ?hidden=${isHidden}>
      <slot
        name=${side}
        lang=${langOfContent(this.#host.context.locale)}
        @slotchange=${this.#handleSlotChange}
      ></slot>
    </div>`;
  }

  /** Renders the bar with the buttons of the drawers, which also contains the header of the host page. Without buttons it has no box. */
  renderBar(): TemplateResult {
    return html`<div class="side-toggles">
      <slot name="header" lang=${langOfContent(this.#host.context.locale)}></slot>
    </div>`;
  }

  /** Closes what covers the messages and the message field: the open drawer, and modal details. */
  close(): void {
    this.#panels?.close();
    this.#find('.details-area[aria-modal]')?.dispatchEvent(new Event('dismiss'));
  }

  /** Called when another controller was connected: restores the columns from its storage. */
  handleConnect(): void {
    void this.#host.controller?.storage.get(STORAGE_NAME).then((stored) => {
      this.#stored = stored;
      for (const side of SIDES) {
        const column = this.#find(`.side.${side}`);
        if (column) applyColumnState(column, readSideState(stored, side));
      }
      this.#markCollapsed();
      this.#panels?.restore(stored);
    });
  }

  /** Renders the buttons and labels again. */
  redraw(): void {
    this.#panels?.update();
  }

  readonly #handleSlotChange = (): void => {
    let count = 0;
    for (const side of SIDES) {
      const isFilled = this.#host.element.querySelector(`:scope > [slot=${side}]`) !== null;
      this.#find(`.side.${side}`)?.classList.toggle('filled', isFilled);
      if (isFilled) count += 1;
    }
    this.#find('.ubik')?.setAttribute('data-sides', String(count));
    this.#markCollapsed();
    if (count === 0) return this.redraw();
    lazySidePanels.load().then(({ SidePanels }) => {
      this.#panels ??= new SidePanels(this.#host, this.#stored);
      this.#panels.update();
    }, this.#host.context.report);
  };

  /** Shows the bar while a column is collapsed, because it contains the button that expands the column. */
  #markCollapsed(): void {
    const isCollapsed = this.#find('.filled.is-collapsed') !== null;
    this.#find('.side-toggles')?.classList.toggle('is-collapsed', isCollapsed);
  }

  #find(selector: string): HTMLElement | null {
    return (this.#host.element.shadowRoot as ShadowRoot).querySelector(selector);
  }
}
