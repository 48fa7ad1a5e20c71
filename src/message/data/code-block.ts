import { element } from '../../dom/element.js';
import { setLang } from '../content-lang.js';
import { createLazyDetails } from '../json-view.js';
import type { MarkdownBody, ViewContext } from '../part-view.js';
import { codeFence, toInfoString } from './data-markdown.js';

/**
 * A code block as in Markdown, with buttons for copying and wrapping, and highlighting. Appended code costs its own length.
 */
export class CodeBlock {
  /** The class sets the design tokens of Markdown. */
  readonly node = element('div', 'text');
  readonly #body: MarkdownBody;
  /** What has been passed to the Markdown renderer. */
  #rendered = { opening: '', code: '' };

  constructor(context: ViewContext) {
    this.#body = context.createMarkdown(this.node, () => null);
  }

  /** Shows code in a language. While it is not complete, its last lines are not highlighted. */
  update(code: string, language: string, isComplete: boolean): void {
    // The fence is never closed, so that code can be appended.
    const opening = `${codeFence(code)}${toInfoString(language)}\n`;
    const isAppended = opening === this.#rendered.opening && code.startsWith(this.#rendered.code);
    if (!isAppended) this.#body.truncate(0);
    this.#body.append(isAppended ? code.slice(this.#rendered.code.length) : opening + code);
    this.#rendered = { opening, code };
    if (isComplete) void this.#body.end();
  }

  /** Renders everything again, for use after the language of the interface has changed. */
  redraw(): void {
    this.#body.redraw();
  }

  dispose(): void {
    this.#body.dispose();
  }
}

/** A disclosure with the query that produced some data. Its code block is created when it is opened. */
export class QueryDisclosure {
  readonly node: HTMLDetailsElement;
  readonly #context: ViewContext;
  readonly #summary = element('summary');
  #block: CodeBlock | null = null;
  #query = '';
  #language = '';

  constructor(context: ViewContext) {
    this.#context = context;
    this.node = createLazyDetails('report', this.#summary, () => {
      this.#block = new CodeBlock(context);
      this.#block.update(this.#query, this.#language, true);
      return this.#block.node;
    });
    this.redraw();
  }

  /** Shows a query; an empty one hides the disclosure. */
  update(query: string, language: string): void {
    this.#query = query;
    this.#language = language;
    this.node.hidden = !query.trim();
    this.#block?.update(query, language, true);
  }

  /** Renders everything again, for use after the language of the interface has changed. */
  redraw(): void {
    const { locale } = this.#context;
    this.#summary.textContent = locale.text('query');
    setLang(this.#summary, locale.uiLang);
    this.#block?.redraw();
  }

  dispose(): void {
    this.#block?.dispose();
  }
}
