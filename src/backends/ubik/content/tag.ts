/** A complete tag, or a citation. */
export interface Tag {
  /** As it was written. */
  readonly raw: string;
  /** What it is called, without `_START` and `_END`; `citation` for all citations. */
  readonly name: string;
  readonly starts: boolean;
  /** What stands behind the slash of a tool's start or end; empty for other tags. */
  readonly label: string;
}

/** Longest tool tag, longest citation. */
const MAX_TAG = 512;
const MAX_CITATION = 4096;

/** Tags that hold nothing, by how they are written. */
const FIXED: ReadonlyMap<string, Tag> = new Map(
  [
    ...['STEP', 'CHECKPOINT', 'INPUT_REQUIRED', 'USER_INPUT_PROVIDED', 'ERROR', 'ERROR_JSON']
      .concat('TOOL_STEP_INPUT', 'TOOL_STEP_RESULT')
      .flatMap((name) => [`<<${name}_START>>`, `<<${name}_END>>`]),
    ...['<<SINGLE_STEP_FLAG>>', '<<thinking>>', '<</thinking>>'],
  ].map((raw) => [raw, toTag(raw, raw)]),
);
/** All that may be one of them, or one of thoughts in any case of letters. */
const FIXED_FORM = /^<<(?:\/?(thinking)|[A-Z_]+)>>/i;
/** How the others begin. */
const TOOL_TAGS = [
  '<<TOOL_STEP_START/',
  '<<TOOL_STEP_END/',
  '<<TOOL_EVENT_START',
  '<<TOOL_EVENT_END',
];
const CITATIONS = ['<citation', '<web_citation', '<source_'];
const CANDIDATE = /<(?:$|[cws]|<(?:$|[A-Z/]))/gi;
/** How much of a text tells whether it may become any of them. */
const LONGEST = 32;
/** A tool's tag as far as it has come: given up at another `<<`. */
const TOOL = /^<<\w+(?:(?!<<|>>)[^])*()(>>)?/;
/** So for `<source_12>` with at most nine digits, or an element with attributes and a label without elements, then its last bracket. */
const CITATION =
  /^<(?:source_\d{0,9}|(\w+)(?:[ \t](?:"[^"\r\n]*(?:"|$)|'[^'\r\n]*(?:'|$)|[^"'<>\r\n])*)?(?:>[^<\r\n]*(?:<[/\w]*)?)?)(>?)/;

/** The tag or, if they count, the citation that a text begins with. Null when it begins with none, undefined when only more text can tell. */
export function findTag(text: string, citationsCount: boolean): Tag | null | undefined {
  const begin = text.slice(0, LONGEST);
  const [raw = '', thinking] = FIXED_FORM.exec(begin) ?? [];
  const fixed = FIXED.get(thinking ? raw.toLowerCase() : raw);
  if (fixed) return raw === fixed.raw ? fixed : { ...fixed, raw };
  const open = citationsCount ? [...TOOL_TAGS, ...CITATIONS] : TOOL_TAGS;
  const known = open.find((spelling) => begin.startsWith(spelling));
  if (known) return findOpenTag(text, known);
  if (text.length >= LONGEST) return null;
  // The tags of thoughts are known in any case of letters.
  const lower = text.toLowerCase();
  const mayBecome = [...FIXED.keys(), ...open].some((spelling) =>
    spelling.startsWith(spelling.includes('thi') ? lower : text),
  );
  return mayBecome ? undefined : null;
}

/**
 * Where the next `<` stands, from a place on, with which a tag or a citation may begin; the length of the text when none does. Most
 * others are passed over at once.
 */
export function findCandidate(text: string, from: number): number {
  CANDIDATE.lastIndex = from;
  return CANDIDATE.exec(text)?.index ?? text.length;
}

/** A tag that holds something. */
function findOpenTag(text: string, known: string): Tag | null | undefined {
  const isTool = known[1] === '<';
  const begin = text.slice(0, isTool ? MAX_TAG : MAX_CITATION);
  // One line: a break that our own joining of texts brings in must never complete anything.
  const [line = ''] = isTool ? (/^[^\r\n]*/.exec(begin) ?? []) : [begin];
  const [found = '', name, end] = (isTool ? TOOL : CITATION).exec(line) ?? [];
  if (name && name !== known.slice(1)) return null;
  const isWhole = end && (name ? found.endsWith(`</${name}>`) : /[\d>]>$/.test(found));
  if (isWhole) return toTag(found, known);
  return found === text ? undefined : null;
}

/** Whether a tag is one that the service makes (rule 2 of `ubik.md` 7.3), not one of the text's own flow. */
export function isStructural({ name }: Pick<Tag, 'name'>): boolean {
  return !/^TOOL|thinking|citation/.test(name);
}

/** Name and id of a tool: split at the last colon, for names may hold colons; without one, all is name. */
export function splitLabel(label: string): { readonly name: string; readonly toolId: string } {
  const [, name = label, toolId = ''] = /^(.*):(.*)$/s.exec(label) ?? [];
  return { name, toolId };
}

/** The label that {@link splitLabel} splits into this name and id. */
export function joinLabel({ name, toolId }: { name: string; toolId: string }): string {
  return toolId === '' && !name.includes(':') ? name : `${name}:${toolId}`;
}

function toTag(raw: string, known: string): Tag {
  const [, name = 'citation', side] = /^<<(.*?)(_START|_END)?[/>]*$/.exec(known) ?? [];
  return { raw, name, starts: side === '_START', label: raw.slice(known.length, -2) };
}
