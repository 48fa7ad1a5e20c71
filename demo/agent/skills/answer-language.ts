import { answerLanguageOf } from '../plan/data-question.js';
import type { LiveRun } from '../run/live-run.js';

/** Chooses a text by the language of the question that a run answers; the English one if there is none in that language. */
export function inLanguageOf(
  run: LiveRun,
  english: string,
  chinese: string,
  more: { readonly de?: string; readonly fr?: string } = {},
): string {
  const texts = { en: english, zh: chinese, ...more };
  return texts[answerLanguageOf(run.progress.question)] ?? english;
}
