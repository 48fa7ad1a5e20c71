import { copyText } from '../../dom/copy-text.js';
import type * as Tables from '../extras/tables.js';
import { defaultStrings, type MarkdownOptions } from '../options.js';
import { createUrlPolicy } from '../url-policy.js';
import { createImageElement } from './inline-nodes.js';

type ActionOptions = Pick<
  MarkdownOptions,
  'document' | 'urlPolicy' | 'strings' | 'onLink' | 'onImage' | 'loadExtra'
>;

/** The events that `handleMarkdownEvent` takes. */
export const MARKDOWN_EVENTS = ['click', 'pointerover', 'focusin'];

/**
 * Does what a person asked for by a click inside Markdown: follows a link, loads an image, copies or wraps a code block. When
 * somebody comes to a table (`pointerover`, `focusin`), loads what can be done with it. Returns whether the event was one of these.
 * Works on any Markdown in the page, also on one that no view belongs to any more.
 */
export function handleMarkdownEvent(event: Event, options: ActionOptions): boolean {
  const [target] = event.composedPath();
  const name = event.type === 'click' ? 'data-ubik-act' : 'data-ubik-extra';
  const element = target && 'closest' in target ? (target as Element).closest(`[${name}]`) : null;
  const act = ACTIONS.get(element?.getAttribute(name) ?? '');
  if (element === null || act === undefined) return false;
  act(element, options, event);
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

/** Goes to a note or back: the address alone would not find it in a shadow tree. */
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
  button.replaceWith(createImageElement(options, image.src, alt, title));
}

function wrapCode(button: Element): void {
  const isWrapped = button.closest('.ubik-code')?.toggleAttribute('data-wrapped');
  button.setAttribute('aria-pressed', `${isWrapped}`);
}

function copyCode(button: Element, { strings = defaultStrings }: ActionOptions): void {
  const code = button.closest('.ubik-code')?.querySelector('pre > code');
  copyText(button, code?.textContent ?? '', strings.copied);
}

function enhanceTable(area: Element, options: ActionOptions): void {
  const { document, strings = defaultStrings, loadExtra } = options;
  area.removeAttribute('data-ubik-extra');
  loadExtra?.('tables').then(
    (part) =>
      (part as typeof Tables).enhanceTable(area, {
        document,
        strings,
        copy: (button, text) => copyText(button, text, strings.copied),
      }),
    // It can be read without.
    () => undefined,
  );
}
