import { endMarker, feedCode, isFenced, isWithinSpan, type CodeState } from './code-state.js';
import type { Construct } from './content-parser-types.js';
import { findConstruct, trimBlanks } from './constructs.js';
import { addMark, getCode, setAnchor, writeText } from './content-writer.js';
import { feedZone } from './raw-zone.js';
import { cloneState, type ParserState, type RawZone } from './parser-state.js';
import { applyTag, interruptText, dropTag, exceedsLimit, applyPayload } from './tag-handlers.js';
import { findCandidate, findTag, isStructural, type Tag } from './tag.js';

/** Text is read in slices of this length, so that no step copies or scans all of a long text. */
const SLICE_LENGTH = 16_384;
/** Withheld text up to this length is scanned after each chunk; a longer one when it has grown by a sixteenth, so that the cost stays linear. */
const SHORT_LENGTH = 64;
/**
 * Ends of tags (`>>`), of citations (`n>`, from `</citation>` and `</web_citation>`), of code spans and of lines. They may complete a pending
 * construct, so the text is scanned at once.
 */
const ENDINGS = /[n>]>|`[^`]|\n/;

/**
 * Reads the next chunk of a growing text: splits it into text, tags, citations and raw zones. Withholds text that may still become a tag, a
 * citation, code or a construct, and emits the rest. The result does not depend on the chunk boundaries. `parser-state.ts` describes raw zones,
 * blocks and anchors.
 */
export function feedText(parser: ParserState, text: string): void {
  for (let at = 0; at < text.length; at += SLICE_LENGTH) {
    parser.pending += text.slice(at, at + SLICE_LENGTH);
    const { pending, scannedLength } = parser;
    const hasGrown = (pending.length - scannedLength) * 16 > scannedLength - SHORT_LENGTH;
    if (hasGrown || ENDINGS.test(pending.slice(scannedLength - 1))) scanPending(parser, false);
  }
}

/** Decides about withheld text as if no more text followed. With `keepZone`, a raw zone stays open. */
export function flushText(parser: ParserState, keepZone = false): void {
  if (parser.zone && keepZone) return;
  scanPending(parser, true);
  const { zone } = parser;
  if (!zone || keepZone) return;
  closeZone(parser, zone, zone.firstEnd || zone.text.length);
  flushText(parser);
}

function scanPending(parser: ParserState, isFinal: boolean): void {
  parser.work += parser.pending.length;
  while (parser.pending && readToken(parser, isFinal));
  parser.scannedLength = parser.pending.length;
}

/** Reads a text or a tag. Returns false when that depends on text that was not received yet. */
function readToken(parser: ParserState, isFinal: boolean): boolean {
  const { pending, zone, block } = parser;
  const next = findCandidate(pending, 0);
  // Citations require a text part, and zones and blocks contain none.
  const tag = next === 0 ? findTag(pending, !zone && !block) : null;
  if (tag === undefined && !isFinal) return false;
  const raw = tag?.raw ?? pending.slice(0, next === 0 ? findCandidate(pending, 1) : next);
  if (tag && !zone) return readTag(parser, tag, isFinal);
  parser.pending = pending.slice(raw.length);
  if (!zone) writeLiteral(parser, raw);
  else {
    const end = feedZone(zone, raw, tag);
    if (end !== undefined) closeZone(parser, zone, end);
  }
  return true;
}

/** Reads a tag outside a zone. In code the tag is text. Returns false when that depends on text that was not received yet. */
function readTag(parser: ParserState, tag: Tag, isFinal: boolean): boolean {
  const { pending } = parser;
  const code = getCode(parser);
  const literal = measureCode(parser, code, tag, isFinal);
  if (literal === undefined) return false;
  if (literal === 0) {
    code.spans = [];
    return handleTag(parser, tag, isFinal);
  }
  parser.pending = pending.slice(literal);
  writeLiteral(parser, pending.slice(0, literal));
  return true;
}

