import type { Key } from '../../model/json.js';
import { printText } from './print-text.js';

/** The message that is read; its last sentence takes the mark away. */
let readingKey: Key | null = null;

/** What says its own language in a text: not what is marked because words of ours stand in it. */
const MARKED_LANGUAGE =
  '[lang]:not(button, input, :is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote, .ubik-image), ' +
  ':is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote) *)';

/** Whether the browser can read aloud. */
export function canReadAloud(): boolean {
  return 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window;
}

/** Whether a message is being read. */
export function isReading(key: Key): boolean {
  return readingKey === key && speechSynthesis.speaking;
}

/** Reads a message, each paragraph by itself: some voices fall silent in a long one. What is being read ends. */
export function readAloud(key: Key, texts: readonly Element[], lang: string): void {
  stopReading();
  readingKey = key;
  for (const text of texts) {
    const own = text.querySelector(MARKED_LANGUAGE)?.getAttribute('lang');
    for (const words of printText(text).split(/\n{2,}/)) {
      const speech = new SpeechSynthesisUtterance(words);
      speech.lang = own ?? lang;
      speechSynthesis.speak(speech);
    }
  }
  addEventListener('pagehide', stopReading, { once: true });
}

/** Ends the reading. */
export function stopReading(): void {
  readingKey = null;
  speechSynthesis.cancel();
}
