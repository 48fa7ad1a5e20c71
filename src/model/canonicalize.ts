import {
  CITATION_MARK_END,
  CITATION_MARK_START,
  type ContentKind,
  type CitationMarks,
  type PartTree,
} from './part.js';
import { CANONICAL_FORMS, type CanonicalPart } from './part-schema.js';
import type { Message } from './message.js';
import { toPartTrees } from './part-tree.js';

/**
 * Reduces a message or its parts to comparable content: drops keys, ids, activity, times and attachments, joins adjacent texts, and
 * trims blank lines at the beginning and white space at the end of each text. A streamed and a stored message have the same content
 * when their canonical parts are equal (UBIK 4.2).
 */
export function canonicalize(content: Message | readonly PartTree[]): CanonicalPart[] {
  const trees = isTrees(content) ? content : toPartTrees(content);
  const parts: CanonicalPart[] = [];
  for (const tree of trees) {
    const part = canonicalizePart(tree);
    const last = parts.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') {
      parts[parts.length - 1] = { kind: 'text', text: last.text + part.text };
    } else parts.push(part);
  }
  return parts.map(trimPart).filter((part) => part.kind !== 'text' || part.text !== '');
}

function isTrees(content: Message | readonly PartTree[]): content is readonly PartTree[] {
  return Array.isArray(content);
}

function canonicalizePart<Kind extends ContentKind>(
  tree: Extract<PartTree, { kind: Kind }>,
): CanonicalPart {
  const text = expandMarks(tree.text ?? '', 'marks' in tree ? tree.marks : undefined);
  return CANONICAL_FORMS[tree.kind](tree, text, canonicalize(tree.parts ?? []));
}

function trimPart(part: CanonicalPart): CanonicalPart {
  if (part.kind !== 'text' && part.kind !== 'thinking') return part;
  return { kind: part.kind, text: trimBlankLines(part.text) };
}

/** Drops leading blank lines and trailing white space. Keeps the indentation of the first line, which is significant in Markdown. */
function trimBlankLines(text: string): string {
  // The position after the last line feed (10) of the leading white space.
  let start = 0;
  for (let at = 0; at < text.length && isBlank(text.charCodeAt(at)); at += 1) {
    if (text.charCodeAt(at) === 10) start = at + 1;
  }
  return text.slice(start).trimEnd();
}

/** Whether a UTF-16 unit is a space, tab, line feed or carriage return. */
function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

/** Replaces each citation mark in a text by the service's original spelling. If `marks` is given, a mark that it lacks is removed. */
export function expandMarks(text: string, marks: CitationMarks | undefined): string {
  if (!marks || !text.includes(CITATION_MARK_START)) return text;
  const known = new Map(Object.entries(marks));
  const [first = '', ...rest] = text.split(CITATION_MARK_START);
  return rest.reduce((joined, piece) => {
    const end = piece.indexOf(CITATION_MARK_END);
    return joined + (known.get(piece.slice(0, end))?.source ?? '') + piece.slice(end + 1);
  }, first);
}
