import type { BlockView } from '../parser/block.js';
import { partialMarkStart, stripMarks } from '../parser/characters.js';
import type { FenceDrawing } from './fence-drawing.js';
import { appendToText, createElement, type RenderContext } from './render-context.js';

/** A block that is rendered as literal text: code or HTML. Inline marks are removed from it. */
export abstract class LiteralView implements BlockView {
  #pending = '';

  append(text: string): void {
    this.#pending += text;
  }

  render(): void {
    this.#render(partialMarkStart(this.#pending));
  }

  close(): void {
    this.#render(this.#pending.length);
    this.onClosed();
  }

  /** Renders appended text. */
  protected abstract appendText(text: string): void;

  /** Called when the whole text is rendered. */
  protected abstract onClosed(): void;

  /** Renders the pending text up to a position. */
  #render(end: number): void {
    const text = stripMarks(this.#pending.slice(0, end));
    this.#pending = this.#pending.slice(end);
    if (text !== '') this.appendText(text);
  }
}

/** A block of raw HTML. It is rendered as text, at least until it is closed. */
export class HtmlView extends LiteralView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  #text: Text;

  constructor(context: RenderContext) {
    super();
    this.#context = context;
    this.#text = context.document.createTextNode('');
    const attributes = { class: 'ubik-html', translate: 'no' };
    this.element = createElement(context, 'div', attributes, this.#text);
  }

  protected override appendText(text: string): void {
    this.#text = appendToText(this.#text, text);
  }

  protected override onClosed(): void {
    void this.#context.extras.sanitizeHtml(this.element);
  }
}

/** Number of lines per part. Each part is a CSS block, so that a new line lays out only the last part. */
const LINES_PER_PART = 50;

/** A code block, rendered in parts with `content-visibility`. */
export class CodeBlockView extends LiteralView {
  readonly element: HTMLElement;
  readonly #context: RenderContext;
  readonly #code: HTMLElement;
  readonly #language: string;
  readonly #highlight: (part: Element) => void;
  /** The drawing of the host page in place of the code; null for indented code, and without `renderFence`. */
  readonly #drawing: FenceDrawing | null;
  #part: Text | null = null;
  #lines = 0;

  /** `info` is the info string of a fence; null for indented code. */
  constructor(context: RenderContext, info: string | null) {
    super();
    const [language = ''] = info?.split(/\s/, 1) ?? [];
    this.#context = context;
    this.#language = language;
    this.#highlight = context.extras.createHighlighter(language);
    const { strings } = context;
    this.#code = createElement(context, 'code', {
      class: language ? `language-${language}` : undefined,
      lang: strings.textLang,
      translate: 'no',
    });
    const copy = { class: 'ubik-code-copy', type: 'button', 'data-ubik-action': 'copy-code' };
    const wrap = { type: 'button', 'data-ubik-action': 'wrap-code', 'aria-pressed': 'false' };
    const scroller = { tabindex: '0', role: 'region', 'aria-label': strings.codeBlock(language) };
    const pre = createElement(context, 'pre', scroller, this.#code);
    // Without a drawing, the code is shown, so its last part is highlighted, too.
    const onClosed = (isDrawn: boolean): void => {
      if (!isDrawn) this.#closePart();
    };
    this.#drawing = info === null ? null : context.extras.createDrawing(info, pre, onClosed);
    this.element = createElement(
      context,
      'div',
      { class: 'ubik-code ubik-code-open', lang: strings.lang },
      createElement(
        context,
        'div',
        { class: 'ubik-code-head' },
        createElement(context, 'span', { class: 'ubik-code-language' }, language),
        createElement(context, 'button', wrap, strings.wrap),
        createElement(context, 'button', copy, strings.copy),
      ),
      pre,
    );
  }

  override render(): void {
    super.render();
    this.#drawing?.draw();
  }

  protected override onClosed(): void {
    this.element.classList.remove('ubik-code-open');
    if (this.#drawing) this.#drawing.close();
    else this.#closePart();
  }

  protected override appendText(text: string): void {
    this.#drawing?.append(text);
    for (let rest = text; rest !== '';) {
      const part = this.#openPart();
      let end = 0;
      for (; this.#lines < LINES_PER_PART && end < rest.length; end += 1) {
        end = rest.indexOf('\n', end);
        if (end < 0) end = rest.length;
        else this.#lines += 1;
      }
      this.#part = appendToText(part, rest.slice(0, end));
      rest = rest.slice(end);
    }
  }

  /** Returns the text node of the last part, and starts a new part if it is full. */
  #openPart(): Text {
    if (this.#part === null || this.#lines === LINES_PER_PART) {
      this.#closePart();
      this.#lines = 0;
      this.#part = this.#context.document.createTextNode('');
      this.#code.append(
        createElement(this.#context, 'span', { class: 'ubik-code-part' }, this.#part),
      );
    }
    return this.#part;
  }

  /** Highlights the last part when it is complete. */
  #closePart(): void {
    const part = this.#part?.parentElement;
    if (part && this.#language !== '') this.#highlight(part);
  }
}
