import { FIXED_TAGS, joinLabel, OPEN_TAGS, splitLabel, type TagKind } from './tag.js';

/** Longest tool tag. */
export const MAX_TAG = 512;
/** Longest citation element. */
export const MAX_CITATION = 4096;

/**
 * A text that may become a tag or a citation: `<` and all that has followed so far. It is looked at unit by unit, so that a piece of
 * any size costs what it is long.
 *
 *   start ─ known letters ─┬─ last letter of a fixed tag ──────────────────────────► tag
 *                          ├─ name (… until >>) ───────────────────────────────────► tag
 *                          ├─ gap ─ attribute ─ equals ─ value ─ gap ─ label ─ closer ► citation
 *                          └─ digits ─ > ──────────────────────────────────────────► citation
 */
export interface Candidate {
  /** What has come, as it was written. */
  raw: string;
  phase: Phase;
  /** Node in the tree of spellings (`known`), or units of the closer that have come (`closer`). */
  at: number;
  /** The kind of tag, once it is clear. */
  kind: TagKind | null;
  /** Length of what stands before a tool's label. */
  labelFrom: number;
  /** Last unit was `<` or `>` (`name`). */
  doubled: number;
  /** The closing tag of a citation. */
  closer: string;
}

type Phase =
  | 'known'
  | 'name'
  | 'digits'
  | 'gap'
  | 'attribute'
  | 'equals'
  | 'double-quoted'
  | 'single-quoted'
  | 'bare'
  | 'closed'
  | 'slash'
  | 'label'
  | 'closer';

/** What one more unit makes of a candidate. A unit that fails it is not part of it. */
export type Verdict = 'more' | 'tag' | 'citation' | 'fail';

interface Spelling {
  readonly next: Map<number, number>;
  kind: TagKind | null;
  goesOn: Phase | null;
  closer: string;
}

const SPELLINGS: readonly Spelling[] = plantSpellings();

const NEWLINE = 10;
const RETURN = 13;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;

/** A candidate of which only the `<` has come. */
export function createCandidate(): Candidate {
  return { raw: '<', phase: 'known', at: 0, kind: null, labelFrom: 0, doubled: 0, closer: '' };
}

/** Takes one more unit. On `fail` the candidate is as it was. */
export function advance(candidate: Candidate, unit: number): Verdict {
  const verdict = candidate.phase === 'name' ? inName(candidate, unit) : step(candidate, unit);
  if (verdict !== 'fail') candidate.raw += String.fromCharCode(unit);
  return verdict;
}

/** What stands behind the slash of a complete tool tag, in one spelling for one name and id. */
export function labelOf(candidate: Candidate): string {
  if (candidate.labelFrom === 0) return '';
  const { name, toolId } = splitLabel(candidate.raw.slice(candidate.labelFrom, -2));
  return joinLabel(name, toolId);
}

function step(candidate: Candidate, unit: number): Verdict {
  if (candidate.phase === 'known') return inKnown(candidate, unit);
  // An element of one line: a break that our own joining of texts brings in must never complete one.
  if (unit === NEWLINE || unit === RETURN || candidate.raw.length >= MAX_CITATION) return 'fail';
  switch (candidate.phase) {
    case 'digits':
      return inDigits(candidate, unit);
    case 'label':
      if (unit === LESS) go(candidate, 'closer');
      return 'more';
    case 'closer':
      return inCloser(candidate, unit);
    default:
      return inAttributes(candidate, unit);
  }
}

function inKnown(candidate: Candidate, unit: number): Verdict {
  const at = SPELLINGS[candidate.at]?.next.get(unit);
  const spelling = at === undefined ? undefined : SPELLINGS[at];
  if (at === undefined || !spelling) return 'fail';
  candidate.at = at;
  candidate.kind = spelling.kind;
  if (spelling.goesOn === null) return spelling.kind === null ? 'more' : 'tag';
  candidate.phase = spelling.goesOn;
  candidate.closer = spelling.closer;
  candidate.labelFrom = candidate.raw.length + 1;
  return 'more';
}

/** The label of a tool tag: up to `>>`, given up at a line's end, at another `<<`, or when it is too long. */
function inName(candidate: Candidate, unit: number): Verdict {
  if (unit === NEWLINE || unit === RETURN || candidate.raw.length >= MAX_TAG) return 'fail';
  if (candidate.raw.length === candidate.labelFrom && isEvent(candidate) && isWordUnit(unit)) {
    return 'fail';
  }
  if (unit === LESS && candidate.doubled === LESS) return 'fail';
  if (unit === GREATER && candidate.doubled === GREATER) return 'tag';
  candidate.doubled = unit === LESS || unit === GREATER ? unit : 0;
  return 'more';
}

