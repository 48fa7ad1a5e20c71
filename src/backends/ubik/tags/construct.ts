import type { Construct } from './content-sink.js';
import { HEADER_REACH, parseBlock, parseStepHeader, trimBlanks } from './payload.js';
import { findTag, isStructural, type Tag } from './tag.js';

/** Longest text between a temporary tag, or the first tag of a construct in live text, and its end. */
const MAX_HELD = 4096;

/** What stands behind a tag: up to where, and the construct that it makes with the tag. */
interface Body {
  readonly end: number;
  readonly construct?: Construct;
}

/**
 * What belongs to a tag that starts something, where that has to be known at once: the rest of a temporary tag, the header line of a
 * step, a whole construct in live text. Null when there is none, undefined when only more text can tell.
 */
export function findBody(
  { name, starts }: Tag,
  text: string,
  isLive: boolean,
  isOver: boolean,
): Body | null | undefined {
  if (!starts) return null;
  if (name === 'STEP') return findHeader(text, isLive, isOver);
  const isEvent = name === 'TOOL_EVENT';
  if (!isEvent && (!isLive || name === 'USER_INPUT_PROVIDED')) return null;
  const found = findNext(text, isOver, (tag) => !isEvent || tag.name === name);
  if (!found) return found;
  const { tag, at } = found;
  if (tag.name !== name || tag.starts) return null;
  const end = at + tag.raw.length;
  return isEvent ? { end } : { end, construct: parseBlock(name, text.slice(0, at)) };
}

/** The first non-blank line behind the tag and an optional flag, up to a tag in it that is no code, if it is a header. */
function findHeader(text: string, isLive: boolean, isOver: boolean): Body | null | undefined {
  const [flag = ''] = /^[ \t\r\n]*<<SINGLE_STEP_FLAG>>/.exec(text) ?? [];
  const rest = text.slice(flag.length);
  const first = rest.search(/[^ \t\r\n]/);
  const lineEnd = first < 0 ? -1 : rest.indexOf('\n', first);
  const isDecided = lineEnd >= 0 || rest.length - first >= HEADER_REACH;
  if (first >= 0 && isDecided && !parseStepHeader(rest.slice(first, first + HEADER_REACH)))
    return null;
  const line = lineEnd < 0 ? undefined : rest.slice(0, lineEnd);
  const found = findNext(
    line ?? rest,
    isOver || line !== undefined,
    (tag, at) => isStructural(tag) || rest.slice(0, at).split('`').length % 2 > 0,
  );
  const length = found?.at ?? line?.length ?? (isOver && !isLive ? rest.length : MAX_HELD);
  const start = trimBlanks(rest.slice(0, length));
  const header = parseStepHeader(start);
  // A long line that is none need not end.
  if (found === undefined) return header || start.length < HEADER_REACH ? undefined : null;
  if (!header || length >= MAX_HELD) return null;
  const construct = { kind: 'step', ...header, single: flag !== '' } as const;
  return { end: flag.length + length, construct };
}

/** The first tag in a text that is meant, and where it stands. */
function findNext(
  text: string,
  isOver: boolean,
  isMeant: (tag: Tag, at: number) => boolean,
): { readonly tag: Tag; readonly at: number } | null | undefined {
  for (let at = text.indexOf('<'); at >= 0 && at <= MAX_HELD;) {
    const tag = findTag(text.slice(at), false);
    if (tag === undefined && !isOver) return undefined;
    if (tag && isMeant(tag, at)) return { tag, at };
    at = text.indexOf('<', at + (tag?.raw.length ?? 1));
  }
  return isOver || text.length > MAX_HELD ? null : undefined;
}
