import { css, html, render } from 'lit';
import { UbikSuggestionChosenEvent } from '../../events/index.js';
import { element } from '../../dom/element.js';
import { langOfContent } from '../../message/content-lang.js';
import { describeThread } from '../base/controller-events.js';
import { reportSourceError, type ComposerContext } from './composer-context.js';
import {
  filterSuggestions,
  findTrigger,
  readSuggestions,
  type Trigger,
} from './suggestion-source.js';
import type { Suggestion } from './composer-options.js';
import { makePopover, movePopover, togglePopover } from '../../dom/popover.js';
import { adoptSheets } from '../styles/styles.js';

const suggestionStyles = css`
  .suggestions {
    position: fixed;
    inset: auto;
    margin: 0;
    padding: calc(0.25 * var(--_ubik-rem));
    overflow: hidden auto;
    overscroll-behavior: contain;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    box-shadow: 0 calc(0.25 * var(--_ubik-rem)) var(--_ubik-rem) rgb(0 0 0 / 16%);
    font-size: max(12px, calc(0.875 * var(--_ubik-rem)));
    > .meta {
      padding: calc(0.375 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
    }
  }
  [role='option'] {
    display: flex;
    flex-wrap: wrap;
    align-content: center;
    align-items: baseline;
    gap: 0 calc(0.75 * var(--_ubik-rem));
    min-height: calc(2 * var(--_ubik-rem));
    padding: calc(0.25 * var(--_ubik-rem)) calc(0.625 * var(--_ubik-rem));
    border-radius: var(--_control-radius);
    cursor: pointer;
    &:hover {
      background: var(--_hover);
    }
    &[aria-selected='true'] {
      background: var(--_tint);
      box-shadow: inset calc(0.1875 * var(--_ubik-rem)) 0 var(--_accent);
    }
    &[aria-selected='true']:dir(rtl) {
      box-shadow: inset calc(-0.1875 * var(--_ubik-rem)) 0 var(--_accent);
    }
    .name {
      font-weight: 600;
    }
    .meta {
      min-width: 0;
    }
  }
  @media (pointer: coarse) {
    [role='option'] {
      min-height: calc(2.75 * var(--_ubik-rem));
    }
  }
  @media (forced-colors: active) {
    [role='option'][aria-selected='true'] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;

/** The property of the host page with the suggestions for each trigger character. */
const SOURCES = { '/': 'commands', '@': 'mentions' } as const;
/** Delay, in ms, after which the popup shows that a source is slow. */
const SLOW_DELAY = 300;
/** How far each arrow key moves the active option. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Distance to the edges of the visual viewport, in px. */
const MARGIN = 8;
/**
 * Space above the anchor, in px, that suffices to place the popover there even if there is more below. Half of it is the minimum of
 * `max-height`.
 */
const SUFFICIENT_SPACE = 120;

/**
 * A listbox of commands or names that match the typed text. The focus stays in the field, which refers to the active option by
 * `aria-activedescendant`; a multi-line field cannot have the role combobox (docs/decisions/0055).
 */
export class SuggestionPopup {
  readonly #context: ComposerContext;
  readonly #node = element('div', 'suggestions');
  readonly #id: string;
  #trigger: Trigger | null = null;
  #options: readonly Suggestion[] = [];
  /** Index of the active option. */
  #active = 0;
  /** Index of the trigger whose list was dismissed by Escape, so that it stays closed; -1 when there is none. */
  #dismissed = -1;
  #request = new AbortController();
  /** Whether the source has not responded for {@link SLOW_DELAY}. */
  #isSlow = false;
  /** Aborted to remove the listeners that keep the list at the field. */
  #placement = new AbortController();

  constructor(context: ComposerContext) {
    this.#context = context;
    this.#id = context.host.context.createId();
    makePopover(this.#node);
    adoptSheets(context.host.element.renderRoot, [suggestionStyles]);
    this.#node.setAttribute('part', 'suggestions');
    // Keeps the focus in the field.
    this.#node.addEventListener('mousedown', (event) => {
      event.preventDefault();
    });
    context.host.element.renderRoot.querySelector('.ubik')?.append(this.#node);
    // After the text was replaced, the trigger refers to a text that is no longer in the field.
    context.field.onReplace = () => {
      this.#dismissed = -1;
      this.close();
    };
  }

  /** Updates the list after the text or the caret of the field has changed; closes it when the field loses the focus. */
  readonly handleEvent = (event: Event): void => {
    const { node } = this.#context.field;
    const { type, isComposing } = event as InputEvent;
    if (type === 'blur') this.close();
    // Moving the caret does not open the list, nor does an unfinished composition. Both update an open list, because the keyboards of phones
    // compose each word.
    else if (!this.#trigger && (isComposing || !/^(?:input|compositionend)$/.test(type))) return;
    else if (node) this.#update(node);
  };

  /** Handles a key of the listbox. Returns whether it was handled. */
  handleKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const chosen = this.#options[this.#active];
    if (!this.#trigger || shiftKey || altKey || ctrlKey || metaKey) return false;
    if (key === 'Escape' && (chosen || this.#isSlow)) {
      this.#dismissed = this.#trigger.start;
      this.close();
      return true;
    }
    if (!chosen) return false;
    const step = STEPS[key];
    if (step) {
      const count = this.#options.length;
      this.#active = (this.#active + step + count) % count;
      this.#render();
    } else if (key === 'Enter' || key === 'Tab') this.#choose(chosen);
    else return false;
    return true;
  }

  /** Closes the list. */
  close(): void {
    this.#request.abort();
    this.#trigger = null;
    this.#show([]);
  }

  #update({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const isCaret = selectionStart === selectionEnd;
    const trigger = isCaret ? findTrigger(value, selectionStart) : null;
    const source = trigger && this.#context.host.element[SOURCES[trigger.character]];
    if (!trigger || !source) {
      this.#dismissed = -1;
      return this.close();
    }
    const { start, character, query } = trigger;
    if (start === this.#dismissed) return;
    const before = this.#trigger;
    const isSame = before?.character === character && before.start === start;
    if (isSame && before.query === query) return;
    this.#request.abort();
    this.#trigger = trigger;
    if (typeof source !== 'function') return this.#show(filterSuggestions(source, query));
    // Filters the previous options until the new ones arrive.
    this.#show(isSame ? filterSuggestions(this.#options, query) : []);
    void this.#fetch(trigger, source);
  }

  async #fetch(
    { character, query }: Trigger,
    load: (query: string, signal: AbortSignal) => unknown,
  ): Promise<void> {
    const { signal } = (this.#request = new AbortController());
    const { environment } = this.#context.host.controller ?? {};
    const timer = environment?.setTimer(() => {
      if (!signal.aborted) this.#show(this.#options, true);
    }, SLOW_DELAY);
    const clearTimer = (): void => {
      if (timer) environment?.clearTimer(timer);
    };
    try {
      const found = await load(query, signal);
      clearTimer();
      if (!signal.aborted) this.#show(readSuggestions(found));
    } catch (error) {
      clearTimer();
      if (signal.aborted) return;
      this.#show([]);
      reportSourceError(this.#context.host, SOURCES[character], error);
    }
  }

  #show(options: readonly Suggestion[], isSlow = false): void {
    const { field, host, announce } = this.#context;
    const isChanged = options.length !== this.#options.length;
    this.#options = options;
    this.#isSlow = isSlow;
    if (!isSlow) this.#active = 0;
    this.#render();
    const isOpen = options.length > 0;
    // A popover that is not connected is already closed.
    if (this.#node.isConnected) togglePopover(this.#node, isOpen || isSlow);
    for (const [name, value] of Object.entries({
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': this.#id,
    })) {
      if (isOpen) field.node?.setAttribute(name, value);
      else field.node?.removeAttribute(name);
    }
    this.#followField(isOpen || isSlow);
    if (isChanged) {
      announce(isOpen ? host.context.locale.text('suggested', { count: options.length }) : '');
    }
  }

  /** Positions the list at the field, again when the page scrolls or the viewport is resized. */
  #followField(isOpen: boolean): void {
    this.#placement.abort();
    if (!isOpen) return;
    const place = (): void => {
      placeAdjacent(this.#node, this.#context.field.node?.closest('.field'));
    };
    const { signal } = (this.#placement = new AbortController());
    for (const target of [window, window.visualViewport]) {
      target?.addEventListener('resize', place, { signal });
      target?.addEventListener('scroll', place, { signal, capture: true });
    }
    place();
  }

  #render(): void {
    const { host, field } = this.#context;
    const { character = '/' } = this.#trigger ?? {};
    const label = host.context.locale.text(character === '/' ? 'suggestCommand' : 'suggestMention');
    const hasOptions = this.#options.length > 0;
    render(
      html`${hasOptions ? this.#renderList(label, character) : ''}${
        this.#isSlow
          ? html`<p class="meta" role="status">${host.context.locale.text('suggestLoading')}</p>`
          : ''
      }`,
      this.#node,
    );
    if (hasOptions)
      field.node?.setAttribute('aria-activedescendant', `${this.#id}-${this.#active}`);
    else field.node?.removeAttribute('aria-activedescendant');
    this.#node.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' });
  }

  #renderList(label: string, character: string) {
    return html`<ul id=${this.#id} role="listbox" aria-label=${label}>
      ${this.#options.map((option, index) => this.#renderOption(option, index, character))}
    </ul>`;
  }

  #renderOption(option: Suggestion, index: number, character: string) {
    const { locale } = this.#context.host.context;
    // The field has the focus and handles the keys.
    // eslint-disable-next-line lit-a11y/click-events-have-key-events
    return html`<li
      id="${this.#id}-${index}"
      role="option"
      part="suggestion"
      lang=${langOfContent(locale)}
      aria-selected=${index === this.#active ? 'true' : 'false'}
      @click=${() => {
        this.#choose(option);
      }}
    >
      <bdi class="name">${character}${option.name}</bdi>
      ${option.description ? html`<span class="meta" dir="auto">${option.description}</span>` : ''}
    </li>`;
  }

  #choose({ name, text }: Suggestion): void {
    const { host, field } = this.#context;
    const trigger = this.#trigger;
    const { node } = field;
    if (!trigger || !node) return;
    const { character, start, query } = trigger;
    const inserted = text ?? character + name;
    const detail = {
      ...describeThread(host.controller),
      trigger: character,
      name,
      text: inserted,
    };
    this.close();
    const end = start + 1 + query.length;
    const hasSpace = inserted === '' || /^\s/.test(node.value.slice(end));
    insertText(node, hasSpace ? inserted : `${inserted} `, start, end);
    host.element.dispatchEvent(new UbikSuggestionChosenEvent(detail));
  }
}

