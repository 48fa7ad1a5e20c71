import { advance, createCandidate, labelOf, type Candidate } from './candidate.js';
import { isBlankUnit } from './blanks.js';
import {
  feedCode,
  isAtLineStart,
  placeOf,
  voidSpan,
  type CodePlace,
  type CodeState,
} from './code-state.js';
import { createRawZone, endZone, zoneTag, zoneText, type ZoneOutcome } from './raw-zone.js';
import { createSpanHold, endSpan, spanUnit, type SpanHold } from './span-hold.js';
import type {
  ConstructHold,
  LineHold,
  SkipHold,
  SplitterHandler,
  SplitterState,
  TagSplitter,
} from './splitter-types.js';
import { isStructural, type Tag } from './tag.js';

/** Longest text that is held between a temporary tag, or a construct in live text, and its end. */
const MAX_HELD = 4096;
const LESS = 60;
const NEWLINE = 10;

interface Segment {
  readonly text: string;
  at: number;
}

/**
 * A splitter that holds back what may still become a tag, a citation, code or a quoted end tag, and tells the rest at once. What it
 * tells does not depend on where the text was cut.
 */
export function createTagSplitter(handler: SplitterHandler): TagSplitter {
  return new Splitter(handler);
}

class Splitter implements TagSplitter {
  state: SplitterState = { candidate: null, hold: null, work: 0 };
  readonly #handler: SplitterHandler;
  /** What is still to be read: the last one first. Empty between two pieces. */
  readonly #segments: Segment[] = [];

  constructor(handler: SplitterHandler) {
    this.#handler = handler;
  }

  push(text: string): void {
    this.#again(text);
    this.#run();
  }

  flush(keepZone: boolean): void {
    while (this.state.candidate || this.state.hold) {
      if (keepZone && this.state.hold?.kind === 'zone') return;
      this.#decide();
      this.#run();
    }
  }

