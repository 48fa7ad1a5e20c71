import {
  ACTIVITY,
  type Part,
  type PartOf,
  type RequestActivityFields,
  toAnswerData,
} from '../../model/part.js';
import type { InputAnswer, InputRequest } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';

/** Whether a part is a request that waits for its answer. */
export function isPending(part: Part | undefined): part is PartOf<'request-activity'> {
  return part?.kind === 'request-activity' && part.state === 'pending';
}

/** The armed requests of a message, oldest first. */
export function listPendingRequests({ parts }: Message): PartOf<'request-activity'>[] {
  return parts
    .children(ACTIVITY)
    .map((key) => parts.get(key))
    .filter(isPending);
}

/** The changes by which a request is answered: its form closes, and the content shows what was said. */
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

/** The changes by which a message asks no more. */
export function closeRequests(message: Message): Change[] {
  const armed = listPendingRequests(message);
  return armed.map(({ key }) => createFieldChange(message.key, key, 'state', 'closed'));
}

/** A request of the server's history as activity of its message; `part` is where the question stands in the content. */
export function toRequestActivity(request: InputRequest, part: Key | null): RequestActivityFields {
  const { key: _key, message: _message, ...question } = request;
  return { ...question, kind: 'request-activity', toolName: null, part, state: 'pending' };
}
