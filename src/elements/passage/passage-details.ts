import { css, html, nothing, render, type TemplateResult } from 'lit';
import type { Passage } from '../../backends/backend.js';
import { sanitizeFileName } from '../../controller/documents/check-file.js';
import { isUbikError } from '../../errors.js';
import { UbikPassageOpenedEvent } from '../../events/index.js';
import { passageStrings } from '../../locales/en-passage.js';
import { addDefaultStrings, type Locale } from '../../locales/locale.js';
import { findMark } from '../../message/citation-marks.js';
import { isRendered } from '../../dom/focusable.js';
import { scrollToCenter } from '../../dom/scroll.js';
import { clusterStart, truncate } from '../../dom/truncate.js';
import { langOfContent, renderContentText } from '../../message/content-lang.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { describeThread } from '../base/controller-events.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { DetailsArea } from '../sides/details-area.js';
import { adoptSheets } from '../styles/styles.js';
import { findQuote, type TextRange } from './find-quote.js';

addDefaultStrings(passageStrings);

/** Maximum number of UTF-16 units of the title of a citation that are shown. */
const MAX_TITLE_LENGTH = 200;

const passageStyles = css`
  .passage {
    .details {
      overflow: hidden;
    }
    blockquote {
      flex: 0 1 auto;
      min-height: 0;
      margin: 0;
      padding-inline-start: calc(0.75 * var(--_ubik-rem));
      overflow: auto;
      border-inline-start: 2px solid var(--_line);
      font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    }
    .cited-text {
      white-space: pre-wrap;
      unicode-bidi: plaintext;
    }
    mark {
      background: var(--_tint);
      color: inherit;
      text-decoration: underline;
      text-decoration-thickness: 1px;
      text-decoration-color: var(--_accent);
      text-underline-offset: 0.2em;
    }
    .details > .quiet {
      align-self: start;
    }
  }
`;

/** Number of UTF-16 units of a long passage that are shown around the quotation, half on each side. */
const MAX_SHOWN = 20_000;
/** Number of UTF-16 units of a long document that are shown around the passage, half on each side. */
const MAX_SHOWN_OF_DOCUMENT = 200_000;

