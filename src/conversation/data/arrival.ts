import type { Draft } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { textOfMessage } from './adopt-content.js';

/** The newest question of a thread as it was read, and how many questions the thread has with it. */
export interface NewestQuestion {
  readonly text: string;
  readonly count: number;
}

/** How many questions the person has asked from the start of a thread to a message, by default to the newest one shown. */
export function countQuestions(thread: Thread, last: Key | null = thread.head): number {
  return pathTo(thread, last).filter(({ role }) => role === 'user').length;
}

/** The newest question on the shown branch of a thread; null when there is none. */
export function findNewestQuestion(thread: Thread): NewestQuestion | null {
  const questions = pathTo(thread).filter(({ role }) => role === 'user');
  const newest = questions.at(-1);
  return newest ? { text: textOfMessage(newest), count: questions.length } : null;
}

/**
 * Whether a message that was being sent when the page went away is the newest question. `asked` is how many questions stood before it
 * then: people say the same thing twice, so an equal text alone proves nothing. Unknown, the message counts as not arrived.
 */
export function hasArrived(
  { text }: Pick<Draft, 'text'>,
  asked: unknown,
  newest: NewestQuestion | null,
): boolean {
  const isNew = newest !== null && typeof asked === 'number' && newest.count > asked;
  return isNew && newest.text === text.trim();
}
