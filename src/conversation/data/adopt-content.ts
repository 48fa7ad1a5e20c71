import type { StoredMessage, ThreadContent } from '../../backends/backend.js';
import { setField, type Change } from '../../model/change.js';
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
  { messages, ...fields }: Thread,
  content: ThreadContent,
  createKey: () => Key,
): Adoption {
  const changes: Change[] = [];
  const keys = new Map<string | null, Key>();
  /** Ours that the server has not named. */
  const unnamed = new Set<Message>();
  for (const message of messages.values()) {
    if (message.id === null) unnamed.add(message);
    else keys.set(message.id, message.key);
  }
  let head: Key | null = null;
  for (const stored of content.messages) {
    const parent = keys.get(stored.parentId) ?? null;
    const held =
      messages.get(keys.get(stored.id) ?? '') ??
      [...unnamed].find((message) => message.parent === parent && isSame(message, stored));
    if (held) unnamed.delete(held);
    head = held?.key ?? createKey();
    keys.set(stored.id, head);
    changes.push(...adoptMessage(head, held, stored, parent));
  }
  for (const { key } of unnamed) changes.push({ do: 'remove', message: key, part: null });
  const { id, title } = content.thread;
  const set = { id, title, head: keys.get(content.headId) ?? head };
  if (!equalJson({ ...fields, ...set }, fields)) changes.push({ do: 'thread', set });
  return { changes, lost: [...unnamed].filter(({ role }) => role === 'user') };
}

/** Whether a message of ours, at the same place, is the one that the server has stored. */
function isSame(held: Message, { fields, parts }: StoredMessage): boolean {
  if (held.role !== fields.role) return false;
  if (held.taskId !== null && fields.taskId !== null) return held.taskId === fields.taskId;
  // A question of another tab at the same place is another question.
  return held.role !== 'user' || textOf(parts) === textOfMessage(held);
}

/** The changes that bring one message in line with what the server has stored of it. */
export function adoptMessage(
  message: Key,
  held: Message | undefined,
  stored: StoredMessage,
  parent: Key | null,
): Change[] {
  const { parts, requests } = stored;
  const changes: Change[] = [{ do: 'content', message, parts }];
  const value = { ...stored.fields, ...(held && keepSeen(held, stored)), id: stored.id, parent };
  if (!held || !equalJson({ ...held, ...value }, held)) {
    changes.unshift({ do: 'message', message, value });
  }
  for (const { key } of held ? listArmedRequests(held) : []) {
    if (!requests.some((request) => request.key === key)) {
      changes.push(setField(message, key, 'state', 'closed'));
    }
  }
  for (const request of requests) {
    const { key: part, checkpointName: name } = request;
    if (held?.parts.get(part)) continue;
    const question = listParts(parts).find(
      (tree) => tree.kind === 'input-request' && name !== null && tree.checkpointName === name,
    );
    const value = toRequestActivity(request, question?.key ?? null);
    changes.push({ do: 'part', message, part, parent: ACTIVITY, before: null, value });
  }
  return changes;
}

/** What this page knows of a message and its history does not. */
function keepSeen(held: Message, { fields }: StoredMessage): Partial<MessageFields> {
  const { taskId, origin, createdAt, attachments } = fields;
  // Histories know no ends but the good one: what this page saw of an end is worth more.
  const isSeen =
    fields.status === 'complete' &&
    held.role === 'assistant' &&
    ['stopped', 'failed', 'interrupted'].includes(held.status);
  return {
    taskId: taskId ?? held.taskId,
    origin: origin ?? held.origin,
    createdAt: createdAt ?? held.createdAt,
    attachments: attachments.length > 0 ? attachments : held.attachments,
    ...(isSeen && { status: held.status, failure: held.failure }),
  };
}

/** Parts and all that is in them. */
function listParts(parts: readonly PartTree[]): PartTree[] {
  return parts.flatMap((part) => [part, ...listParts(part.parts ?? [])]);
}

/** What the parts of a question say. */
export function textOf(parts: readonly PartTree[]): string {
  const texts = parts.map(({ text }) => text);
  return texts.join('').trim();
}

/** What a question of ours says. */
export function textOfMessage(message: Message): string {
  return textOf(toPartTrees(message));
}

/** Whether stored messages hold an answer, and at least as much of it as is shown. */
export function hasMoreOfAnswer(
  content: ThreadContent,
  held: Message,
  runId: string | null,
): boolean {
  const task = held.taskId ?? runId;
  // A question may name the task that it started, too.
  const answers = content.messages.filter(({ fields }) => fields.role === held.role);
  const stored = answers.find(({ id, fields }) =>
    held.id === null ? task !== null && fields.taskId === task : id === held.id,
  );
  return stored !== undefined && lengthOf(stored.parts) >= lengthOf(toPartTrees(held));
}

function lengthOf(parts: readonly PartTree[]): number {
  return listParts(parts).reduce((sum, { text = '' }) => sum + text.length, 0);
}
