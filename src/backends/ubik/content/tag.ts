/** A complete tag or citation. */
export interface Tag {
  /** Its text, unchanged. */
  readonly raw: string;
  /** Its name without `_START` and `_END`; `thinking` and `/thinking` for the tags of thinking parts, `citation` for all citations. */
  readonly name: string;
  /** Whether the name ended in `_START`; false for the tags of thinking parts. */
  readonly starts: boolean;
  /** The text after the slash of a tool's start or end tag; unspecified for other tags and for citations. */
  readonly label: string;
}

/** Longest tool tag, in UTF-16 units. */
const MAX_TAG = 512;
/** Longest citation, in UTF-16 units. */
const MAX_CITATION = 4096;

/** Tags without a variable part, by their text. */
const FIXED: ReadonlyMap<string, Tag> = new Map(
  [
    ...['STEP', 'CHECKPOINT', 'INPUT_REQUIRED', 'USER_INPUT_PROVIDED', 'ERROR', 'ERROR_JSON']
      .concat('TOOL_STEP_INPUT', 'TOOL_STEP_RESULT')
      .flatMap((name) => [`<<${name}_START>>`, `<<${name}_END>>`]),
    ...['<<SINGLE_STEP_FLAG>>', '<<thinking>>', '<</thinking>>'],
  ].map((raw) => [raw, toTag(raw, raw)]),
);
/** The form of these tags. The tags of thinking parts may be in upper or lower case. */
const FIXED_FORM = /^<<(?:\/?(thinking)|[A-Z_]+)>>/i;
/** Prefixes of the tags with a variable part. */
const TOOL_TAGS = [
  '<<TOOL_STEP_START/',
  '<<TOOL_STEP_END/',
  '<<TOOL_EVENT_START',
  '<<TOOL_EVENT_END',
];
/** Prefixes of citations. */
const CITATIONS = ['<citation', '<web_citation', '<source_'];
/** A `<` with which a tag or a citation may start. */
const CANDIDATE = /<(?:$|[cws]|<(?:$|[A-Z/]))/gi;
/** Number of UTF-16 units that decide whether a text can become a tag or a citation. */
const DECISIVE_LENGTH = 32;
/**
 * The received part of a tool tag, up to another `<<`; text with another `<<` in it is no tag. The empty group takes the place of the name
 * in `CITATION`, so that both have the same groups.
 */
const TOOL = /^<<\w+(?:(?!<<|>>)[^])*()(>>)?/;
/**
 * The received part of a citation: `<source_12>` with at most nine digits, or an element with attributes and a label without elements; then
 * the last bracket.
 */
const CITATION =
  /^<(?:source_\d{0,9}|(\w+)(?:[ \t](?:"[^"\r\n]*(?:"|$)|'[^'\r\n]*(?:'|$)|[^"'<>\r\n])*)?(?:>[^<\r\n]*(?:<[/\w]*)?)?)(>?)/;

/**
 * Returns the tag at the start of a text; with `allowsCitations`, also a citation. Null when there is none; undefined when that depends on
 * text that was not received yet.
 */
export function findTag(text: string, allowsCitations: boolean): Tag | null | undefined {
  const begin = text.slice(0, DECISIVE_LENGTH);
  const [raw = '', thinking] = FIXED_FORM.exec(begin) ?? [];
  const fixed = FIXED.get(thinking ? raw.toLowerCase() : raw);
  if (fixed) return raw === fixed.raw ? fixed : { ...fixed, raw };
  const prefixes = allowsCitations ? [...TOOL_TAGS, ...CITATIONS] : TOOL_TAGS;
  const prefix = prefixes.find((spelling) => begin.startsWith(spelling));
  if (prefix) return findOpenTag(text, prefix);
  if (text.length >= DECISIVE_LENGTH) return null;
  // Tags of thinking parts may be in upper or lower case.
  const lower = text.toLowerCase();
  const mayBecome = [...FIXED.keys(), ...prefixes].some((spelling) =>
    spelling.startsWith(spelling.includes('thinking') ? lower : text),
  );
  return mayBecome ? undefined : null;
}

/**
 * Returns the index of the next `<` that may start a tag or a citation; the length of the text when there is none. Skips most other `<` at
 * once.
 */
export function findCandidate(text: string, from: number): number {
  CANDIDATE.lastIndex = from;
  return CANDIDATE.exec(text)?.index ?? text.length;
}

/** Finds a tag with a variable part after a prefix. */
function findOpenTag(text: string, prefix: string): Tag | null | undefined {
  const isTool = prefix[1] === '<';
  const begin = text.slice(0, isTool ? MAX_TAG : MAX_CITATION);
  // Within one line, because a line break that joins two texts must not complete a tag.
  const [line = ''] = isTool ? (/^[^\r\n]*/.exec(begin) ?? []) : [begin];
  const [found = '', name, end] = (isTool ? TOOL : CITATION).exec(line) ?? [];
  if (name && name !== prefix.slice(1)) return null;
  const isWhole = end && (name ? found.endsWith(`</${name}>`) : /[\d>]>$/.test(found));
  if (isWhole) return toTag(found, prefix);
  return found === text ? undefined : null;
}

/** Whether only the service writes this tag, and never the model (UBIK 7.3). */
export function isStructural({ name }: Pick<Tag, 'name'>): boolean {
  return !/^TOOL|thinking|citation/.test(name);
}

/**
 * Splits a label into name and id at the last colon, because names may contain colons. Without a colon, the whole label is the name (UBIK
 * 7.2).
 */
export function splitLabel(label: string): { readonly name: string; readonly toolId: string } {
  const [, name = label, toolId = ''] = /^(.*):(.*)$/s.exec(label) ?? [];
  return { name, toolId };
}

/** The inverse of {@link splitLabel}. */
export function joinLabel({ name, toolId }: { name: string; toolId: string }): string {
  return toolId === '' && !name.includes(':') ? name : `${name}:${toolId}`;
}

function toTag(raw: string, prefix: string): Tag {
  const [, name = 'citation', side] = /^<<(.*?)(_START|_END)?[/>]*$/.exec(prefix) ?? [];
  return { raw, name, starts: side === '_START', label: raw.slice(prefix.length, -2) };
}