  /** Reads on in `text` before anything else. */
  #again(text: string): void {
    if (text !== '') this.#segments.push({ text, at: 0 });
  }

  #run(): void {
    for (let segment = this.#segments.at(-1); segment; segment = this.#segments.at(-1)) {
      if (segment.at >= segment.text.length) this.#segments.pop();
      else this.#read(segment);
    }
  }

  #read(segment: Segment): void {
    const { hold, candidate } = this.state;
    const from = segment.at;
    if (hold?.kind === 'span') this.#readSpan(hold, segment);
    else if (hold?.kind === 'line') this.#readLine(hold, segment);
    else if (candidate) this.#readCandidate(candidate, segment);
    else this.#readText(segment);
    this.state.work += segment.at - from;
  }

  #readText(segment: Segment): void {
    const { text, at } = segment;
    if (text.charCodeAt(at) === LESS) {
      segment.at += 1;
      this.state.candidate = createCandidate();
      return;
    }
    const next = text.indexOf('<', at);
    segment.at = next < 0 ? text.length : next;
    this.#text(text.slice(at, segment.at));
  }

  #readCandidate(candidate: Candidate, segment: Segment): void {
    while (segment.at < segment.text.length) {
      const unit = segment.text.charCodeAt(segment.at);
      const noCitation = candidate.raw.length === 1 && unit !== LESS && !this.#takesCitations();
      const verdict = noCitation ? 'fail' : advance(candidate, unit);
      if (verdict === 'fail') {
        this.#failCandidate(candidate);
        return;
      }
      segment.at += 1;
      if (verdict === 'more') continue;
      this.state.candidate = null;
      const { kind, raw } = candidate;
      if (verdict === 'citation') this.#citation(raw);
      else if (kind) this.#tag({ kind, raw, label: labelOf(candidate) });
      return;
    }
  }

  /** Its first unit is text; the others may be the beginning of something else. */
  #failCandidate(candidate: Candidate): void {
    this.state.candidate = null;
    this.#again(candidate.raw.slice(1));
    this.#text('<');
  }

  #takesCitations(): boolean {
    if (this.state.hold || !this.#handler.takesCitations()) return false;
    const code = this.#handler.code();
    return !code || placeOf(code) !== 'fence';
  }

  #text(text: string): void {
    const { hold } = this.state;
    if (!hold) this.#tell(text);
    else if (hold.kind === 'zone') this.#settleZone(zoneText(hold, text));
    else if (hold.kind === 'construct') this.#settleConstruct(hold, text);
    else if (hold.kind === 'skip') this.#skip(hold, text);
  }

  #tag(tag: Tag): void {
    const { hold } = this.state;
    if (!hold) this.#place(tag);
    else if (hold.kind === 'zone') this.#settleZone(zoneTag(hold, tag));
    else if (hold.kind === 'construct') this.#settleConstruct(hold, tag);
    else if (hold.kind === 'skip') this.#endSkip(hold, tag);
  }

  /** A tag outside of any hold: literal in code, else it acts. */
  #place(tag: Tag): void {
    const code = this.#handler.code();
    const place = code ? placeOf(code) : 'none';
    if (code && place === 'fence' && isStructural(tag.kind) && isAtLineStart(code)) {
      this.state.hold = { kind: 'line', tag, blanks: '' };
    } else if (place === 'fence') this.#tell(tag.raw);
    else if (code && place !== 'none') this.#holdSpan(code, place, tag.raw);
    else this.#act(tag);
  }

  #citation(source: string): void {
    const code = this.#handler.code();
    const place = code ? placeOf(code) : 'none';
    if (code && place !== 'none') this.#holdSpan(code, place, source);
    else {
      if (code) feedCode(code, '\uE000');
      this.#handler.citation(source);
    }
  }

  /** Reads the tag once more, as what may be code: it may hold the closing backticks itself. */
  #holdSpan(code: CodeState, place: CodePlace, raw: string): void {
    this.state.hold = createSpanHold(code, place);
    this.#again(raw);
  }

  #act(tag: Tag): void {
    const act = this.#handler.tag(tag);
    if (act === 'literal') this.#tell(tag.raw, tag);
    else if (act === 'skip') this.state.hold = { kind: 'skip', text: '' };
    else if (act !== 'acted' && 'zone' in act) this.state.hold = createRawZone(act.zone);
    else if (act !== 'acted') {
      const { construct } = act;
      this.state.hold = { kind: 'construct', construct, start: tag, text: '', flagEnd: 0 };
    }
  }

  #tell(text: string, literal?: Tag): void {
    const code = this.#handler.code();
    if (code) feedCode(code, text);
    this.#handler.text(text, literal);
  }

  #readSpan(hold: SpanHold, segment: Segment): void {
    while (segment.at < segment.text.length) {
      const verdict = spanUnit(hold, segment.text.charCodeAt(segment.at));
      if (verdict !== 'more') {
        this.#settleSpan(hold, verdict);
        return;
      }
      segment.at += 1;
    }
  }

  /** A span that closes makes the held text code; one that does not gives the tag back. */
  #settleSpan(hold: SpanHold, verdict: 'code' | 'void'): void {
    this.state.hold = null;
    const code = this.#handler.code();
    if (verdict === 'code') {
      if (code && hold.text === '') voidSpan(code);
      this.#tell(hold.text);
      return;
    }
    if (code) voidSpan(code);
    this.#again(hold.text);
  }

  #readLine(hold: LineHold, segment: Segment): void {
    const from = segment.at;
    while (isBlankUnit(segment.text.charCodeAt(segment.at))) segment.at += 1;
    hold.blanks += segment.text.slice(from, segment.at);
    if (segment.at >= segment.text.length) return;
    this.#settleLine(hold, segment.text.charCodeAt(segment.at) === NEWLINE);
  }

  #settleLine(hold: LineHold, alone: boolean): void {
    this.state.hold = null;
    this.#again(hold.blanks);
    if (alone) this.#act(hold.tag);
    else this.#tell(hold.tag.raw);
  }

  #settleZone(outcome: ZoneOutcome): void {
    if (!outcome) return;
    this.state.hold = null;
    this.#handler.payload(outcome.payload);
    this.#again(outcome.rest);
  }

  #settleConstruct(hold: ConstructHold, piece: string | Tag): void {
    const raw = typeof piece === 'string' ? piece : piece.raw;
    const room = MAX_HELD - hold.text.length;
    const fits = raw.length <= room;
    // Never more than has room, so that it does not matter how the text was cut.
    const part = fits ? piece : typeof piece === 'string' ? piece.slice(0, room) : '';
    const step = this.#handler.construct(hold, part);
    if (step === 'more' && fits) return;
    this.state.hold = null;
    if (step === 'more' || step === 'literal') {
      // What the construct took of the piece stands in its text already.
      this.#again(step === 'more' ? raw.slice(typeof part === 'string' ? part.length : 0) : raw);
      this.#again(hold.text);
      this.#tell(hold.start.raw, hold.start);
      return;
    }
    if (!fits) this.#again(raw.slice(room));
    this.#again(step.rest);
  }

  #skip(hold: SkipHold, text: string): void {
    hold.text += text;
    if (hold.text.length <= MAX_HELD) return;
    this.state.hold = null;
    this.#again(hold.text);
  }

  #endSkip(hold: SkipHold, tag: Tag): void {
    if (tag.kind === 'event-end') this.state.hold = null;
    else if (tag.kind !== 'event-start') this.#skip(hold, tag.raw);
    else {
      // The one that was open has no end of its own: only its tag is dropped.
      this.state.hold = null;
      this.#again(hold.text + tag.raw);
    }
  }

  /** Decides the innermost thing that is held, knowing that nothing follows. */
  #decide(): void {
    const { candidate, hold } = this.state;
    if (candidate) this.#failCandidate(candidate);
    else if (hold?.kind === 'span') this.#settleSpan(hold, endSpan(hold));
    else if (hold?.kind === 'line') this.#settleLine(hold, true);
    else if (hold?.kind === 'zone') this.#settleZone(endZone(hold));
    else if (hold) {
      this.state.hold = null;
      this.#again(hold.text);
      if (hold.kind === 'construct') this.#tell(hold.start.raw, hold.start);
    }
  }
}
