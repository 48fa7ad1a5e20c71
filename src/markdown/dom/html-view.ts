import { LiteralView } from './literal-view.js';
import { growText, make, type RenderContext } from './render-context.js';

/** Raw HTML: it is text, at least until it is closed. */
export class HtmlView extends LiteralView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  #text: Text;

  constructor(context: RenderContext) {
    super();
    this.#context = context;
    this.#text = context.document.createTextNode('');
    this.element = make(context, 'div', { class: 'ubik-html' }, this.#text);
  }

  protected override write(text: string): void {
    this.#text = growText(this.#text, text);
  }

  protected override finish(): void {
    void this.#context.extras.finishHtml(this.element);
  }
}
