import { html, nothing, render, type TemplateResult } from 'lit';
import type { Passage } from '../../backends/backend.js';
import { sanitizeFileName } from '../../controller/documents/check-file.js';
import { isUbikError } from '../../errors.js';
import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';
import { findMark } from '../../message/citation.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon, renderSymbol } from '../../message/icons.js';
import { renderContentText, langOfContent } from '../../message/content-lang.js';
import type { ConnectedHost } from '../base/connected-host.js';
import { adoptSheets } from '../styles/styles.js';
import { findQuote, type Stretch } from './find-quote.js';
import { passageStyles } from './passage-styles.js';

/** Characters of a long text that are shown around what is quoted. */
const SHOWN = 20_000;
/** Below this width, in px, the panel covers the conversation. */
const NARROW = 768;

/** What a citation points to, beside the conversation: one at a time. */
export class PassagePanel {
  readonly #host: ConnectedHost;
  readonly #node = element('section', 'passage');
  readonly #id: string;
  /** The citation that is read. */
  #cited: HTMLElement | null = null;
  #reading = new AbortController();
  #passage: Passage | null = null;
  #complaint = '';
  readonly #size = new ResizeObserver(() => {
    this.#fit();
  });
  /** Another conversation is shown: what was cited is gone. */
  readonly #gone = new MutationObserver(() => {
    if (!this.#cited?.isConnected) this.close();
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

  /** Shows what a citation points to. False when it points to nothing that can be read. */
  open(cited: HTMLElement): boolean {
    const id = findMark(cited)?.id;
    if (id === undefined || !this.#host.context.actions.loadPassage) return false;
    this.#cited?.removeAttribute('aria-expanded');
    this.#cited = cited;
    cited.ariaExpanded = 'true';
    this.#box?.append(this.#node);
    this.#box?.classList.add('reading');
    this.#size.observe(this.#host.element);
    const messages = cited.closest('.column');
    if (messages) this.#gone.observe(messages, { childList: true });
    this.#fit();
    void this.#read(id);
    this.#node.focus({ preventScroll: true });
    return true;
  }

  /** Takes it away; the focus goes back to the citation. */
  readonly close = (): void => {
    const cited = this.#cited;
    if (!cited) return;
    this.#cited = null;
    this.#reading.abort();
    this.#size.disconnect();
    this.#gone.disconnect();
    this.#box?.classList.remove('reading');
    const hadFocus = this.#node.contains(this.#root.activeElement);
    this.#node.remove();
    this.#cover(false);
    cited.removeAttribute('aria-expanded');
    // Somebody who writes meanwhile is left alone.
    if (hadFocus) (cited.isConnected ? cited : this.#host.element).focus({ preventScroll: true });
  };

  get #root(): ShadowRoot {
    return this.#host.element.shadowRoot as ShadowRoot;
  }

  get #box(): HTMLElement | null {
    return this.#root.querySelector('.ubik');
  }

  /** On a phone it is a dialog over everything else, with room it stands beside it. */
  #fit(): void {
    if (!this.#cited) return;
    this.#cover(this.#host.element.clientWidth < NARROW);
  }

  #cover(covers: boolean): void {
    this.#node.role = covers ? 'dialog' : 'complementary';
    this.#node.ariaModal = covers ? 'true' : null;
    for (const other of this.#box?.children ?? []) {
      if (other instanceof HTMLElement && other !== this.#node) other.inert = covers;
    }
  }

  async #read(id: string): Promise<void> {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    this.#passage = null;
    this.#complaint = '';
    this.#draw();
    const { actions, locale, report } = this.#host.context;
    try {
      const passage = (await actions.loadPassage?.(id, signal)) ?? null;
      if (signal.aborted) return;
      this.#passage = passage as Passage | null;
    } catch (error) {
      if (signal.aborted) return;
      this.#complaint = explainPassage(error, locale);
      if (isUbikError(error)) report(error);
    }
    this.#draw();
    this.#node.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }

  #draw(): void {
    const { locale } = this.#host.context;
    const mark = this.#cited && findMark(this.#cited);
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
    if (this.#complaint) {
      const again = (): void => {
        // The button is about to go, and the focus with it.
        this.#node.focus({ preventScroll: true });
        void this.#read((this.#cited && findMark(this.#cited)?.id) ?? '');
      };
      return html`<p class="complaint" role="alert">
          ${renderIcon('alert')}<span dir="auto">${this.#complaint}</span>
        </p>
        <button class="quiet" type="button" @click=${again}>${text('retry')}</button>`;
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
          >${renderText(
            passage.text,
            this.#cited && findQuote(passage.text, saidBefore(this.#cited)),
          )}</span
        >
      </blockquote>`;
  }
}

/** Why a passage cannot be read. */
function explainPassage(error: unknown, locale: Locale): string {
  const { code = '' } = isUbikError(error) ? error : {};
  if (code === 'not-found') return locale.text('passageGone');
  return code === 'forbidden' ? locale.text('passageForbidden') : explainError(error, locale);
}

/** A text with what is quoted marked; of a long one, what is around it. */
function renderText(text: string, quote: Stretch | null): TemplateResult {
  const { start, end } = quote ?? { start: 0, end: 0 };
  const from = Math.max(0, start - SHOWN / 2);
  const to = Math.min(text.length, end + SHOWN / 2);
  return html`${from > 0 ? '…' : ''}${text.slice(from, start)}${
    quote ? html`<mark>${text.slice(start, end)}</mark>` : nothing
  }${text.slice(end, to)}${to < text.length ? '…' : ''}`;
}

/** What is said in front of a citation, in its own paragraph, without other citations. */
function saidBefore(cited: HTMLElement): string {
  const block = cited.closest('p, li, td, th, dd, blockquote, .text');
  if (!block) return '';
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(cited);
  const said = range.cloneContents();
  for (const other of said.querySelectorAll('.cite')) other.replaceWith(' ');
  return said.textContent;
}
