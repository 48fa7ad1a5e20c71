/** Elements that an exported page may have; of others only the content is written. */
const TAGS = new Set(
  (
    'html head title meta style body main header footer section article h1 h2 h3 h4 h5 h6 p div span a b strong i em del s u sub sup ' +
    'code pre blockquote ul ol li hr br table thead tbody tfoot tr th td details summary time bdi small mark cite dl dt dd'
  ).split(' '),
);
/** Elements that are left out with all that is in them: they do nothing without a script. */
const DROPPED = new Set([
  'button',
  'script',
  'template',
  'iframe',
  'object',
  'embed',
  'svg',
  'img',
]);
const EMPTY = new Set(['meta', 'hr', 'br']);
const ATTRIBUTES = new Set(
  'class dir lang translate href start colspan rowspan open datetime id charset name content http-equiv'.split(
    ' ',
  ),
);
/** Where a link may lead. */
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:|#)/i;

/** Writes an element and what is in it as HTML: what is not known is left out, and every text stays text. */
export function serializeHtml(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escape((node as Text).data);
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const { localName, attributes, childNodes } = node as Element;
  if (DROPPED.has(localName)) return localName === 'button' ? printMark(node as Element) : '';
  const content = [...childNodes].map(serializeHtml).join('');
  if (!TAGS.has(localName)) return content;
  const named = [...attributes].filter(
    ({ name, value }) => ATTRIBUTES.has(name) && (name !== 'href' || ADDRESS.test(value)),
  );
  const written = named.map(({ name, value }) => ` ${name}="${escape(value)}"`).join('');
  const start = `<${localName}${written}>`;
  return EMPTY.has(localName) ? start : `${start}${content}</${localName}>`;
}

/** A citation is a number without its button. */
function printMark(button: Element): string {
  return button.matches('.cite') ? `<sup>[${escape(button.textContent)}]</sup>` : '';
}

function escape(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\0/g, '\uFFFD');
}
