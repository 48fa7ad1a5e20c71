import {
  characterAt,
  characterBefore,
  isAsciiPunctuation,
  isUnicodePunctuation,
  isUnicodeSpace,
} from '../syntax/characters.js';
import { decodeEntity, ENTITY, GROWING_ENTITY } from '../syntax/entities.js';
import { MAX_GUESS, MAX_HELD_LINK, MAX_SPAN } from '../syntax/limits.js';
import { mailAutolink, webAutolink, wwwAutolink, type AutolinkResult } from './autolinks.js';
import { angleInline } from './angle.js';
import { BracketStack, type LabelLookup } from './brackets.js';
import { CodeRuns } from './code-runs.js';
import { DelimiterStack } from './delimiters.js';
import { PieceList, type Piece } from './pieces.js';
import { PlainRuns, webWordLength } from './plain-runs.js';

/** What is read, and how. */
export interface ScanInput {
  /** The text; what stands behind `to` is looked at only to know which character follows. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Where to stop, when everything from there on is held back; the end by default. */
  readonly stop?: number;
  /** Whether the text goes on behind `to`: what is unfinished there is held back. */
  readonly open: boolean;
  readonly lookup: LabelLookup;
}

/** Reads inline content from left to right into pieces. */
export class InlineScanner {
  readonly pieces = new PieceList();
  readonly delimiters = new DelimiterStack(this.pieces);
  readonly brackets: BracketStack;
  /** Where what is held back begins. */
  hold: number;
  /** Whether pieces stand behind that place, because it was found only afterwards. */
  overran = false;
  /** The first place whose meaning may still change. */
  alive = Infinity;
  readonly #input: ScanInput;
  readonly #text: string;
  readonly #codeRuns: CodeRuns;
  readonly #plainRuns: PlainRuns;
  #position: number;
  /** Where the next mark ends, once it has been looked for. */
  #markEnd = -1;

  constructor(input: ScanInput) {
    this.#input = input;
    this.#text = input.text.slice(0, input.to);
    this.#position = input.from;
    this.hold = input.stop ?? input.to;
    this.brackets = new BracketStack(this.pieces, this.delimiters, input.lookup);
    this.#plainRuns = new PlainRuns(this.#text);
    this.#codeRuns = new CodeRuns(this.#text, input.from, input.open);
  }

  /** Where reading began. */
  get from(): number {
    return this.#input.from;
  }

  /** Reads everything, up to what is held back. */
  run(): void {
    while (this.#position < this.hold) this.#step();
  }

  #step(): void {
    const character = this.#text.charAt(this.#position);
    switch (character) {
      case '\n':
        return this.#lineEnd();
      case '\\':
        return this.#backslash();
      case '`':
        return this.#code();
      case '*':
      case '_':
      case '~':
        return this.#delimiter(character);
      case '[':
        this.brackets.push(this.#literal('['), false);
        return;
      case '!':
        return this.#exclamation();
      case ']':
        return this.#closeBracket();
      case '<':
        return this.#angle();
      case '&':
        return this.#entity();
      case ':':
        return this.#autolink(webAutolink(this.#autolinkSource(), this.#position));
      case '@':
        return this.#autolink(mailAutolink(this.#autolinkSource(), this.#position));
      case '\ue000':
        return this.#mark();
      case '\ue001':
        this.#position += 1;
        return;
      default:
        return this.#plain();
    }
  }

  get #open(): boolean {
    return this.#input.open;
  }