/** Positions a popover above its anchor, or below it if there is little space above and more below. It stays within the visual viewport. */
export function placeAdjacent(box: HTMLElement, anchor: Element | null | undefined): void {
  if (!anchor) return;
  const { left, width, top, bottom } = anchor.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  // A virtual keyboard reduces only the visual viewport.
  const { offsetTop = 0, height = clientHeight } = window.visualViewport ?? {};
  const above = top - offsetTop - 2 * MARGIN;
  const below = offsetTop + height - bottom - 2 * MARGIN;
  const isAbove = above >= SUFFICIENT_SPACE || above >= below;
  const fitted = Math.min(width, clientWidth - 2 * MARGIN);
  const { style } = box;
  // At most 320 px high, with a gap of 4 px to the anchor.
  style.width = `${fitted}px`;
  style.maxHeight = `${Math.max(SUFFICIENT_SPACE / 2, Math.min(isAbove ? above : below, 320))}px`;
  const { height: boxHeight } = box.getBoundingClientRect();
  movePopover(
    box,
    Math.max(MARGIN, Math.min(left, clientWidth - fitted - MARGIN)),
    isAbove ? Math.max(MARGIN, top - boxHeight - 4) : bottom + 4,
  );
}

/** Replaces a range of a field's text and puts the caret after it, as if it was typed: the user can undo it, and `input` is dispatched. */
function insertText(field: HTMLTextAreaElement, text: string, start: number, end: number): void {
  field.focus({ preventScroll: true });
  field.setSelectionRange(start, end);
  const before = field.value;
  // `execCommand` is deprecated, but it is the only way to keep the undo history of the field. All browsers still support it.
  const isDone = text
    ? document.execCommand('insertText', false, text)
    : document.execCommand('delete');
  // `execCommand` can return true without having changed the text, which is then replaced without undo.
  if (isDone && field.value !== before) return;
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}
