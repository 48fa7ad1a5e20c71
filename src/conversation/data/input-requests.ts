import { toAnswerData, type InputAnswer, type InputRequest } from '../../backends/backend.js';
import type { Batch, Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import { ACTIVITY, type Part, type PartOf, type RequestActivityFields } from '../../model/part.js';
import type { Thread } from '../../model/thread.js';

/** A request for input where it stands. */
export interface RequestPlace {
  readonly thread: Key;
  readonly message: Key;
  readonly request: Key;
}

/**
 * Finds requests that became armed, each once. A request that was closed and armed again is a new one. Those of a thread that is
 * not shown are kept until somebody opens it.
 */
export class RequestWatch {
  readonly #armed = new Set<string>();
  readonly #kept = new Map<Key, RequestPlace[]>();

  /** The requests that a batch has armed. */
  look(batch: Batch, thread: Thread): RequestPlace[] {
    const places: RequestPlace[] = [];
    for (const change of batch.changes) {
      if (!mayArm(change)) continue;
      const { message, part: request } = change;
      if (request === null) continue;
      const name = JSON.stringify([batch.thread, message, request]);
      if (!isArmed(thread.messages.get(message)?.parts.get(request))) this.#armed.delete(name);
      else if (!this.#armed.has(name)) {
        this.#armed.add(name);
        places.push({ thread: batch.thread, message, request });
      }
    }
    return places;
  }

  /** Keeps requests for later. */
  keep(thread: Key, places: readonly RequestPlace[]): void {
    if (places.length > 0) this.#kept.set(thread, [...(this.#kept.get(thread) ?? []), ...places]);
  }

  /** The requests that were kept and are still armed. */
  takeKept(thread: Thread): RequestPlace[] {
    const kept = this.#kept.get(thread.key) ?? [];
    this.#kept.delete(thread.key);
    return kept.filter(({ message, request }) =>
      isArmed(thread.messages.get(message)?.parts.get(request)),
    );
  }
}

type Arming = Extract<Change, { do: 'part' | 'set' | 'remove' }>;

/** Cheap, since every change comes through here. */
function mayArm(change: Change): change is Arming {
  if (change.do === 'part') return change.value.kind === 'request-activity';
  if (change.do === 'set') return change.part !== null && change.path[0] === 'state';
  return change.do === 'remove';
}

/** The request behind an activity part that is armed; null when there is none (any more). */
export function findArmedRequest(message: Message, request: Key): InputRequest | null {
  const part = message.parts.get(request);
  return isArmed(part) ? toInputRequest(message.key, part) : null;
}

/** Keys of the armed requests of a message, oldest first. */
export function listArmedRequests(message: Message): Key[] {
  return message.parts.children(ACTIVITY).filter((key) => isArmed(message.parts.get(key)));
}

function isArmed(part: Part | undefined): part is PartOf<'request-activity'> {
  return part?.kind === 'request-activity' && part.state === 'armed';
}

function toInputRequest(message: Key, part: PartOf<'request-activity'>): InputRequest {
  const { key, level, checkpointName, executionId, prompt, inputTypes } = part;
  const { options, schema, deadline } = part;
  const question = { level, checkpointName, executionId, prompt, inputTypes };
  return { key, message, ...question, options, schema, deadline };
}

/** The changes by which a request is answered: its form closes, and the content shows what was said. */
export function answerRequest(message: Message, request: Key, answer: InputAnswer): Change[] {
  const activity = message.parts.get(request);
  if (activity?.kind !== 'request-activity') return [];
  const { key } = message;
  const changes: Change[] = [
    { do: 'set', message: key, part: request, path: ['state'], value: 'answered' },
  ];
  const { part } = activity;
  if (part !== null && message.parts.get(part)?.kind === 'input-request') {
    const value = JSON.stringify(toAnswerData(answer));
    changes.push({ do: 'set', message: key, part, path: ['answer'], value });
  }
  return changes;
}

/** A request of the server's history as activity of its message. */
export function toRequestActivity(request: InputRequest, part: Key | null): RequestActivityFields {
  const { level, prompt, inputTypes, checkpointName, executionId } = request;
  const { options, schema, deadline } = request;
  return {
    kind: 'request-activity',
    level,
    prompt,
    inputTypes,
    checkpointName,
    executionId,
    toolName: null,
    options,
    schema,
    deadline,
    part,
    state: 'armed',
  };
}
