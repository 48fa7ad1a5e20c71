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

/**
 * A text that may become a tag or a citation: `<` and all that has followed so far. It is looked at unit by unit, so that a piece of
 * any size costs what it is long.
 */
export interface Candidate {
  /** What has come, as it was written. */
  raw: string;
  /** How it begins, once that is one of the known spellings. */
  known: string;
  /** In a tool's tag the unit before; in a citation the open quote, or `>` in the label. */
  last: string;
  /** What is still to come of a citation's closing tag. */
  rest: string;
}

/** What one more unit makes of a candidate. Empty: it fails, and the unit is not part of it. */
type Verdict = 'more' | 'whole' | '';

/** Longest tool tag, longest citation. */
const MAX_TAG = 512;
const MAX_CITATION = 4096;
const SOURCE = '<source_';

const PAIRS = [
  ...['STEP', 'CHECKPOINT', 'INPUT_REQUIRED', 'USER_INPUT_PROVIDED', 'ERROR', 'ERROR_JSON'],
  ...['TOOL_STEP_INPUT', 'TOOL_STEP_RESULT'],
];
const SPELLINGS: readonly string[] = [
  ...PAIRS.flatMap((name) => [`<<${name}_START>>`, `<<${name}_END>>`]),
  ...['<<SINGLE_STEP_FLAG>>', '<<thinking>>', '<</thinking>>'],
  ...['<<TOOL_STEP_START/', '<<TOOL_STEP_END/', '<<TOOL_EVENT_START', '<<TOOL_EVENT_END'],
  ...['<citation', '<web_citation', SOURCE],
];

/** A candidate of which only the `<` has come. */
export function createCandidate(): Candidate {
  return { raw: '<', known: '', last: '', rest: '' };
}

/** Takes one more unit. When it fails, the candidate is as it was. */
export function advance(candidate: Candidate, unit: string): Verdict {
  const { raw, known } = candidate;
  const isTag = known.startsWith('<<');
  let verdict: Verdict = '';
  if (!known) verdict = spell(candidate, raw + unit);
  // One line: a break that our own joining of texts brings in must never complete anything.
  else if (!/[\r\n]/.test(unit) && raw.length < (isTag ? MAX_TAG : MAX_CITATION)) {
    verdict = isTag ? inLabel(candidate, unit) : inElement(candidate, unit);
  }
  if (verdict) candidate.raw += unit;
  return verdict;
}

/** What a candidate has become. */
export function toTag({ raw, known }: Candidate): Tag {
  const [, name = 'citation', side] = /^<<(.*?)(_START|_END)?[/>]*$/.exec(known) ?? [];
  return { raw, name, starts: side === '_START', label: raw.slice(known.length, -2) };
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

/** The beginning, up to where it is clear what it may become. The tags of thoughts are known in any case of letters. */
function spell(candidate: Candidate, raw: string): Verdict {
  const lower = raw.toLowerCase();
  const found = SPELLINGS.find(
    (text) => text.startsWith(raw) || (text.includes('thi') && text.startsWith(lower)),
  );
  if (found?.length !== raw.length) return found ? 'more' : '';
  candidate.known = found;
  return found.endsWith('>>') ? 'whole' : 'more';
}

/** The label of a tool tag: up to `>>`, given up at another `<<`. */
function inLabel(candidate: Candidate, unit: string): Verdict {
  const pair = candidate.last + unit;
  candidate.last = unit;
  return pair === '<<' ? '' : pair === '>>' ? 'whole' : 'more';
}

/** `<source_12>` with at most nine digits, or an element with attributes and a label without elements. */
function inElement(candidate: Candidate, unit: string): Verdict {
  const { raw, known, last, rest } = candidate;
  if (known === SOURCE) {
    const digits = raw.length - SOURCE.length;
    if (unit === '>') return digits > 0 ? 'whole' : '';
    return digits < 9 && /\d/.test(unit) ? 'more' : '';
  }
  if (rest) {
    if (unit !== rest[0]) return '';
    candidate.rest = rest.slice(1);
    return candidate.rest ? 'more' : 'whole';
  }
  if (last === '>') {
    if (unit === '<') candidate.rest = `/${known.slice(1)}>`;
  } else if (last) {
    if (unit === last) candidate.last = '';
  } else if (unit === '<' || (raw === known && !/[ \t>]/.test(unit))) return '';
  else if (/["'>]/.test(unit)) candidate.last = unit;
  return 'more';
}
