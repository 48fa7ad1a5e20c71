import type { CitationMark } from '../../../model/part.js';
import { replaceMarkCharacters, toWebUrl } from '../../untrusted-text.js';

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

/** Reads a complete citation element, as `findTag` has matched it. */
export function parseCitation(source: string): CitationMark {
  const kind = 'citation';
  // `<source_12>` is labelled with its number.
  if (source.startsWith('<source_')) return { kind, label: `[${source.slice(8, -1)}]`, source };
  const [, inside = '', label = ''] =
    /^<\w+((?:"[^"]*"|'[^']*'|[^"'>])*)>([^<]*)/.exec(source) ?? [];
  const values = new Map<string, string>();
  // Consumes quoted text that is not a value, so that nothing in it is read. The first value of a name counts.
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

/** Replaces each character reference once, without replacing in the result. */
function decodeReferences(text: string): string {
  const decoded = text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
    // `Number` reads `0x41` too.
    const code = Number(`0${name.slice(1)}`);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
  });
  return replaceMarkCharacters(decoded);
}
