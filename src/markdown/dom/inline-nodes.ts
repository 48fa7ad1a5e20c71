import { plainText, type ImageInline, type Inline, type LinkInline } from '../inline/inline.js';
import { make, type RenderContext } from './render-context.js';

/** A node and what it shows. */
export interface Entry {
  inline: Inline;
  readonly node: Node;
  /** What is in it, for emphasis and the like. */
  readonly children: Entry[];
  /** Characters at the beginning of a text node that are settled and not part of `inline`. */
  base: number;
}

/** Puts inline content into an element, from the entry at `from` on. Nodes that still fit are kept. */
export function patchInlines(
  context: RenderContext,
  parent: Node,
  entries: Entry[],
  from: number,
  inlines: readonly Inline[],
): void {
  const end = entries.at(-1)?.node.nextSibling ?? null;
  for (const [index, inline] of inlines.entries()) {
    const entry = entries[from + index];
    if (entry !== undefined && update(context, entry, inline)) continue;
    const created = createEntry(context, inline);
    if (entry === undefined) insert(parent, created.node, end);
    else parent.replaceChild(created.node, entry.node);
    entries[from + index] = created;
  }
  for (const entry of entries.splice(from + inlines.length)) parent.removeChild(entry.node);
}

function insert(parent: Node, node: Node, end: Node | null): void {
  if (end === null) parent.appendChild(node);
  else parent.insertBefore(node, end);
}

/** Makes an entry show something else, if its node can. */
function update(context: RenderContext, entry: Entry, inline: Inline): boolean {
  const old = entry.inline;
  if (inline.kind === 'text' || inline.kind === 'code') {
    if (old.kind !== inline.kind) return false;
    const node = inline.kind === 'text' ? entry.node : entry.node.firstChild;
    if (old.text !== inline.text) updateText(node as Text, entry.base, old.text, inline.text);
  } else if (inline.kind === 'emphasis' || inline.kind === 'strong' || inline.kind === 'strike') {
    if (old.kind !== inline.kind) return false;
    patchInlines(context, entry.node, entry.children, 0, inline.children);
  } else if (!isSame(old, inline)) {
    return false;
  }
  entry.inline = inline;
  return true;
}

function updateText(node: Text, base: number, old: string, text: string): void {
  if (text.startsWith(old)) {
    node.appendData(text.slice(old.length));
    return;
  }
  let same = 0;
  while (same < text.length && text.charCodeAt(same) === old.charCodeAt(same)) same += 1;
  node.replaceData(base + same, old.length - same, text.slice(same));
}

function isSame(a: Inline, b: Inline): boolean {
  switch (b.kind) {
    case 'link':
      return (
        a.kind === 'link' &&
        a.destination === b.destination &&
        a.title === b.title &&
        areSame(a.children, b.children)
      );
    case 'image':
      return (
        a.kind === 'image' &&
        a.destination === b.destination &&
        a.title === b.title &&
        a.alt === b.alt
      );
    case 'mark':
      return a.kind === 'mark' && a.key === b.key;
    case 'task':
      return a.kind === 'task' && a.done === b.done;
    case 'break':
      return a.kind === 'break';
    case 'text':
    case 'code':
      return a.kind === b.kind && a.text === b.text;
    case 'emphasis':
    case 'strong':
    case 'strike':
      return a.kind === b.kind && areSame(a.children, b.children);
  }
}

function areSame(a: readonly Inline[], b: readonly Inline[]): boolean {
  return a.length === b.length && a.every((inline, index) => isSame(inline, b[index] ?? inline));
}

const TAGS = { emphasis: 'em', strong: 'strong', strike: 'del' } as const;

function createEntry(context: RenderContext, inline: Inline): Entry {
  const children: Entry[] = [];
  const node = createNode(context, inline, children);
  return { inline, node, children, base: 0 };
}

function createNode(context: RenderContext, inline: Inline, children: Entry[]): Node {
  const { document } = context;
  switch (inline.kind) {
    case 'text':
      return document.createTextNode(inline.text);
    case 'code': {
      const code = make(context, 'code');
      code.append(document.createTextNode(inline.text));
      return code;
    }
    case 'emphasis':
    case 'strong':
    case 'strike': {
      const element = make(context, TAGS[inline.kind]);
      patchInlines(context, element, children, 0, inline.children);
      return element;
    }
    case 'break':
      return make(context, 'br');
    case 'link':
      return createLink(context, inline);
    case 'image':
      return createImage(context, inline);
    case 'mark':
      return context.mark(inline.key) ?? document.createTextNode('');
    case 'task': {
      const box = make(context, 'input', 'ubik-task');
      box.setAttribute('type', 'checkbox');
      box.setAttribute('disabled', '');
      box.setAttribute('aria-label', context.strings.task(inline.done));
      if (inline.done) box.setAttribute('checked', '');
      return box;
    }
  }
}

function createLink(context: RenderContext, inline: LinkInline): Node {
  const checked = context.urlPolicy.link(inline.destination, plainText(inline.children));
  const element = make(context, checked === null ? 'span' : 'a', 'ubik-link');
  if (checked === null) element.setAttribute('data-inert', '');
  if (inline.title !== '') element.setAttribute('title', inline.title);
  patchInlines(context, element, [], 0, inline.children);
  if (checked === null) return element;
  element.setAttribute('href', checked.href);
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer nofollow ugc');
  element.setAttribute('data-ubik-act', 'link');
  if (checked.showHost) {
    const host = make(context, 'bdi', 'ubik-link-host');
    host.append(context.document.createTextNode(` (${checked.host})`));
    element.append(host);
  }
  return element;
}

function createImage(context: RenderContext, inline: ImageInline): Node {
  const { strings, document } = context;
  const checked = context.urlPolicy.image(inline.destination);
  if (checked === null) {
    const blocked = make(context, 'span', 'ubik-image');
    blocked.setAttribute('data-inert', '');
    blocked.append(document.createTextNode(strings.blockedImage(inline.alt)));
    return blocked;
  }
  if (checked.automatic && context.takeImage()) {
    return imageElement(context.document, checked.src, inline.alt, inline.title);
  }
  const button = make(context, 'button', 'ubik-image');
  button.setAttribute('type', 'button');
  button.setAttribute('data-ubik-act', 'image');
  button.setAttribute('data-source', checked.src);
  button.setAttribute('data-alt', inline.alt);
  if (inline.title !== '') button.setAttribute('data-title', inline.title);
  button.append(document.createTextNode(strings.loadImage(inline.alt, checked.host)));
  return button;
}

/** Makes the element that loads an image. */
export function imageElement(document: Document, src: string, alt: string, title: string): Element {
  const image = document.createElement('img');
  image.setAttribute('class', 'ubik-image');
  image.setAttribute('loading', 'lazy');
  image.setAttribute('referrerpolicy', 'no-referrer');
  image.setAttribute('alt', alt);
  if (title !== '') image.setAttribute('title', title);
  image.setAttribute('src', src);
  return image;
}
