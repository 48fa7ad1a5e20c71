import { UbikError, isUbikError } from '../../../errors.js';
import type { Json } from '../../../model/json.js';
import { encodePath } from '../../../transport/http.js';
import type { Backend, ThreadSummary } from '../../backend.js';
import {
  asFields,
  asList,
  readString,
  type Fields,
  requireValue,
  createRecordReader,
} from '../../fields.js';
import { readMessage, toStoredMessages } from './messages.js';
import { requestPage, readTime } from './read-response.js';
import type { UbikClient } from './client.js';

const SESSIONS = '/agent-sessions';

const readSession = createRecordReader((fields, id): ThreadSummary => ({
  id,
  title: readString(fields, 'title') ?? '',
  createdAt: readTime(fields, 'created_at'),
  updatedAt: readTime(fields, 'updated_at'),
  ...readTools(fields),
}));

/** Maximum number of tools that are read for one session. */
const MAX_TOOLS = 100;
/** Maximum number of UTF-16 units that are read of the name or the description of a tool. */
const MAX_TOOL_TEXT = 500;

function readTools(fields: Fields): Pick<ThreadSummary, 'tools'> {
  const tools = asList(fields['active_tools'])
    .slice(0, MAX_TOOLS)
    .flatMap((item) => {
      const tool = asFields(item) ?? {};
      const name = readString(tool, 'name')?.slice(0, MAX_TOOL_TEXT);
      const description = readString(tool, 'description')?.slice(0, MAX_TOOL_TEXT) ?? null;
      return name ? [{ name, description }] : [];
    });
  return tools.length > 0 ? { tools } : {};
}

/** Loads one session. */
export async function loadSession(
  { requestJson }: UbikClient,
  id: string,
  signal?: AbortSignal,
): Promise<ThreadSummary> {
  const body = await requestJson('GET', encodePath`/agent-sessions/${id}`, { signal });
  return requireValue(readSession(body), 'session');
}

/**
 * Creates the methods of {@link Backend} for the list of threads and single messages. Each call sends one request. The service calls a thread
 * a session.
 */
export function createThreadMethods(client: UbikClient, assistantId: string | undefined) {
  const { requestJson } = client;
  return {
    listThreads: (page, signal) =>
      checkBaseUrl(client, requestPage(client, SESSIONS, page, readSession, signal)),
    createThread: async ({ title, options = {} } = {}, signal) => {
      const json = new Map<string, Json>();
      if (assistantId !== undefined) json.set('assistant_id', assistantId);
      if (title !== undefined) json.set('title', title);
      // Names in camel case are converted to snake case; names in snake case stay the same.
      for (const [name, value] of Object.entries(options))
        json.set(
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          value,
        );
      const request = requestJson('POST', SESSIONS, { json: Object.fromEntries(json), signal });
      const alsoCheck = assistantId === undefined ? '' : ' and the id of the assistant';
      const body = await checkBaseUrl(client, request, alsoCheck);
      return requireValue(readSession(body), 'session');
    },
    loadMessage: async (session, id, signal) => {
      const path = encodePath`/agent-sessions/${session}/messages/${id}`;
      const body = await requestJson('GET', path, { signal });
      const found = requireValue(readMessage(body), 'message');
      const [stored] = await toStoredMessages(client, [found]);
      return requireValue(stored ?? null, 'message');
    },
    renameThread: (id, title) =>
      client.request('PATCH', encodePath`/agent-sessions/${id}`, { json: { title } }),
  } satisfies Partial<Backend>;
}

/** Statuses with which a server reports an unknown route. */
const NOT_FOUND_STATUSES: readonly unknown[] = [404, 405, 410, 501];

/**
 * Awaits the response to a request that every service supports. An unknown route means that the base URL is wrong.
 *
 * @param alsoCheck what else may be wrong, as the end of the sentence "Check the base URL …"
 * @throws {UbikError} `not-an-api` with a message that contains the URL.
 */
export async function checkBaseUrl<T>(
  { http: { baseUrl } }: UbikClient,
  request: Promise<T>,
  alsoCheck = '',
): Promise<T> {
  try {
    return await request;
  } catch (cause) {
    if (!isUbikError(cause) || !NOT_FOUND_STATUSES.includes(cause.status)) throw cause;
    const { status } = cause;
    const message = `No service was found at ${baseUrl}, which answers with the status ${String(status)}. Check the base URL${alsoCheck}.`;
    throw new UbikError('not-an-api', message, { status, offender: baseUrl, cause });
  }
}
