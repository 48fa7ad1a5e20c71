import { html, render } from 'lit';
import { UbikSuggestionChooseEvent, UbikSuggestionChosenEvent } from '../../../events/index.js';
import { element } from '../../../dom/element.js';
import { insertText } from '../../../dom/insert-text.js';
import { langOfContent } from '../../../message/content-lang.js';
import { describeThread } from '../../base/controller-events.js';
import type { ComposerContext } from '../tools/composer-context.js';
import { placeAbove } from './place-above.js';
import { reportSource } from '../tools/report-source.js';
import {
  filterSuggestions,
  findTrigger,
  readSuggestions,
  type Trigger,
} from './suggestion-source.js';
import type { Suggestion } from '../writing-options.js';
import { makePopover, togglePopover } from '../../../dom/popover.js';

const SOURCES = { '/': 'commands', '@': 'mentions' } as const;
/** How long a list may be awaited before the person is told, in ms. */
const PATIENCE = 300;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Commands and names that fit what is being written, in a list above everything else. The focus stays in the field, which names
 * the one that Enter takes by `aria-activedescendant`: a box of several lines may be no combobox (docs/decisions/0055).
 */
export class SuggestionPopup {
  readonly #context: ComposerContext;
  readonly #node = element('div', 'suggestions');
  readonly #id: string;
  #trigger: Trigger | null = null;
  #found: readonly Suggestion[] = [];
  #at = 0;
  /** Where a list was sent away; it stays away there. */
  #dismissed = -1;
  #asking = new AbortController();
  /** Whether the page has been asked for so long that the person is told. */
  #isLate = false;
  #placing = new AbortController();

  constructor(context: ComposerContext) {
    this.#context = context;
    this.#id = context.host.context.createId();
    makePopover(this.#node);
    this.#node.setAttribute('part', 'suggestions');
    // The field keeps the focus.
    this.#node.addEventListener('mousedown', (event) => {
      event.preventDefault();
    });
    context.host.element.renderRoot.querySelector('.ubik')?.append(this.#node);
  }

