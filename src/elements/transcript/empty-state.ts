import { html, nothing, type TemplateResult } from 'lit';
import { element } from '../../dom/element.js';
import { langOfInterface, langOfContent, setLang } from '../../message/content-lang.js';
import type { MarkdownBody, ViewContext } from '../../message/part-view.js';

/** Maximum number of starter questions. */
const MAX_STARTERS = 4;

/** Matches every text that may look different when rendered as Markdown instead of as plain text. Some matches look the same. */
const MARKDOWN_SYNTAX = /[\n*_`[<#|~&\\$@/]|www|^\s*[-+>\d]/;

/** The empty state of a thread: a greeting and starter questions. */
export class EmptyState {
  readonly #context: ViewContext;
  readonly #greeting = element('div', 'greeting');
  #text = '';
  /** Undefined until a greeting has Markdown syntax: plain text loads no Markdown. */
  #markdown: MarkdownBody | undefined;

  constructor(context: ViewContext) {
    this.#context = context;
    this.#greeting.dir = 'auto';
  }

  /** Renders a greeting, which is Markdown, or the default one if it is empty. `choose` is called with the text of a clicked starter. */
  render(
    greeting: string,
    starters: readonly string[],
    choose: (text: string) => unknown,
  ): TemplateResult {
    const { locale } = this.#context;
    this.#update(greeting || locale.text('greeting'));
    setLang(this.#greeting, greeting ? locale.contentLang : locale.uiLang);
    return html`<slot name="empty" lang=${langOfContent(locale)}
      >${this.#greeting}
      ${
        starters.length === 0
          ? nothing
          : html`<ul
              class="starters"
              lang=${langOfInterface(locale)}
              aria-label=${locale.text('starters')}
            >
              ${starters.slice(0, MAX_STARTERS).map(
                (text) =>
                  html`<li>
                    <button
                      class="starter"
                      type="button"
                      dir="auto"
                      lang=${langOfContent(locale)}
                      @click=${() => choose(text)}
                    >
                      ${text}
                    </button>
                  </li>`,
              )}
            </ul>`
      }</slot
    >`;
  }

  /** Renders the greeting again, after the language or the content options have changed. */
  redraw(): void {
    this.#markdown?.redraw();
  }

  #update(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    if (!this.#markdown && MARKDOWN_SYNTAX.test(text)) {
      this.#greeting.textContent = '';
      this.#markdown = this.#context.createMarkdown(this.#greeting, () => null);
    }
    if (!this.#markdown) {
      this.#greeting.textContent = text;
      return;
    }
    this.#markdown.truncate(0);
    this.#markdown.append(text);
    void this.#markdown.end();
  }
}
