import { escapeHtml } from '../../dom/escape-html.js';
import { taskSymbol } from '../rendered-text.js';

/**
 * Elements that are serialized. Others, except those that are removed, are replaced by their content. `head`, `title` and `meta` are those of an
 * exported page.
 */
const ALLOWED_TAGS = new Set(
  (
    'head title meta main header footer section article h1 h2 h3 h4 h5 h6 p div span a b strong i em del s u sub sup kbd ' +
    'code pre blockquote ul ol li hr br table thead tbody tfoot tr th td details summary time bdi small mark cite dl dt dd'
  ).split(' '),
);
/**
 * Elements that are omitted with their content, because they need a script, load something, or style the page around them. Citations, images of
 * Markdown and the checkboxes of tasks are converted instead.
 */
const REMOVED_TAGS = new Set([
  'button',
  'script',
  'style',
  'template',
  'iframe',
  'object',
  'embed',
  'svg',
  'img',
]);
const VOID_TAGS = new Set(['meta', 'hr', 'br']);
/**
 * Attributes that are serialized. `data-bare` marks a link whose text is its address; `charset`, `name`, `content` and `http-equiv` are those of
 * `meta`.
 */
const ALLOWED_ATTRIBUTES = new Set(
  'class dir lang translate href data-bare start colspan rowspan open datetime id charset name content http-equiv'.split(
    ' ',
  ),
);
/** URLs that a link may have. */
const SAFE_URL = /^(?:https?:\/\/|mailto:|tel:|#)/i;

/** Serializes a node as HTML with the allowed elements and attributes. Text is always escaped. */
export function serializeHtml(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escapeHtml((node as Text).data);
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const { localName, attributes, childNodes } = node as Element;
  const converted = convert(node as Element);
  if (converted !== null) return converted;
  if (REMOVED_TAGS.has(localName)) return '';
  const content = [...childNodes].map(serializeHtml).join('');
  // A group of items is replaced by its items, because other programs expect nothing else in a list.
  const isGroup = (node as Element).classList.contains('ubik-items');
  if (isGroup || !ALLOWED_TAGS.has(localName)) return content;
  const allowed = [...attributes].filter(
    ({ name, value }) => ALLOWED_ATTRIBUTES.has(name) && (name !== 'href' || SAFE_URL.test(value)),
  );
  const serialized = allowed.map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`);
  const start = `<${localName}${serialized.join('')}>`;
  return VOID_TAGS.has(localName) ? start : `${start}${content}</${localName}>`;
}

/** Serializes an element that has another form in HTML without scripts and requests; null for any other element. */
function convert(node: Element): string | null {
  if (node.matches('button.cite')) return `<sup>[${escapeHtml(node.textContent)}]</sup>`;
  // A drawing of the host page in place of a code block. The code is still beside it, and is serialized.
  if (node.matches('.ubik-fence')) return '';
  if (node.matches('.ubik-task')) return taskSymbol(node);
  const tex = node.getAttribute('data-tex');
  if (tex !== null) return escapeHtml(tex);
  return node.matches('.ubik-image[data-source], .ubik-image[src]') ? serializeImage(node) : null;
}

/**
 * Serializes an image as a link with its description and its host, which the description may hide. An image inside a link, or without a web
 * address, becomes its description.
 */
function serializeImage(image: Element): string {
  const source = image.getAttribute('data-source') ?? image.getAttribute('src') ?? '';
  const alt = image.getAttribute('data-alt') ?? image.getAttribute('alt') ?? '';
  if (!/^https?:/i.test(source) || !URL.canParse(source) || image.closest('a'))
    return escapeHtml(alt);
  const { host } = new URL(source);
  return `<a href="${escapeHtml(source)}"><bdi>${escapeHtml(alt || source)}</bdi></a> (<bdi>${escapeHtml(host)}</bdi>)`;
}