  /** Looks at what is written, after the field or its caret has changed. */
  readonly look = (event: Event): void => {
    const { node } = this.#context.field;
    if (event.type === 'blur') this.close();
    // A caret that is moved opens nothing.
    else if (!/^(?:input|compositionend)$/.test(event.type) && !this.#trigger) return;
    else if (node && !(event as InputEvent).isComposing) this.#look(node);
  };

  /** Whether a key is meant for the list. */
  takes({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const chosen = this.#found[this.#at];
    if (!this.#trigger || !chosen || shiftKey || altKey || ctrlKey || metaKey) return false;
    const step = STEPS[key];
    if (step) {
      const count = this.#found.length;
      this.#at = (this.#at + step + count) % count;
      this.#draw();
    } else if (key === 'Enter' || key === 'Tab') this.#choose(chosen);
    else if (key === 'Escape') {
      this.#dismissed = this.#trigger.start;
      this.close();
    } else return false;
    return true;
  }

  /** Takes the list away. */
  close(): void {
    this.#asking.abort();
    this.#trigger = null;
    this.#show([]);
  }

  #look({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const isCaret = selectionStart === selectionEnd;
    const trigger = isCaret ? findTrigger(value, selectionStart) : null;
    const source = trigger && this.#context.host.element[SOURCES[trigger.sign]];
    if (!trigger || !source) {
      this.#dismissed = -1;
      return this.close();
    }
    const { start, sign, query } = trigger;
    if (start === this.#dismissed) return;
    const before = this.#trigger;
    const isSame = before?.sign === sign && before.start === start;
    if (isSame && before.query === query) return;
    this.#asking.abort();
    this.#trigger = trigger;
    if (typeof source !== 'function') return this.#show(filterSuggestions(source, query));
    // What was found before serves until there is better.
    this.#show(isSame ? filterSuggestions(this.#found, query) : []);
    void this.#find(trigger, source);
  }

  async #find(
    { sign, query }: Trigger,
    find: (query: string, signal: AbortSignal) => unknown,
  ): Promise<void> {
    const { signal } = (this.#asking = new AbortController());
    const { environment } = this.#context.host.controller ?? {};
    const timer = environment?.setTimer(() => {
      if (!signal.aborted) this.#show(this.#found, true);
    }, PATIENCE);
    const forget = (): void => {
      if (timer) environment?.clearTimer(timer);
    };
    try {
      const found = await find(query, signal);
      forget();
      if (!signal.aborted) this.#show(readSuggestions(found));
    } catch (error) {
      forget();
      if (signal.aborted) return;
      this.#show([]);
      reportSource(this.#context.host.element, SOURCES[sign], error);
    }
  }

  #show(found: readonly Suggestion[], isLate = false): void {
    const { field, host, say } = this.#context;
    const isNews = found.length !== this.#found.length;
    this.#found = found;
    this.#isLate = isLate;
    if (!isLate) this.#at = 0;
    this.#draw();
    const isOpen = found.length > 0;
    // One that is out of the page is closed already.
    if (this.#node.isConnected) togglePopover(this.#node, isOpen || isLate);
    for (const [name, value] of Object.entries({
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': this.#id,
    })) {
      if (isOpen) field.node?.setAttribute(name, value);
      else field.node?.removeAttribute(name);
    }
    this.#keepInPlace(isOpen || isLate);
    if (isNews) say(isOpen ? host.context.locale.text('suggested', { count: found.length }) : '');
  }

  /** Keeps it at the field while the page, the window or the keyboard moves. */
  #keepInPlace(isOpen: boolean): void {
    this.#placing.abort();
    if (!isOpen) return;
    const place = (): void => {
      placeAbove(this.#node, this.#context.field.node?.closest('.field'));
    };
    const { signal } = (this.#placing = new AbortController());
    for (const target of [window, window.visualViewport]) {
      target?.addEventListener('resize', place, { signal });
      target?.addEventListener('scroll', place, { signal, capture: true, passive: true });
    }
    place();
  }

  #draw(): void {
    const { host, field } = this.#context;
    const { sign = '/' } = this.#trigger ?? {};
    const label = host.context.locale.text(sign === '/' ? 'suggestCommand' : 'suggestMention');
    const isThere = this.#found.length > 0;
    render(
      html`${isThere ? this.#renderList(label, sign) : ''}${
        this.#isLate
          ? html`<p class="meta" role="status">${host.context.locale.text('suggestLoading')}</p>`
          : ''
      }`,
      this.#node,
    );
    if (isThere) field.node?.setAttribute('aria-activedescendant', `${this.#id}-${this.#at}`);
    else field.node?.removeAttribute('aria-activedescendant');
    this.#node.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' });
  }

  #renderList(label: string, sign: string) {
    return html`<ul id=${this.#id} role="listbox" aria-label=${label}>
      ${this.#found.map((one, at) => this.#renderOption(one, at, sign))}
    </ul>`;
  }

  #renderOption(one: Suggestion, at: number, sign: string) {
    const { locale } = this.#context.host.context;
    // The keys are those of the field, which has the focus.
    // eslint-disable-next-line lit-a11y/click-events-have-key-events
    return html`<li
      id="${this.#id}-${at}"
      role="option"
      part="suggestion"
      lang=${langOfContent(locale)}
      aria-selected=${at === this.#at ? 'true' : 'false'}
      @click=${() => {
        this.#choose(one);
      }}
    >
      <bdi class="name">${sign}${one.name}</bdi>
      ${one.description ? html`<span class="meta" dir="auto">${one.description}</span>` : ''}
    </li>`;
  }

  #choose({ name, text }: Suggestion): void {
    const { host, field } = this.#context;
    const trigger = this.#trigger;
    const { node } = field;
    if (!trigger || !node) return;
    const { sign, start, query } = trigger;
    const words = text ?? sign + name;
    const detail = { ...describeThread(host.controller), sign, name, text: words };
    this.close();
    const write = (): Promise<void> => {
      const end = start + 1 + query.length;
      const isApart = words === '' || /^\s/.test(node.value.slice(end));
      insertText(node, isApart ? words : `${words} `, start, end);
      return Promise.resolve();
    };
    const act = host.performAction(
      [new UbikSuggestionChooseEvent(detail)],
      write,
      () => new UbikSuggestionChosenEvent(detail),
    );
    void host.attempt(act);
  }
}
