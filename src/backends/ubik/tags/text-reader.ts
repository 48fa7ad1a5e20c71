import { MARK_START } from '../../../model/part.js';
import { endRun, feedCode, isFenced, isInReach, type CodeState } from './code-state.js';
import type { Construct } from './content-sink.js';
import { codeOf, stand, writeCitation, writeText } from './content-writer.js';
import { isBlankText, parseBlock, parseStepHeader, trimBlanks } from './payload.js';
import { endZone, feedZone, type ZoneEnd } from './raw-zone.js';
import { cloneState, type BlockHold, type LineHold, type Reader } from './reader.js';
import { actTag, breakText, takePayload } from './tag-acts.js';
import { advance, createCandidate, isStructural, toTag, type Candidate, type Tag } from './tag.js';

/** Longest text that is held between a temporary tag, or a construct in live text, and its end. */
const MAX_HELD = 4096;

/**
 * Cuts the next piece of a growing text into text, tags, citations and raw zones. Holds back what may still become a tag, a citation,
 * code or a quoted end tag, and tells the rest at once. What it tells does not depend on where the text was cut. Each unit is looked
 * at once; what was held and turns out to be something else is read again.
 */
export function readText(reader: Reader, text: string): void {
  reader.work += text.length;
  for (let at = 0; at < text.length;) {
    const { candidate, hold } = reader;
    const unit = text.charAt(at);
    if (hold?.kind === 'line') at += Number(waitsOn(reader, hold, unit));
    else if (candidate) at += Number(goesOn(reader, candidate, unit));
    else if (unit === '<') {
      reader.candidate = createCandidate();
      at += 1;
    } else {
      const next = text.indexOf('<', at);
      const end = next < 0 ? text.length : next;
      take(reader, text.slice(at, end));
      at = end;
    }
  }
}

/** Nothing follows: what is held is decided, the innermost first. With `keepZone`, a raw zone is left open. */
export function flushText(reader: Reader, keepZone = false): void {
  for (;;) {
    const { candidate, hold } = reader;
    const isZone = hold?.kind === 'block' && hold.stop;
    if (keepZone && isZone) return;
    if (candidate) fail(reader, candidate);
    else if (!hold) return;
    else if (hold.kind === 'line') settleLine(reader, hold, true);
    else if (isZone) leaveZone(reader, hold, endZone(hold));
    else release(reader, hold);
  }
}

/** Whether a candidate goes on with this unit. */
function goesOn(reader: Reader, candidate: Candidate, unit: string): boolean {
  // There are no citations where no parts can be made.
  const isTag = reader.hold !== null || reader.blocks.length > 0;
  const verdict = isTag && unit !== '<' && candidate.raw === '<' ? '' : advance(candidate, unit);
  if (verdict === '') fail(reader, candidate);
  else if (verdict === 'whole') {
    reader.candidate = null;
    take(reader, candidate.raw, toTag(candidate));
  }
  return verdict !== '';
}

/** Its first unit is text; the others may be the beginning of something else. */
function fail(reader: Reader, { raw }: Candidate): void {
  reader.candidate = null;
  take(reader, '<');
  readText(reader, raw.slice(1));
}

/** A text or tag, wherever it is. */
function take(reader: Reader, raw: string, tag?: Tag): void {
  const { hold } = reader;
  if (hold?.kind === 'block') {
    if (!hold.stop) follow(reader, hold, raw, tag);
    else leaveZone(reader, hold, feedZone(hold, raw, tag));
  } else if (tag) place(reader, tag);
  else tell(reader, raw);
}

/** Text, or a tag that does not act. */
function tell(reader: Reader, text: string): void {
  const code = codeOf(reader);
  if (code) feedCode(code, text);
  writeText(reader, text);
}

/** A tag outside of any hold: literal in code, else it acts. */
function place(reader: Reader, tag: Tag): void {
  const code = codeOf(reader);
  const fenced = code !== null && isFenced(code);
  const from = fenced ? null : code?.spans.at(-1)?.at;
  if (code && (fenced ? isStructural(tag) && code.line === '' : from !== undefined)) {
    reader.hold = { kind: 'line', tag, code: cloneState(code), from: from ?? null, text: '' };
    // As what may be code it is looked at unit by unit: it may hold the closing backticks itself.
    if (!fenced) readText(reader, tag.raw);
  } else if (fenced) tell(reader, tag.raw);
  else act(reader, tag);
}

