import type { Key } from '../../model/json.js';
import { readRenderedText } from './rendered-text.js';

/** Key of the message being read. */
let readingKey: Key | null = null;

/** Elements with a language of their own in a text, except those that are marked only because they contain UI strings. */
const MARKED_LANGUAGE =
  '[lang]:not(button, input, :is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote, .ubik-image), ' +
  ':is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote) *)';

/** Whether the browser supports speech synthesis. */
export function canReadAloud(): boolean {
  return 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window;
}

/** Whether this message is being read. */
export function isReading(key: Key): boolean {
  return readingKey === key && speechSynthesis.speaking;
}

/** Reads a message aloud, one paragraph at a time, because some voices stop in long texts. Stops the current reading. */
export function readAloud(key: Key, texts: readonly Element[], lang: string): void {
  stopReading();
  readingKey = key;
  for (const text of texts) {
    const markedLang = text.querySelector(MARKED_LANGUAGE)?.getAttribute('lang');
    for (const paragraph of readRenderedText(text).split(/\n{2,}/)) {
      const utterance = new SpeechSynthesisUtterance(paragraph);
      utterance.lang = markedLang ?? lang;
      speechSynthesis.speak(utterance);
    }
  }
  addEventListener('pagehide', stopReading, { once: true });
}

/** Stops reading. */
export function stopReading(): void {
  readingKey = null;
  speechSynthesis.cancel();
}
