import type { Draft } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { textOfMessage } from '../threads/merge-thread-content.js';

/** The number of user messages on the shown branch, or on the branch that ends with a message. */
export function countUserMessages(thread: Thread, last: Key | null = thread.head): number {
  return listUserMessages(thread, last).length;
}

/** The user messages on the shown branch, or on the branch that ends with a message. */
export function listUserMessages(
  thread: Thread,
  last: Key | null = thread.head,
): readonly Message[] {
  return pathTo(thread, last).filter(({ role }) => role === 'user');
}

/**
 * Whether a message that was being sent is one of the user messages of the thread that was loaded since. `before`: the number of user
 * messages when it was sent, because an equal text alone proves nothing: users repeat themselves. If that number is unknown, the message
 * counts as not delivered. Messages without an id of the service do not count.
 */
export function isDelivered(
  { text }: Pick<Draft, 'text'>,
  before: unknown,
  userMessages: readonly Message[],
): boolean {
  if (typeof before !== 'number') return false;
  const since = userMessages.slice(before).filter(({ id }) => id !== null);
  return since.some((message) => textOfMessage(message) === text.trim());
}