function act(reader: Reader, tag: Tag): void {
  const code = codeOf(reader);
  if (tag.name === 'citation') {
    if (code) feedCode(code, MARK_START);
    writeCitation(reader, tag.raw);
  } else if (!actTag(reader, tag)) tell(reader, tag.raw);
}

/** Takes one more unit of what may be code, unless it decides. */
function waitsOn(reader: Reader, hold: LineHold, unit: string): boolean {
  const { code, from } = hold;
  if (unit !== '`') endRun(code);
  const waits =
    from === null
      ? /[ \t\r]/.test(unit)
      : unit !== '\n' && isOpenFrom(code, from) && (code.run !== '' || isInReach(code, from));
  if (waits) {
    feedCode(code, unit);
    hold.text += unit;
  } else settleLine(reader, hold, unit === '\n');
  return waits;
}

/** A span that closes makes what is held code; one that does not gives the tag back. In a fence a tag acts that stands alone. */
function settleLine(reader: Reader, { code, from, tag, text }: LineHold, isOver: boolean): void {
  endRun(code);
  reader.hold = null;
  const here = codeOf(reader);
  if (!here) return;
  if (from === null) {
    if (isOver) act(reader, tag);
    else tell(reader, tag.raw);
    readText(reader, text);
  } else if (isOpenFrom(code, from)) {
    here.spans = [];
    readText(reader, text);
  } else {
    Object.assign(here, code);
    writeText(reader, text);
  }
}

/** What is held is text: it is read again. Of a temporary tag without an end, only the tag is dropped. */
function release(reader: Reader, { start, text }: BlockHold): void {
  reader.hold = null;
  if (isStructural(start)) tell(reader, start.raw);
  readText(reader, text);
}

/** Takes what follows a temporary tag, or the first tag of a construct in live text. */
function follow(reader: Reader, hold: BlockHold, raw: string, tag?: Tag): void {
  const { start, text, mark } = hold;
  const { name } = start;
  const isStep = name === 'STEP';
  hold.text += raw;
  if (tag?.name === 'SINGLE_STEP_FLAG' && isStep && mark === 0 && isBlankText(text)) {
    hold.mark = hold.text.length;
  } else if (tag && (name !== 'TOOL_EVENT' || tag.name === name)) {
    // Any tag ends the header line of a step, and the waiting for another end.
    const isEnd = tag.name === name && !tag.starts;
    if (name === 'TOOL_EVENT' && isEnd) reader.hold = null;
    else if (!isStep && !isEnd) release(reader, hold);
    else if (!claim(reader, hold, text.length, isStep ? text.length : hold.text.length))
      release(reader, hold);
  } else {
    // A step's construct ends with its header line, the first one that is not blank.
    const line =
      isStep &&
      raw.includes('\n') &&
      /^[ \t\r\n]*[^ \t\r\n][^\n]*(?=\n)/.exec(hold.text.slice(mark));
    const end = line ? mark + line[0].length : MAX_HELD + 1;
    if (end <= MAX_HELD && claim(reader, hold, end)) return;
    if (line || hold.text.length > MAX_HELD) release(reader, hold);
  }
}

/** Whether what is held up to `end` is more than text; it is read on at `next`. */
function claim(reader: Reader, hold: BlockHold, end: number, next = end): boolean {
  const { constructs } = reader.options;
  const construct = readConstruct(hold, hold.text.slice(0, end));
  const fate = construct ? (constructs?.claim(construct) ?? 'literal') : 'literal';
  if (fate === 'literal') return false;
  reader.hold = null;
  breakText(reader);
  if (construct?.kind === 'step') reader.mergedSteps += 1;
  if (fate !== 'merged') stand(reader, fate.placed);
  readText(reader, hold.text.slice(next));
  return true;
}

function readConstruct({ start, mark }: BlockHold, text: string): Construct | null {
  if (start.name !== 'STEP') return parseBlock(start.name, text);
  const header = parseStepHeader(trimBlanks(text.slice(mark)));
  return header && { kind: 'step', ...header, single: mark > 0 };
}

function leaveZone(reader: Reader, zone: BlockHold, end: ZoneEnd | null): void {
  if (!end) return;
  reader.hold = null;
  takePayload(reader, zone, zone.text.slice(0, end.end));
  readText(reader, zone.text.slice(end.next));
}

/** Whether the span that may have been opened at `from` is not closed. */
function isOpenFrom({ spans }: CodeState, from: number): boolean {
  return spans.some(({ at }) => at === from);
}
