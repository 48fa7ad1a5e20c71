import type { Mark } from '../../../model/part.js';

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

/** A text from the network in which no inline mark can be forged. */
export function replaceMarkCharacters(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '\uFFFD');
}

/** Data of a complete citation element, as the candidate for it was matched. */
export function parseCitation(source: string): Mark {
  const kind = 'citation';
  if (source.startsWith('<source_')) return { kind, label: `[${source.slice(8, -1)}]`, source };
  const [, inside = '', label = ''] =
    /^<\w+((?:"[^"]*"|'[^']*'|[^"'>])*)>([^<]*)/.exec(source) ?? [];
  const values = new Map<string, string>();
  // Quoted text that is no value is passed over, so that nothing in it counts. The first one of a name counts.
  const pieces = inside.matchAll(/[ \t]([\w-]+)=("[^"]*"|'[^']*'|[^ \t"']*)|"[^"]*"|'[^']*'/g);
  for (const [, name, value = ''] of pieces) {
    if (name && !values.has(name))
      values.set(name, decodeReferences(value.replace(/^["']|["']$/g, '')));
  }
  const id = values.get('id');
  const title = values.get('name') ?? values.get('title');
  const url = toWebUrl(values.get('url') ?? '');
  return {
    kind,
    label: decodeReferences(label),
    ...(id && { id }),
    ...(title && { title }),
    ...(url && { url }),
    source,
  };
}

/** The text with its character references replaced, each once. */
function decodeReferences(text: string): string {
  const decoded = text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
    // `0x41` is a number too.
    const code = Number(`0${name.slice(1)}`);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
  });
  return replaceMarkCharacters(decoded);
}

/** The address, if it leads to the web: http or https, without a user's name or password. Empty for everything else. */
function toWebUrl(text: string): string {
  if (!URL.canParse(text)) return '';
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password ? href : '';
}
