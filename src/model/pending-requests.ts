import type { Message } from './message.js';
import { ACTIVITY, type Part, type PartOf } from './part.js';

/** Whether a part is a request that can be answered. */
export function isPending(part: Part | undefined): part is PartOf<'request-activity'> {
  return part?.kind === 'request-activity' && part.state === 'pending';
}

/** Returns the pending requests of a message, oldest first. */
export function listPendingRequests(
  message: Pick<Message, 'parts'> | undefined,
): PartOf<'request-activity'>[] {
  const keys = message?.parts.children(ACTIVITY) ?? [];
  return keys.map((key) => message?.parts.get(key)).filter(isPending);
}
