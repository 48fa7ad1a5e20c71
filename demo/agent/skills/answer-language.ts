import { languageOf } from '../plan/chinese-question.js';
import type { LiveRun } from '../run/live-run.js';

/** Returns the text in the language of the question that a run answers. */
export function inLanguageOf(run: LiveRun, english: string, chinese: string): string {
  return languageOf(run.progress.question) === 'zh' ? chinese : english;
}
