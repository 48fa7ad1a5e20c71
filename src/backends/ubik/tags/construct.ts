import type { Construct } from './content-sink.js';
import { parseBlock, parseStepHeader, trimBlanks } from './payload.js';
import { findTag, type Tag } from './tag.js';

/** Longest text between a temporary tag, or the first tag of a construct in live text, and its end. */
const MAX_HELD = 4096;

/** A tag, and where it stands in a text. */
interface Found {
  readonly tag: Tag;
  readonly at: number;
}

/** The first tag in a text, or the first of that name. Null when none is in reach, undefined when only more text can tell. */
export function findNext(text: string, isOver: boolean, name?: string): Found | null | undefined {
  for (let at = text.indexOf('<'); at >= 0 && at <= MAX_HELD;) {
    const tag = findTag(text.slice(at), false);
    if (tag === undefined && !isOver) return undefined;
    if (tag && (!name || tag.name === name)) return { tag, at };
    at = text.indexOf('<', at + (tag?.raw.length ?? 1));
  }
  return isOver || text.length > MAX_HELD ? null : undefined;
}

/** The construct of which live text spells out the first tag, and where it ends in what follows. Null and undefined as for {@link findNext}. */
export function findConstruct(
  { name }: Tag,
  text: string,
  isOver: boolean,
): { readonly construct: Construct; readonly end: number } | null | undefined {
  if (name === 'STEP') return findStep(text, isOver);
  const found = findNext(text, isOver);
  if (!found) return found;
  const { tag, at } = found;
  if (tag.name !== name || tag.starts) return null;
  return { construct: parseBlock(name, text.slice(0, at)), end: at + tag.raw.length };
}

/** A step's construct ends with its header line, the first one that is not blank, or with a tag in it. */
function findStep(text: string, isOver: boolean): ReturnType<typeof findConstruct> {
  const [flag = ''] = /^[ \t\r\n]*<<SINGLE_STEP_FLAG>>/.exec(text) ?? [];
  const rest = text.slice(flag.length);
  const [line] = /^[ \t\r\n]*[^ \t\r\n][^\n]*(?=\n)/.exec(rest) ?? [];
  const found = findNext(line ?? rest, isOver || line !== undefined);
  if (found === undefined) return undefined;
  const length = found?.at ?? line?.length ?? MAX_HELD;
  const end = flag.length + length;
  const header = end < MAX_HELD ? parseStepHeader(trimBlanks(rest.slice(0, length))) : null;
  return header && { construct: { kind: 'step', ...header, single: flag !== '' }, end };
}
