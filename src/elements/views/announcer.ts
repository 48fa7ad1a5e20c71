import { element } from '../../internal/element.js';
import type { TextSource } from '../../model/text.js';

/** Announcements that stay in the region; older ones have been read. */
const KEPT = 5;
/** Longest text that is looked at for the end of a sentence; what is longer is said as it is. */
const LONGEST = 1000;
/** All up to the end of the last sentence, with what follows it. */
const SENTENCES = /^[^]*(?:[.!?。！？؟](?=["')\]]*\s)|\n)/;

/** A polite voice for people who do not see the screen: finished sentences and changes of state, each once, never pieces. */
export class Announcer {
  readonly node = element('div', 'hidden');
  /** How far each text has been read out. */
  readonly #spoken = new WeakMap<TextSource, number>();

  constructor() {
    this.node.role = 'log';
    this.node.ariaLive = 'polite';
  }

  /** Says a sentence. */
  say(words: string): void {
    if (!words) return;
    this.node.append(element('p', '', words));
    while (this.node.childElementCount > KEPT) this.node.firstElementChild?.remove();
  }

  /** Says what has been finished in a growing text since the last call; all of it when the text has `ended`. */
  follow(source: TextSource, ended: boolean): void {
    // A text that was cut is not read out again.
    const spoken = Math.min(this.#spoken.get(source) ?? 0, source.length);
    const rest = source.read(spoken);
    const words = ended || rest.length > LONGEST ? rest : (SENTENCES.exec(rest)?.[0] ?? '');
    this.#spoken.set(source, spoken + words.length);
    this.say(toSpeech(words));
  }
}

/** Markdown without the signs that a voice would spell out. */
function toSpeech(markdown: string): string {
  return markdown
    .replace(/\uE000[^\uE001]*\uE001?|^\s{0,3}(#+|>|[-+*]|\d+[.)])\s+|[*_`~|]+|:?-{3,}:?/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
