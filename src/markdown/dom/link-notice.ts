import { plainText, type Inline } from '../parser/inline.js';
import { AMBIGUOUS_TEXT } from '../link-disguise.js';
import { createElement, type RenderContext } from './render-context.js';

/** Elements whose content is part of the surrounding line. */
const INLINE_ELEMENTS = new Set(
  'a abbr b bdi bdo cite code del dfn em i ins kbd mark s samp small span strong time u var'.split(
    ' ',
  ),
);
/** Elements that separate texts even if they are empty: they are visible, or they end a line or cell. */
const VISIBLE_ELEMENTS = new Set(['br', 'button', 'hr', 'input', 'math', 'svg', 'td', 'th', 'li']);
/**
 * Characters of names and addresses, invisible characters, and spaces that may be too narrow to notice. Excludes scripts in which words, or
 * the particles of Korean, follow a name without a space.
 */
const JOINING_CHARACTER =
  /^(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{N}./:@_~%?&=#+·‧․∙⋅-]|[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffc]|(?![ \t\n\r\u00a0\u3000])\s)$/u;
/** Maximum length of the text read on each side. Longer than the longest host name. */
const MAX_ADJACENT_LENGTH = 300;
/** Maximum number of nodes read on each side. A name that is split into more nodes is malicious, and expensive to read for each link. */
const MAX_ADJACENT_NODES = 16;

/** Returns the text directly before and after a link, which a user may mistake for a part of the link text. */
function readAdjacentText(link: Element): readonly [before: string, after: string] {
  return [readSide(link, 'previousSibling'), readSide(link, 'nextSibling')];
}

type Side = 'previousSibling' | 'nextSibling';

function readSide(link: Element, side: Side): string {
  const isBefore = side === 'previousSibling';
  const read: string[] = [];
  let nodeCount = 0;
  for (let node = adjacentNode(link, side); node !== null; node = adjacentNode(node, side)) {
    if (isNotice(node)) continue;
    const text = textAt(node);
    if (text === null) break;
    if (nodeCount === MAX_ADJACENT_NODES) {
      read.push(AMBIGUOUS_TEXT);
      break;
    }
    nodeCount += 1;
    const letters = [
      ...(isBefore ? text.slice(-MAX_ADJACENT_LENGTH) : text.slice(0, MAX_ADJACENT_LENGTH)),
    ];
    if (isBefore) letters.reverse();
    const end = letters.findIndex((letter) => !JOINING_CHARACTER.test(letter));
    read.push(...(end < 0 ? letters : letters.slice(0, end)));
    if (end >= 0 || read.length >= MAX_ADJACENT_LENGTH) break;
  }
  return (isBefore ? read.reverse() : read).join('');
}

/**
 * Returns the adjacent node of the line on a side: a text node, or an element that is empty or whose content is not searched. Returns null
 * at the end of the line.
 */
function adjacentNode(from: Node, side: Side): Node | null {
  let node = from;
  while (node[side] === null) {
    const { parentElement } = node;
    if (parentElement === null || !INLINE_ELEMENTS.has(parentElement.localName)) return null;
    node = parentElement;
  }
  let next: Node = node[side];
  const end = side === 'previousSibling' ? 'lastChild' : 'firstChild';
  while (isElement(next) && isSearched(next) && next[end] !== null) next = next[end];
  return next;
}

/** The global `Element` would be that of another window, and is missing on a server. */
const isElement = (node: Node): node is Element => node.nodeType === 1;

const isNotice = (node: Node): boolean =>
  isElement(node) && node.classList.contains('ubik-link-host');

/** Whether the content of an element is read as a part of the line. */
const isSearched = (element: Element): boolean =>
  INLINE_ELEMENTS.has(element.localName) && !isNotice(element);

/** Returns the text of a node; null for an element that separates texts, because it is visible or ends the line. */
function textAt(node: Node): string | null {
  if (!isElement(node)) return node.nodeValue ?? '';
  if (node.localName === 'img') return node.getAttribute('alt') ?? '';
  const isVisible =
    VISIBLE_ELEMENTS.has(node.localName) || (node.textContent !== '' && !isSearched(node));
  return isVisible ? null : '';
}

interface LinkCheck {
  /** The text of the link, without its adjacent text. */
  readonly own: string;
  /** The text of the link with its adjacent text. */
  readonly text: string;
  readonly notice: string | null;
}

/** The last check of each link of Markdown. */
const lastChecks = new WeakMap<Node, LinkCheck>();

/** Records the result of a check, so that the link is not checked again until its text or its adjacent text changes. */
export function recordCheck(link: Node, check: LinkCheck): void {
  lastChecks.set(link, check);
}

/** The nodes of inline marks, such as citations, which can look like any text. */
const marks = new WeakSet<Node>();

/** Records that a node was created for an inline mark, and returns the node. */
export function recordMark(node: Node | null): Node | null {
  if (node) marks.add(node);
  return node;
}

/** What is needed to check links and to show their notices. */
export type NoticeContext = Pick<RenderContext, 'document' | 'urlPolicy'>;

/** Shows a notice in a link, in place of the one that it has. */
function showNotice(context: NoticeContext, link: Element, notice: string | null): void {
  const last = link.lastElementChild;
  const old = last?.matches('.ubik-link-host') ? last : null;
  if (old?.textContent === (notice ? ` (${notice})` : undefined)) return;
  old?.remove();
  if (!notice) return;
  link.append(
    createElement(context, 'bdi', { class: 'ubik-link-host', dir: 'ltr' }, ` (${notice})`),
  );
}

const LINK_SELECTOR = 'a[data-ubik-action=link]';

/** Updates the notices of the links in sanitized HTML, because inline marks may have been added to the HTML, and text beside it. */
export function updateHtmlNotices(context: NoticeContext, root: ParentNode): void {
  for (const link of root.querySelectorAll(LINK_SELECTOR)) updateHtmlNotice(context, link);
}

/** Updates the notices of the links in sanitized HTML around a node whose content has changed, and of the links in the same line. */
export function updateOuterNotices(context: NoticeContext, node: Node): void {
  let line = node;
  while (line.parentElement && INLINE_ELEMENTS.has((line as Element).localName))
    line = line.parentElement;
  if (line !== node) updateHtmlNotices(context, line as Element);
  const linkAround = (inner: Node): Element | null | undefined =>
    inner.parentElement?.closest(LINK_SELECTOR);
  for (let link = linkAround(line); link; link = linkAround(link)) updateHtmlNotice(context, link);
}

function updateHtmlNotice(context: NoticeContext, link: Element): void {
  const href = link.getAttribute('href') ?? '';
  showNotice(context, link, context.urlPolicy.checkLink(href, readLink(link))?.notice ?? null);
}

/**
 * Returns all readings of a link in HTML with its adjacent text, joined with spaces. An image is displayed or replaced with its description,
 * a user may read or skip ruby annotations, and `<rp>` is displayed only by browsers without ruby. A link of Markdown has one reading.
 */
function readLink(link: Element): string {
  const isReordered =
    link.closest('bdo') ?? link.querySelector(':is(bdi, bdo, [dir]):not(.ubik-link-host)');
  const [before, after] = readAdjacentText(link);
  const own = lastChecks.get(link)?.own;
  const texts = new Set(
    ['rp', 'rp, rt, img'].map((skipped) => `${before}${own ?? readText(link, skipped)}${after}`),
  );
  return [...texts, isReordered ? AMBIGUOUS_TEXT : ''].join(' ');
}

function readText(node: Node, skipped: string): string {
  if (marks.has(node)) return AMBIGUOUS_TEXT;
  if (!isElement(node)) return node.nodeValue ?? '';
  if (isNotice(node) || node.matches(skipped)) return '';
  if (node.localName === 'img') return node.getAttribute('alt') ?? '';
  return Array.from(node.childNodes, (child) => readText(child, skipped)).join('');
}

/** Updates the notices of links whose adjacent text may have changed: those from index `changed` on, and the ones shortly before. */
export function updateNotices(
  context: RenderContext,
  shown: readonly Inline[],
  changed: number,
): void {
  let from = changed;
  let [length, nodeCount] = [0, 0];
  while (from > 0 && length <= MAX_ADJACENT_LENGTH && nodeCount <= MAX_ADJACENT_NODES) {
    from -= 1;
    const node = shown[from]?.node;
    length += (node?.textContent?.length ?? 0) + 1;
    if (node) nodeCount += 1;
  }
  for (const entry of shown.slice(from)) updateEntry(context, entry);
}

function updateEntry(context: RenderContext, entry: Inline): void {
  const { kind, node, children } = entry;
  for (const child of children) updateEntry(context, child);
  if (kind === 'mark' && node && isElement(node) && node.classList.contains('ubik-extension'))
    updateHtmlNotices(context, node);
  if (kind !== 'link') return;
  // Called after rendering, so a link has its element.
  const link = node as Element;
  const [before, after] = readAdjacentText(link);
  const own = textOfLink(entry);
  const text = `${before}${own}${after}`;
  const known = lastChecks.get(link);
  const notice =
    known?.text === text
      ? known.notice
      : (context.urlPolicy.checkLink(entry.destination, text)?.notice ?? null);
  recordCheck(link, { own, text, notice });
  showNotice(context, link, notice);
}

/**
 * Returns the text of a link. Marks it as ambiguous if the link contains an inline mark, such as a formula, which can look like any text.
 */
export function textOfLink({ children }: Inline): string {
  return plainText(children) + (hasMark(children) ? AMBIGUOUS_TEXT : '');
}

function hasMark(list: readonly Inline[]): boolean {
  return list.some(({ kind, children }) => kind === 'mark' || hasMark(children));
}
