import { MARK_END, MARK_START, type Marks, type PartTree } from './part.js';
import type { Message } from './message.js';
import { toPartTrees } from './part-tree.js';

/** A part reduced to what its content says: no keys, no marks, no live states. Plain data, to be compared. */
export type CanonicalPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | {
      readonly kind: 'step';
      readonly number: number | null;
      readonly title: string;
      readonly single: boolean;
      readonly state: 'open-ended' | 'completed';
      readonly parts: readonly CanonicalPart[];
    }
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly input: string | null;
      readonly result: string | null;
      readonly state: 'done' | 'incomplete';
      readonly parts: readonly CanonicalPart[];
    }
  | { readonly kind: 'checkpoint'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'input-request';
      readonly prompt: string;
      readonly inputTypes: readonly string[];
      readonly checkpointName: string | null;
      readonly answer: string | null;
    }
  | { readonly kind: 'error'; readonly message: string; readonly details: string | null }
  | { readonly kind: 'unknown'; readonly name: string; readonly text: string };

/**
 * What a message or its parts say, without how they came: drops keys, ids, activity, times and attachments, joins adjacent texts,
 * trims line breaks beside constructs (`protocol/ubik.md` 4.2, equality law). Two ways to the same message are equal when their
 * settled parts are.
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

function canonicalizePart(tree: PartTree): CanonicalPart {
  switch (tree.kind) {
    case 'text':
    case 'thinking':
      return { kind: tree.kind, text: expandMarks(tree.text ?? '', tree.marks) };
    case 'step':
      return {
        kind: 'step',
        number: tree.number,
        title: tree.title,
        single: tree.single,
        state: tree.state === 'completed' ? 'completed' : 'open-ended',
        parts: canonicalize(tree.parts ?? []),
      };
    case 'tool':
      return {
        kind: 'tool',
        name: tree.name,
        input: tree.input,
        result: tree.result,
        state: tree.state === 'done' ? 'done' : 'incomplete',
        parts: canonicalize(tree.parts ?? []),
      };
    case 'checkpoint':
    case 'unknown':
      return { kind: tree.kind, name: tree.name, text: (tree.text ?? '').trim() };
    case 'input-request': {
      const { kind, prompt, inputTypes, answer } = tree;
      // A stored request names its checkpoint only while it waits.
      const checkpointName = answer === null ? tree.checkpointName : null;
      return { kind, prompt, inputTypes, checkpointName, answer };
    }
    case 'error':
      return { kind: 'error', message: tree.message, details: tree.details };
  }
}

function trimPart(part: CanonicalPart): CanonicalPart {
  if (part.kind !== 'text' && part.kind !== 'thinking') return part;
  return { kind: part.kind, text: trimBlankLines(part.text) };
}

/** Drops blank lines before and all blanks after; what indents the first line stays, for Markdown cares. */
function trimBlankLines(text: string): string {
  let start = 0;
  for (let at = 0; at < text.length && isBlank(text.charCodeAt(at)); at += 1) {
    if (text.charCodeAt(at) === 10) start = at + 1;
  }
  const trimmed = text.slice(start).trimEnd();
  return trimmed.trim() === '' ? '' : trimmed;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

/** The text with each inline mark in the service's own spelling. */
export function expandMarks(text: string, marks: Marks | undefined): string {
  if (!marks || !text.includes(MARK_START)) return text;
  const known = new Map(Object.entries(marks));
  const [first = '', ...rest] = text.split(MARK_START);
  return rest.reduce((joined, piece) => {
    const end = piece.indexOf(MARK_END);
    return joined + (known.get(piece.slice(0, end))?.source ?? '') + piece.slice(end + 1);
  }, first);
}
