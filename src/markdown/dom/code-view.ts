import { make, type RenderContext } from './render-context.js';

/** Lines in one part: each part is a block of its own for the browser, so that a new line costs the layout of its part only. */
const PART_LINES = 50;

/** A code block that grows at its end. */
export class CodeView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  readonly #code: HTMLElement;
  #part: Text | null = null;
  #lines = 0;
  #pending = '';

  constructor(context: RenderContext, language: string) {
    this.#context = context;
    const { strings, document } = context;
    this.element = make(context, 'div', 'ubik-code');
    const head = make(context, 'div', 'ubik-code-head');
    const name = make(context, 'span', 'ubik-code-language');
    name.append(document.createTextNode(language));
    const copy = make(context, 'button', 'ubik-code-copy');
    copy.setAttribute('type', 'button');
    copy.setAttribute('data-ubik-act', 'copy-code');
    copy.append(document.createTextNode(strings.copy));
    head.append(name, copy);
    const scroller = make(context, 'pre');
    scroller.setAttribute('tabindex', '0');
    scroller.setAttribute('role', 'region');
    scroller.setAttribute('aria-label', strings.codeBlock(language));
    this.#code = make(context, 'code', language === '' ? undefined : `language-${language}`);
    scroller.append(this.#code);
    this.element.append(head, scroller);
  }

  /** More code. Nothing is drawn yet. */
  append(text: string): void {
    this.#pending += text;
  }

  /** Draws what has come. */
  draw(): void {
    const text = this.#pending;
    this.#pending = '';
    let from = 0;
    while (from < text.length) {
      const end = this.#partEnd(text, from);
      this.#add(text.slice(from, end));
      from = end;
    }
  }

  /** Where the part that is open ends in a text, counting its lines. */
  #partEnd(text: string, from: number): number {
    if (this.#lines >= PART_LINES) {
      this.#part = null;
      this.#lines = 0;
    }
    let end = from;
    while (this.#lines < PART_LINES) {
      const lineEnd = text.indexOf('\n', end);
      if (lineEnd < 0) return text.length;
      this.#lines += 1;
      end = lineEnd + 1;
    }
    return end;
  }

  #add(text: string): void {
    if (this.#part !== null) {
      this.#part.appendData(text);
      return;
    }
    this.#part = this.#context.document.createTextNode(text);
    const part = make(this.#context, 'span', 'ubik-code-part');
    part.append(this.#part);
    this.#code.append(part);
  }
}
