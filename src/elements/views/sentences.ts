import type { TextSource } from '../../model/text.js';
import { toSpeech } from './spoken-text.js';

/** Longest text that is looked at for the end of a sentence; what is longer is said as it is. */
const LONGEST = 1000;
/** All up to the end of the last sentence. The number that begins a list item ends none: its dot belongs to what follows. */
const SENTENCES = /^[^]*(?:(?<!(?:^|\n)[\s>#*+-]*\d{1,9})[.!?。！？؟](?=["')\]]*\s)|\n)/;

/** Growing texts as finished sentences, each once, never pieces. */
export class Sentences {
  readonly #say: (words: string) => void;
  /** How far each text has been said. */
  readonly #said = new WeakMap<TextSource, number>();

  constructor(say: (words: string) => void) {
    this.#say = say;
  }

  /** Says what has been finished since the last call; of a text that is met the first time, from `start` on. */
  follow(text: TextSource, start: number): void {
    if (!this.#said.has(text)) this.#said.set(text, start);
    const rest = this.#rest(text);
    this.#speak(text, rest.length > LONGEST ? rest : (SENTENCES.exec(rest)?.[0] ?? ''));
  }

  /** Says all of it that has not been said. */
  end(text: TextSource): void {
    this.#speak(text, this.#rest(text));
  }

  #rest(text: TextSource): string {
    return text.read(this.#from(text));
  }

  /** A text that was cut is not said again. */
  #from(text: TextSource): number {
    return Math.min(this.#said.get(text) ?? 0, text.length);
  }

  #speak(text: TextSource, words: string): void {
    this.#said.set(text, this.#from(text) + words.length);
    this.#say(toSpeech(words));
  }
}
