import type { StoredMessage, ThreadContent } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import { equalJson, type Key } from '../../model/json.js';
import type { Message, MessageFields } from '../../model/message.js';
import { ACTIVITY, type PartTree } from '../../model/part.js';
import { toPartTrees } from '../../model/part-tree.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { removeIncompleteText } from '../data/incomplete-text.js';
import { listPendingRequests, toRequestActivity } from '../requests/input-requests.js';

/** What came of reading a thread's messages. */
export interface ThreadMerge {
  readonly changes: readonly Change[];
  /** Questions of ours that the server does not have. They are taken out; their text must not be lost. */
  readonly lost: readonly Message[];
  /** Messages of ours that the server's record turned out to contain. */
  readonly stored: readonly Key[];
}

/**
 * The changes that bring a thread that is held in line with what the server has stored: messages are found by their id, ours
 * without one by their place, and keep their keys; equal content changes nothing; what is not on the active branch stays in the
 * tree. Not for a thread in which something runs.
 *
 * @param unrecorded messages of runs that the record may not contain yet: until it holds as much of them as is shown, it gives them
 *   names and takes nothing away
 */
export function mergeThreadContent(
  thread: Thread,
  content: ThreadContent,
  createKey: () => Key,
  unrecorded: ReadonlySet<Key> = new Set(),
): ThreadMerge {
  const { messages, ...fields } = thread;
  const changes: Change[] = [];
  const listed = new Set<Key>();
  const recorded = new Set<Key>();
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
    listed.add(head);
    if (held && unrecorded.has(held.key) && lengthOf(stored.parts) < lengthOf(toPartTrees(held))) {
      const storedFields = { ...stored.fields, status: held.status };
      changes.push(...adoptFields(held.key, held, { ...stored, fields: storedFields }, parent));
      continue;
    }
    recorded.add(head);
    changes.push(...adoptMessage(head, held, stored, parent));
  }
  const removed = [...unnamed].filter(({ key }) => !unrecorded.has(key));
  for (const { key } of removed) changes.push({ type: 'remove', message: key, part: null });
  const missing = pathTo(thread).find(({ key }) => unrecorded.has(key) && !listed.has(key));
  const isBehind = missing !== undefined && isRecordBehind(thread, content, missing, listed);
  const place = isBehind ? fields.head : (keys.get(content.headId) ?? head);
  const { id, title } = content.thread;
  const set = { id, title: title === '' ? fields.title : title, head: place };
  if (!equalJson({ ...fields, ...set }, fields)) changes.push({ type: 'thread', set });
  return {
    changes,
    lost: removed.filter(({ role }) => role === 'user'),
    stored: [...recorded],
  };
}

/**
 * Whether a record that lacks a message is an older state of what is shown. It has moved on when it holds a message or a run that is
 * not shown, when it names the missing message as another version, or when it lacks what the message follows.
 */
function isRecordBehind(
  { messages, run }: Thread,
  { messages: all, unfinishedRun: unfinished }: ThreadContent,
  { id, parent }: Message,
  listed: ReadonlySet<Key>,
): boolean {
  const hasNews = [...listed].some((key) => !messages.has(key));
  const isNamed = all.some(({ fields }) => id !== null && fields.siblingIds.includes(id));
  const tasks = new Set([run.id, ...[...messages.values()].map(({ taskId }) => taskId)]);
  const isOtherRun = unfinished !== null && !tasks.has(unfinished.id);
  return !hasNews && !isNamed && !isOtherRun && (parent === null || listed.has(parent));
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
  const changes: Change[] = adoptFields(message, held, stored, parent);
  changes.push({ type: 'content', message, parts });
  // The rest of what broke off is in the record, or it is lost; an equal record says neither.
  if (held && !equalJson(parts, toPartTrees(held))) changes.push(...removeIncompleteText(held));
  for (const { key } of held ? listPendingRequests(held) : []) {
    if (!requests.some((request) => request.key === key)) {
      changes.push(createFieldChange(message, key, 'state', 'closed'));
    }
  }
  for (const request of requests) {
    const { key: part, checkpointName: name } = request;
    if (held?.parts.get(part)) continue;
    const question = listParts(parts).find(
      (tree) => tree.kind === 'input-request' && name !== null && tree.checkpointName === name,
    );
    const value = toRequestActivity(request, question?.key ?? null);
    changes.push({ type: 'part', message, part, parent: ACTIVITY, before: null, value });
  }
  return changes;
}

/** The changes that give a message its names and its place, and leave its content. */
function adoptFields(
  message: Key,
  held: Message | undefined,
  stored: StoredMessage,
  parent: Key | null,
): Change[] {
  const value = { ...stored.fields, ...(held && keepSeen(held, stored)), id: stored.id, parent };
  const isKnown = held && equalJson({ ...held, ...value }, held);
  return isKnown ? [] : [{ type: 'message', message, value }];
}

/** What this page knows of a message and its history does not. */
function keepSeen(held: Message, { fields }: StoredMessage): Partial<MessageFields> {
  const { taskId, restoredFrom: origin, createdAt, attachments } = fields;
  // Histories know no ends but the good one: what this page saw of an end is worth more.
  const isSeen =
    fields.status === 'complete' &&
    held.role === 'assistant' &&
    ['stopped', 'failed', 'interrupted'].includes(held.status);
  return {
    taskId: taskId ?? held.taskId,
    restoredFrom: origin ?? held.restoredFrom,
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

/**
 * How much there is to read, with what tools were given and what they returned. Spaces count nothing: a service may trim what it
 * stores, or print JSON in another way.
 */
function lengthOf(parts: readonly PartTree[]): number {
  return listParts(parts).reduce((sum, part) => {
    const texts = part.kind === 'tool' ? [part.text, part.input, part.result] : [part.text];
    return sum + texts.join('').replace(/\s+/g, '').length;
  }, 0);
}
