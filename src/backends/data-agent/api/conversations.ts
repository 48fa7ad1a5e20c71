import { UbikError } from '../../../errors.js';
import type { Attachment } from '../../../model/message.js';
import { encodePath } from '../../../transport/http.js';
import { parseJson } from '../../../transport/response.js';
import type { Backend, Page, PageRequest, ThreadSummary } from '../../backend.js';
import {
  asFields,
  asList,
  createRecordReader,
  readId,
  readNumber,
  readString,
  requireValue,
  type Fields,
} from '../../fields.js';
import type { DataAgentClient } from './client.js';
import { readTime } from './times.js';

const CONVERSATIONS = '/conversation';
/** Maximum page size. The service accepts up to 1,000, but 100 load faster and fill a list. */
const MAX_PAGE_SIZE = 100;

/** Status of a stored message. */
export type StoredStatus = 'complete' | 'streaming' | 'stopped' | 'failed';

/** A stored message, with `content` and `ext` parsed. */
export interface ConversationMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  /** The question that an answer replies to; null when the service does not send it. */
  readonly replyId: string | null;
  readonly index: number;
  readonly status: StoredStatus;
  /** Content of an answer; null while it is running, when it cannot be parsed, and for a question. */
  readonly content: Fields | null;
  readonly contentType: string;
  readonly ext: Fields | null;
  /** The text of a question; for content that cannot be parsed, the raw content. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly createdAt: number | null;
}

/** A stored conversation with its messages, oldest first. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** Index of the last message that is marked as read; Infinity when the service does not send it. */
  readonly readIndex: number;
  readonly messages: readonly ConversationMessage[];
}

/** Statuses by wire value. Everything else, such as the service's `succeded` [sic], is `complete`. */
const STATUSES: ReadonlyMap<string | null, StoredStatus> = new Map([
  ['processing', 'streaming'],
  ['failed', 'failed'],
  ['cancelled', 'stopped'],
]);

const readMessage = createRecordReader((fields, id): ConversationMessage => {
  const isUser = readString(fields, 'origin', 'role') === 'user';
  const raw = fields['content'];
  const content = decode(raw);
  const text = isUser ? readString(content ?? {}, 'text') : null;
  const isUndecoded = !content && typeof raw === 'string';
  return {
    id,
    role: isUser ? 'user' : 'assistant',
    replyId: readId(fields, 'reply_id'),
    index: readNumber(fields, 'index') ?? 0,
    status: isUser ? 'complete' : (STATUSES.get(readString(fields, 'status')) ?? 'complete'),
    content: isUser ? null : content,
    contentType: readString(fields, 'content_type') ?? '',
    ext: decode(fields['ext']),
    text: text ?? (isUndecoded ? raw : ''),
    attachments: isUser && content ? readAttachments(content) : [],
    createdAt: readTime(fields['create_time']),
  };
});

/** Decodes `content` or `ext`, which are objects serialized as JSON; null for anything else, such as an empty value while an answer is running. */
function decode(value: unknown): Fields | null {
  return asFields(typeof value === 'string' ? parseJson(value) : value);
}

/** Reads the attachments: `selected_files` (files of the workspace) on current servers, `temp_files` or `temp_file` on older ones. */
function readAttachments(content: Fields): Attachment[] {
  const names = ['selected_files', 'temp_files', 'temp_file'] as const;
  return names
    .flatMap((name) => asList(content[name]))
    .flatMap((item) => {
      const file = asFields(item) ?? {};
      const name = readString(file, 'file_name', 'name');
      return name ? [{ id: readId(file, 'id') ?? name, name }] : [];
    });
}

const readSummary = createRecordReader((fields, id): ThreadSummary => {
  const status = readString(fields, 'status');
  const index = readNumber(fields, 'message_index') ?? 0;
  return {
    id,
    title: readString(fields, 'title') ?? '',
    createdAt: readTime(fields['create_time']),
    updatedAt: readTime(fields['update_time']),
    isRunning: status === 'processing',
    hasFailed: status === 'failed',
    isUnread: index > (readNumber(fields, 'read_message_index') ?? index),
  };
});

