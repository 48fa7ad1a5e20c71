import type { BlockView } from '../blocks/block.js';
import { growingMark, withoutMarks } from '../syntax/marks.js';
import { growText, make, type RenderContext } from './render-context.js';

/** Raw HTML: it is text, at least until it is closed. */
export class HtmlView implements BlockView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  #text: Text;
  #pending = '';

  constructor(context: RenderContext) {
    this.#context = context;
    this.#text = context.document.createTextNode('');
    this.element = make(context, 'div', { class: 'ubik-html' }, this.#text);
  }

  append(text: string): void {
    this.#pending += text;
  }

  draw(): void {
    this.#draw(growingMark(this.#pending));
  }

  close(): void {
    this.#draw(this.#pending.length);
    void this.#context.extras.finishHtml(this.element);
  }

  #draw(held: number): void {
    this.#text = growText(this.#text, withoutMarks(this.#pending.slice(0, held)));
    this.#pending = this.#pending.slice(held);
  }
}
