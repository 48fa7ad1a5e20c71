import type { Draft } from '../../backends/backend.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { textOfMessage } from './message-text.js';

/** Returns the number of user messages on the shown branch, or on the branch that ends with `last`. */
export function countUserMessages(thread: Thread, last: Key | null = thread.head): number {
  return listUserMessages(thread, last).length;
}

/** Returns the user messages on the shown branch, or on the branch that ends with `last`. */
export function listUserMessages(
  thread: Thread,
  last: Key | null = thread.head,
): readonly Message[] {
  return pathTo(thread, last).filter(({ role }) => role === 'user');
}

/**
 * Whether a message that was being sent is among the user messages of the thread as it was loaded later. `before` is the number of user
 * messages at the time of sending; only later messages are compared, because users send equal texts repeatedly. If the number is
 * unknown, the message counts as not delivered. Messages without an id of the service are ignored.
 */
export function isDelivered(
  { text }: Pick<Draft, 'text'>,
  before: unknown,
  userMessages: readonly Message[],
): boolean {
  if (typeof before !== 'number') return false;
  const later = userMessages.slice(before).filter(({ id }) => id !== null);
  return later.some((message) => textOfMessage(message) === text.trim());
}