function isEvent(candidate: Candidate): boolean {
  return candidate.kind === 'event-start' || candidate.kind === 'event-end';
}

/** `<source_12>`: at most nine digits. */
function inDigits(candidate: Candidate, unit: number): Verdict {
  const digits = candidate.raw.length - '<source_'.length;
  if (unit === GREATER) return digits > 0 ? 'citation' : 'fail';
  return unit >= 48 && unit <= 57 && digits < 9 ? 'more' : 'fail';
}

function inAttributes(candidate: Candidate, unit: number): Verdict {
  switch (candidate.phase) {
    case 'double-quoted':
      return unit === QUOTE ? go(candidate, 'closed') : 'more';
    case 'single-quoted':
      return unit === APOSTROPHE ? go(candidate, 'closed') : 'more';
    case 'equals':
      if (unit === QUOTE) return go(candidate, 'double-quoted');
      if (unit === APOSTROPHE) return go(candidate, 'single-quoted');
      return isBareUnit(unit) ? go(candidate, 'bare') : 'fail';
    case 'bare':
      return isBareUnit(unit) ? 'more' : endAttribute(candidate, unit);
    case 'attribute':
      if (unit === EQUALS) return go(candidate, 'equals');
      return isWordUnit(unit) ? 'more' : endAttribute(candidate, unit);
    case 'gap':
      return isWordUnit(unit) ? go(candidate, 'attribute') : endAttribute(candidate, unit);
    case 'slash':
      return unit === GREATER ? 'citation' : 'fail';
    default:
      return endAttribute(candidate, unit);
  }
}

function endAttribute(candidate: Candidate, unit: number): Verdict {
  if (unit === 32 || unit === 9) return go(candidate, 'gap');
  if (unit === GREATER) return go(candidate, 'label');
  return unit === SLASH ? go(candidate, 'slash') : 'fail';
}

function inCloser(candidate: Candidate, unit: number): Verdict {
  if (candidate.closer.charCodeAt(candidate.at) !== unit) return 'fail';
  candidate.at += 1;
  return candidate.at === candidate.closer.length ? 'citation' : 'more';
}

function go(candidate: Candidate, phase: Phase): Verdict {
  candidate.phase = phase;
  candidate.at = 0;
  return 'more';
}

function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 45
  );
}

/** What a value without quotes may hold. */
function isBareUnit(unit: number): boolean {
  return (
    unit > 32 &&
    unit !== QUOTE &&
    unit !== APOSTROPHE &&
    unit !== LESS &&
    unit !== GREATER &&
    unit !== EQUALS &&
    unit !== 96
  );
}

function plantSpellings(): readonly Spelling[] {
  const nodes: Spelling[] = [createSpelling()];
  for (const [text, kind] of FIXED_TAGS) plant(nodes, `<${text}`, { kind });
  for (const [text, kind] of OPEN_TAGS) plant(nodes, `<${text}`, { kind, goesOn: 'name' });
  plant(nodes, 'citation', { goesOn: 'closed', closer: '/citation>' });
  plant(nodes, 'web_citation', { goesOn: 'closed', closer: '/web_citation>' });
  plant(nodes, 'source_', { goesOn: 'digits' });
  return nodes;
}

function createSpelling(): Spelling {
  return { next: new Map(), kind: null, goesOn: null, closer: '' };
}

/** Adds a spelling to the tree. Those of thoughts are known in any case of letters: there two ways lead to one node. */
function plant(nodes: Spelling[], text: string, end: Partial<Spelling>): void {
  const anyCase = end.kind === 'thinking' || end.kind === 'thinking-end';
  let from = new Set([0]);
  for (const letter of text) {
    const fresh = nodes.length;
    const reached = new Set<number>();
    for (const spelling of new Set(anyCase ? [letter, letter.toUpperCase()] : [letter])) {
      for (const index of from) reached.add(lead(nodes, index, spelling.charCodeAt(0), fresh));
    }
    from = reached;
  }
  for (const index of from) Object.assign(nodes[index] ?? {}, end);
}

/** The node that `unit` leads to; a new one, of number `fresh`, when there was none. */
function lead(nodes: Spelling[], from: number, unit: number, fresh: number): number {
  const next = nodes[from]?.next;
  const known = next?.get(unit);
  if (known !== undefined) return known;
  if (nodes.length === fresh) nodes.push(createSpelling());
  next?.set(unit, fresh);
  return fresh;
}
