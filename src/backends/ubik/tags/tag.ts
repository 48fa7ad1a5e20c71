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

/** How tags begin, and all of those that hold nothing. */
const SPELLINGS: readonly string[] = [
  ...['STEP', 'CHECKPOINT', 'INPUT_REQUIRED', 'USER_INPUT_PROVIDED', 'ERROR', 'ERROR_JSON']
    .concat('TOOL_STEP_INPUT', 'TOOL_STEP_RESULT')
    .flatMap((name) => [`<<${name}_START>>`, `<<${name}_END>>`]),
  ...['<<SINGLE_STEP_FLAG>>', '<<thinking>>', '<</thinking>>'],
  ...['<<TOOL_STEP_START/', '<<TOOL_STEP_END/', '<<TOOL_EVENT_START', '<<TOOL_EVENT_END'],
  ...['<citation', '<web_citation', '<source_'],
];

/** A tool's tag as far as it has come: given up at another `<<`. */
const TOOL = /^<<\w+(?:(?!<<|>>)[^])*()(>>)?/;
/** So for `<source_12>` with at most nine digits, or an element with attributes and a label without elements, then its last bracket. */
const CITATION =
  /^<(?:source_\d{0,9}|(\w+)(?:[ \t](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'<>])*)?(?:>[^<]*(?:<[/\w]*)?)?)(>?)/;

/** The tag or, if they count, the citation that a text begins with. Null when it begins with none, undefined when only more text can tell. */
export function findTag(text: string, citationsCount: boolean): Tag | null | undefined {
  const lower = text.slice(0, 13).toLowerCase();
  const known = SPELLINGS.find((spelling) => {
    // The tags of thoughts are known in any case of letters.
    const begin = spelling.includes('thi') ? lower : text;
    const isSame = spelling.startsWith(begin) || begin.startsWith(spelling);
    return isSame && (citationsCount || spelling[1] === '<');
  });
  if (!known) return null;
  if (text.length < known.length) return undefined;
  if (known.endsWith('>>')) return toTag(text.slice(0, known.length), known);
  const isTool = known[1] === '<';
  // One line: a break that our own joining of texts brings in must never complete anything.
  const [line = ''] = /^[^\r\n]*/.exec(text.slice(0, isTool ? MAX_TAG : MAX_CITATION)) ?? [];
  const [found = '', name, end] = (isTool ? TOOL : CITATION).exec(line) ?? [];
  if (name && name !== known.slice(1)) return null;
  const isWhole = end && (name ? found.endsWith(`</${name}>`) : /[\d>]>$/.test(found));
  if (isWhole) return toTag(found, known);
  return found === text ? undefined : null;
}

/** Whether a tag is one that the service makes (rule 2 of `ubik.md` 7.3), not one of the text's own flow. */
export function isStructural({ name }: Tag): boolean {
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
