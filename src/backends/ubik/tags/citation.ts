import type { Mark } from '../../../model/part.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** A text from the network in which no inline mark can be forged. */
export function withoutForgedMarks(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '\uFFFD');
}

/** Data of a complete citation element, as the candidate for it was matched. */
export function parseCitation(source: string): Mark {
  const kind = 'citation';
  if (source.startsWith('<source_')) return { kind, label: `[${source.slice(8, -1)}]`, source };
  const attributes = new Map<string, string>();
  let label = '';
  const pieces = source.matchAll(/[ \t]([\w-]+)=("[^"]*"|'[^']*'|[^ \t>"']*)|"[^"]*"|'[^']*'|>/g);
  for (const { 0: piece, 1: name, 2: value = '', index } of pieces) {
    if (piece === '>') {
      label = decode(source.slice(index + 1, source.lastIndexOf('</')));
      break;
    }
    // The first one of a name counts.
    if (name && !attributes.has(name))
      attributes.set(name, decode(value.replace(/^["']|["']$/g, '')));
  }
  const id = attributes.get('id');
  const title = attributes.get('name') ?? attributes.get('title');
  const url = webAddress(attributes.get('url') ?? '');
  return {
    kind,
    label,
    ...(id ? { id } : {}),
    ...(title ? { title } : {}),
    ...(url ? { url } : {}),
    source,
  };
}

/** The text with its character references replaced, each once. */
function decode(text: string): string {
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|(\w{2,4}));/g,
    (whole, decimal?: string, hex?: string, name = '') => {
      if (name) return ENTITIES.get(String(name)) ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
    },
  );
  return withoutForgedMarks(decoded);
}

/** The address, if it leads to the web: http or https, without a user's name or password. Empty for everything else. */
function webAddress(text: string): string {
  if (!URL.canParse(text)) return '';
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password ? href : '';
}
