import { BLANKS, trimEnd } from './characters.js';
import { MAX_PENDING_BRACKET, MAX_PENDING_LINK, MAX_PREVIEW, MAX_SPAN } from './limits.js';
import { ATOM_READERS, codeSpanText, findCodeSpanEnd } from './atoms.js';
import { findAutolink, partialStartLength, readAutolink } from './autolinks.js';
import { createInline, type Inline } from './inline.js';
import { maxPendingLength, type OpeningBracket, readLink, type ReferenceLookup } from './links.js';
import { DelimiterRun, matchRuns, previewRuns } from './delimiter-runs.js';
import { buildInlines, findStableEnd, type InlineResult, Token } from './tokens.js';

/** What stands between the signs that may begin something. */
const PLAIN_TEXT = /^[^\n\\`*_~[\]!<&\ue000\ue001]+/;

/** Reads the inline content of a text from `from` on; what stands before it is settled. */
export class InlineParser {
  readonly #text: string;
  readonly #start: number;
  /** Whether the text goes on behind its end: what is unfinished there is held back. */
  readonly #open: boolean;
  readonly #lookup: ReferenceLookup;
  readonly #tokens: Token[] = [];
  readonly #runs: DelimiterRun[] = [];
  readonly #brackets: OpeningBracket[] = [];
  /** Links may not hold links: brackets for links below this place in the stack are dead. */
  #inactiveCount = 0;
  /** The next place where an address may begin. */
  #nextAutolink: RegExpExecArray | null;
  #position: number;
  /** Where what is held back begins. */
  #pendingStart: number;
  /** The first place whose meaning may still change. */
  #unstableStart = Infinity;

  constructor(text: string, from: number, open: boolean, lookup: ReferenceLookup) {
    this.#text = text;
    this.#start = this.#position = from;
    this.#open = open;
    this.#lookup = lookup;
    this.#pendingStart = text.length;
    this.#nextAutolink = findAutolink(text, from);
  }

  /** Reads everything, up to what is held back. */
  read(): InlineResult {
    while (this.#position < this.#pendingStart) this.#step();
    // Behind this place other halves may still be found.
    const reach = Math.min(this.#unstableStart, this.#text.length);
    for (const [index, { token, isImage }] of this.#brackets.entries()) {
      if (isImage || index >= this.#inactiveCount)
        this.#defer(token.start, MAX_PENDING_BRACKET, reach);
    }
    const tokens = this.#tokens.filter(({ start }) => start < this.#pendingStart);
    const openers = matchRuns(this.#runs.filter(({ start }) => start < this.#pendingStart));
    for (const { start } of openers) this.#defer(start, 0, reach);
    if (this.#open) previewRuns(openers, this.#pendingStart);
    const last = tokens.at(-1);
    if (last?.isPlain === true) last.text = trimEnd(last.text, BLANKS);
    const limit = findStableEnd(
      this.#text.slice(this.#start, this.#pendingStart),
      this.#unstableStart - this.#start,
    );
    return buildInlines(tokens, this.#start, this.#start + limit);
  }

  #step(): void {
    const start = this.#position;
    const sign = this.#text.charAt(start);
    if (this.#readAutolink()) return;
    if (sign === '\n') return this.#readLineEnd();
    if (sign === '`') return this.#readCodeSpan();
    if (sign === '*' || sign === '_' || sign === '~') return this.#readRun(sign);
    if (sign === ']') return this.#closeBracket();
    if (sign === '[') return this.#openBracket(sign);
    if (this.#text.startsWith('![', start)) return this.#openBracket('![');
    const read = ATOM_READERS.get(sign);
    if (read === undefined) return this.#readPlain();
    const atom = read(this.#text, start);
    const longest = sign === '\ue000' ? MAX_SPAN : MAX_PENDING_LINK;
    if (atom === 'wait' && this.#defer(start, longest)) return;
    // The sign of a mark is never shown.
    if (atom === null || atom === 'wait') this.#pushToken(start + 1, sign.replace('\ue000', ''));
    else this.#pushToken(atom.end, atom.text, atom.inline);
  }

  /** Keeps back everything from here on until more is known; what is too long to be kept back is shown as it is. */
  #defer(start: number, longest = MAX_PENDING_LINK, reach = this.#text.length): boolean {
    if (!this.#open) return false;
    if (reach - start <= Math.max(MAX_SPAN, longest))
      this.#unstableStart = Math.min(this.#unstableStart, start);
    if (this.#text.length - start > longest) return false;
    this.#position = this.#pendingStart = Math.min(this.#pendingStart, start);
    return true;
  }

  /** Takes the source up to `end`. */
  #pushToken(end: number, text = '', said: Inline | null = null, isPlain = false): Token {
    const token = new Token(this.#position, text, isPlain, said);
    this.#tokens.push(token);
    this.#position = end;
    return token;
  }

  /** Takes the source up to `end` as text that may be divided anywhere. */
  #pushLiteral(end: number): void {
    this.#pushToken(end, this.#text.slice(this.#position, end), null, true);
  }

  #readPlain(): void {
    const start = this.#position;
    const stop = Math.min(this.#nextAutolink?.index ?? Infinity, this.#pendingStart);
    const end = start + (PLAIN_TEXT.exec(this.#text.slice(start, stop))?.[0].length ?? 1);
    const held = this.#open && end === this.#text.length ? partialStartLength(this.#text) : 0;
    const shown = Math.max(start, end - held);
    if (shown > start) this.#pushLiteral(shown);
    if (held > 0) this.#defer(shown);
  }

  /** Reads an address without brackets. False when there is none here. */
  #readAutolink(): boolean {
    const start = this.#position;
    if (this.#nextAutolink !== null && this.#nextAutolink.index < start) {
      this.#nextAutolink = findAutolink(this.#text, start);
    }
    const found = this.#nextAutolink;
    if (found?.index !== start) return false;
    this.#nextAutolink = findAutolink(this.#text, start + 1);
    const link = readAutolink(this.#text, found, this.#open);
    if (link === null) return false;
    if (link === 'wait') {
      // The name of a mail address is shown before it is known to be one.
      const isMail = found[0].endsWith('@');
      if (isMail) this.#defer(start, 0);
      if (isMail) this.#pushLiteral(start + found[0].length - 1);
      return this.#defer(this.#position) || isMail;
    }
    this.#pushToken(link.end, '', link.inline);
    return true;
  }

  #readLineEnd(): void {
    const last = this.#tokens.at(-1);
    const text = last?.isPlain === true ? last.text : '';
    const trimmed = trimEnd(text, ' ');
    if (last?.isPlain === true) last.text = trimmed;
    const isBreak = text.length - trimmed.length >= 2;
    this.#pushToken(this.#position + 1, isBreak ? '' : '\n', isBreak ? createInline('br') : null);
  }

  #readCodeSpan(): void {
    const start = this.#position;
    const inside = this.#runEnd('`');
    if (this.#isText(start, inside)) return this.#pushLiteral(inside);
    const end = findCodeSpanEnd(this.#text, inside, inside - start, this.#open);
    if (end >= 0) {
      this.#pushToken(
        end + inside - start,
        '',
        createInline('code', codeSpanText(this.#text.slice(inside, end))),
      );
      return;
    }
    if (this.#open && this.#text.length - start <= MAX_PREVIEW) {
      const guess = codeSpanText(trimEnd(this.#text.slice(inside), '`'));
      if (guess.trim() === '') this.#defer(start);
      else this.#pushToken(this.#pendingStart, '', createInline('code', guess));
    } else {
      this.#pushToken(inside, this.#text.slice(start, inside));
    }
    this.#defer(start, 0);
  }

  #readRun(sign: string): void {
    const start = this.#position;
    const end = this.#runEnd(sign);
    if (end === this.#text.length && this.#defer(start, MAX_SPAN)) return;
    if (this.#isText(start, end)) return this.#pushLiteral(end);
    const run = new DelimiterRun(this.#text, start, end);
    this.#tokens.push(run);
    this.#position = end;
    if (sign !== '~' || end - start < 3) this.#runs.push(run);
  }

  #runEnd(sign: string): number {
    let end = this.#position;
    while (this.#text.charAt(end) === sign) end += 1;
    return end;
  }

  /** A run beyond all measure is text; the rest of one that was divided is known by what stands before it. */
  #isText(start: number, end: number): boolean {
    if (end - start > MAX_SPAN) return true;
    const sign = this.#text.charAt(start);
    return start === this.#start && this.#text.slice(0, start).endsWith(sign + sign);
  }

  #openBracket(sign: string): void {
    const outer = this.#brackets.at(-1);
    if (outer !== undefined) outer.hasInner = true;
    const token = this.#pushToken(this.#position + sign.length, sign);
    const runs = this.#runs.length;
    this.#brackets.push({ token, isImage: sign !== '[', runs, hasInner: false });
  }

  #closeBracket(): void {
    const position = this.#position;
    const opener = this.#brackets.at(-1);
    const closing = { text: this.#text, position, open: this.#open, lookup: this.#lookup };
    const isDead = !opener?.isImage && this.#brackets.length <= this.#inactiveCount;
    if (opener === undefined || isDead || position - opener.token.start > MAX_SPAN) {
      this.#popBracket();
      return this.#pushLiteral(position + 1);
    }
    const link = readLink(opener, closing);
    if (link === 'wait' && this.#defer(opener.token.start, maxPendingLength(opener, closing)))
      return;
    this.#popBracket();
    if (link === null || link === 'wait') return this.#pushLiteral(position + 1);
    const runs = this.#runs.splice(opener.runs);
    if (!opener.isImage || link.footnote !== undefined) this.#inactiveCount = this.#brackets.length;
    if (link.footnote !== undefined) return this.#pushFootnote(opener, link.footnote, link.end);
    matchRuns(runs);
    const { destination, title } = link;
    opener.token.text = '';
    opener.token.opens = [createInline(opener.isImage ? 'image' : 'link', '', destination, title)];
    this.#pushToken(link.end, '').closes = [''];
  }

  /** Puts a reference to a footnote in the place of what was read between its brackets. An exclamation mark before it is one. */
  #pushFootnote({ token, isImage }: OpeningBracket, name: string, end: number): void {
    this.#tokens.splice(this.#tokens.lastIndexOf(token) + 1);
    token.text = isImage ? '!' : '';
    this.#pushToken(end, '', createInline('footnote', name));
  }

  #popBracket(): void {
    this.#brackets.pop();
    this.#inactiveCount = Math.min(this.#inactiveCount, this.#brackets.length);
  }
}
