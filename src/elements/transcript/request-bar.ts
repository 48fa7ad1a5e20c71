import { html, nothing, type TemplateResult } from 'lit';
import { renderIcon } from '../../message/icons.js';
import type { PartView } from '../../message/part-view.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** The way to a request for input that is out of sight. */
export class RequestBar {
  readonly #host: ConnectedHost;
  readonly #findView: () => PartView | undefined;
  readonly #observer: IntersectionObserver;
  #observed: Element | undefined;
  #isOutOfView = false;

  /** `find` gives the view of the open request, which can be seen in `scroller`. */
  constructor(host: ConnectedHost, scroller: Element, find: () => PartView | undefined) {
    this.#host = host;
    this.#findView = find;
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.#isOutOfView = entries.at(-1)?.isIntersecting === false;
        host.requestUpdate();
      },
      { root: scroller },
    );
  }

  /** Watches whether the open request can be seen. */
  observe(): void {
    const node = this.#findView()?.node;
    if (node === this.#observed) return;
    this.#observer.disconnect();
    this.#observed = node;
    if (node) this.#observer.observe(node);
    else if (this.#isOutOfView) {
      this.#isOutOfView = false;
      this.#host.requestUpdate();
    }
  }

  /** Leads to it. False when there is none, or nothing in it takes the focus. */
  readonly focusRequest = (): boolean => {
    const view = this.#findView();
    view?.focus?.();
    return view?.node.matches(':focus-within') ?? false;
  };

  /** A button that leads to it, while it cannot be seen. */
  render(): TemplateResult | typeof nothing {
    if (!this.#isOutOfView) return nothing;
    const { locale } = this.#host.context;
    return html`<button class="request-bar" type="button" @click=${this.focusRequest}>
      ${renderIcon('question')}<span>${locale.text('needsAnswer')}</span>
      <strong>${locale.text('answerNow')}</strong>
    </button>`;
  }
}
