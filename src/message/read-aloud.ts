import type { Message } from '../model/message.js';
import { readRenderedText } from './rendered-text.js';

/** The message that is being read. */
interface Reading {
  /** The parts of the message, which identify it. Its key would not suffice: messages of several controllers can have the same key. */
  readonly parts: Message['parts'];
  readonly onEnd: () => void;
}

let current: Reading | null = null;

/** Elements that declare a language in a text, except those that do so only because they contain UI strings. */
const MARKED_LANGUAGE =
  '[lang]:not(button, input, :is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote, .ubik-image, .ubik-alert-title), ' +
  ':is(.ubik-code, .ubik-table, .ubik-footnotes, .ubik-footnote) *)';

/** Whether the message with these parts is being read. */
export function isReading(parts: Message['parts']): boolean {
  return current?.parts === parts;
}

/**
 * Reads a message aloud, one paragraph at a time, because some voices stop in long texts. Stops the current reading. `onEnd` is called when
 * the reading ends, is stopped or fails.
 */
export function readAloud(
  parts: Message['parts'],
  texts: readonly Element[],
  lang: string,
  onEnd: () => void,
): void {
  stopReading();
  const reading = { parts, onEnd };
  current = reading;
  const utterances = texts.flatMap((text) => createUtterances(text, lang));
  const finish = (): void => {
    if (current === reading) stopReading();
  };
  if (utterances.length === 0) finish();
  for (const utterance of utterances) {
    utterance.addEventListener('error', finish);
    speechSynthesis.speak(utterance);
  }
  utterances.at(-1)?.addEventListener('end', finish);
  // Otherwise speech would continue after the page is left.
  addEventListener('pagehide', stopReading, { once: true });
}

/** Stops reading. */
export function stopReading(): void {
  const ended = current;
  current = null;
  speechSynthesis.cancel();
  ended?.onEnd();
}

/** Creates an utterance for each paragraph of a rendered text. */
function createUtterances(text: Element, lang: string): SpeechSynthesisUtterance[] {
  // Inner elements follow outer ones and replace their languages. A paragraph that only contains words of another language keeps its own.
  const languages = new Map(
    [...text.querySelectorAll<HTMLElement>(MARKED_LANGUAGE)].flatMap((marked) =>
      listParagraphs(marked).map((paragraph) => [paragraph, marked.lang]),
    ),
  );
  return listParagraphs(text).map((paragraph) => {
    const utterance = new SpeechSynthesisUtterance(paragraph);
    utterance.lang = languages.get(paragraph) ?? lang;
    return utterance;
  });
}

function listParagraphs(text: Element): string[] {
  return readRenderedText(text)
    .split(/\n{2,}/)
    .filter(Boolean);
}
