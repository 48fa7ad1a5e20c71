import {
  createCodeState,
  endRun,
  feedCode,
  isInReach,
  placeOf,
  type CodeState,
} from './code-state.js';
import { withoutForgedMarks } from './citation.js';
import { feedZone, type RawZone, type ZoneEnd } from './raw-zone.js';
import { advance, createCandidate, isStructural, toTag, type Candidate, type Tag } from './tag.js';

/** A tag or citation behind backticks on its line, and what has followed: code if the same number of backticks closes it in time. */
interface SpanHold {
  readonly kind: 'span';
  /** The code state behind what is held. */
  readonly code: CodeState;
  /** Where the last span begins that may have been opened. */
  readonly from: number;
  text: string;
}

/** A tag in a fence that acts only if it stands alone on its line. */
interface LineHold {
  readonly kind: 'line';
  readonly tag: Tag;
  text: string;
}

/** A construct in live text, or a temporary tag and what follows it: told as text if its end does not come. */
export interface TextHold {
  readonly kind: 'text';
  readonly start: Tag;
  /** What stands behind its start. */
  text: string;
  /** Where in it a single-step flag ends; 0 when none has come. */
  flagEnd: number;
}

/** All that a splitter keeps between two pieces. Plain data. */
export interface SplitterState {
  candidate: Candidate | null;
  /** What is being read, where it is not plain text. */
  hold: SpanHold | LineHold | TextHold | RawZone | null;
}

interface Segment {
  readonly text: string;
  at: number;
}

/**
 * Cuts a growing text into text, tags, citations and raw zones. Holds back what may still become a tag, a citation, code or a quoted
 * end tag, and tells the rest at once. What it tells does not depend on where the text was cut.
 */
export abstract class TagSplitter<State extends SplitterState> {
  /** Units looked at so far, those looked at twice counted twice. */
  work = 0;
  protected abstract state: State;
  /** What is still to be read: the last one first. Empty between two pieces. */
  readonly #segments: Segment[] = [];

  /** Where the text at this place stands as to code; null where code does not matter. */
  protected abstract code(): CodeState | null;
  /** Whether parts can be made here: else there are no citations. */
  protected abstract isOpen(): boolean;
  /** Text, or a tag that does not act. */
  protected abstract text(text: string): void;
  /** A citation element. */
  protected abstract citation(source: string): void;
  /** A tag that is not code. False when it is text. May set what is held next. */
  protected abstract tag(tag: Tag): boolean;
  /** A raw zone has ended. */
  protected abstract payload(zone: RawZone, text: string): void;
  /** The next piece of a text that is held. */
  protected abstract follow(hold: TextHold, raw: string, tag?: Tag): void;

  /** The next piece. Each unit is looked at once, those of a failed tag a second time. */
  push(text: string): void {
    this.again(withoutForgedMarks(text));
    this.#run();
  }

  /** Nothing follows: what is held is decided, the innermost first. With `keepZone`, a raw zone is left open. */
  protected flush(keepZone = false): void {
    for (;;) {
      const { candidate, hold } = this.state;
      if (keepZone && hold?.kind === 'zone') return;
      if (candidate) this.#fail(candidate);
      else if (hold?.kind === 'span') this.#endSpan(hold);
      else if (hold?.kind === 'line') this.#endLine(hold, true);
      else if (hold?.kind === 'zone') this.#endZone(hold, { payload: hold.body, rest: hold.tail });
      else if (hold) this.release(hold);
      else return;
      this.#run();
    }
  }

  /** Reads on in `text` before anything else. */
  protected again(text: string): void {
    this.#segments.push({ text, at: 0 });
  }

  /** What is held is text: it is read again. Of a temporary tag without an end, only the tag is dropped. */
  protected release({ start, text }: TextHold, raw = ''): void {
    this.state.hold = null;
    this.again(text + raw);
    if (isStructural(start)) this.#tell(start.raw);
  }

