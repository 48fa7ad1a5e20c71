import type { Key } from '../../../../model/json.js';
import { isBlankText, trimBlanks } from '../split/blanks.js';
import type { Construct, ConstructKind } from '../content-sink.js';
import type { Container } from './content-writer.js';
import {
  messageOfDetails,
  parseCheckpoint,
  parseErrorMessage,
  parseRequest,
  parseStepHeader,
} from './payload.js';
import type { Reading } from './reading.js';
import type { Tag, TagKind } from '../split/tag.js';
import type { ConstructHold, ConstructStep, TagAct } from '../split/splitter-types.js';

/** Longest construct that is recognised in text that is shown already. */
const MAX_WATCHED = 4096;

/** What a live parser knows of constructs in its text. */
export interface LiveState {
  /** A construct that is being shown as text. */
  watch: Watch | null;
  /** Steps that were merged: so many end tags belong to them. */
  mergedSteps: number;
}

interface Watch {
  readonly start: Tag;
  readonly part: Key;
  readonly from: number;
  text: string;
  /** Where in it a single-step flag ends; 0 when none has come. */
  flagEnd: number;
}

const STARTS: ReadonlyMap<
  TagKind,
  { readonly construct: ConstructKind; readonly end: TagKind | null }
> = new Map([
  ['step-start', { construct: 'step', end: null }],
  ['checkpoint-start', { construct: 'checkpoint', end: 'checkpoint-end' }],
  ['request-start', { construct: 'request', end: 'request-end' }],
  ['error-start', { construct: 'error', end: 'error-end' }],
  ['details-start', { construct: 'error', end: 'details-end' }],
]);

/** No construct has come. */
export function createLiveState(): LiveState {
  return { watch: null, mergedSteps: 0 };
}

/**
 * Structural tags in live text: they stay text (rule R7), unless an event is known that a construct may belong to. Then the construct
 * is held until it is complete, and asked about.
 */
export function liveTag(reading: Reading, tag: Tag): TagAct {
  const { live } = reading.state;
  const start = STARTS.get(tag.kind);
  if (start && reading.options.constructs?.expects(start.construct)) {
    return { construct: start.construct };
  }
  if (tag.kind === 'step-end' && live.mergedSteps > 0) {
    live.mergedSteps -= 1;
    mergeHere(reading);
    return 'acted';
  }
  return 'literal';
}

/** Takes the next piece of a construct that is held. */
export function constructPiece(
  reading: Reading,
  hold: ConstructHold,
  piece: string | Tag,
): ConstructStep {
  if (hold.construct === 'step') return stepPiece(reading, hold, piece);
  if (typeof piece === 'string') {
    hold.text += piece;
    return 'more';
  }
  if (piece.kind !== STARTS.get(hold.start.kind)?.end) return 'literal';
  return claim(reading, readConstruct(hold.start, hold.text), '');
}

/** Follows the text that is shown, and reports constructs in it. */
export function watchText(
  reading: Reading,
  target: Container,
  text: string,
  literal: Tag | undefined,
): void {
  const { live } = reading.state;
  if (literal) watchTag(reading, target, literal);
  else if (live.watch) {
    live.watch.text += text;
    if (live.watch.start.kind === 'step-start') watchHeader(reading, live.watch, text);
    if ((live.watch?.text.length ?? 0) > MAX_WATCHED) live.watch = null;
  }
}

function stepPiece(reading: Reading, hold: ConstructHold, piece: string | Tag): ConstructStep {
  if (typeof piece !== 'string') {
    if (isFlag(piece, hold)) {
      hold.text += piece.raw;
      hold.flagEnd = hold.text.length;
      return 'more';
    }
    return claim(reading, readStep(hold.text, hold.flagEnd), piece.raw);
  }
  const from = hold.text.length;
  hold.text += piece;
  const end = piece.includes('\n') ? endOfHeaderLine(hold.text, hold.flagEnd) : -1;
  if (end < 0) return 'more';
  const construct = readStep(hold.text.slice(0, end), hold.flagEnd);
  const step = claim(reading, construct, hold.text.slice(end));
  if (step === 'literal') hold.text = hold.text.slice(0, from);
  return step;
}

/** Whether a tag is a step's flag, before its header. */
function isFlag(tag: Tag, step: { readonly text: string; readonly flagEnd: number }): boolean {
  return tag.kind === 'single-step' && step.flagEnd === 0 && isBlankText(step.text);
}

function claim(reading: Reading, construct: Construct | null, rest: string): ConstructStep {
  const fate = construct ? reading.options.constructs?.claim(construct) : 'literal';
  if (fate === undefined || fate === 'literal') return 'literal';
  mergeHere(reading);
  if (construct?.kind === 'step') reading.state.live.mergedSteps += 1;
  if (fate !== 'merged') reading.stand(fate.placed);
  return { merged: true, rest };
}

function mergeHere(reading: Reading): void {
  reading.break();
  reading.closeThinking();
}

function watchTag(reading: Reading, target: Container, tag: Tag): void {
  const { live } = reading.state;
  const last = reading.writer.lastText(target);
  const { watch } = live;
  if (!last) return;
  if (watch?.start.kind === 'step-start' && isFlag(tag, watch)) {
    watch.text += tag.raw;
    watch.flagEnd = watch.text.length;
    return;
  }
  if (watch && tag.kind === STARTS.get(watch.start.kind)?.end && watch.part === last.key) {
    report(reading, watch, readConstruct(watch.start, watch.text), last.length);
  }
  const from = last.length - tag.raw.length;
  const starts = STARTS.has(tag.kind);
  live.watch = starts ? { start: tag, part: last.key, from, text: '', flagEnd: 0 } : null;
}

/** A step's construct ends with its header line, which has no end tag. */
function watchHeader(reading: Reading, watch: Watch, text: string): void {
  const end = text.includes('\n') ? endOfHeaderLine(watch.text, watch.flagEnd) : -1;
  if (end < 0) return;
  const construct = readStep(watch.text.slice(0, end), watch.flagEnd);
  report(reading, watch, construct, watch.from + watch.start.raw.length + end);
  reading.state.live.watch = null;
}

function report(reading: Reading, watch: Watch, construct: Construct | null, to: number): void {
  if (!construct) return;
  const { part, from } = watch;
  reading.options.constructs?.literal(construct, { part, from, to });
}

function readConstruct(start: Tag, text: string): Construct | null {
  switch (start.kind) {
    case 'checkpoint-start':
      return { kind: 'checkpoint', ...parseCheckpoint(text) };
    case 'request-start':
      return { kind: 'request', ...parseRequest(text) };
    case 'error-start':
      return { kind: 'error', message: parseErrorMessage(text), details: null };
    case 'details-start': {
      const details = trimBlanks(text);
      return { kind: 'error', message: messageOfDetails(details), details };
    }
    default:
      return null;
  }
}

function readStep(text: string, flagEnd: number): Construct | null {
  const header = parseStepHeader(trimBlanks(text.slice(flagEnd)));
  return header ? { kind: 'step', ...header, single: flagEnd > 0 } : null;
}

/** Where the first line behind `from` ends that is not blank; -1 while it has not. */
function endOfHeaderLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlankText(text.charAt(at))) at += 1;
  return at < text.length ? text.indexOf('\n', at) : -1;
}
