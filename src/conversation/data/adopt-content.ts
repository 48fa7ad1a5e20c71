import type { StoredMessage, ThreadContent } from '../../backends/backend.js';
import type { Change } from '../../model/change.js';
import { equalJson, type Key } from '../../model/json.js';
import type { Message, MessageFields } from '../../model/message.js';
import { ACTIVITY, type PartTree } from '../../model/part.js';
import { toPartTrees } from '../../model/part-tree.js';
import type { Thread } from '../../model/thread.js';
import { listArmedRequests, toRequestActivity } from './input-requests.js';

/** What came of reading a thread's messages. */
export interface Adoption {
  readonly changes: readonly Change[];
  /** Questions of ours that the server does not have. They are taken out; their text must not be lost. */
  readonly lost: readonly Message[];
}

/**
 * The changes that bring a thread that is held in line with what the server has stored: messages are found by their id, ours
 * without one by their place, and keep their keys; equal content changes nothing; what is not on the active branch stays in the
 * tree. Not for a thread in which something runs.
 */
export function adoptContent(
  thread: Thread,
  content: ThreadContent,
  createKey: () => Key,
): Adoption {
  const adopter = new Adopter(thread, createKey);
  for (const message of content.messages) adopter.take(message);
  adopter.finish(content);
  return adopter;
}

class Adopter implements Adoption {
  readonly changes: Change[] = [];
  readonly lost: Message[] = [];
  readonly #thread: Thread;
  readonly #createKey: () => Key;
  readonly #byId = new Map<string, Key>();
  /** Ours that the server has not named, by the message before them. */
  readonly #unnamed = new Map<Key | null, Message[]>();
  readonly #taken = new Set<Key>();
  #last: Key | null = null;

  constructor(thread: Thread, createKey: () => Key) {
    this.#thread = thread;
    this.#createKey = createKey;
    for (const message of thread.messages.values()) {
      if (message.id !== null) this.#byId.set(message.id, message.key);
      else
        this.#unnamed.set(message.parent, [...(this.#unnamed.get(message.parent) ?? []), message]);
    }
  }

  take(stored: StoredMessage): void {
    const parent = stored.parentId === null ? null : (this.#byId.get(stored.parentId) ?? null);
    const key = this.#byId.get(stored.id) ?? this.#findUnnamed(stored, parent) ?? this.#createKey();
    this.#byId.set(stored.id, key);
    this.#taken.add(key);
    this.#last = key;
    const held = this.#thread.messages.get(key);
    const value = toFields(stored, parent, held);
    if (!held || !hasFields(held, value)) this.changes.push({ do: 'message', message: key, value });
    this.changes.push({ do: 'content', message: key, parts: stored.parts });
    this.#takeRequests(key, stored, held);
  }

  finish(content: ThreadContent): void {
    for (const message of [...this.#unnamed.values()].flat()) {
      if (this.#taken.has(message.key)) continue;
      this.changes.push({ do: 'remove', message: message.key, part: null });
      if (message.role === 'user') this.lost.push(message);
    }
    const { id, title } = content.thread;
    const named = content.headId === null ? undefined : this.#byId.get(content.headId);
    const head = named ?? this.#last;
    const { thread } = this;
    if (thread.id !== id || thread.title !== title || thread.head !== head) {
      this.changes.push({ do: 'thread', set: { id, title, head } });
    }
  }

  get thread(): Thread {
    return this.#thread;
  }

  #findUnnamed(stored: StoredMessage, parent: Key | null): Key | undefined {
    const { role, taskId } = stored.fields;
    const candidates = (this.#unnamed.get(parent) ?? []).filter(({ key }) => !this.#taken.has(key));
    return candidates.find((held) => {
      if (held.role !== role) return false;
      if (held.taskId !== null && taskId !== null) return held.taskId === taskId;
      // A question of another tab at the same place is another question.
      return role !== 'user' || textOf(stored.parts) === textOfMessage(held);
    })?.key;
  }

  #takeRequests(message: Key, stored: StoredMessage, held: Message | undefined): void {
    const wanted = new Set(stored.requests.map(({ key }) => key));
    for (const part of held ? listArmedRequests(held) : []) {
      if (!wanted.has(part)) {
        this.changes.push({ do: 'set', message, part, path: ['state'], value: 'closed' });
      }
    }
    for (const request of stored.requests) {
      if (held?.parts.get(request.key)) continue;
      const part = findQuestion(stored.parts, request.checkpointName);
      const value = toRequestActivity(request, part);
      const place = { parent: ACTIVITY, before: null };
      this.changes.push({ do: 'part', message, part: request.key, ...place, value });
    }
  }
}

/** Histories know no ends but the good one: what this page saw of an end is worth more. */
const SEEN_ENDS = new Set(['stopped', 'failed', 'interrupted']);

function toFields(
  stored: StoredMessage,
  parent: Key | null,
  held: Message | undefined,
): MessageFields {
  const fields: MessageFields = { ...stored.fields, id: stored.id, parent };
  if (!held) return fields;
  const seen =
    fields.status === 'complete' && SEEN_ENDS.has(held.status) && held.role === 'assistant';
  return {
    ...fields,
    taskId: fields.taskId ?? held.taskId,
    origin: fields.origin ?? held.origin,
    createdAt: fields.createdAt ?? held.createdAt,
    attachments: fields.attachments.length > 0 ? fields.attachments : held.attachments,
    ...(seen && { status: held.status, failure: held.failure }),
  };
}

function hasFields(held: Message, fields: MessageFields): boolean {
  const { key: _key, parts: _parts, ...before } = held;
  return equalJson(before, fields);
}

function findQuestion(parts: readonly PartTree[], checkpointName: string | null): Key | null {
  if (checkpointName === null) return null;
  for (const part of parts) {
    if (part.kind === 'input-request' && part.checkpointName === checkpointName) return part.key;
    const inner = findQuestion(part.parts ?? [], checkpointName);
    if (inner !== null) return inner;
  }
  return null;
}

function textOf(parts: readonly PartTree[]): string {
  return parts
    .map((part) => part.text ?? '')
    .join('')
    .trim();
}

/** What a question of ours says. */
export function textOfMessage(message: Message): string {
  const texts = message.parts
    .children(null)
    .map((key) => message.parts.get(key)?.text?.read() ?? '');
  return texts.join('').trim();
}

/** Whether stored messages hold an answer, and at least as much of it as is shown. */
export function hasMoreOfAnswer(
  content: ThreadContent,
  held: Message,
  runId: string | null,
): boolean {
  const task = held.taskId ?? runId;
  const stored = content.messages.find(({ id, fields }) =>
    held.id !== null ? id === held.id : task !== null && fields.taskId === task,
  );
  return stored !== undefined && lengthOf(stored.parts) >= lengthOf(toPartTrees(held));
}

function lengthOf(parts: readonly PartTree[]): number {
  return parts.reduce(
    (sum, { text = '', parts: inner = [] }) => sum + text.length + lengthOf(inner),
    0,
  );
}