/**
 * Loads a conversation with its messages, oldest first. Rejects with `not-found` when there is no such conversation, and with `not-an-api`
 * for a response with neither an id nor messages, such as an error of a gateway, which must not empty the shown thread.
 */
export async function loadConversation(
  { requestJson }: DataAgentClient,
  id: string,
  signal?: AbortSignal,
  timeout?: number,
): Promise<Conversation> {
  const path = CONVERSATIONS + encodePath`/${id}`;
  const timeoutOption = timeout === undefined ? {} : { timeout };
  const body = await requestJson('GET', path, { signal, ...timeoutOption });
  const fields = unwrap(requireValue(asFields(body), 'conversation'));
  const list = 'Messages' in fields ? fields['Messages'] : fields['messages'];
  if (list !== null && !Array.isArray(list)) requireValue(readId(fields, 'id'), 'conversation');
  const messages = asList(list).flatMap((item) => readMessage(item) ?? []);
  return {
    id,
    title: readString(fields, 'title') ?? '',
    readIndex: readNumber(fields, 'read_message_index') ?? Infinity,
    messages: messages.sort((left, right) => left.index - right.index),
  };
}

/** Some gateways wrap the response in `data`. */
function unwrap(fields: Fields): Fields {
  return 'id' in fields || 'entries' in fields ? fields : (asFields(fields['data']) ?? fields);
}

async function listConversations(
  { requestJson }: DataAgentClient,
  { page, limit }: PageRequest,
  signal?: AbortSignal,
): Promise<Page<ThreadSummary>> {
  const size = Math.min(MAX_PAGE_SIZE, Math.max(1, limit));
  const query = { page: Math.max(1, page), size };
  const body = await requestJson('GET', CONVERSATIONS, { query, signal });
  const fields = unwrap(asFields(body) ?? {});
  const entries = requireValue(
    Array.isArray(fields['entries']) ? asList(fields['entries']) : null,
    'entries',
  );
  const total = readNumber(fields, 'total') ?? readNumber(fields, 'total_count');
  return {
    items: entries.flatMap((item) => readSummary(item) ?? []),
    total,
    hasMore: total === null ? entries.length >= size : query.page * size < total,
  };
}

/** Changes the title of a conversation. */
export function renameConversation(
  { request }: DataAgentClient,
  id: string,
  title: string,
): Promise<void> {
  return request('PUT', CONVERSATIONS + encodePath`/${id}`, { json: { title } });
}

/** Marks the messages up to an index as read. The service rejects 0 as a missing value. */
export function markRead({ request }: DataAgentClient, id: string, index: number): Promise<void> {
  const path = CONVERSATIONS + encodePath`/${id}/mark_read`;
  return request('PUT', path, { json: { latest_read_index: index } });
}

/** Creates the methods of {@link Backend} that list, create and rename threads. A conversation is a thread. */
export function createConversationMethods(client: DataAgentClient) {
  return {
    listThreads: (page, signal) => listConversations(client, page, signal),
    createThread: async ({ title = '', options = {} } = {}, signal) => {
      const { agentId, agentVersion, environment } = client;
      const { executorVersion = 'v2' } = client.options;
      const agent = { agent_id: agentId, agent_version: agentVersion };
      const json = { title, ...agent, executor_version: executorVersion, ...options };
      const body = await client.requestJson('POST', CONVERSATIONS, { json, signal });
      const id = readId(unwrap(asFields(body) ?? {}), 'id');
      const createdAt = environment.now();
      return { id: requireValue(id, 'id'), title, createdAt, updatedAt: createdAt };
    },
    renameThread: (id, title) => {
      if (title.trim() === '') return Promise.reject(new UbikError('invalid'));
      return renameConversation(client, id, title);
    },
  } satisfies Partial<Backend>;
}
