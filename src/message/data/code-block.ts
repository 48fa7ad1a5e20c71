import { element } from '../../dom/element.js';
import { createButton } from '../buttons.js';
import { setLang } from '../content-lang.js';
import { createLazyDetails } from '../json-view.js';
import type { MarkdownBody, ViewContext } from '../part-view.js';
import { codeFence, toInfoString } from './data-markdown.js';

/** Names of languages that are formatted as SQL. */
const SQL = /^(?:\w*sql|sqlite|spark|presto|trino)$/i;
/** Longest statement that is formatted, in UTF-16 units, because formatting blocks the page. */
const MAX_FORMATTED = 10_000;
/** A statement without line breaks that is longer than this, in UTF-16 units, is formatted automatically. */
const MAX_LINE = 80;

/** The lazy-loaded SQL formatter. */
interface SqlFormatter {
  /** Returns null for a statement that it cannot parse. */
  formatSql(code: string): string | null;
}

/**
 * A code block as in Markdown, with highlighting and with buttons for copying and wrapping. SQL has a button that formats it; a long
 * statement on one line is formatted automatically. When code was appended to the shown code, only the new part is rendered.
 */
export class CodeBlock {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #body: MarkdownBody;
  readonly #formatButton: HTMLButtonElement;
  readonly #status = element('span', 'meta');
  #code = '';
  #language = '';
  #isComplete = false;
  /** The formatted code while it is shown; null otherwise. */
  #formatted: string | null = null;
  /** The text that was passed to the Markdown renderer. */
  #rendered = { opening: '', code: '', fence: '```' };
  #isDisposed = false;

  constructor(context: ViewContext) {
    this.#context = context;
    // The class sets the design tokens of Markdown.
    const box = element('div', 'text');
    this.#body = context.createMarkdown(box, () => null);
    this.#formatButton = createButton('', () => void this.#toggleFormat());
    this.#status.role = 'status';
    const footer = element('div', 'data-footer', this.#formatButton, this.#status);
    this.node = element('div', 'data-code', box, footer);
    this.redraw();
  }

  /** Shows code in a language. Until it is complete, its last lines are not highlighted. */
  update(code: string, language: string, isComplete: boolean): void {
    const isSame =
      code === this.#code && language === this.#language && isComplete === this.#isComplete;
    if (isSame) return;
    this.#code = code;
    this.#language = language;
    this.#isComplete = isComplete;
    this.#show(null);
    if (!this.#canFormat) return;
    const isLongLine = code.length > MAX_LINE && !code.trim().includes('\n');
    if (isLongLine) void this.#format();
  }

  /** Renders everything again after the language of the interface has changed. */
  redraw(): void {
    const { locale } = this.#context;
    this.#formatButton.textContent = locale.text('formatSql');
    setLang(this.#formatButton, locale.uiLang);
    this.#body.redraw();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#body.dispose();
  }

  get #canFormat(): boolean {
    const isSql = SQL.test(this.#language) && this.#code.length <= MAX_FORMATTED;
    return this.#isComplete && isSql && this.#context.loadExtra !== undefined;
  }

  /** Shows the formatted code; for null, the original. */
  #show(formatted: string | null): void {
    this.#formatted = formatted;
    const code = formatted ?? this.#code;
    const before = this.#rendered;
    const isGrown = code.startsWith(before.code);
    const fence = isGrown ? codeFence(code, before.fence, before.code.length) : codeFence(code);
    // The fence is never closed, so that code can be appended.
    const opening = `${fence}${toInfoString(this.#language)}\n`;
    const isAppended = isGrown && opening === before.opening;
    if (!isAppended) this.#body.truncate(0);
    this.#body.append(isAppended ? code.slice(before.code.length) : opening + code);
    this.#rendered = { opening, code, fence };
    if (this.#isComplete) void this.#body.end();
    this.#formatButton.hidden = !this.#canFormat;
    this.#formatButton.ariaPressed = String(formatted !== null);
    this.#status.textContent = '';
  }

  async #toggleFormat(): Promise<void> {
    if (this.#formatted !== null) this.#show(null);
    else if (!(await this.#format())) {
      this.#status.textContent = this.#context.locale.text('formatFailed');
    }
  }

  /**
   * Formats the code. Leaves it unchanged, and resolves to false, when the formatter cannot be loaded or cannot parse the code. Does nothing,
   * and resolves to true, when the code has changed meanwhile.
   */
  async #format(): Promise<boolean> {
    const code = this.#code;
    let formatted: string | null = null;
    try {
      const extra = (await this.#context.loadExtra?.('format-sql')) as SqlFormatter;
      formatted = extra.formatSql(code);
    } catch {
      // The original is already shown.
    }
    if (this.#isDisposed || code !== this.#code) return true;
    if (formatted !== null) this.#show(formatted);
    return formatted !== null;
  }
}

/** A disclosure with the query whose result is shown. Its code block is created when it is opened. */
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

  /** Renders everything again after the language of the interface has changed. */
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