/** Details area with a cited passage, one at a time. From the passage, the user can go to the whole text of its document and back. */
export class PassageDetails {
  readonly #host: ConnectedHost;
  readonly #area: DetailsArea;
  /** The opened citation. */
  #citation: HTMLElement | null = null;
  #loading = new AbortController();
  #passage: Passage | null = null;
  /** Whether the document is shown instead of its passage. */
  #isDocumentShown = false;
  /** The text of the document; null until it is loaded. */
  #documentText: string | null = null;
  /** Why the passage or its document could not be loaded; null while it is loading or shown. */
  #error: unknown = null;
  /** Closes the area when another thread is shown, because the citation is removed then. */
  readonly #removalObserver = new MutationObserver(() => {
    if (!this.#citation?.isConnected) this.#area.close();
  });

  constructor(host: ConnectedHost) {
    this.#host = host;
    this.#area = new DetailsArea(host, {
      onClose: () => {
        this.#citation = null;
        this.#loading.abort();
        this.#removalObserver.disconnect();
      },
      onLocaleChange: () => {
        this.#render();
      },
    });
    this.#area.node.classList.add('passage');
    this.#area.node.part.add('passage');
    adoptSheets(host.element.renderRoot, [passageStyles]);
  }

  /** Opens the passage of a citation, unless the citation has no passage, is no longer shown, or the service cannot load any. */
  open(citation: HTMLElement): void {
    const { id, title = null } = findMark(citation) ?? {};
    if (id === undefined || !isRendered(citation)) return;
    if (!this.#host.context.actions.loadPassage) return;
    this.#citation = citation;
    this.#area.open(citation);
    const messages = citation.closest('.column');
    if (messages) this.#removalObserver.observe(messages, { childList: true });
    this.#passage = null;
    this.#isDocumentShown = false;
    this.#documentText = null;
    void this.#load();
    const { element, controller } = this.#host;
    element.dispatchEvent(
      new UbikPassageOpenedEvent({ ...describeThread(controller), passageId: id, title }),
    );
  }

  /** Loads the passage or its document, unless it is loaded, and shows it. */
  async #load(): Promise<void> {
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    this.#error = null;
    this.#render();
    const { actions, report } = this.#host.context;
    const loadPassage = async (id = ''): Promise<Passage | null> => {
      const passage = (await actions.loadPassage?.(id, signal)) ?? null;
      return passage as Passage | null;
    };
    try {
      if (!this.#isDocumentShown) {
        const mark = this.#citation && findMark(this.#citation);
        const passage = this.#passage ?? (await loadPassage(mark?.id));
        if (signal.aborted) return;
        this.#passage = passage;
      } else if (this.#documentText === null) {
        // With the id of a document, the service returns the whole text.
        const whole = await loadPassage(this.#passage?.documentId);
        if (signal.aborted) return;
        this.#documentText = whole?.text ?? '';
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#error = error;
      if (isUbikError(error)) report(error);
    }
    this.#render();
    const mark = this.#area.content.querySelector('mark');
    const text = mark?.closest('blockquote');
    if (mark && text) scrollToCenter(text, mark);
  }

  #render(): void {
    const { locale } = this.#host.context;
    const mark = this.#citation && findMark(this.#citation);
    const documentName = sanitizeFileName(this.#passage?.documentName ?? '');
    // A title, unlike a file name, may contain slashes.
    const title = documentName || truncate(mark?.title ?? '', MAX_TITLE_LENGTH);
    const heading = title
      ? renderContentText(title, locale)
      : html`<bdi>${locale.text('sourceUnnamed')}</bdi>`;
    render([this.#area.renderHead(heading), this.#renderBody()], this.#area.content);
  }

  #renderBody(): TemplateResult {
    const { locale } = this.#host.context;
    const { text } = locale;
    if (this.#error !== null) {
      const retry = (): void => {
        // The focused button is about to be removed, so focus the area.
        this.#area.focus();
        void this.#load();
      };
      return html`<p class="error-text" role="alert">
          ${renderIcon('alert')}<span dir="auto">${explainPassage(this.#error, locale)}</span>
        </p>
        <button class="quiet" type="button" @click=${retry}>${text('retry')}</button>
        ${this.#isDocumentShown ? this.#renderSwitch() : nothing}`;
    }
    const passage = this.#passage;
    const isLoading = this.#isDocumentShown ? this.#documentText === null : !passage;
    if (!passage || isLoading)
      return html`<p class="meta busy" role="status">${text('passageLoading')}</p>`;
    if (this.#isDocumentShown) return this.#renderDocument(passage, this.#documentText ?? '');
    const hasDocument = passage.documentId !== '' && passage.documentId !== passage.id;
    const quote = this.#citation && findQuote(passage.text, textBefore(this.#citation));
    return html`${
      passage.page === null
        ? nothing
        : html`<p class="meta">${text('page', { page: passage.page })}</p>`
    }
    ${this.#renderText(passage.text, quote, MAX_SHOWN)}
    ${hasDocument ? this.#renderSwitch() : nothing}`;
  }

  /** Renders the text of the document with the passage marked, or else the words that the answer quotes. */
  #renderDocument(passage: Passage, text: string): TemplateResult {
    const start = text.indexOf(passage.text.trim());
    const end = start + passage.text.trim().length;
    const quote =
      start >= 0 ? { start, end } : this.#citation && findQuote(text, textBefore(this.#citation));
    return html`${
      text === ''
        ? html`<p class="meta">${this.#host.context.locale.text('passageNoDocument')}</p>`
        : this.#renderText(text, quote, MAX_SHOWN_OF_DOCUMENT)
    }
    ${this.#renderSwitch()}`;
  }

  #renderText(text: string, quote: TextRange | null, maxShown: number): TemplateResult {
    return html`<blockquote
      dir="auto"
      lang=${langOfContent(this.#host.context.locale)}
      tabindex="0"
      role="region"
      aria-labelledby=${this.#area.headingId}
    >
      <span class="cited-text">${renderPassageText(text, quote, maxShown)}</span>
    </blockquote>`;
  }

  /** Renders the button that switches between the passage and its document. */
  #renderSwitch(): TemplateResult {
    const toggle = (): void => {
      this.#isDocumentShown = !this.#isDocumentShown;
      // The focused button is about to be removed, so focus the area.
      this.#area.focus();
      void this.#load();
    };
    const label = this.#isDocumentShown ? 'passageShow' : 'passageDocument';
    return html`<button class="quiet switch" type="button" @click=${toggle}>
      ${this.#host.context.locale.text(label)}
    </button>`;
  }
}

/** Returns the reason why a passage cannot be shown. */
function explainPassage(error: unknown, locale: Locale): string {
  const { code = '' } = isUbikError(error) ? error : {};
  if (code === 'not-found') return locale.text('passageGone');
  return code === 'forbidden' ? locale.text('passageForbidden') : explainError(error, locale);
}

/**
 * Renders a text with the quotation marked; of a long text, only `maxShown / 2` UTF-16 units before and after the quotation, or at the start
 * if there is none.
 */
function renderPassageText(
  text: string,
  quote: TextRange | null,
  maxShown: number,
): TemplateResult {
  const { start, end } = quote ?? { start: 0, end: 0 };
  const from = Math.max(0, clusterStart(text, start - maxShown / 2));
  const to = Math.min(text.length, clusterStart(text, end + maxShown / 2));
  return html`${from > 0 ? '…' : ''}${text.slice(from, start)}${
    quote ? html`<mark>${text.slice(start, end)}</mark>` : nothing
  }${text.slice(end, to)}${to < text.length ? '…' : ''}`;
}

/** Returns the text before a citation in its paragraph, without other citations. */
function textBefore(citation: HTMLElement): string {
  const block = citation.closest('p, li, td, th, dd, blockquote, .text');
  if (!block) return '';
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(citation);
  const content = range.cloneContents();
  for (const other of content.querySelectorAll('.cite')) other.replaceWith(' ');
  return content.textContent;
}
