import purifier, { type Config } from 'dompurify';
import { OWN_CLASSES } from './own-classes.js';

/** Context of the sanitizer: the document and the URL policy. */
export interface SanitizeContext {
  readonly document: Document;
  /** Returns null for a link that is not allowed. */
  checkLink(href: string): { readonly href: string } | null;
  /** Returns the image if it may be loaded without a click, else null. */
  checkImage(src: string): { readonly src: string } | null;
  /** Whether the HTML was written by an extension of the host page: it may have classes, icons and formulas. */
  readonly isOfExtension?: boolean;
}

/** HTML beyond these limits (length in UTF-16 units, depth and number of elements) is rendered as text. */
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

/** The HTML of extensions may also have classes, simple SVG icons and MathML. */
const EXTENSION_CONFIG: typeof CONFIG = {
  ...CONFIG,
  ALLOWED_TAGS: [
    ...(CONFIG.ALLOWED_TAGS as string[]),
    ...splitNames('section svg g path circle ellipse line polygon polyline rect'),
    ...splitNames(
      'math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mpadded mphantom menclose mstyle',
    ),
  ],
  ALLOWED_ATTR: [
    ...(CONFIG.ALLOWED_ATTR as string[]),
    ...splitNames(
      'aria-hidden aria-label class cx cy d fill fill-rule clip-rule points r rx ry stroke stroke-linecap stroke-linejoin stroke-width viewbox x x1 x2 y y1 y2',
    ),
    ...splitNames(
      'accent accentunder columnalign columnspacing columnlines depth display encoding fence linethickness lspace mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace scriptlevel displaystyle separator stretchy symmetric voffset xmlns',
    ),
  ],
  FORBID_TAGS: splitNames('style form'),
};

/** A configuration with its allowed names. */
interface Rules {
  readonly config: typeof CONFIG;
  readonly tags: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
}

const createRules = (config: typeof CONFIG): Rules => ({
  config,
  tags: new Set(config.ALLOWED_TAGS as string[]),
  attributes: new Set(config.ALLOWED_ATTR as string[]),
});
const RULES = createRules(CONFIG);
const EXTENSION_RULES = createRules(EXTENSION_CONFIG);

/**
 * Sanitizes the raw HTML of a closed block or of an extension: removes scripts, embedded resources, and elements that could imitate the
 * user interface. Returns null for HTML that is too long, too deep or too large. Throws if the Content-Security-Policy of the page, or the
 * page's own configuration of DOMPurify, prevents it. Applies the URL policy to links and images, without the notices of links; an image
 * that is not loaded without a click is replaced with its description.
 */
export function sanitize(html: string, context: SanitizeContext): DocumentFragment | null {
  if (html.length > MAX_LENGTH || isTooLarge(html)) return null;
  const fragment = purify(html, context.isOfExtension ? EXTENSION_RULES : RULES);
  if (!fragment) return null;
  for (const element of fragment.querySelectorAll('[class], [fill], [stroke], [href]:not(a)'))
    restrictAttributes(element);
  for (const link of fragment.querySelectorAll('a')) applyLinkPolicy(link, context);
  for (const image of fragment.querySelectorAll('img')) applyImagePolicy(image, context);
  return context.document.adoptNode(fragment);
}

/** Runs DOMPurify. It creates its Trusted Types policy when it is loaded; if the page does not allow the policy, it returns nothing. */
function purify(html: string, rules: Rules): DocumentFragment | null {
  const fragment: DocumentFragment | null = purifier.sanitize(html, rules.config);
  // DOMPurify also returns nothing for a frameset. Sanitizing a single letter distinguishes the two cases.
  const probe: DocumentFragment | null = fragment ?? purifier.sanitize('a', CONFIG);
  if (!probe)
    throw new Error(
      'Raw HTML cannot be sanitized: the Content-Security-Policy must allow `trusted-types dompurify`.',
    );
  if (fragment && !isAllowed(fragment, rules))
    throw new Error(
      'HTML cannot be sanitized: `setConfig` or a hook of the copy of DOMPurify that the page uses allows other elements. Use another instance for them: `createDOMPurify(window)`.',
    );
  return fragment;
}

