import { element } from '../internal/element.js';
import type { Mark } from '../model/part.js';
import type { ViewContext } from './part-view.js';

const marks = new WeakMap<Element, Mark>();

/** The citation that an element in the page stands for. */
export function markOf(node: Element): Mark | undefined {
  return marks.get(node);
}

/** What stands for a citation in a text: a small number, of which the card tells more. */
export function createCitation(mark: Mark, { locale }: ViewContext): HTMLElement {
  const label = mark.label.replace(/^\[|\]$/g, '');
  const button = element('button', 'cite', element('bdi', '', label));
  button.type = 'button';
  button.part.add('citation');
  const words = locale.text('source', { label });
  button.setAttribute('aria-label', mark.title ? `${words}: ${mark.title}` : words);
  marks.set(button, mark);
  return button;
}

/** What a cited address shows to a person: its host alone. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    // Not an absolute address: nothing to name.
    return '';
  }
}

/** Whether a citation says by itself what it points to. */
export function isNamed(mark: Mark): boolean {
  return mark.title !== undefined || mark.url !== undefined;
}

/** What a card or a line of the list says about a source. Its title is a link where the address may be followed. */
export function createSource(mark: Mark, { locale, checkLink }: ViewContext): HTMLElement {
  const url = mark.url ? checkLink(mark.url) : null;
  const host = url ? hostOf(url) : '';
  const title = mark.title ?? (host || locale.text('sourceUnnamed'));
  const name = element(url ? 'a' : 'span', 'title', element('bdi', '', title));
  if (url && name instanceof HTMLAnchorElement) {
    name.href = url;
    name.target = '_blank';
    name.rel = 'noopener noreferrer nofollow ugc';
  }
  const line = element('span', 'source', name);
  if (host && host !== title) line.append(' ', element('bdi', 'meta', host));
  return line;
}
