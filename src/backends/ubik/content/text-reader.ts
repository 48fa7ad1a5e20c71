import { endRun, feedCode, isFenced, isInReach, type CodeState } from './code-state.js';
import type { Construct } from './content-parser-types.js';
import { findBody, trimBlanks } from './constructs.js';
import { addMark, codeOf, stand, writeText } from './content-writer.js';
import { feedZone } from './raw-zone.js';
import { cloneState, type Reader, type Zone } from './parser-state.js';
import { actTag, breakText, dropTag, lacksRoom, takePayload } from './tag-handlers.js';
import { findCandidate, findTag, isStructural, type Tag } from './tag.js';

/** Text is read in pieces of this length, for what waits is joined to the next one. */
const PIECE = 16_384;
/** What waits is looked at again whenever it has grown by a sixteenth, so that the cost stays linear; up to this length, at once. */
const SHORT = 64;
/** How tags, citations, lines and spans end: this may complete what waits, and nobody shall wait for more. */
const END = /[n>]>|`[^`]|\n/;

/**
 * Reads the next piece of a growing text: cuts it into text, tags, citations and raw zones. What may still become a tag, a citation,
 * code or a construct waits for more, and all else is told at once. What is told does not depend on where the text was cut.
 */
export function readText(reader: Reader, text: string): void {
  for (let at = 0; at < text.length; at += PIECE) {
    reader.pending += text.slice(at, at + PIECE);
    const { pending, tried } = reader;
    const hasGrown = (pending.length - tried) * 16 > tried - SHORT;
    if (hasGrown || END.test(pending.slice(tried - 1))) readPending(reader, false);
  }
}

/** Nothing follows: what waits is decided. With `keepZone`, a raw zone is left open. */
export function flushText(reader: Reader, keepZone = false): void {
  if (reader.zone && keepZone) return;
  readPending(reader, true);
  const { zone } = reader;
  if (!zone || keepZone) return;
  leaveZone(reader, zone, zone.quoted || zone.text.length);
  flushText(reader);
}

function readPending(reader: Reader, isOver: boolean): void {
  reader.work += reader.pending.length;
  while (reader.pending && readNext(reader, isOver));
  reader.tried = reader.pending.length;
}

/** Reads a text or a tag. False when it has to wait. */
function readNext(reader: Reader, isOver: boolean): boolean {
  const { pending, zone, block } = reader;
  const next = findCandidate(pending, 0);
  // There are no citations where no parts can be made.
  const tag = next === 0 ? findTag(pending, !zone && !block) : null;
  if (tag === undefined && !isOver) return false;
  const raw = tag?.raw ?? pending.slice(0, next === 0 ? findCandidate(pending, 1) : next);
  if (tag && !zone) return readTag(reader, tag, isOver);
  reader.pending = pending.slice(raw.length);
  if (!zone) tell(reader, raw);
  else {
    const end = feedZone(zone, raw, tag);
    if (end !== undefined) leaveZone(reader, zone, end);
  }
  return true;
}

/** Reads a tag outside of a zone: literal in code, else it acts. False when it has to wait. */
function readTag(reader: Reader, tag: Tag, isOver: boolean): boolean {
  const { pending } = reader;
  const code = codeOf(reader);
  const literal = measureCode(reader, code, tag, isOver);
  if (literal === undefined) return false;
  if (literal === 0) {
    code.spans = [];
    return act(reader, tag, isOver);
  }
  reader.pending = pending.slice(literal);
  tell(reader, pending.slice(0, literal));
  return true;
}

/** How much of what begins with a tag is code: 0 when the tag acts, undefined when only more text can tell. */
function measureCode(
  reader: Reader,
  code: CodeState,
  tag: Tag,
  isOver: boolean,
): number | undefined {
  const { pending } = reader;
  const { length } = tag.raw;
  if (isFenced(code)) {
    if (!isStructural(tag) || code.line !== '') return length;
    // In a fence it acts if it stands alone on its line.
    const [, next] = /^[ \t\r]{0,512}([^])?/.exec(pending.slice(length)) ?? [];
    if (next === undefined) return isOver ? 0 : undefined;
    return next === '\n' ? 0 : length;
  }
  const from = code.spans.at(-1)?.at;
  if (from === undefined) return 0;
  // Behind backticks it is code if so many close a span in time. The tag itself may hold them.
  const ahead = cloneState(code);
  for (let at = 0; at < pending.length || isOver; at += 1) {
    reader.work += 1;
    const unit = pending.charAt(at);
    if (unit !== '`') endRun(ahead);
    if (!ahead.spans.some((span) => span.at === from)) return at;
    if (!unit || unit === '\n' || (!ahead.run && !isInReach(ahead, from))) return 0;
    feedCode(ahead, unit);
  }
  return undefined;
}

/** Does what a tag does. False when it has to wait: what follows tells what it is. */
function act(reader: Reader, tag: Tag, isOver: boolean): boolean {
  const { raw, name } = tag;
  const rest = reader.pending.slice(raw.length);
  const isLive = reader.options.mode === 'live' && isStructural(tag);
  if (!isLive && lacksRoom(reader, tag)) {
    dropTag(reader, tag);
    reader.pending = rest;
    return true;
  }
  const body = findBody(tag, rest, isLive, isOver);
  if (body === undefined) return false;
  const isCitation = name === 'citation';
  const acts = !isCitation && (isLive ? claim : actTag)(reader, tag, body?.construct);
  if (!acts) tell(reader, isCitation ? addMark(reader, raw) : raw);
  reader.pending = acts && body ? rest.slice(body.end) : rest;
  return true;
}

/**
 * Whether a tag in live text is more than text (rule R7): its construct is known to events, or it ends a step that was. Until a
 * construct is complete it waits.
 */
function claim(reader: Reader, { name, starts }: Tag, construct?: Construct): boolean {
  const { mergedSteps, options } = reader;
  const endsStep = name === 'STEP' && !starts && mergedSteps > 0;
  const fate = construct ? options.constructs?.claim(construct) : endsStep && 'merged';
  if (!fate || fate === 'literal') return false;
  breakText(reader);
  if (name === 'STEP') reader.mergedSteps += starts ? 1 : -1;
  if (fate !== 'merged') stand(reader, fate.placed);
  return true;
}

/** Text, or a tag that does not act. */
function tell(reader: Reader, text: string): void {
  feedCode(codeOf(reader), text);
  writeText(reader, text);
}

/** A zone ends with this much of its text; its end tag is dropped, and what follows it is read again. */
function leaveZone(reader: Reader, { name, tool, text }: Zone, end: number): void {
  const endTag = `<<${name}_END>>`;
  const isWhole = text.startsWith(endTag, end);
  const rest = text.slice(isWhole ? end + endTag.length : end);
  reader.zone = null;
  reader.work += rest.length;
  reader.pending = rest + reader.pending;
  takePayload(reader, { name, tool, raw: trimBlanks(text.slice(0, end)), isWhole });
}