  /** Keeps back everything from here on until more is known; what is too long to be kept back is shown as it is. */
  #wait(start: number, longest = MAX_HELD_LINK): boolean {
    const length = this.#text.length - start;
    if (length <= Math.max(MAX_SPAN, longest)) this.alive = Math.min(this.alive, start);
    if (length > longest) return false;
    this.hold = Math.min(this.hold, start);
    this.#position = this.hold;
    return true;
  }

  #literal(text: string, divisible = false): Piece {
    const { last } = this.pieces;
    if (divisible && last?.divisible === true && last.end === this.#position) {
      last.text += text;
      this.#position += text.length;
      return last;
    }
    const piece = this.pieces.addText(text, this.#position, true, divisible);
    this.#position += text.length;
    return piece;
  }

  #literalHere(): void {
    this.#literal(this.#text.charAt(this.#position), true);
  }

  #plain(): void {
    const start = this.#position;
    const end = this.#plainRuns.end(start);
    const www = this.#plainRuns.www(start);
    if (www === start) {
      const link = wwwAutolink(this.#autolinkSource(), start);
      if (link === null) this.#literal('www.', true);
      else this.#autolink(link);
      return;
    }
    const stop = Math.min(end, www);
    const isLast = this.#open && stop >= this.#text.length;
    const held = isLast ? webWordLength(this.#text.slice(start, stop)) : 0;
    if (stop - held > start) this.#literal(this.#text.slice(start, stop - held), true);
    if (held > 0) this.#wait(this.#position);
  }

  #lineEnd(): void {
    const { last } = this.pieces;
    const text = last?.divisible === true ? last.text : '';
    const trimmed = withoutEnd(text, ' ');
    const start = this.#position;
    if (last !== null && trimmed.length < text.length) last.text = trimmed;
    this.#position += 1;
    if (text.length - trimmed.length >= 2) this.pieces.addInline({ kind: 'break' }, start);
    else this.pieces.addText('\n', start);
    while (this.#text.charAt(this.#position) === ' ') this.#position += 1;
  }

  #backslash(): void {
    const start = this.#position;
    const next = this.#text.charAt(start + 1);
    if (next === '' && this.#open) {
      this.#wait(start);
    } else if (next === '\n') {
      this.#position += 2;
      this.pieces.addInline({ kind: 'break' }, start);
      while (this.#text.charAt(this.#position) === ' ') this.#position += 1;
    } else if (next !== '' && isAsciiPunctuation(next)) {
      this.#position += 2;
      this.pieces.addText(next, start);
    } else {
      this.#literal('\\');
    }
  }

  #code(): void {
    const start = this.#position;
    const length = this.#codeRuns.lengthAt(start);
    if (this.#isLongRun(start, '`', length)) {
      this.#literal('`'.repeat(length), true);
      return;
    }
    const inside = start + length;
    const end = this.#codeRuns.closer(inside, length);
    if (end !== null) {
      this.#position = end + length;
      this.pieces.addInline({ kind: 'code', text: codeText(this.#text.slice(inside, end)) }, start);
      return;
    }
    const soFar = this.#text.length - start;
    if (this.#open && soFar <= MAX_SPAN) {
      const guess = codeText(withoutEnd(this.#text.slice(inside), '`'));
      if (guess.trim() === '') {
        this.#wait(start);
        return;
      }
      this.alive = Math.min(this.alive, start);
      if (soFar <= MAX_GUESS) {
        this.#position = this.hold;
        this.pieces.addInline({ kind: 'code', text: guess }, start);
        return;
      }
    }
    this.#literal('`'.repeat(length));
  }

  #delimiter(sign: string): void {
    const start = this.#position;
    let end = start;
    while (this.#text.charAt(end) === sign) end += 1;
    if (this.#mayGrow(end, sign) && this.#wait(start, MAX_SPAN)) return;
    const before = characterBefore(this.#input.text, start);
    const after = characterAt(this.#input.text, end);
    const flanks = flanking(before, after);
    const isWord = sign === '_';
    const canOpen = flanks.left && (!isWord || !flanks.right || isUnicodePunctuation(before));
    const canClose = flanks.right && (!isWord || !flanks.left || isUnicodePunctuation(after));
    const length = end - start;
    const isLong = this.#isLongRun(start, sign, length);
    const piece = this.#literal(sign.repeat(length), isLong);
    if (isLong) return;
    if (sign === '~' && length > 2) return;
    if (!canOpen && !canClose) return;
    const mayGuess = !flanks.right;
    this.delimiters.push({ piece, sign, start, length, canOpen, canClose, mayGuess });
  }

  /** Whether a run of signs reaches the end of a text that may go on with the same sign. */
  #mayGrow(end: number, sign: string): boolean {
    if (!this.#open || end < this.#text.length) return false;
    const next = this.#input.text.charAt(end);
    return next === '' || next === sign;
  }

  /** A run beyond all measure is text; the rest of one that was divided is known by what stands before it. */
  #isLongRun(start: number, sign: string, length: number): boolean {
    if (length > MAX_SPAN) return true;
    const { from, text } = this.#input;
    return start === from && text.charAt(from - 1) === sign && text.charAt(from - 2) === sign;
  }

  #exclamation(): void {
    const next = this.#text.charAt(this.#position + 1);
    if (next === '' && this.#open) this.#wait(this.#position);
    else if (next === '[') this.brackets.push(this.#literal('!['), true);
    else this.#literal('!', true);
  }

  #closeBracket(): void {
    const result = this.brackets.close(this.#text, this.#position, this.#open);
    if (result.wait !== null && this.#wait(result.wait, result.longest)) {
      this.overran = true;
      return;
    }
    if (result.end === null) this.#literal(']', true);
    else this.#position = result.end;
  }

  #angle(): void {
    const start = this.#position;
    const found = angleInline(this.#text, start);
    if (found === 'wait' && this.#open && this.#wait(start)) return;
    if (found === 'wait' || found === null) {
      this.#literal('<', true);
      return;
    }
    this.#position = found.end;
    if (found.inline === null) this.pieces.addText(this.#text.slice(start, found.end), start);
    else this.pieces.addInline(found.inline, start);
  }

  #entity(): void {
    const start = this.#position;
    const window = this.#text.slice(start, start + 40);
    const match = ENTITY.exec(window);
    if (match !== null) {
      this.#position += match[0].length;
      this.pieces.addText(decodeEntity(match[0]) ?? match[0], start);
      return;
    }
    const grows = start + window.length >= this.#text.length && GROWING_ENTITY.test(window);
    if (this.#open && grows && this.#wait(start)) return;
    this.#literal('&', true);
  }

  #mark(): void {
    const start = this.#position;
    if (this.#markEnd < start) {
      const found = this.#text.indexOf('\ue001', start);
      this.#markEnd = found < 0 ? Infinity : found;
    }
    const end = this.#markEnd;
    if (end - start <= MAX_SPAN) {
      this.#position = end + 1;
      this.pieces.addInline({ kind: 'mark', key: this.#text.slice(start + 1, end) }, start);
      return;
    }
    if (end === Infinity && this.#open && this.#wait(start, MAX_SPAN)) return;
    // A mark without its end: the sign itself is never shown.
    this.#position += 1;
  }

  #autolinkSource() {
    const { from, open } = this.#input;
    return { text: this.#text, from, open };
  }

  #autolink(link: AutolinkResult): void {
    if (link !== null && 'wait' in link) {
      const fits = this.#text.length - link.start <= MAX_HELD_LINK && this.#takeBack(link.wait);
      this.alive = Math.min(this.alive, link.start);
      if (!this.#wait(link.wait, fits ? MAX_HELD_LINK : 0)) this.#literalHere();
      return;
    }
    if (link === null || !this.#takeBack(link.start)) {
      this.#literalHere();
      return;
    }
    const { start, end, destination } = link;
    const text = this.#text.slice(start, end);
    const inline = {
      kind: 'link',
      destination,
      title: '',
      children: [{ kind: 'text', text }],
    } as const;
    this.#position = end;
    this.pieces.addInline(inline, start);
  }

  /** Takes back text that belongs to a link found behind it. False, and nothing happens, when it is not plain text. */
  #takeBack(start: number): boolean {
    let border = this.#position;
    let kept = this.pieces.last;
    for (; kept !== null && kept.start >= start; kept = kept.previous) {
      if (!kept.verbatim) return false;
      border = kept.start;
    }
    if (kept !== null && border > start && !kept.verbatim) return false;
    let { last } = this.pieces;
    for (; last !== null && last.start >= start; last = this.pieces.last) this.pieces.remove(last);
    if (last !== null && border > start) last.text = last.text.slice(0, start - last.start);
    this.delimiters.dropFrom(start);
    return true;
  }
}

/** A text without the signs at its end. A regular expression would look at each run of them again and again. */
function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === sign) end -= 1;
  return text.slice(0, end);
}

function codeText(source: string): string {
  const text = source.replace(/\n/g, ' ').replace(/\ue000[^\ue001]*\ue001?/g, '');
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  return isPadded ? text.slice(1, -1) : text;
}

function flanking(before: string, after: string): { left: boolean; right: boolean } {
  const spaceBefore = isUnicodeSpace(before);
  const spaceAfter = isUnicodeSpace(after);
  const punctuationBefore = isUnicodePunctuation(before);
  const punctuationAfter = isUnicodePunctuation(after);
  return {
    left: !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore),
    right: !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter),
  };
}