/**
 * Removes attributes that are not allowed, and returns whether all elements are allowed. Needed because the page may have given its copy of
 * DOMPurify a configuration and hooks, which take precedence.
 */
function isAllowed(fragment: DocumentFragment, { tags, attributes }: Rules): boolean {
  // A copy that the page has configured may return a string.
  if (typeof fragment === 'string') return false;
  for (const element of fragment.querySelectorAll('*')) {
    if (!tags.has(element.localName)) return false;
    for (const name of element.getAttributeNames())
      if (!attributes.has(name.toLowerCase())) element.removeAttribute(name);
  }
  return true;
}

/** Elements without an end tag, or whose end tag may be omitted. */
const UNCLOSED = new Set(
  splitNames('area br col embed hr img input link meta source track wbr p li dd dt td tr th thead'),
);
/** Formatting elements, which the HTML parser reopens with their attributes after an enclosing element was closed. */
const FORMATTING_ELEMENTS = new Set(
  splitNames('a b big code em font i nobr s small strike strong tt u'),
);
/** Everything that an HTML parser may parse as the beginning of a tag, up to the first `>`. */
const TAG = /<(\/?)([a-z][^\s/>]*)([^>]*)/gi;
/** Attributes that end at the first `>` in every parser state. */
const UNAMBIGUOUS_ATTRIBUTES = /^(?:\s+[a-z-]+="[^"<]*")*\s*$/i;

/**
 * Estimates the depth and number of elements that an HTML parser could create, without parsing. It rejects HTML that is nested too
 * deeply or expands to far more elements than it has tags.
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
    // An end tag without a start tag closes nothing.
    const step = slash === '' ? 1 : -Math.min(1, count);
    if (!UNCLOSED.has(name)) {
      open.set(name, count + step);
      depth += step;
    }
    if (depth > MAX_DEPTH) return true;
    if (slash !== '') continue;
    started += 1;
    if (!FORMATTING_ELEMENTS.has(name)) continue;
    const isUnambiguous = UNAMBIGUOUS_ATTRIBUTES.test(attributes);
    const signature =
      name === 'a' ? name : `${name}${isUnambiguous ? attributes : ` ${String(tags)}`}`;
    repeated.set(signature, (repeated.get(signature) ?? 0) + 1);
  }
  // The parser reopens at most three identical formatting elements ("Noah's Ark clause"), and one link.
  let reopened = 0;
  for (const [signature, count] of repeated) reopened += Math.min(count, signature === 'a' ? 1 : 3);
  return started + tags * reopened > MAX_ELEMENTS;
}

/** Whether style sheets or code of the elements select a class. In a page in quirks mode, selectors match class names in any case. */
const isOwnClass = (name: string): boolean =>
  /^ubik-/i.test(name) || OWN_CLASSES.has(name.toLowerCase());

/** Removes what would imitate the user interface or load a file: names of our classes, links other than `<a>`, and paints with a URL. */
function restrictAttributes(element: Element): void {
  if (element.localName !== 'a') element.removeAttribute('href');
  element.classList.remove(...[...element.classList].filter(isOwnClass));
  for (const name of ['fill', 'stroke']) {
    if (!/^#?\w*$/.test(element.getAttribute(name) ?? '')) element.removeAttribute(name);
  }
}

function applyLinkPolicy(element: Element, context: SanitizeContext): void {
  // A link in SVG is not allowed: its property `href` is not a string, as the events of the elements need, and its notice would not be displayed.
  const href = element instanceof SVGElement ? null : element.getAttribute('href');
  const link = href === null ? null : context.checkLink(href);
  element.removeAttribute('href');
  if (!link) return;
  element.setAttribute('href', link.href);
  element.setAttribute('target', '_blank');
  element.setAttribute('rel', 'noopener noreferrer nofollow ugc');
  element.classList.add('ubik-link');
  element.setAttribute('data-ubik-action', 'link');
}

function applyImagePolicy(element: Element, context: SanitizeContext): void {
  const image = context.checkImage(element.getAttribute('src') ?? '');
  if (image) {
    element.setAttribute('src', image.src);
    element.setAttribute('referrerpolicy', 'no-referrer');
    element.setAttribute('loading', 'lazy');
  } else element.replaceWith(element.getAttribute('alt') ?? '');
}
