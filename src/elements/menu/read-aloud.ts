import type { Key } from '../../model/json.js';
import { printPlain } from './plain-text.js';

/** The message that is read; its last sentence takes the mark away. */
let reading: Key | null = null;

/** What says its own language in a text: not what is marked because words of ours stand in it. */
const OWN =
  '[lang]:not(button, input, :is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote, .ubik-image), ' +
  ':is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote) *)';

/** Whether the browser can read aloud. */
export function canRead(): boolean {
  return 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window;
}

/** Whether a message is being read. */
export function isReading(key: Key): boolean {
  return reading === key && speechSynthesis.speaking;
}

/** Reads a message, each paragraph by itself: some voices fall silent in a long one. What is being read ends. */
export function readAloud(key: Key, texts: readonly Element[], lang: string): void {
  stopReading();
  reading = key;
  for (const text of texts) {
    const own = text.querySelector(OWN)?.getAttribute('lang');
    for (const words of printPlain(text).split(/\n{2,}/)) {
      const speech = new SpeechSynthesisUtterance(words);
      speech.lang = own ?? lang;
      speechSynthesis.speak(speech);
    }
  }
  addEventListener('pagehide', stopReading, { once: true });
}

/** Ends the reading. */
export function stopReading(): void {
  reading = null;
  speechSynthesis.cancel();
}
