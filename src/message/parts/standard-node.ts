import { css } from 'lit';
import { element } from '../../dom/element.js';
import { contentRoots } from '../../dom/event-target.js';
import { addSheets, type Sheet } from '../../dom/sheets.js';
import { lazyMarkdown } from '../lazy-markdown.js';

/** Undoes the rules for `:host`, which are meant for the element, so that everything is inherited from it. */
const styles = css`
  :host {
    all: unset;
    display: block;
    --_ubik-rem: inherit;
  }
`;

/**
 * The node that contains the built-in view of a part in the box of a renderer. A box in the light DOM of the page is outside of the shadow
 * root with the style sheets of the view, so the node then has a shadow root of its own with these sheets.
 */
export class StandardNode {
  readonly node = element('div');
  readonly #root: HTMLElement | ShadowRoot;

  constructor(host: HTMLElement, isInPage: boolean) {
    const source = host.shadowRoot;
    this.#root = isInPage && source ? this.node.attachShadow({ mode: 'open' }) : this.node;
    if (!source || !('host' in this.#root)) return;
    const root = this.#root;
    contentRoots.set(root, host);
    addSheets(root, [...sheetsOf(source), styles]);
    // The sheet of Markdown is added when its code is loaded.
    lazyMarkdown.whenLoaded(() => {
      addSheets(root, sheetsOf(source), styles);
    });
  }

  /** Shows the node of the built-in view. */
  show(node: HTMLElement): void {
    if (node.parentNode !== this.#root) this.#root.append(node);
  }
}

/** Returns the sheets of a shadow root, also in browsers without constructable sheets, where they are elements. */
function sheetsOf(root: ShadowRoot): readonly Sheet[] {
  const adopted = (root as Partial<Pick<ShadowRoot, 'adoptedStyleSheets'>>).adoptedStyleSheets;
  if (adopted) return adopted.map((styleSheet) => ({ cssText: '', styleSheet }));
  return [...root.querySelectorAll('style')].map(({ textContent }) => ({ cssText: textContent }));
}
