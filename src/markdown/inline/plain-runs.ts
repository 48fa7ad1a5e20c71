const PLAIN = /[^\n\\`*_~[\]!<&:@\ue000\ue001]+/y;
const WWW = /(?<=^|[\s*_~(])www\./g;
const WEB_WORD = /(?:^|[^a-zA-Z0-9])(h|ht|htt|https?|w|ww|www)$/i;

/** The stretches of a text without signs. Each is found once, however often it is asked for. */
export class PlainRuns {
  readonly #text: string;
  #end = -1;
  #www = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the run at a place ends; it is at least one character long. */
  end(position: number): number {
    if (this.#end <= position) {
      PLAIN.lastIndex = position;
      this.#end = position + Math.max(1, PLAIN.exec(this.#text)?.[0].length ?? 0);
    }
    return this.#end;
  }

  /** The next place at or behind `position` where `www.` begins a word. */
  www(position: number): number {
    if (this.#www < position) {
      WWW.lastIndex = position;
      this.#www = WWW.exec(this.#text)?.index ?? Infinity;
    }
    return this.#www;
  }
}

/** The length of what may become `https://` or `www.` at the end of a text. */
export function webWordLength(text: string): number {
  return WEB_WORD.exec(text.slice(-9))?.[1]?.length ?? 0;
}
