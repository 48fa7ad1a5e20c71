import { css, html, nothing, render, type TemplateResult } from 'lit';
import type { Passage } from '../../backends/backend.js';
import { sanitizeFileName } from '../../controller/documents/check-file.js';
import { element } from '../../dom/element.js';
import { isUbikError } from '../../errors.js';
import type { Locale } from '../../locales/locale.js';
import { findMark } from '../../message/citation-marks.js';
import { langOfContent, renderContentText } from '../../message/content-lang.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon, renderSymbol } from '../../message/icons.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { panelLayoutStyles } from '../styles/fragments.js';
import { adoptSheets } from '../styles/styles.js';
import { findQuote, type TextRange } from './find-quote.js';

/** Panel with a cited passage: beside the conversation if there is space, else over it. */
const passageStyles = css`
  .with-passage {
    ${panelLayoutStyles}
  }
  .passage {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 0;
    z-index: 4;
    display: flex;
    flex-direction: column;
    gap: calc(0.5 * var(--_ubik-rem));
    width: min(calc(24 * var(--_ubik-rem)), 100%);
    padding: calc(0.75 * var(--_ubik-rem)) var(--_ubik-rem);
    background: var(--_background);
    box-shadow: 0 0 calc(2 * var(--_ubik-rem)) rgb(0 0 0 / 24%);
    outline: 0;
    .head {
      display: flex;
      align-items: start;
      justify-content: space-between;
      gap: calc(0.5 * var(--_ubik-rem));
    }
    h2 {
      margin: 0;
      font-size: var(--_ubik-rem);
      font-weight: 600;
    }
    .quiet {
      align-self: start;
      min-width: calc(2 * var(--_ubik-rem));
      text-align: center;
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
  }
  @container ubik (max-width: 51.19em) {
    .passage {
      width: 100%;
      box-shadow: none;
    }
  }
  @container ubik (min-width: 72.54em) {
    .passage {
      position: static;
      flex: none;
      width: calc(22 * var(--_ubik-rem));
      border-inline-start: var(--_border);
      box-shadow: none;
    }
    .with-passage > .end.filled {
      display: none;
    }
  }
`;

/** Characters of a long passage that are shown around the quotation. */
const MAX_SHOWN = 20_000;
/** Below this width, in px, the panel covers the conversation. */
const NARROW_WIDTH = 768;

