import { html, nothing, type TemplateResult } from 'lit';
import { renderIcon } from '../../message/icons.js';
import type { PartView } from '../../message/part-view.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** The way to a request for input that is out of sight. */
export class RequestPath {
  readonly #host: ConnectedHost;
  readonly #find: () => PartView | undefined;
  readonly #seen: IntersectionObserver;
  #observed: Element | undefined;
  #unseen = false;

  /** `find` gives the view of the open request, which can be seen in `scroller`. */
  constructor(host: ConnectedHost, scroller: Element, find: () => PartView | undefined) {
    this.#host = host;
    this.#find = find;
    this.#seen = new IntersectionObserver(
      (entries) => {
        this.#unseen = entries.at(-1)?.isIntersecting === false;
        host.requestUpdate();
      },
      { root: scroller },
    );
  }

  /** Watches whether the open request can be seen. */
  watch(): void {
    const node = this.#find()?.node;
    if (node === this.#observed) return;
    this.#seen.disconnect();
    this.#observed = node;
    if (node) this.#seen.observe(node);
    else if (this.#unseen) {
      this.#unseen = false;
      this.#host.requestUpdate();
    }
  }

  /** Leads to it. False when there is none, or nothing in it takes the focus. */
  readonly lead = (): boolean => {
    const view = this.#find();
    view?.focus?.();
    return view?.node.matches(':focus-within') ?? false;
  };

  /** A button that leads to it, while it cannot be seen. */
  render(): TemplateResult | typeof nothing {
    if (!this.#unseen) return nothing;
    const { locale } = this.#host.context;
    return html`<button class="request-bar" type="button" @click=${this.lead}>
      ${renderIcon('question')}<span>${locale.text('needsAnswer')}</span>
      <strong>${locale.text('answerNow')}</strong>
    </button>`;
  }
}