  #tell(text: string): void {
    const code = this.code();
    if (code) feedCode(code, text);
    this.text(text);
  }

  #run(): void {
    for (let segment; (segment = this.#segments.at(-1));) {
      const { at, text } = segment;
      if (at < text.length) this.#read(segment, text, text.charAt(at));
      else this.#segments.pop();
      this.work += segment.at - at;
    }
  }

  #read(segment: Segment, text: string, unit: string): void {
    const { candidate, hold } = this.state;
    const from = segment.at;
    segment.at += 1;
    if (hold?.kind === 'span') {
      if (!this.#holdsOn(hold, unit)) segment.at = from;
    } else if (hold?.kind === 'line') {
      if (/[ \t\r]/.test(unit)) hold.text += unit;
      else {
        segment.at = from;
        this.#endLine(hold, unit === '\n');
      }
    } else if (candidate) {
      if (!this.#goesOn(candidate, unit)) {
        segment.at = from;
        this.#fail(candidate);
      }
    } else if (unit === '<') this.state.candidate = createCandidate();
    else {
      const next = text.indexOf('<', from);
      segment.at = next < 0 ? text.length : next;
      this.#take(text.slice(from, segment.at));
    }
  }

  #goesOn(candidate: Candidate, unit: string): boolean {
    const noCitation = this.state.hold !== null || !this.isOpen();
    if (noCitation && unit !== '<' && candidate.raw === '<') return false;
    const verdict = advance(candidate, unit);
    if (verdict === 'tag' || verdict === 'citation') {
      this.state.candidate = null;
      if (verdict === 'tag') this.#take(candidate.raw, toTag(candidate));
      else this.#place(candidate.raw);
    }
    return verdict !== '';
  }

  /** Its first unit is text; the others may be the beginning of something else. */
  #fail(candidate: Candidate): void {
    this.state.candidate = null;
    this.again(candidate.raw.slice(1));
    this.#take('<');
  }

  /** A text or tag, wherever it is. */
  #take(raw: string, tag?: Tag): void {
    const { hold } = this.state;
    if (hold?.kind === 'zone') this.#endZone(hold, feedZone(hold, raw, tag));
    else if (hold?.kind === 'text') this.follow(hold, raw, tag);
    else if (tag) this.#place(raw, tag);
    else this.#tell(raw);
  }

  /** A tag, or without one a citation, outside of any hold: literal in code, else it acts. */
  #place(raw: string, tag?: Tag): void {
    const code = this.code();
    const place = code ? placeOf(code) : 'none';
    const last = code?.spans.at(-1);
    if (code && place === 'span' && last) {
      const copy = { ...code, spans: [...code.spans] };
      this.state.hold = { kind: 'span', code: copy, from: last.at, text: '' };
      // Read once more, as what may be code: it may hold the closing backticks itself.
      this.again(raw);
    } else if (place === 'fence') {
      const mayAct = tag && isStructural(tag) && code?.line === 'start' && !code.quoted;
      if (mayAct) this.state.hold = { kind: 'line', tag, text: '' };
      else this.#tell(raw);
    } else if (tag) this.#act(tag);
    else {
      if (code) feedCode(code, '\uE000');
      this.citation(raw);
    }
  }

  #act(tag: Tag): void {
    if (!this.tag(tag)) this.#tell(tag.raw);
  }

  /** Takes one more unit of what may be code, unless it decides. */
  #holdsOn(hold: SpanHold, unit: string): boolean {
    const { code, from } = hold;
    if (unit !== '`') endRun(code);
    if (unit === '\n' || !isOpenFrom(code, from) || (code.run === 0 && !isInReach(code, from))) {
      this.#endSpan(hold);
      return false;
    }
    feedCode(code, unit);
    hold.text += unit;
    return true;
  }

  /** A span that closes makes the held text code; one that does not gives the tag back. */
  #endSpan({ code, from, text }: SpanHold): void {
    endRun(code);
    this.state.hold = null;
    const here = this.code() ?? createCodeState();
    if (isOpenFrom(code, from)) {
      here.spans = [];
      this.again(text);
    } else {
      Object.assign(here, code);
      this.text(text);
    }
  }

  #endLine(hold: LineHold, isAlone: boolean): void {
    this.state.hold = null;
    this.again(hold.text);
    if (isAlone) this.#act(hold.tag);
    else this.#tell(hold.tag.raw);
  }

  #endZone(zone: RawZone, end: ZoneEnd | null): void {
    if (!end) return;
    this.state.hold = null;
    this.payload(zone, end.payload);
    this.again(end.rest);
  }
}

/** Whether the span that may have been opened at `from` is not closed. */
function isOpenFrom(code: CodeState, from: number): boolean {
  return code.spans.some((span) => span.at === from);
}
