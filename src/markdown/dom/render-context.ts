import type { FrameScheduler } from '../../dom/frames.js';
import type { MarkdownStrings } from '../options.js';
import type { UrlPolicy } from '../url-policy.js';
import type { LazyExtras } from './extras.js';
import type { Footnotes } from './footnotes.js';
import type { ImageQuota } from './image-quota.js';
import type { ReferenceMap } from './references.js';

/** What all parts of one view share. */
export interface RenderContext {
  readonly document: Document;
  readonly frames: FrameScheduler;
  readonly urlPolicy: UrlPolicy;
  readonly strings: MarkdownStrings;
  readonly references: ReferenceMap;
  readonly footnotes: Footnotes;
  readonly extras: LazyExtras;
  readonly images: ImageQuota;
  /** The node of an inline mark. */
  mark(key: string): Node | null;
}

/** Makes an element. An attribute without a value is left out. */
export function createElement(
  { document }: { readonly document: Document },
  tag: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Gives an element attributes, and takes away those without a value. */
export function setAttributes(
  element: Element,
  attributes: Readonly<Record<string, string | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

/** How long a text node may be that still grows. */
export const MAX_TEXT_NODE = 4096;

/** Adds to a text. Returns the node that grows: the browser copies all of a node for each addition, so that another goes on behind a long one. */
export function appendToText(node: Text, text: string): Text {
  if (node.length < MAX_TEXT_NODE) {
    node.appendData(text);
    return node;
  }
  const next = node.ownerDocument.createTextNode(text);
  node.after(next);
  return next;
}
