import { html, nothing, type TemplateResult } from 'lit';
import { renderIcon } from '../../message/icons.js';
import type { PartView } from '../../message/part-view.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** A button across the chat that focuses an open input request while the request is outside of the viewport. */
export class RequestBar {
  readonly #host: ConnectedHost;
  readonly #findView: () => PartView | undefined;
  readonly #observer: IntersectionObserver;
  #observed: Element | undefined;
  #isOutOfView = false;

  /** `findView` returns the view of the open request, which is in `scroller`. */
  constructor(host: ConnectedHost, scroller: Element, findView: () => PartView | undefined) {
    this.#host = host;
    this.#findView = findView;
    this.#observer = new IntersectionObserver(
      (entries) => {
        const { isIntersecting = true, target } = entries.at(-1) ?? {};
        // A node that was replaced is not out of view: the next update observes its successor.
        this.#isOutOfView = !isIntersecting && target?.isConnected === true;
        host.requestUpdate();
      },
      { root: scroller },
    );
  }

  /** Observes the open request. Call this after each update. */
  observe(): void {
    const node = this.#findView()?.node;
    if (node === this.#observed) return;
    this.#observer.disconnect();
    this.#observed = node;
    if (node) this.#observer.observe(node);
    else {
      this.#isOutOfView = false;
      this.#host.requestUpdate();
    }
  }

  /** Focuses the open request. Returns false if there is none, or if nothing in it can be focused. */
  readonly focusRequest = (): boolean => {
    const view = this.#findView();
    view?.focus?.();
    return view?.node.matches(':focus-within') ?? false;
  };

  /** Renders a button that focuses the request; nothing while the request is visible. */
  render(): TemplateResult | typeof nothing {
    if (!this.#isOutOfView) return nothing;
    const { locale } = this.#host.context;
    return html`<button class="request-bar" type="button" @click=${this.focusRequest}>
      ${renderIcon('question')}<span>${locale.text('needsAnswer')}</span>
      <strong>${locale.text('answerNow')}</strong>
    </button>`;
  }
}