/** Panel with a cited passage, one at a time. */
export class PassagePanel {
  readonly #host: ConnectedHost;
  readonly #node = element('section', 'passage');
  readonly #id: string;
  /** The opened citation. */
  #citation: HTMLElement | null = null;
  #loading = new AbortController();
  #passage: Passage | null = null;
  #error = '';
  readonly #resizeObserver = new ResizeObserver(() => {
    this.#updateMode();
  });
  /** Another thread is shown, so the citation is gone. */
  readonly #removalObserver = new MutationObserver(() => {
    if (!this.#citation?.isConnected) this.close();
  });

  constructor(host: ConnectedHost) {
    this.#host = host;
    this.#id = host.context.createId();
    this.#node.tabIndex = -1;
    this.#node.part.add('passage');
    this.#node.setAttribute('aria-labelledby', this.#id);
    this.#node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
    adoptSheets(this.#root, [passageStyles]);
  }

  /** Opens the passage of a citation. Returns false if there is none to read. */
  open(citation: HTMLElement): boolean {
    const id = findMark(citation)?.id;
    if (id === undefined || !this.#host.context.actions.loadPassage) return false;
    this.#citation?.removeAttribute('aria-expanded');
    this.#citation = citation;
    citation.ariaExpanded = 'true';
    this.#container?.append(this.#node);
    this.#container?.classList.add('with-passage');
    this.#resizeObserver.observe(this.#host.element);
    const messages = citation.closest('.column');
    if (messages) this.#removalObserver.observe(messages, { childList: true });
    this.#updateMode();
    void this.#load(id);
    this.#node.focus({ preventScroll: true });
    return true;
  }

  /** Closes the panel; the citation gets the focus back. */
  readonly close = (): void => {
    const citation = this.#citation;
    if (!citation) return;
    this.#citation = null;
    this.#loading.abort();
    this.#resizeObserver.disconnect();
    this.#removalObserver.disconnect();
    this.#container?.classList.remove('with-passage');
    const hadFocus = this.#node.contains(this.#root.activeElement);
    this.#node.remove();
    this.#setModal(false);
    citation.removeAttribute('aria-expanded');
    // If the user is typing elsewhere, the focus stays there.
    if (hadFocus)
      (citation.isConnected ? citation : this.#host.element).focus({ preventScroll: true });
  };

  get #root(): ShadowRoot {
    return this.#host.element.shadowRoot as ShadowRoot;
  }

  get #container(): HTMLElement | null {
    return this.#root.querySelector('.ubik');
  }

  /** Modal dialog on narrow screens, complementary region otherwise. */
  #updateMode(): void {
    if (!this.#citation) return;
    this.#setModal(this.#host.element.clientWidth < NARROW_WIDTH);
  }

  #setModal(modal: boolean): void {
    this.#node.role = modal ? 'dialog' : 'complementary';
    this.#node.ariaModal = modal ? 'true' : null;
    for (const other of this.#container?.children ?? []) {
      if (other instanceof HTMLElement && other !== this.#node) other.inert = modal;
    }
  }

  async #load(id: string): Promise<void> {
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    this.#passage = null;
    this.#error = '';
    this.#draw();
    const { actions, locale, report } = this.#host.context;
    try {
      const passage = (await actions.loadPassage?.(id, signal)) ?? null;
      if (signal.aborted) return;
      this.#passage = passage as Passage | null;
    } catch (error) {
      if (signal.aborted) return;
      this.#error = explainPassage(error, locale);
      if (isUbikError(error)) report(error);
    }
    this.#draw();
    this.#node.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }

  #draw(): void {
    const { locale } = this.#host.context;
    const mark = this.#citation && findMark(this.#citation);
    const title = sanitizeFileName(this.#passage?.documentName ?? mark?.title ?? '');
    render(
      html`<div class="head">
          <h2 id=${this.#id}>
            ${title ? renderContentText(title, locale) : html`<bdi>${locale.text('sourceUnnamed')}</bdi>`}
          </h2>
          <button class="quiet" type="button" title=${locale.text('close')} @click=${this.close}>
            ${renderSymbol('×')}
          </button>
        </div>
        ${this.#renderBody()}`,
      this.#node,
    );
  }

  #renderBody(): TemplateResult {
    const { locale } = this.#host.context;
    const { text } = locale;
    if (this.#error) {
      const retry = (): void => {
        // The focused button is about to be removed, so focus the panel.
        this.#node.focus({ preventScroll: true });
        void this.#load((this.#citation && findMark(this.#citation)?.id) ?? '');
      };
      return html`<p class="complaint" role="alert">
          ${renderIcon('alert')}<span dir="auto">${this.#error}</span>
        </p>
        <button class="quiet" type="button" @click=${retry}>${text('retry')}</button>`;
    }
    const passage = this.#passage;
    if (!passage) return html`<p class="meta busy" role="status">${text('passageLoading')}</p>`;
    return html`${
        passage.page === null
          ? nothing
          : html`<p class="meta">${text('page', { page: passage.page })}</p>`
      }
      <blockquote
        dir="auto"
        lang=${langOfContent(locale)}
        tabindex="0"
        role="region"
        aria-labelledby=${this.#id}
      >
        <span class="cited-text"
          >${renderPassageText(
            passage.text,
            this.#citation && findQuote(passage.text, textBefore(this.#citation)),
          )}</span
        >
      </blockquote>`;
  }
}

/** Explains why a passage cannot be read. */
function explainPassage(error: unknown, locale: Locale): string {
  const { code = '' } = isUbikError(error) ? error : {};
  if (code === 'not-found') return locale.text('passageGone');
  return code === 'forbidden' ? locale.text('passageForbidden') : explainError(error, locale);
}

/** Renders a text with the quotation marked; of a long text, only what surrounds it. */
function renderPassageText(text: string, quote: TextRange | null): TemplateResult {
  const { start, end } = quote ?? { start: 0, end: 0 };
  const from = Math.max(0, start - MAX_SHOWN / 2);
  const to = Math.min(text.length, end + MAX_SHOWN / 2);
  return html`${from > 0 ? '…' : ''}${text.slice(from, start)}${
    quote ? html`<mark>${text.slice(start, end)}</mark>` : nothing
  }${text.slice(end, to)}${to < text.length ? '…' : ''}`;
}

/** Text before a citation in its paragraph, without other citations. */
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
