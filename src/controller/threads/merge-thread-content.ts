import type { InputRequest, StoredMessage, ThreadContent } from '../../backends/backend.js';
import { createFieldChange, type Change } from '../../model/change.js';
import { equalJson, type Key } from '../../model/json.js';
import type { Message, MessageFields } from '../../model/message.js';
import { ACTIVITY, type PartTree, type RequestActivityFields } from '../../model/part.js';
import { fieldsOf, toPartTrees } from '../../model/part-tree.js';
import { listPendingRequests } from '../../model/pending-requests.js';
import { isSameRequest } from '../../model/same-request.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { removeIncompleteText, textOf, textOfMessage } from '../messages/message-text.js';

/**
 * Whether the service has replaced the present message by another one, as services without branches do, so that a shorter stored text is
 * not just an unfinished copy. A user message is stored as a whole, so a shorter one is always different; an answer only if it is of another
 * run.
 */
function isReplaced(present: Message, { fields: { runId } }: StoredMessage): boolean {
  if (present.role === 'user') return true;
  return runId !== null && present.runId !== null && runId !== present.runId;
}

/** The result of {@link mergeThreadContent}. */
export interface ThreadMerge {
  /** The last changes: they remove messages, and set the id, title and head of the thread. */
  readonly changes: readonly Change[];
  /** User messages that the service does not have. The changes remove them; the caller restores their text as the draft. */
  readonly lost: readonly Message[];
  /** Keys of the messages whose content was taken from the stored thread. */
  readonly stored: readonly Key[];
}

/**
 * Merges a stored thread into the one in memory: yields the changes of each message, and returns the last ones, which concern the thread. Apply
 * all changes in order; those of several messages can be applied together. Messages are matched by id, or if the one in memory has no id, by
 * parent, role, and run or text. Matched messages keep their keys, and equal content yields no change. Messages with an id are not removed,
 * since they may belong to other branches. A message without an id that matches no stored one is removed; messages that followed it then
 * follow the message before it. Must not be continued while a run is active in the thread.
 *
 * The content of a waiting message whose requests could not be looked up is not replaced.
 *
 * @param unstored Messages of runs that the stored thread may not contain yet. They are never removed. While the stored message has less
 *   text than the shown one, its fields are merged, except status and failure, and the shown content stays.
 */
export function* mergeThreadContent(
  thread: Thread,
  content: ThreadContent,
  createKey: () => Key,
  unstored: ReadonlySet<Key> = new Set(),
): Generator<readonly Change[], ThreadMerge> {
  const { messages } = thread;
  /** The run ids of the messages before the merge, by message; needed only if a message may be missing. */
  const runIdsBefore = new Map(
    unstored.size > 0 ? [...messages.values()].map(({ key, runId }) => [key, runId] as const) : [],
  );
  const listed = new Set<Key>();
  const stored = new Set<Key>();
  const keys = new Map<string | null, Key>();
  /** Messages without an id of the service. */
  const withoutId = new Set<Key>();
  for (const { id, key } of messages.values()) {
    if (id === null) withoutId.add(key);
    else keys.set(id, key);
  }
  const isRemoved = (key: Key): boolean => withoutId.has(key) && !unstored.has(key);
  /** Returns the given message, or its nearest ancestor that is not removed. */
  const findKept = (key: Key | null): Key | null =>
    pathTo(thread, key)
      .filter((message) => !isRemoved(message.key))
      .at(-1)?.key ?? null;
  const findWithoutId = (message: StoredMessage, parent: Key | null): Message | undefined =>
    // Of two equal messages, the service certainly has the one that it has confirmed.
    [...unstored, ...withoutId]
      .flatMap((key) => (withoutId.has(key) ? (messages.get(key) ?? []) : []))
      .find((other) => isSameMessage(other, message) && findKept(other.parent) === parent);
  let last: Key | null = null;
  for (const message of content.messages) {
    const parent = keys.get(message.parentId) ?? null;
    const present = messages.get(keys.get(message.id) ?? '') ?? findWithoutId(message, parent);
    if (present) withoutId.delete(present.key);
    last = present?.key ?? createKey();
    keys.set(message.id, last);
    listed.add(last);
    const isStoredShorter =
      present &&
      unstored.has(present.key) &&
      !isReplaced(present, message) &&
      measureText(message.parts) < measureText(toPartTrees(present));
    const mayWait =
      present &&
      message.lacksRequests &&
      (present.status === 'waiting' || listPendingRequests(present).length > 0);
    if (isStoredShorter || mayWait) {
      const { status, failure } = present;
      const fields = { ...message.fields, status, failure };
      yield mergeFields(present.key, present, { ...message, fields }, parent);
      continue;
    }
    stored.add(last);
    yield mergeMessage(last, present, message, parent);
  }
  const removed = [...withoutId].filter(isRemoved).flatMap((key) => messages.get(key) ?? []);
  const changes: Change[] = removed.map(({ key }) => ({
    type: 'remove',
    message: key,
    part: null,
  }));
  for (const { key, parent } of removed.length > 0 ? messages.values() : []) {
    // The parents of stored messages are set above.
    if (parent !== null && isRemoved(parent) && !isRemoved(key) && !listed.has(key))
      changes.push(createFieldChange(key, null, 'parent', findKept(parent)));
  }
  const missing =
    unstored.size > 0
      ? pathTo(thread).find(({ key }) => unstored.has(key) && !listed.has(key))
      : undefined;
  const isBehind =
    missing !== undefined &&
    isStoredThreadBehind(
      runIdsBefore,
      thread,
      content,
      { ...missing, parent: findKept(missing.parent) },
      listed,
    );
  const head = isBehind ? findKept(thread.head) : (keys.get(content.headId) ?? last);
  const { id } = content.thread;
  const title = content.thread.title === '' ? thread.title : content.thread.title;
  const isEqual = thread.id === id && thread.title === title && thread.head === head;
  if (!isEqual) changes.push({ type: 'thread', set: { id, title, head } });
  return {
    changes,
    lost: removed.filter(({ role }) => role === 'user'),
    stored: [...stored],
  };
}

