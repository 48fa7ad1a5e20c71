import type { StoredMessage } from '../../backend.js';
import { UbikError } from '../../../errors.js';
import type { MessageFields } from '../../../model/message.js';
import type { PartTree } from '../../../model/part.js';
import { parseInstant } from '../../../stream/instant.js';
import { parseContent } from '../tags/parse-content.js';
import { asFields, asList, readId, readIds, readText, type Fields } from '../wire/fields.js';

/** A message as the service sends it. */
export interface WireMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
  readonly createdAt: number | null;
  /** For order: µs. */
  readonly instant: number | null;
  readonly parentId: string | null;
  readonly siblingIds: readonly string[];
  readonly taskId: string | null;
  readonly streamUrl: string | null;
}

/** A branch as the service sends it. */
export interface WireBranch {
  readonly items: readonly WireMessage[];
  readonly headId: string | null;
}

const ROLES: ReadonlyMap<string, WireMessage['role']> = new Map([
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
]);

/** The error for an answer that is not what was asked for. */
export function createShapeError(what: string): UbikError {
  return new UbikError('not-an-api', `The service answered without ${what}.`, { offender: what });
}

/** A message; null when the value is none. */
export function readMessage(value: unknown): WireMessage | null {
  const fields = asFields(value);
  const id = fields && readId(fields, 'id');
  const role = fields && ROLES.get(readText(fields, 'role') ?? '');
  if (!fields || !id || !role) return null;
  const instant = parseInstant(fields['created_at']);
  return {
    id,
    role,
    instant,
    content: readText(fields, 'content') ?? '',
    createdAt: instant === null ? null : Math.floor(instant / 1000),
    parentId: readId(fields, 'parent_id'),
    siblingIds: readIds(fields, 'sibling_ids'),
    taskId: readId(fields, 'task_id'),
    streamUrl: readId(fields, 'stream_url'),
  };
}

/** The active branch, oldest first: along the parents from the head, else by time. */
export function readBranch(value: unknown): WireBranch {
  const fields: Fields | null = Array.isArray(value) ? { items: value } : asFields(value);
  if (!fields || !Array.isArray(fields['items'])) throw createShapeError('messages');
  const items = asList(fields['items']).flatMap((item) => readMessage(item) ?? []);
  const headId = readId(fields, 'active_head_id');
  const ordered = orderByParents(items, headId) ?? orderByTime(items);
  return { items: ordered, headId: ordered.at(-1)?.id ?? null };
}

/** Null when the parents do not lead through all of them: several roots, or parents that are not told. */
function orderByParents(
  items: readonly WireMessage[],
  headId: string | null,
): WireMessage[] | null {
  const byId = new Map(items.map((item) => [item.id, item]));
  const parents = new Set(items.map((item) => item.parentId));
  const head =
    headId === null ? [...items].reverse().find((item) => !parents.has(item.id)) : byId.get(headId);
  const path: WireMessage[] = [];
  for (let at = head; at && path.length < items.length; at = byId.get(at.parentId ?? ''))
    path.push(at);
  return path.length === items.length ? path.reverse() : null;
}

/** Without times the service's own order stands. */
function orderByTime(items: readonly WireMessage[]): WireMessage[] {
  if (items.some((item) => item.instant === null)) return [...items];
  return [...items].sort((left, right) => (left.instant ?? 0) - (right.instant ?? 0));
}

/** A message as the model takes it. Only what an assistant said is read for tags. */
export function toStoredMessage(message: WireMessage): StoredMessage {
  const { id, role, content, createdAt, parentId, siblingIds, taskId } = message;
  const fields: Omit<MessageFields, 'id' | 'parent'> = {
    taskId,
    role,
    siblingIds: [...new Set([...siblingIds, id])],
    createdAt,
    status: 'complete',
    attachments: [],
    origin: null,
    failure: null,
  };
  const parts = role === 'assistant' ? parseContent(content) : toPlainParts(content);
  return { id, parentId, fields, parts, requests: [] };
}

/** One text, literally. The key is that of the first text of any content. */
function toPlainParts(content: string): PartTree[] {
  if (content === '') return [];
  const text = content.replace(/[\uE000\uE001]/g, '\uFFFD');
  return [{ kind: 'text', key: '/0:text', text }];
}
