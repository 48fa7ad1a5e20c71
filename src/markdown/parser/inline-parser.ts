import { BLANKS, trimEnd } from './characters.js';
import { MAX_PENDING_BRACKET, MAX_PENDING_LINK, MAX_PREVIEW, MAX_SPAN } from './limits.js';
import { ATOM_READERS, codeSpanText, findCodeSpanEnd } from './atoms.js';
import { findAutolink, partialStartLength, readAutolink } from './autolinks.js';
import { createInline, type Inline } from './inline.js';
import { maxPendingLength, type OpeningBracket, readLink, type ReferenceLookup } from './links.js';
import {
  DelimiterRun,
  matchRuns,
  previewRuns,
  type SpanDelimiter,
  TagDelimiter,
} from './delimiter-runs.js';
import { buildInlines, findStableEnd, type InlineResult, Token } from './tokens.js';

/** Text without characters that can begin an inline construct. */
const PLAIN_TEXT = /^[^\n\\`*_~[\]!<&\ue000\ue001]+/;

/** Parses the inline content of a text from `from` on. The text before it is stable and used as context only. */
export class InlineParser {
  readonly #text: string;
  readonly #start: number;
  /** Whether the text may continue. Then incomplete constructs at its end are withheld. */
  readonly #open: boolean;
  readonly #lookup: ReferenceLookup;
  readonly #tokens: Token[] = [];
  readonly #runs: SpanDelimiter[] = [];
  readonly #brackets: OpeningBracket[] = [];
  /** Link brackets below this index of the stack are inactive, because links cannot contain links. */
  #inactiveCount = 0;
  /** The next position where an autolink may begin. */
  #nextAutolink: RegExpExecArray | null;
  #position: number;
  /** Position from which the text is withheld. */
  #pendingStart: number;
  /** The first position whose meaning may still change. */
  #unstableStart = Infinity;

  constructor(text: string, from: number, open: boolean, lookup: ReferenceLookup) {
    this.#text = text;
    this.#start = this.#position = from;
    this.#open = open;
    this.#lookup = lookup;
    this.#pendingStart = text.length;
    this.#nextAutolink = findAutolink(text, from);
  }

  /** Parses the text up to the part that is withheld. */
  read(): InlineResult {
    while (this.#position < this.#pendingStart) this.#step();
    // From this position on, closers may still appear. They match only openers that are not too far before them.
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
    const character = this.#text.charAt(start);
    if (this.#readAutolink()) return;
    if (character === '\n') return this.#readLineEnd();
    if (character === '`') return this.#readCodeSpan();
    if (character === '*' || character === '_' || character === '~')
      return this.#readRun(character);
    if (character === ']') return this.#closeBracket();
    if (character === '[') return this.#openBracket(character);
    if (this.#text.startsWith('![', start)) return this.#openBracket('![');
    const read = ATOM_READERS.get(character);
    if (read === undefined) return this.#readPlain();
    const atom = read(this.#text, start);
    const longest = character === '\ue000' ? MAX_SPAN : MAX_PENDING_LINK;
    if (atom === 'incomplete' && this.#defer(start, longest)) return;
    // The delimiter of a mark is never displayed.
    if (atom === null || atom === 'incomplete')
      this.#pushToken(start + 1, character.replace('\ue000', ''));
    else if (atom.tag) this.#pushRun(new TagDelimiter(start, atom.text ?? '', atom.tag), atom.end);
    else this.#pushToken(atom.end, atom.text, atom.inline);
  }

  /**
   * Marks the text from `start` on as unstable, so that it is parsed again with the next chunk, if the text from `start` to `reach` is not
   * longer than a construct can be. Also withholds the text from `start` on if it is at most `longest` UTF-16 units long; never if `longest`
   * is 0. Does nothing in a text that is not open. Returns whether the text is withheld.
   */
  #defer(start: number, longest = MAX_PENDING_LINK, reach = this.#text.length): boolean {
    if (!this.#open) return false;
    if (reach - start <= Math.max(MAX_SPAN, longest))
      this.#unstableStart = Math.min(this.#unstableStart, start);
    if (this.#text.length - start > longest) return false;
    this.#position = this.#pendingStart = Math.min(this.#pendingStart, start);
    return true;
  }

  /** Adds a token for the source up to `end`. */
  #pushToken(end: number, text = '', inline: Inline | null = null, isPlain = false): Token {
    const token = new Token(this.#position, text, isPlain, inline);
    this.#tokens.push(token);
    this.#position = end;
    return token;
  }

  /** Adds the source up to `end` as text that may be split anywhere. */
  #pushLiteral(end: number): void {
    this.#pushToken(end, this.#text.slice(this.#position, end), null, true);
  }

  #readPlain(): void {
    const start = this.#position;
    const stop = Math.min(this.#nextAutolink?.index ?? Infinity, this.#pendingStart);
    const end = start + (PLAIN_TEXT.exec(this.#text.slice(start, stop))?.[0].length ?? 1);
    const partial = this.#open && end === this.#text.length ? partialStartLength(this.#text) : 0;
    const shown = Math.max(start, end - partial);
    this.#pushLiteral(shown);
    if (partial > 0) this.#defer(shown);
  }

  /** Reads an extended autolink. Returns false when there is none at the current position. */
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
    if (link === 'incomplete') {
      // The local part of a mail address is rendered as text before the domain arrives.
      const isMail = found[0].endsWith('@');
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
    // Two or more spaces before a line end make a hard line break (CommonMark 6.7).
    const isBreak = text.length - trimmed.length >= 2;
    this.#pushToken(this.#position + 1, '\n', isBreak ? createInline('br') : null);
  }

  #readCodeSpan(): void {
    const start = this.#position;
    const inside = this.#runEnd('`');
    if (this.#isText(start, inside)) return this.#pushLiteral(inside);
    const end = findCodeSpanEnd(this.#text, inside, inside - start, this.#open);
    if (end !== -1) {
      this.#pushToken(
        end + inside - start,
        '',
        createInline('code', codeSpanText(this.#text.slice(inside, end))),
      );
      return;
    }
    if (this.#open && this.#text.length - start <= MAX_PREVIEW) {
      const preview = codeSpanText(trimEnd(this.#text.slice(inside), '`'));
      if (preview.trim() === '') this.#defer(start);
      else this.#pushToken(this.#pendingStart, '', createInline('code', preview));
    } else {
      this.#pushToken(inside, this.#text.slice(start, inside));
    }
    this.#defer(start, 0);
  }

  #readRun(delimiter: string): void {
    const start = this.#position;
    const end = this.#runEnd(delimiter);
    if (end === this.#text.length && this.#defer(start, MAX_SPAN)) return;
    if (this.#isText(start, end)) return this.#pushLiteral(end);
    const run = new DelimiterRun(this.#text, start, end);
    // Three or more tildes are not strikethrough (GFM 6.5).
    if (delimiter !== '~' || end - start < 3) this.#pushRun(run, end);
    else this.#pushToken(end, run.text);
  }

  #pushRun(run: SpanDelimiter, end: number): void {
    this.#tokens.push(run);
    this.#runs.push(run);
    this.#position = end;
  }

  #runEnd(delimiter: string): number {
    let end = this.#position;
    while (this.#text.charAt(end) === delimiter) end += 1;
    return end;
  }

  /** Whether a run is text, because it is longer than MAX_SPAN or continues such a run. */
  #isText(start: number, end: number): boolean {
    if (end - start > MAX_SPAN) return true;
    const delimiter = this.#text.charAt(start);
    return start === this.#start && this.#text.slice(0, start).endsWith(delimiter + delimiter);
  }

  #openBracket(delimiter: string): void {
    const outer = this.#brackets.at(-1);
    if (outer !== undefined) outer.hasInner = true;
    const token = this.#pushToken(this.#position + delimiter.length, delimiter);
    const runs = this.#runs.length;
    this.#brackets.push({ token, isImage: delimiter !== '[', runs, hasInner: false });
  }

  #closeBracket(): void {
    const position = this.#position;
    const opener = this.#brackets.at(-1);
    const closing = { text: this.#text, position, open: this.#open, lookup: this.#lookup };
    const isInactive = !opener?.isImage && this.#brackets.length <= this.#inactiveCount;
    if (opener === undefined || isInactive || position - opener.token.start > MAX_SPAN) {
      this.#popBracket();
      return this.#pushLiteral(position + 1);
    }
    const link = readLink(opener, closing);
    if (link === 'incomplete' && this.#defer(opener.token.start, maxPendingLength(opener, closing)))
      return;
    this.#popBracket();
    if (link === null || link === 'incomplete') return this.#pushLiteral(position + 1);
    const runs = this.#runs.splice(opener.runs);
    if (!opener.isImage || link.footnote !== undefined) this.#inactiveCount = this.#brackets.length;
    if (link.footnote !== undefined) return this.#pushFootnote(opener, link.footnote, link.end);
    matchRuns(runs);
    const { destination, title } = link;
    opener.token.text = '';
    opener.token.opens = [createInline(opener.isImage ? 'image' : 'link', '', destination, title)];
    // A link has no closing delimiter that could be rendered as text.
    this.#pushToken(link.end, '').closes = [''];
  }

  /** Replaces the tokens between the brackets with a footnote reference. An exclamation mark before the bracket stays text. */
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
