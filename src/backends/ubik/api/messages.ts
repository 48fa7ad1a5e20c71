import type { StoredMessage } from '../../backend.js';
import { USER_TEXT } from '../../../model/message.js';
import type { PartTree } from '../../../model/part.js';
import { encodePath, type HttpRequest } from '../../../transport/http.js';
import { createSliceYield, type SliceYield } from '../../../transport/slice-yield.js';
import { parseInSlices } from '../content/content-parser.js';
import {
  asFields,
  readId,
  readIds,
  readString,
  readListInSlices,
  createRecordReader,
} from '../../fields.js';
import { replaceMarkCharacters } from '../../untrusted-text.js';
import { readTime, sortByTime } from './read-response.js';
import type { UbikClient } from './client.js';

/** A message as the service sends it. */
export interface SessionMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  readonly createdAt: number | null;
  readonly parentId: string | null;
  /** Ids of all versions, its own included. */
  readonly siblingIds: readonly string[];
  readonly taskId: string | null;
  readonly streamUrl: string | null;
}

const ROLES: ReadonlyMap<string | null, SessionMessage['role']> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
]);

/** Reads a message; null when the value is not one. */
export const readMessage = createRecordReader((fields, id): SessionMessage | null => {
  const role = ROLES.get(readString(fields, 'role'));
  return role
    ? {
        id,
        role,
        content: readString(fields, 'content') ?? '',
        createdAt: readTime(fields, 'created_at'),
        parentId: readId(fields, 'parent_id'),
        siblingIds: [...new Set([...readIds(fields, 'sibling_ids'), id])],
        taskId: readId(fields, 'task_id'),
        streamUrl: readId(fields, 'stream_url'),
      }
    : null;
});

/**
 * Loads the active branch of a session, from the root to the head. If the parents of the messages do not connect all of them, for example
 * because the service sends no parents, the messages are sorted by time, and missing parents are added.
 */
export async function loadActiveBranch(
  client: UbikClient,
  session: string,
  more?: Partial<HttpRequest>,
): Promise<readonly SessionMessage[]> {
  const path = encodePath`/agent-sessions/${session}/messages`;
  const body = await client.requestJson('GET', path, more);
  const items = await readListInSlices(body, 'items', readMessage, createYield(client));
  const headId = readId(asFields(body) ?? {}, 'active_head_id');
  return orderByParents(items, headId) ?? orderByTime(items);
}

/** Returns the messages from the root to the head; null if that path does not contain all of them, for example without parents. */
function orderByParents(
  items: readonly SessionMessage[],
  headId: string | null,
): SessionMessage[] | null {
  const byId = new Map(items.map((item) => [item.id, item]));
  const parents = new Set(items.map((item) => item.parentId));
  const head =
    headId === null ? items.filter(({ id }) => !parents.has(id)).at(-1) : byId.get(headId);
  const path: SessionMessage[] = [];
  for (let at = head; at && path.length < items.length; at = byId.get(at.parentId ?? ''))
    path.push(at);
  return path.length === items.length ? path.reverse() : null;
}

/**
 * Sorts messages by time. If the parent of a message is not among the earlier messages, the message directly before it becomes the parent,
 * because the service lists only one branch.
 */
function orderByTime(items: SessionMessage[]): SessionMessage[] {
  const earlier = new Set<string | null>();
  let before: string | null = null;
  return sortByTime(items).map((item) => {
    const parentId = earlier.has(item.parentId) ? item.parentId : before;
    before = item.id;
    earlier.add(before);
    return { ...item, parentId };
  });
}

function createYield({ environment, limits: { sliceBudget } }: UbikClient): SliceYield {
  return createSliceYield(environment, sliceBudget);
}

/** Converts messages to the form of the contract, and yields to the event loop after each slice. */
export async function toStoredMessages(
  client: UbikClient,
  messages: readonly SessionMessage[],
): Promise<StoredMessage[]> {
  const yieldSlice = createYield(client);
  const stored: StoredMessage[] = [];
  for (const message of messages) {
    stored.push(await toStoredMessage(message, yieldSlice));
    const yielding = yieldSlice();
    if (yielding) await yielding;
  }
  return stored;
}

/** Converts one message. Only the content of an assistant is parsed for tags (UBIK 7.1). */
async function toStoredMessage(
  message: SessionMessage,
  yieldSlice: SliceYield,
): Promise<StoredMessage> {
  const { id, role, content, createdAt, parentId, siblingIds, taskId } = message;
  const text: PartTree = { kind: 'text', key: USER_TEXT, text: replaceMarkCharacters(content) };
  return {
    id,
    parentId,
    fields: {
      runId: taskId,
      role,
      siblingIds,
      createdAt,
      status: 'complete',
      attachments: [],
      restoredFrom: null,
      failure: null,
    },
    parts: role === 'assistant' ? await parseInSlices(content, yieldSlice) : content ? [text] : [],
    requests: [],
  };
}