/**
 * Whether a stored thread that lacks a message is older than the thread in memory. It is newer if it contains an unknown message or run,
 * lists the missing message as another version, or lacks its parent.
 */
function isStoredThreadBehind(
  runIdsBefore: ReadonlyMap<Key, string | null>,
  { run }: Thread,
  { messages: storedMessages, unfinishedRun: unfinished }: ThreadContent,
  { id, parent }: Message,
  listed: ReadonlySet<Key>,
): boolean {
  const hasNewMessage = [...listed].some((key) => !runIdsBefore.has(key));
  const isOtherVersion = storedMessages.some(
    ({ fields }) => id !== null && fields.siblingIds.includes(id),
  );
  const hasNewRun =
    unfinished !== null && ![run.id, ...runIdsBefore.values()].includes(unfinished.id);
  return !hasNewMessage && !isOtherVersion && !hasNewRun && (parent === null || listed.has(parent));
}

/** Whether a message without an id corresponds to a stored message with the same parent. */
function isSameMessage(present: Message, { fields, parts }: StoredMessage): boolean {
  if (present.role !== fields.role) return false;
  if (present.runId !== null && fields.runId !== null) return present.runId === fields.runId;
  // Another tab may have sent a different message with the same parent.
  return present.role !== 'user' || textOf(parts) === textOfMessage(present);
}

/** Returns the changes that merge a stored message into the one in memory, or add it. */
export function mergeMessage(
  message: Key,
  present: Message | undefined,
  stored: StoredMessage,
  parent: Key | null,
): Change[] {
  const { parts, requests, activity } = stored;
  const changes: Change[] = mergeFields(message, present, stored, parent);
  // A service may store an answer without its content until its run ends. The stream of the run has the content.
  const isUnwritten = parts.length === 0 && stored.fields.status === 'streaming';
  if (!present || !(isUnwritten || equalJson(parts, toPartTrees(present)))) {
    changes.push({ type: 'content', message, parts });
    // If the stored content differs, it contains the incomplete text as parsed parts, or the text is lost. If it is equal, the text is kept.
    if (present) changes.push(...removeIncompleteText(present));
  }
  const pending = listPendingRequests(present);
  for (const shown of pending) {
    if (!requests.some((request) => isSameRequest(request, shown))) {
      changes.push(createFieldChange(message, shown.key, 'state', 'closed'));
    }
  }
  for (const request of requests) {
    const { key: part, checkpointName: name } = request;
    const known = present?.parts.get(part);
    // An answer that was rejected because another branch was active has closed the request.
    const isReopened =
      known?.kind === 'request-activity' &&
      known.state === 'closed' &&
      present?.status !== 'stopped' &&
      !pending.some((shown) => isSameRequest(request, shown));
    if (known && !isReopened) continue;
    if (isReopened && known.prompt === request.prompt) {
      // The stored request may lack what only the events contain, such as its options.
      changes.push(createFieldChange(message, part, 'state', 'pending'));
      continue;
    }
    const requestPart = listParts(parts).find(
      (tree) => tree.kind === 'input-request' && name !== null && tree.checkpointName === name,
    );
    const value = toRequestActivity(request, requestPart?.key ?? null);
    changes.push({ type: 'part', message, part, parent: ACTIVITY, before: null, value });
  }
  if (!activity) return changes;
  const storedKeys = new Set(activity.map(({ key }) => key));
  for (const part of present?.parts.children(ACTIVITY) ?? []) {
    const isTool = present?.parts.get(part)?.kind === 'tool-activity';
    if (isTool && !storedKeys.has(part)) changes.push({ type: 'remove', message, part });
  }
  for (const { key: part, fields: value } of activity) {
    const known = present?.parts.get(part);
    if (known && equalJson(fieldsOf(known), value)) continue;
    changes.push({ type: 'part', message, part, parent: ACTIVITY, before: null, value });
  }
  return changes;
}

