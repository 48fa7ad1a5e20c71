import type { InputAnswer } from '../../backends/backend.js';
import { ACTIVITY, toAnswerData, type Part, type PartOf } from '../../model/part.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';

/** Whether a part is a request that can be answered. */
export function isPending(part: Part | undefined): part is PartOf<'request-activity'> {
  return part?.kind === 'request-activity' && part.state === 'pending';
}

/** Returns the pending requests of a message, oldest first. */
export function listPendingRequests({ parts }: Message): PartOf<'request-activity'>[] {
  return parts
    .children(ACTIVITY)
    .map((key) => parts.get(key))
    .filter(isPending);
}

/** Returns the pending requests of the last shown message of a thread, oldest first. */
export function listShownRequests({ head, messages }: Thread): PartOf<'request-activity'>[] {
  const last = messages.get(head ?? '');
  return last ? listPendingRequests(last) : [];
}

/** Returns the changes that set the answer of a request, and of the content part that shows it. */
export function answerRequest(message: Message, request: Key, answer: InputAnswer): Change[] {
  const activity = message.parts.get(request);
  if (activity?.kind !== 'request-activity') return [];
  const { key } = message;
  const { part } = activity;
  const data = JSON.stringify(toAnswerData(answer));
  const changes: Change[] = [
    createFieldChange(key, request, 'state', 'answered'),
    createFieldChange(key, request, 'answer', data),
  ];
  if (part !== null && message.parts.get(part)?.kind === 'input-request') {
    changes.push(createFieldChange(key, part, 'answer', data));
  }
  return changes;
}

/** Returns the changes that close all pending requests of a message. */
export function closeRequests(message: Message): Change[] {
  const pending = listPendingRequests(message);
  return pending.map(({ key }) => createFieldChange(message.key, key, 'state', 'closed'));
}
