import type { Draft } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { textOfMessage } from '../threads/merge-thread-content.js';

/** How many questions the person has asked from the start of a thread to a message, by default to the newest one shown. */
export function countQuestions(thread: Thread, last: Key | null = thread.head): number {
  return listQuestions(thread, last).length;
}

/** The questions on the shown branch of a thread, or on the branch that ends with a message. */
export function listQuestions(thread: Thread, last: Key | null = thread.head): readonly Message[] {
  return pathTo(thread, last).filter(({ role }) => role === 'user');
}

/**
 * Whether a message that was being sent is among the `questions` of a thread that was read since. `asked` is how many questions stood
 * before it when it was sent: people say the same thing twice, so an equal text alone proves nothing. Unknown, the message counts as
 * not arrived, and so does a question that only this page knows of.
 */
export function hasArrived(
  { text }: Pick<Draft, 'text'>,
  asked: unknown,
  questions: readonly Message[],
): boolean {
  if (typeof asked !== 'number') return false;
  const since = questions.slice(asked).filter(({ id }) => id !== null);
  return since.some((question) => textOfMessage(question) === text.trim());
}
