import type { FrameScheduler } from '../../dom/frames.js';
import type { MarkdownStrings } from '../options.js';
import type { UrlPolicy } from '../url-policy.js';
import type { LazyExtras } from './extras.js';
import type { Footnotes } from './footnotes.js';
import type { ImageQuota } from './image-quota.js';
import type { ReferenceMap } from './references.js';

/** The shared objects of the renderers of a view. */
export interface RenderContext {
  readonly document: Document;
  readonly frames: FrameScheduler;
  readonly urlPolicy: UrlPolicy;
  readonly strings: MarkdownStrings;
  readonly references: ReferenceMap;
  readonly footnotes: Footnotes;
  readonly extras: LazyExtras;
  readonly images: ImageQuota;
  /** Creates the node of an inline mark. */
  mark(key: string): Node | null;
  /** Renders a part of the block that begins at `start`: blocks into a `div`, or inline text into a `span`. */
  drawPart(source: string, start: number, isInline: boolean): Element;
}

/** Creates an element. Attributes with the value undefined are omitted. */
export function createElement(
  { document }: { readonly document: Document },
  tag: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (Node | string)[]
): HTMLElement {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  // Most elements have no children yet, and calls of the DOM are expensive.
  if (children.length > 0) element.append(...children);
  return element;
}

/** Sets attributes of an element. Removes those with the value undefined. */
export function setAttributes(
  element: Element,
  attributes: Readonly<Record<string, string | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }
}

/** Length of a text node, in UTF-16 units, beyond which text is appended to a new node. */
export const MAX_TEXT_NODE = 4096;

/**
 * Appends to a text node, or creates a new one after a long text node, since browsers copy the whole node for each append. Returns the
 * node.
 */
export function appendToText(node: Text, text: string): Text {
  if (node.length < MAX_TEXT_NODE) {
    node.appendData(text);
    return node;
  }
  const next = node.ownerDocument.createTextNode(text);
  node.after(next);
  return next;
}
