import type { InputAnswer } from '../../backends/backend.js';
import { toAnswerData, type PartOf } from '../../model/part.js';
import { listPendingRequests } from '../../model/pending-requests.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';

/** Returns the pending requests of the last shown message of a thread, oldest first. */
export function listShownRequests({ head, messages }: Thread): PartOf<'request-activity'>[] {
  return listPendingRequests(messages.get(head ?? ''));
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
