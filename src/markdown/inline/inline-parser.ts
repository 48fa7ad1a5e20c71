import { BLANKS, trimEnd } from '../syntax/characters.js';
import { MAX_GUESS, MAX_HELD_BRACKET, MAX_HELD_LINK, MAX_SPAN } from '../syntax/limits.js';
import { ATOMS } from './inline-elements.js';
import { findAutolink, growingLength, readAutolink } from './autolinks.js';
import { findCodeEnd, codeText } from './code.js';
import { inline, type Inline } from './inline.js';
import { longestWait, readLink, type Bracket, type LabelLookup } from './links.js';
import { guessRuns, pairRuns, Run } from './runs.js';
import { buildInlines, settledEnd, Token, type InlineResult } from './tokens.js';

/** What stands between the signs that may begin something. */
const PLAIN = /^[^\n\\`*_~[\]!<&\ue000\ue001]+/;

/** Reads the inline content of a text from `from` on; what stands before it is settled. */
export class InlineParser {
  readonly #text: string;
  readonly #from: number;
  /** Whether the text goes on behind its end: what is unfinished there is held back. */
  readonly #open: boolean;
  readonly #lookup: LabelLookup;
  readonly #tokens: Token[] = [];
  readonly #runs: Run[] = [];
  readonly #brackets: Bracket[] = [];
  /** Links may not hold links: brackets for links below this place in the stack are dead. */
  #dead = 0;
  /** The next place where an address may begin. */
  #address: RegExpExecArray | null;
  #position: number;
  /** Where what is held back begins. */
  #hold: number;
  /** The first place whose meaning may still change. */
  #alive = Infinity;

  constructor(text: string, from: number, open: boolean, lookup: LabelLookup) {
    this.#text = text;
    this.#from = this.#position = from;
    this.#open = open;
    this.#lookup = lookup;
    this.#hold = text.length;
    this.#address = findAutolink(text, from);
  }

  /** Reads everything, up to what is held back. */
  read(): InlineResult {
    while (this.#position < this.#hold) this.#step();
    // Behind this place other halves may still be found.
    const reach = Math.min(this.#alive, this.#text.length);
    for (const [index, { token, isImage }] of this.#brackets.entries()) {
      if (isImage || index >= this.#dead) this.#wait(token.start, MAX_HELD_BRACKET, reach);
    }
    const tokens = this.#tokens.filter(({ start }) => start < this.#hold);
    const openers = pairRuns(this.#runs.filter(({ start }) => start < this.#hold));
    for (const { start } of openers) this.#wait(start, 0, reach);
    if (this.#open) guessRuns(openers, this.#hold);
    const last = tokens.at(-1);
    if (last?.isPlain === true) last.text = trimEnd(last.text, BLANKS);
    const limit = settledEnd(this.#text.slice(this.#from, this.#hold), this.#alive - this.#from);
    return buildInlines(tokens, this.#from, this.#from + limit);
  }

  #step(): void {
    const start = this.#position;
    const sign = this.#text.charAt(start);
    if (this.#readAddress()) return;
    if (sign === '\n') return this.#lineEnd();
    if (sign === '`') return this.#code();
    if (sign === '*' || sign === '_' || sign === '~') return this.#run(sign);
    if (sign === ']') return this.#closeBracket();
    if (sign === '[') return this.#openBracket(sign);
    if (this.#text.startsWith('![', start)) return this.#openBracket('![');
    const read = ATOMS.get(sign);
    if (read === undefined) return this.#plain();
    const atom = read(this.#text, start);
    const longest = sign === '\ue000' ? MAX_SPAN : MAX_HELD_LINK;
    if (atom === 'wait' && this.#wait(start, longest)) return;
    // The sign of a mark is never shown.
    if (atom === null || atom === 'wait') this.#take(start + 1, sign.replace('\ue000', ''));
    else this.#take(atom.end, atom.text, atom.said);
  }

  /** Keeps back everything from here on until more is known; what is too long to be kept back is shown as it is. */
  #wait(start: number, longest = MAX_HELD_LINK, reach = this.#text.length): boolean {
    if (!this.#open) return false;
    if (reach - start <= Math.max(MAX_SPAN, longest)) this.#alive = Math.min(this.#alive, start);
    if (this.#text.length - start > longest) return false;
    this.#position = this.#hold = Math.min(this.#hold, start);
    return true;
  }

  /** Takes the source up to `end`. */
  #take(end: number, text = '', said: Inline | null = null, isPlain = false): Token {
    const token = new Token(this.#position, text, isPlain, said);
    this.#tokens.push(token);
    this.#position = end;
    return token;
  }

  /** Takes the source up to `end` as text that may be divided anywhere. */
  #literal(end: number): void {
    this.#take(end, this.#text.slice(this.#position, end), null, true);
  }

  #plain(): void {
    const start = this.#position;
    const stop = Math.min(this.#address?.index ?? Infinity, this.#hold);
    const end = start + (PLAIN.exec(this.#text.slice(start, stop))?.[0].length ?? 1);
    const held = this.#open && end === this.#text.length ? growingLength(this.#text) : 0;
    const shown = Math.max(start, end - held);
    if (shown > start) this.#literal(shown);
    if (held > 0) this.#wait(shown);
  }

  /** Reads an address without brackets. False when there is none here. */
  #readAddress(): boolean {
    const start = this.#position;
    if (this.#address !== null && this.#address.index < start) {
      this.#address = findAutolink(this.#text, start);
    }
    const found = this.#address;
    if (found?.index !== start) return false;
    this.#address = findAutolink(this.#text, start + 1);
    const link = readAutolink(this.#text, found, this.#open);
    if (link === null) return false;
    if (link === 'wait') {
      // The name of a mail address is shown before it is known to be one.
      const isMail = found[0].endsWith('@');
      if (isMail) this.#wait(start, 0);
      if (isMail) this.#literal(start + found[0].length - 1);
      return this.#wait(this.#position) || isMail;
    }
    this.#take(link.end, '', link.said);
    return true;
  }

  #lineEnd(): void {
    const last = this.#tokens.at(-1);
    const text = last?.isPlain === true ? last.text : '';
    const trimmed = trimEnd(text, ' ');
    if (last?.isPlain === true) last.text = trimmed;
    const isBreak = text.length - trimmed.length >= 2;
    this.#take(this.#position + 1, isBreak ? '' : '\n', isBreak ? inline('br') : null);
  }

  #code(): void {
    const start = this.#position;
    const inside = this.#runEnd('`');
    if (this.#isText(start, inside)) return this.#literal(inside);
    const end = findCodeEnd(this.#text, inside, inside - start, this.#open);
    if (end >= 0) {
      this.#take(end + inside - start, '', inline('code', codeText(this.#text.slice(inside, end))));
      return;
    }
    if (this.#open && this.#text.length - start <= MAX_GUESS) {
      const guess = codeText(trimEnd(this.#text.slice(inside), '`'));
      if (guess.trim() === '') this.#wait(start);
      else this.#take(this.#hold, '', inline('code', guess));
    } else {
      this.#take(inside, this.#text.slice(start, inside));
    }
    this.#wait(start, 0);
  }

  #run(sign: string): void {
    const start = this.#position;
    const end = this.#runEnd(sign);
    if (end === this.#text.length && this.#wait(start, MAX_SPAN)) return;
    if (this.#isText(start, end)) return this.#literal(end);
    const run = new Run(this.#text, start, end);
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
    return start === this.#from && this.#text.slice(0, start).endsWith(sign + sign);
  }

  #openBracket(sign: string): void {
    const outer = this.#brackets.at(-1);
    if (outer !== undefined) outer.hasInner = true;
    const token = this.#take(this.#position + sign.length, sign);
    const runs = this.#runs.length;
    this.#brackets.push({ token, isImage: sign !== '[', runs, hasInner: false });
  }

  #closeBracket(): void {
    const position = this.#position;
    const opener = this.#brackets.at(-1);
    const closing = { text: this.#text, position, open: this.#open, lookup: this.#lookup };
    const isDead = !opener?.isImage && this.#brackets.length <= this.#dead;
    if (opener === undefined || isDead || position - opener.token.start > MAX_SPAN) {
      this.#popBracket();
      return this.#literal(position + 1);
    }
    const link = readLink(opener, closing);
    if (link === 'wait' && this.#wait(opener.token.start, longestWait(opener, closing))) return;
    this.#popBracket();
    if (link === null || link === 'wait') return this.#literal(position + 1);
    const runs = this.#runs.splice(opener.runs);
    if (!opener.isImage || link.footnote !== undefined) this.#dead = this.#brackets.length;
    if (link.footnote !== undefined) return this.#footnote(opener, link.footnote, link.end);
    pairRuns(runs);
    const { destination, title } = link;
    opener.token.text = '';
    opener.token.opens = [inline(opener.isImage ? 'image' : 'link', '', destination, title)];
    this.#take(link.end, '').closes = [''];
  }

  /** Puts a reference to a footnote in the place of what was read between its brackets. An exclamation mark before it is one. */
  #footnote({ token, isImage }: Bracket, name: string, end: number): void {
    this.#tokens.splice(this.#tokens.lastIndexOf(token) + 1);
    token.text = isImage ? '!' : '';
    this.#take(end, '', inline('footnote', name));
  }

  #popBracket(): void {
    this.#brackets.pop();
    this.#dead = Math.min(this.#dead, this.#brackets.length);
  }
}
