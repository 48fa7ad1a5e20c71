import type { Inline, InlineKind } from '../parser/inline.js';
import { recordCheck, textOfLink } from './link-notice.js';
import { createElement, type RenderContext } from './render-context.js';

/** The images that the user has loaded, by the buttons that they have replaced. */
export const loadedImages = new WeakMap<Node, ChildNode>();

/** Returns the DOM node that shows an inline node: the image if one has replaced the button. */
function attachedNode(inline: Inline | undefined): ChildNode | null {
  const node = inline?.node ?? null;
  return (node && loadedImages.get(node)) ?? node;
}

/** Replaces the inline nodes of an element from index `from` on. DOM nodes that can be updated are reused. */
export function patchInlines(
  context: RenderContext,
  parent: Node,
  shown: Inline[],
  from: number,
  wanted: readonly Inline[],
): void {
  const following = attachedNode(shown.at(-1))?.nextSibling ?? null;
  for (const [index, next] of wanted.entries()) {
    const old = shown[from + index];
    if (old === undefined || !updateNode(context, old, next)) {
      next.node = createNode(context, next);
      const replaced = attachedNode(old);
      if (replaced) replaced.replaceWith(next.node);
      else parent.insertBefore(next.node, following);
    }
    shown[from + index] = next;
  }
  for (const removed of shown.splice(from + wanted.length)) attachedNode(removed)?.remove();
}

/** Kinds of elements that consist of their children. */
const SPANS: ReadonlySet<InlineKind> = new Set([
  'em',
  'strong',
  'del',
  'sub',
  'sup',
  'kbd',
  'highlight',
]);

/** Updates the DOM node of `old` to render `next`. Returns false when it has to be replaced. */
function updateNode(context: RenderContext, old: Inline, next: Inline): boolean {
  const { kind } = next;
  if (old.kind !== kind || old.node === null) return false;
  if (kind === 'text' || kind === 'code') {
    const node = kind === 'text' ? old.node : old.node.firstChild;
    updateText(node as Text, old.stableLength, old.text, next.text);
  } else if (SPANS.has(kind)) {
    // `next.children` takes over the list of shown nodes, which the new children then replace.
    const children = next.children.splice(0);
    next.children.push(...old.children);
    patchInlines(context, old.node, next.children, 0, children);
  } else if (!isEqualInline(old, next)) {
    return false;
  }
  next.node = old.node;
  next.stableLength = old.stableLength;
  return true;
}

/** Changes the text after the stable beginning of a text node. Replaces only what is different. */
function updateText(node: Text, stableLength: number, old: string, text: string): void {
  if (old === text) return;
  if (text.startsWith(old)) return node.appendData(text.slice(old.length));
  let same = 0;
  while (same < text.length && text.charCodeAt(same) === old.charCodeAt(same)) same += 1;
  node.replaceData(stableLength + same, old.length - same, text.slice(same));
}

function isEqualInline(a: Inline, b: Inline | undefined): boolean {
  return (
    a.kind === b?.kind &&
    a.text === b.text &&
    a.destination === b.destination &&
    a.title === b.title &&
    a.children.length === b.children.length &&
    a.children.every((child, index) => isEqualInline(child, b.children[index]))
  );
}

function createNode(context: RenderContext, inline: Inline): ChildNode {
  const { kind, text, children } = inline;
  const { document, mark, strings } = context;
  if (kind === 'text') return document.createTextNode(text);
  if (kind === 'mark') return (mark(text) as ChildNode | null) ?? document.createTextNode('');
  if (kind === 'image') return createImage(context, inline);
  if (kind === 'footnote') return context.footnotes.createReference(text);
  if (kind === 'link') return createLink(context, inline);
  if (kind === 'task') {
    return createElement(context, 'input', {
      class: 'ubik-task',
      type: 'checkbox',
      disabled: '',
      lang: strings.lang,
      'aria-label': strings.task(text !== ''),
      checked: text === '' ? undefined : '',
    });
  }
  const element = createElement(context, kind === 'highlight' ? 'mark' : kind);
  if (kind === 'code') {
    element.setAttribute('translate', 'no');
    element.append(text);
  }
  patchInlines(context, element, [], 0, children);
  return element;
}

/** Creates a link. Its notice is added later, when the adjacent text is rendered. */
function createLink(context: RenderContext, link: Inline): ChildNode {
  const { destination, title, children } = link;
  const text = textOfLink(link);
  const checked = context.urlPolicy.checkLink(destination, text);
  const element = createElement(context, checked === null ? 'span' : 'a', {
    class: 'ubik-link',
    title: title || undefined,
    ...(checked === null
      ? { 'data-inert': '' }
      : {
          href: checked.href,
          target: '_blank',
          rel: 'noopener noreferrer nofollow ugc',
          'data-ubik-action': 'link',
          // The print style sheet appends the address to all other links.
          'data-bare': isAddress(text, checked.href) ? '' : undefined,
        }),
  });
  patchInlines(context, element, [], 0, children);
  if (checked !== null) recordCheck(element, { own: text, text, notice: checked.notice });
  return element;
}

/** Whether a link text is the URL itself, with or without scheme and trailing slash. */
function isAddress(text: string, href: string): boolean {
  const bare = (address: string): string => address.trim().replace(/^https?:\/\/|\/$/g, '');
  return bare(text) === bare(href);
}

function createImage(context: RenderContext, { destination, title, text }: Inline): ChildNode {
  const { strings, urlPolicy } = context;
  const checked = urlPolicy.checkImage(destination);
  if (checked === null) {
    const blocked = { class: 'ubik-image', lang: strings.lang, 'data-inert': '' };
    return createElement(context, 'span', blocked, strings.blockedImage(text));
  }
  const { src, host, automatic } = checked;
  const { images } = context;
  if (automatic && images.hasRoom) return images.add(createImageElement(context, src, text, title));
  const button = {
    class: 'ubik-image',
    type: 'button',
    lang: strings.lang,
    'data-ubik-action': 'image',
    'data-source': src,
    'data-alt': text,
    'data-title': title || undefined,
  };
  // The description must not reorder the host name.
  return createElement(
    context,
    'button',
    button,
    strings.loadImage(text.replace(BIDI_CONTROLS, ''), host),
  );
}

/** Characters that change the direction of the following text. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Creates the element that loads an image. */
export function createImageElement(
  context: { readonly document: Document },
  src: string,
  alt: string,
  title: string | undefined,
): HTMLElement {
  return createElement(context, 'img', {
    class: 'ubik-image',
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    alt,
    title: title || undefined,
    src,
  });
}
