import { copyText } from '../../dom/copy-text.js';
import type * as Tables from '../extras/tables.js';
import { defaultStrings, type MarkdownOptions } from '../options.js';
import { createUrlPolicy } from '../url-policy.js';
import { createImageElement, loadedImages } from './inline-nodes.js';

type ActionOptions = Pick<
  MarkdownOptions,
  'document' | 'urlPolicy' | 'strings' | 'onLink' | 'onImage' | 'loadExtra'
>;

/** The types of events that `handleMarkdownEvent` handles. */
export const MARKDOWN_EVENTS = ['click', 'pointerover', 'focusin'];

/**
 * Handles an event inside rendered Markdown: a click on a link, image button, copy or wrap button, footnote reference or backlink, and
 * `pointerover` or `focusin` on a table, which loads its tools. Returns whether the event was handled. It also works on Markdown whose
 * view has been disposed.
 */
export function handleMarkdownEvent(event: Event, options: ActionOptions): boolean {
  const [target] = event.composedPath();
  const name = event.type === 'click' ? 'data-ubik-action' : 'data-ubik-extra';
  const element = target && 'closest' in target ? (target as Element).closest(`[${name}]`) : null;
  const action = ACTIONS.get(element?.getAttribute(name) ?? '');
  if (element === null || action === undefined) return false;
  action(element, options, event);
  return true;
}

type Action = (element: Element, options: ActionOptions, event: Event) => void;

const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['link', followLink],
  ['image', loadImage],
  ['copy-code', copyCode],
  ['wrap-code', wrapCode],
  ['tables', enhanceTable],
  ['footnote', focusFootnote],
]);

function followLink(element: Element, options: ActionOptions, event: Event): void {
  const { urlPolicy = createUrlPolicy(), onLink } = options;
  const link = urlPolicy.checkLink(element.getAttribute('href') ?? '', element.textContent);
  if (link === null || onLink?.(link, event) === false) event.preventDefault();
}

/** Focuses a footnote or the reference to it. A fragment in the URL would not find an element in a shadow tree. */
function focusFootnote(link: Element, _options: ActionOptions, event: Event): void {
  event.preventDefault();
  const id = link.getAttribute('href')?.slice(1) ?? '';
  const root = link.getRootNode() as Partial<DocumentOrShadowRoot & NonElementParentNode>;
  const target = root.getElementById?.(id);
  const focused = target?.localName === 'sup' ? target.firstElementChild : target;
  (focused as HTMLElement | null | undefined)?.focus();
}

function loadImage(button: Element, options: ActionOptions): void {
  const { urlPolicy = createUrlPolicy(), onImage } = options;
  const image = urlPolicy.checkImage(button.getAttribute('data-source') ?? '');
  if (image === null || onImage?.(image) === false) return;
  const alt = button.getAttribute('data-alt') ?? '';
  const title = button.getAttribute('data-title') ?? '';
  const loaded = createImageElement(options, image.src, alt, title);
  loaded.tabIndex = -1;
  loadedImages.set(button, loaded);
  replaceAndFocus(button, loaded);
  // After a failure, the button is shown again, because there is no other way to load the image.
  loaded.addEventListener('error', () => {
    loadedImages.delete(button);
    replaceAndFocus(loaded, button as HTMLElement);
  });
}

/** Replaces an element. If it has the focus, its replacement gets it. */
function replaceAndFocus(element: Element, replacement: HTMLElement): void {
  const hadFocus = element.matches(':focus');
  element.replaceWith(replacement);
  if (hadFocus) replacement.focus({ preventScroll: true });
}

function wrapCode(button: Element): void {
  const isWrapped = button.closest('.ubik-code')?.toggleAttribute('data-wrapped');
  button.setAttribute('aria-pressed', `${isWrapped}`);
}

function copyCode(button: Element, { strings = defaultStrings }: ActionOptions): void {
  const code = button.closest('.ubik-code')?.querySelector('pre > code');
  copyText(button, code?.textContent ?? '', strings);
}

function enhanceTable(area: Element, options: ActionOptions): void {
  const { document, strings = defaultStrings, loadExtra } = options;
  area.removeAttribute('data-ubik-extra');
  loadExtra?.('tables').then(
    (extra) =>
      (extra as typeof Tables).enhanceTable(area, {
        document,
        strings,
        copy: (button, text) => copyText(button, text, strings),
      }),
    // A table is readable without its tools.
    () => undefined,
  );
}
