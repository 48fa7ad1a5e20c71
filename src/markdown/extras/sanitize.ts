import purifier, { type Config } from 'dompurify';
import type { CheckedLink } from '../url-policy.js';

/** What cleaning needs of the page, and the one judge of addresses. */
export interface SanitizeContext {
  readonly document: Document;
  /** Stands in the text of a link for what is drawn otherwise than it is read. */
  readonly ambiguousText: string;
  /** Null for an address that leads nowhere. */
  checkLink(href: string, text: string): CheckedLink | null;
  /** What stands against a link without a blank. */
  readAdjacentText(element: Element): readonly [before: string, behind: string];
  /** Puts beside the text of a link what the text hides. */
  addNotice(element: Element, link: CheckedLink): void;
  /** Null for a picture that may not load by itself. */
  checkImage(src: string): { readonly src: string } | null;
}

/** HTML that is longer or deeper, or that could become more elements, stays text. */
const MAX_LENGTH = 262_144;
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 30_000;

const splitNames = (text: string): string[] => text.split(' ');
const CONFIG: Config & { RETURN_DOM_FRAGMENT: true } = {
  RETURN_DOM_FRAGMENT: true,
  ALLOWED_TAGS: splitNames(
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr',
  ),
  ALLOWED_ATTR: splitNames(
    'alt colspan datetime dir height href lang open reversed rowspan scope span src start title width',
  ),
  FORBID_TAGS: splitNames('style form svg math'),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
};

/**
 * Raw HTML of a closed block as nodes of the page, with nothing in it that runs, loads or poses as something else. Null for HTML that
 * is too long, too deep or too large. Links and pictures go by the kit's rules; a picture that may not load is left out, with its description in its place.
 */
export function sanitize(html: string, kit: SanitizeContext): DocumentFragment | null {
  if (html.length > MAX_LENGTH || isTooLarge(html)) return null;
  const fragment = purify(html);
  if (!fragment) return null;
  for (const link of fragment.querySelectorAll('a')) applyLinkPolicy(link, kit);
  for (const image of fragment.querySelectorAll('img')) applyImagePolicy(image, kit);
  return kit.document.adoptNode(fragment);
}

/** The library makes its policy for Trusted Types when it is loaded; where it may not, it has nothing to give. */
function purify(html: string): DocumentFragment | null {
  const fragment: DocumentFragment | null = purifier.sanitize(html, CONFIG);
  // It has nothing to give of a page of frames either; of a letter it always has.
  const probe: DocumentFragment | null = fragment ?? purifier.sanitize('a', CONFIG);
  if (probe) return fragment;
  throw new Error('Raw HTML cannot be read: the page must list `trusted-types dompurify`.');
}

/** Elements that have no end tag, or may leave it out. */
const UNCLOSED = new Set(
  splitNames('area br col embed hr img input link meta source track wbr p li dd dt td tr th thead'),
);
/** Elements that the parser opens anew, with their attributes, wherever something closes what they stand in. */
const FORMATTING_ELEMENTS = new Set(
  splitNames('a b big code em font i nobr s small strike strong tt u'),
);
/** Tags and what is in them up to the first bracket: the beginning of all that a parser takes for a tag, and of some text. */
const TAG = /<(\/?)([a-z][^\s/>]*)([^>]*)/gi;
/** Attributes that end where the first bracket says. */
const UNAMBIGUOUS_ATTRIBUTES = /^(?:\s+[a-z-]+="[^"<]*")*\s*$/i;

/**
 * Estimates, without understanding the tags, what a parser could make of them: enough to keep it from a pit, and from making far more
 * elements than there are tags.
 */
function isTooLarge(html: string): boolean {
  const open = new Map<string, number>();
  const repeated = new Map<string, number>();
  let depth = 0;
  let started = 0;
  let tags = 0;
  for (const [, slash, written = '', attributes = ''] of html.matchAll(TAG)) {
    const name = written.toLowerCase();
    tags += 1;
    const count = open.get(name) ?? 0;
    // An end tag of what is not open closes nothing.
    const step = slash === '' ? 1 : -Math.min(1, count);
    if (!UNCLOSED.has(name)) {
      open.set(name, count + step);
      depth += step;
    }
    if (depth > MAX_DEPTH) return true;
    if (slash !== '') continue;
    started += 1;
    if (!FORMATTING_ELEMENTS.has(name)) continue;
    const isClear = UNAMBIGUOUS_ATTRIBUTES.test(attributes);
    const alike = name === 'a' ? name : `${name}${isClear ? attributes : ` ${String(tags)}`}`;
    repeated.set(alike, (repeated.get(alike) ?? 0) + 1);
  }
  // Of those that are alike the parser repeats three, and of links one.
  let most = 0;
  for (const [alike, count] of repeated) most += Math.min(count, alike === 'a' ? 1 : 3);
  return started + tags * most > MAX_ELEMENTS;
}

function applyLinkPolicy(element: Element, kit: SanitizeContext): void {
  const href = element.getAttribute('href');
  const link = href === null ? null : kit.checkLink(href, textOf(element, kit));
  element.removeAttribute('href');
  if (!link) return;
  element.setAttribute('href', link.href);
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer nofollow ugc');
  element.setAttribute('class', 'ubik-link');
  element.setAttribute('data-ubik-act', 'link');
  kit.addNotice(element, link);
}

/**
 * What a person may read on a link. A picture is drawn or is its description, small signs above a text may be read along or passed
 * over, and nothing shows brackets around them where the signs themselves are shown.
 */
function textOf(
  link: Element,
  { ambiguousText: unreadable, readAdjacentText: around }: SanitizeContext,
): string {
  const isTurned = link.closest('bdo') ?? link.querySelector('bdi, bdo, [dir]');
  const [before, behind] = around(link);
  const texts = new Set(
    ['rp', 'rp, rt, img'].map((passedOver) => `${before}${readText(link, passedOver)}${behind}`),
  );
  return [...texts, isTurned ? unreadable : ''].join(' ');
}

function readText(node: Node, passedOver: string): string {
  if (!(node instanceof Element)) return node.nodeValue ?? '';
  if (node.matches(passedOver)) return '';
  if (node.localName === 'img') return node.getAttribute('alt') ?? '';
  return [...node.childNodes].map((child) => readText(child, passedOver)).join('');
}

function applyImagePolicy(element: Element, kit: SanitizeContext): void {
  const image = kit.checkImage(element.getAttribute('src') ?? '');
  if (image) {
    element.setAttribute('src', image.src);
    element.setAttribute('referrerpolicy', 'no-referrer');
    element.setAttribute('loading', 'lazy');
  } else element.replaceWith(element.getAttribute('alt') ?? '');
}