/** Converts a stored request to an activity part. `part` is the key of the content part that shows it; null when there is none. */
function toRequestActivity(request: InputRequest, part: Key | null): RequestActivityFields {
  const { key: _key, message: _message, ...fields } = request;
  return { ...fields, kind: 'request-activity', part, state: 'pending' };
}

/** Returns the changes that set the fields and the parent of a message, not its content. */
function mergeFields(
  message: Key,
  present: Message | undefined,
  stored: StoredMessage,
  parent: Key | null,
): Change[] {
  const known = present && pickKnownFields(present, stored);
  const value = { ...stored.fields, ...known, id: stored.id, parent };
  const isEqual = present && equalJson({ ...present, ...value }, present);
  return isEqual ? [] : [{ type: 'message', message, value }];
}

/** Returns the fields that are known to this page and missing in the stored message. */
function pickKnownFields(present: Message, { fields }: StoredMessage): Partial<MessageFields> {
  const { runId, restoredFrom, createdAt, attachments } = fields;
  // Some services store only the status `complete`, so another end that this page has received takes precedence.
  const hasOtherEnd =
    fields.status === 'complete' &&
    present.role === 'assistant' &&
    ['stopped', 'failed', 'interrupted'].includes(present.status);
  return {
    runId: runId ?? present.runId,
    restoredFrom: restoredFrom ?? present.restoredFrom,
    createdAt: createdAt ?? present.createdAt,
    attachments: attachments.length > 0 ? attachments : present.attachments,
    ...(hasOtherEnd && { status: present.status, failure: present.failure }),
  };
}

/** Returns parts with all their descendants. */
function listParts(parts: readonly PartTree[]): PartTree[] {
  return parts.flatMap((part) => [part, ...listParts(part.parts ?? [])]);
}

/**
 * Whether a stored thread contains an answer with at least as much text as the shown one. While neither the id of the answer nor that of
 * its run is known, it is the answer to the same message that is neither an earlier version nor another message in memory.
 */
export function hasStoredAnswer(
  content: ThreadContent,
  { run, messages }: Thread,
  answer: Message,
): boolean {
  const runId = answer.runId ?? run.id;
  const parent = messages.get(answer.parent ?? '')?.id ?? null;
  const shown = new Set([...messages.values()].map(({ id }) => id));
  const isOther = (id: string): boolean => shown.has(id) || answer.siblingIds.includes(id);
  const isSame = ({ id, parentId, fields }: StoredMessage): boolean => {
    if (answer.id !== null) return id === answer.id;
    if (runId !== null) return fields.runId === runId;
    return parent !== null && parentId === parent && !isOther(id);
  };
  // A user message can have the id of the run that it started.
  const stored = content.messages.find(
    (message) => message.fields.role === answer.role && isSame(message),
  );
  return stored !== undefined && measureText(stored.parts) >= measureText(toPartTrees(answer));
}

/**
 * Returns the length of all texts, tool inputs and tool results without white space, because a service may trim stored texts or
 * serialize JSON differently.
 */
function measureText(parts: readonly PartTree[]): number {
  return listParts(parts).reduce((sum, part) => {
    const texts = part.kind === 'tool' ? [part.text, part.input, part.result] : [part.text];
    return sum + texts.join('').replace(/\s+/g, '').length;
  }, 0);
}
