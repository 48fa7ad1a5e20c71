import { UbikError, isUbikError } from '../../../errors.js';
import type { Json } from '../../../model/json.js';
import type { RestoreOrigin } from '../../../model/message.js';
import { encodePath } from '../../../transport/http.js';
import type { Backend, CheckpointInfo, ThreadSummary } from '../../backend.js';
import {
  asFields,
  asList,
  readCount,
  readId,
  readJson,
  readText,
  type Fields,
} from '../events/fields.js';
import { readMessage, toStoredMessages } from './messages.js';
import {
  MAX_ENTRIES,
  requestPage,
  requireValue,
  readList,
  readTime,
  createRecordReader,
  sortByTime,
} from './read-response.js';
import type { UbikClient } from './client.js';

const SESSIONS = '/agent-sessions';

const readSession = createRecordReader((fields, id): ThreadSummary => ({
  id,
  title: readText(fields, 'title') ?? '',
  createdAt: readTime(fields, 'created_at'),
  updatedAt: readTime(fields, 'updated_at'),
  ...readTools(fields),
}));

/** Tools of one session that are kept, and units of a name or a description. */
const MAX_TOOLS = 100;
const MAX_TOOL_TEXT = 500;

function readTools(fields: Fields): Pick<ThreadSummary, 'tools'> {
  const tools = asList(fields['active_tools'])
    .slice(0, MAX_TOOLS)
    .flatMap((item) => {
      const tool = asFields(item) ?? {};
      const name = readText(tool, 'name')?.slice(0, MAX_TOOL_TEXT);
      const description = readText(tool, 'description')?.slice(0, MAX_TOOL_TEXT) ?? null;
      return name ? [{ name, description }] : [];
    });
  return tools.length > 0 ? { tools } : {};
}

const readCheckpoint = createRecordReader((fields, name): Omit<CheckpointInfo, 'restorable'> => {
  const metadata = asFields(fields['metadata']) ?? {};
  return {
    name,
    id:
      readId(fields, 'id') ??
      readId(fields, 'checkpoint_id') ??
      readId(metadata, 'checkpoint_id') ??
      readId(metadata, 'id'),
    taskId: readId(fields, 'task_id'),
    createdAt: readTime(fields, 'created_at'),
    metadata: readJson(fields, 'metadata'),
    step: readCount(metadata, 'step'),
    title: readText(metadata, 'description'),
    restoredFrom: readOrigin(metadata),
  };
}, 'checkpoint_name');

/** The service documents nothing about its metadata: these are the names of its requests. */
function readOrigin(metadata: Fields): RestoreOrigin | null {
  const checkpoint = readId(metadata, 'restored_from');
  const hint = readText(metadata, 'checkpoint_hint');
  return checkpoint === null ? null : { checkpoint, hint };
}

/** One session. */
export async function loadSession(
  { requestJson }: UbikClient,
  id: string,
  signal?: AbortSignal,
): Promise<ThreadSummary> {
  const answer = await requestJson('GET', encodePath`/agent-sessions/${id}`, { signal });
  return requireValue(readSession(answer), 'session');
}

/** The newest 1,000 checkpoints of a session, oldest first. Of equal names only the newest can be restored. */
export async function loadCheckpoints(
  { requestJson }: UbikClient,
  session: string,
  signal?: AbortSignal,
): Promise<readonly CheckpointInfo[]> {
  const path = encodePath`/agent-sessions/${session}/checkpoints`;
  const answer = await requestJson('GET', path, { signal });
  const sorted = sortByTime(readList(answer, 'checkpoints', readCheckpoint)).slice(-MAX_ENTRIES);
  const newest = new Map(sorted.map((info) => [info.name, info]));
  return sorted.map((info) => ({ ...info, restorable: newest.get(info.name) === info }));
}

/** A session is a thread: what the contract asks for, one request each. */
export function createThreadMethods(client: UbikClient, assistantId: string | undefined) {
  const { requestJson } = client;
  return {
    listThreads: (page, signal) =>
      checkBaseUrl(client, requestPage(client, SESSIONS, page, readSession, signal)),
    createThread: async ({ title, options = {} } = {}, signal) => {
      const json = new Map<string, Json>();
      if (assistantId !== undefined) json.set('assistant_id', assistantId);
      if (title !== undefined) json.set('title', title);
      // Names of ours become the service's; its own go through as they are.
      for (const [name, value] of Object.entries(options))
        json.set(
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          value,
        );
      const question = requestJson('POST', SESSIONS, { json: Object.fromEntries(json), signal });
      const hint = assistantId === undefined ? '' : ' and the id of the assistant';
      const answer = await checkBaseUrl(client, question, hint);
      return requireValue(readSession(answer), 'session');
    },
    loadMessage: async (session, id, signal) => {
      const path = encodePath`/agent-sessions/${session}/messages/${id}`;
      const answer = await requestJson('GET', path, { signal });
      const found = requireValue(readMessage(answer), 'message');
      const [stored] = await toStoredMessages(client, [found]);
      return requireValue(stored ?? null, 'message');
    },
    renameThread: (id, title) =>
      client.request('PATCH', encodePath`/agent-sessions/${id}`, { json: { title } }),
    listCheckpoints: (session, signal) => loadCheckpoints(client, session, signal),
  } satisfies Partial<Backend>;
}

/** Statuses by which a web server says that it does not know an address, or nothing that can be done there. */
const NOT_FOUND_STATUSES: readonly unknown[] = [404, 405, 410, 501];

/**
 * Asks for something that every service has, whatever it holds: when even that is unknown, the base URL is wrong.
 *
 * @throws {UbikError} `not-an-api` with a message that names the address.
 */
export async function checkBaseUrl<T>(
  { http: { baseUrl } }: UbikClient,
  question: Promise<T>,
  hint = '',
): Promise<T> {
  try {
    return await question;
  } catch (cause) {
    if (!isUbikError(cause) || !NOT_FOUND_STATUSES.includes(cause.status)) throw cause;
    const { status } = cause;
    const message = `No service was found at ${baseUrl}, which answers with the status ${String(status)}. Check the base URL${hint}.`;
    throw new UbikError('not-an-api', message, { status, offender: baseUrl, cause });
  }
}
