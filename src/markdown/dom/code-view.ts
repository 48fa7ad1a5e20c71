import { LiteralView } from './literal-view.js';
import { growText, make, type RenderContext } from './render-context.js';

/** Lines in one part: each part is a block of its own for the browser, so that a new line costs the layout of its part only. */
const PART_LINES = 50;

/** A code block that grows at its end. While it does, the browser keeps the size that its parts had, which will be skipped one day. */
export class CodeView extends LiteralView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  readonly #code: HTMLElement;
  readonly #language: string;
  readonly #colour: (part: Element) => void;
  #part: Text | null = null;
  #lines = 0;

  constructor(context: RenderContext, language: string) {
    super();
    this.#context = context;
    this.#language = language;
    this.#colour = context.extras.createHighlighter(language);
    const { strings } = context;
    this.#code = make(context, 'code', {
      class: language ? `language-${language}` : undefined,
      lang: strings.textLang,
      translate: 'no',
    });
    const copy = { class: 'ubik-code-copy', type: 'button', 'data-ubik-act': 'copy-code' };
    const wrap = { type: 'button', 'data-ubik-act': 'wrap-code', 'aria-pressed': 'false' };
    const scroller = { tabindex: '0', role: 'region', 'aria-label': strings.codeBlock(language) };
    this.element = make(
      context,
      'div',
      { class: 'ubik-code ubik-code-open', lang: strings.lang },
      make(
        context,
        'div',
        { class: 'ubik-code-head' },
        make(context, 'span', { class: 'ubik-code-language' }, language),
        make(context, 'button', wrap, strings.wrap),
        make(context, 'button', copy, strings.copy),
      ),
      make(context, 'pre', scroller, this.#code),
    );
  }

  protected override finish(): void {
    this.element.classList.remove('ubik-code-open');
    if (this.#language !== '') void this.#dress();
  }

  /** Asks the page to draw the whole; what is left to be coloured is only if it does not. */
  async #dress(): Promise<void> {
    const isDrawn = await this.#context.extras.drawDiagram(this.#code, this.#language);
    if (!isDrawn) this.#closePart();
  }

  protected override write(text: string): void {
    for (let rest = text; rest !== '';) {
      const part = this.#openPart();
      let end = 0;
      for (; this.#lines < PART_LINES && end < rest.length; end += 1) {
        end = rest.indexOf('\n', end);
        if (end < 0) end = rest.length;
        else this.#lines += 1;
      }
      this.#part = growText(part, rest.slice(0, end));
      rest = rest.slice(end);
    }
  }

  /** The part that takes more lines. */
  #openPart(): Text {
    if (this.#part === null || this.#lines === PART_LINES) {
      this.#closePart();
      this.#lines = 0;
      this.#part = this.#context.document.createTextNode('');
      this.#code.append(make(this.#context, 'span', { class: 'ubik-code-part' }, this.#part));
    }
    return this.#part;
  }

  /** The part takes no more text: it can have its colours. */
  #closePart(): void {
    const part = this.#part?.parentElement;
    if (part && this.#language !== '') this.#colour(part);
  }
}