/**
 * Returns the length of the code that starts with a tag; 0 when the tag is not in code, undefined when that depends on text that was not
 * received yet.
 */
function measureCode(
  parser: ParserState,
  code: CodeState,
  tag: Tag,
  isFinal: boolean,
): number | undefined {
  const { pending } = parser;
  const { length } = tag.raw;
  if (isFenced(code)) {
    if (!isStructural(tag) || code.lineContent !== '') return length;
    // In a fence, a structural tag must be alone on its line to take effect; live, an event must represent it, too (UBIK 7.3). More than 512
    // blanks count as text, so that the tag is not withheld for long.
    const [, next] = /^[ \t\r]{0,512}([^])?/.exec(pending.slice(length)) ?? [];
    if (next === undefined) return isFinal ? 0 : undefined;
    return next === '\n' ? 0 : length;
  }
  const from = code.spans.at(-1)?.at;
  if (from === undefined) return 0;
  // After backticks, the tag is code if the same number of backticks closes the span before the span is too long or the line ends. The tag
  // itself may contain these closing backticks.
  const ahead = cloneState(code);
  for (let at = 0; at < pending.length || isFinal; at += 1) {
    parser.work += 1;
    const unit = pending.charAt(at);
    if (unit !== '`') endMarker(ahead);
    if (!ahead.spans.some((span) => span.at === from)) return at;
    if (!unit || unit === '\n' || (!ahead.marker && !isWithinSpan(ahead, from))) return 0;
    feedCode(ahead, unit);
  }
  return undefined;
}

/** Applies a tag. Returns false when that depends on text that was not received yet. */
function handleTag(parser: ParserState, tag: Tag, isFinal: boolean): boolean {
  const { raw, name } = tag;
  const remainder = parser.pending.slice(raw.length);
  // The other tags, those of thinking and of tools, take effect without an event.
  const needsEvent = parser.options.mode === 'live' && isStructural(tag);
  if (!needsEvent && exceedsLimit(parser, tag)) {
    dropTag(parser, tag);
    parser.pending = remainder;
    return true;
  }
  const body = findConstruct(tag, remainder, needsEvent, isFinal);
  if (body === undefined) return false;
  const isCitation = name === 'citation';
  const isApplied =
    !isCitation && (needsEvent ? resolveTag : applyTag)(parser, tag, body?.construct);
  if (!isApplied) writeLiteral(parser, isCitation ? addMark(parser, raw) : raw);
  parser.pending = isApplied && body ? remainder.slice(body.end) : remainder;
  return true;
}

/**
 * Applies a tag in live text, or returns false when the tag is text (UBIK R7). It takes effect if an event represents its construct, or if it
 * ends a step whose start tag was dropped. A construct is withheld until it is complete.
 */
function resolveTag(parser: ParserState, { name, starts }: Tag, construct?: Construct): boolean {
  const { mergedSteps, options } = parser;
  const endsStep = name === 'STEP' && !starts && mergedSteps > 0;
  const decision = construct ? options.resolver?.resolve(construct) : endsStep && 'merged';
  if (!decision || decision === 'literal') return false;
  interruptText(parser);
  if (name === 'STEP') parser.mergedSteps += starts ? 1 : -1;
  if (decision !== 'merged') setAnchor(parser, decision.placed);
  return true;
}

/** Appends text, or a tag that has no effect. */
function writeLiteral(parser: ParserState, text: string): void {
  feedCode(getCode(parser), text);
  writeText(parser, text);
}

/** Closes a zone after `end` units of its text. Drops its end tag, and reads the rest again. */
function closeZone(parser: ParserState, { name, tool, text }: RawZone, end: number): void {
  const endTag = `<<${name}_END>>`;
  const isWhole = text.startsWith(endTag, end);
  const remainder = text.slice(isWhole ? end + endTag.length : end);
  parser.zone = null;
  parser.work += remainder.length;
  parser.pending = remainder + parser.pending;
  applyPayload(parser, { name, tool, raw: trimBlanks(text.slice(0, end)), isWhole });
}
