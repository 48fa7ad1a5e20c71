import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardBody } from '../../server/client-connection.js';
import { sendJson } from '../../server/inert-content.js';
import { ApiError } from '../agent/api/api-error.js';
import { readJson } from '../agent/api/body.js';
import type { FaultInjection } from '../agent/api/fault-injection.js';
import { Router, type ApiRequest } from '../agent/api/router.js';
import { authenticate, type Credentials } from '../agent/auth/authenticate.js';
import { isJsonObject, textOf, type JsonObject } from '../agent/json.js';
import type { LanguageModelOptions } from '../agent/llm/chat-completion.js';
import type { PausePoints } from '../agent/run/pause-points.js';
import type { Pace } from '../agent/run/pace.js';
import type { Database } from '../agent/store/database.js';
import type { RiverDatabase } from '../agent/tools/river-database.js';
import { cancelInterrupted, startCompletion } from './chat.js';
import { ConversationStore, type ConversationRow, type StoredMessage } from './conversations.js';
import { codeOfStatus, DataAgentError, describeError, readLanguage } from './errors.js';
import { createRandomOrder } from './json-diff.js';
import { AGENT_ID, AGENT_KEY, describeAgent, listModels } from './onboarding.js';
import { streamRun, type StreamOptions } from './patch-stream.js';
import type { DataAgentRun } from './run.js';
import { Runs } from './runs.js';

/** Path prefixes of the chat API: the current one and the older one. */
export const PREFIXES = ['/api/agent-factory/v1', '/api/agent-app/v1'] as const;

const MARKET = '/api/agent-factory/v3/agent-market';

/** The dependencies that the Data Agent API shares with the rest of the server, and its own settings. */
export interface DataAgentOptions {
  readonly database: Database;
  readonly rivers: RiverDatabase;
  /** The language model that answers; null for the rules. */
  readonly model: LanguageModelOptions | null;
  readonly pace: Pace;
  readonly pausePoints: PausePoints;
  readonly credentials: Credentials;
  readonly faultInjection: FaultInjection;
  /** The `PREFIXES` that are served; both by default. The other one is answered with 404. */
  readonly prefixes?: readonly string[];
  /** Number of frames, which are the units of work of a run (`DataAgentRun.frame`), after which a snapshot is published; 5 by default. */
  readonly publishEvery?: number;
  /** Receives errors of the program itself. */
  readonly onError: (error: unknown) => void;
}

/** The Data Agent API of this server. */
export interface DataAgent {
  /** Answers a request when its path belongs to this API. Resolves with whether it was answered; never rejects. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean>;
  /** Stops every run. */
  close(): Promise<void>;
}

/** Opens the Data Agent API over the shared database. */
export function openDataAgent(options: DataAgentOptions): DataAgent {
  const store = new ConversationStore(options.database);
  const runs = new Runs({ ...options, store, sources: options });
  const router = createRouter(options, store, runs);
  const prefixes = options.prefixes ?? PREFIXES;
  const locate = (path: string): string | null => {
    if (path.startsWith(`${MARKET}/`)) return path.slice(MARKET.length);
    const prefix = PREFIXES.find((each) => path.startsWith(`${each}/`));
    if (prefix === undefined) return null;
    return prefixes.includes(prefix) ? path.slice(prefix.length) : '/unavailable';
  };
  return {
    handle: async (request, response, path) => {
      const route = locate(path);
      if (route === null) return false;
      try {
        const isAnswered = await options.faultInjection.interceptRequest(
          request,
          response,
          (status, details) =>
            describeError(
              codeOfStatus(status),
              details,
              readLanguage(request.headers['x-language']),
            ),
        );
        if (isAnswered) return true;
        await answer(options, router, request, response, route);
      } catch (error) {
        await sendError(request, response, error, options.onError);
      }
      return true;
    },
    close: () => runs.stopAll(),
  };
}

async function answer(
  options: DataAgentOptions,
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
): Promise<void> {
  const { handler, params } = router.find(request.method ?? 'GET', route);
  const identity = authenticate(options.credentials, request, null);
  if ((request.headers['x-business-domain'] ?? '') === '') {
    // The real server sends this error in another format than all others.
    await discardBody(request);
    sendJson(response, 400, { error: 'biz domain id is required' });
    return;
  }
  const key = params.get('key');
  if (key !== undefined && key !== AGENT_KEY && key !== AGENT_ID) {
    throw new DataAgentError(404, 'AgentAPP.Agent.GetAgentFailed');
  }
  const query = new URL(request.url ?? '/', 'http://local').searchParams;
  const body = await handler({ request, response, query, params, identity });
  if (body !== undefined) sendJson(response, 200, body);
  else if (!response.headersSent) response.writeHead(204).end();
}

function createRouter(options: DataAgentOptions, store: ConversationStore, runs: Runs): Router {
  const router = new Router();
  const order = createRandomOrder();
  const conversationOf = (call: ApiRequest, id = call.params.get('id') ?? ''): ConversationRow => {
    const found = store.find(ownerOf(call), id);
    if (found === null) throw new DataAgentError(404, 'AgentAPP.Agent.GetConversationFailed');
    return found;
  };
  const streamTo = (
    call: ApiRequest,
    run: DataAgentRun,
    stream: Pick<StreamOptions, 'mode' | 'fullDiffs'>,
  ): Promise<void> =>
    streamRun(run, call.response, {
      ...stream,
      order,
      streamFault: options.faultInjection.streamFaultOf(call.request),
    });

  router.on('GET', '/agent/{key}/version/{version}', (call) =>
    describeAgent(
      call.params.get('version') ?? 'latest',
      languageOfCall(call),
      listModels(options.model?.model ?? null),
    ),
  );
  router.on('POST', '/app/{key}/conversation', async (call) => {
    const body = await readBody(call);
    const { title } = body;
    const { id } = store.create(ownerOf(call), typeof title === 'string' ? title : '');
    return { id, sandbox_session_id: '' };
  });
  router.on('GET', '/app/{key}/conversation', (call) => {
    const page = readInteger(call.query.get('page') ?? '1', 1, 1_000_000);
    const size = readInteger(call.query.get('size') ?? '10', 1, 1000);
    // The real server responds with an internal error to every search by title.
    if (call.query.has('title')) throw new DataAgentError(500, 'AgentAPP.InternalError');
    return {
      entries: store.list(ownerOf(call), (page - 1) * size, size).map(shapeConversation),
      total: store.count(ownerOf(call)),
    };
  });
  router.on('DELETE', '/app/{key}/conversation', (call) => {
    for (const { id } of store.list(ownerOf(call), 0, -1)) runs.find(id)?.terminate();
    store.remove(ownerOf(call));
  });
  router.on('GET', '/app/{key}/conversation/{id}', (call) => {
    const conversation = conversationOf(call);
    return {
      ...shapeConversation(conversation),
      Messages: store.messages(conversation.id).map(shapeMessage),
    };
  });
  router.on('PUT', '/app/{key}/conversation/{id}', async (call) => {
    const conversation = conversationOf(call);
    const { title } = await readBody(call);
    if (typeof title !== 'string' || title.trim() === '') throw invalid('title is required.');
    store.rename(conversation.id, title);
  });
  router.on('DELETE', '/app/{key}/conversation/{id}', (call) => {
    const { id, owner } = conversationOf(call);
    runs.find(id)?.terminate();
    store.remove(owner, id);
  });
  router.on('PUT', '/app/{key}/conversation/{id}/mark_read', async (call) => {
    const conversation = conversationOf(call);
    const index = (await readBody(call))['latest_read_index'];
    // 0 counts as missing in the real server.
    if (typeof index !== 'number' || !Number.isInteger(index) || index <= 0) {
      throw invalid('latest_read_index is required.');
    }
    store.markRead(conversation.id, index);
  });
  router.on('PUT', '/conversation/session/{id}', (call) => {
    const { id } = conversationOf(call);
    return { conversation_session_id: id, ttl: 600 };
  });
  router.on('POST', '/app/{key}/chat/completion', async (call) => {
    const body = await readBody(call);
    const run = startCompletion(
      {
        store,
        runs,
        schema: options.rivers.schema,
        model: options.model,
        owner: ownerOf(call),
        publishEvery: options.publishEvery ?? 5,
        errorLanguage: languageOfCall(call),
        fault: options.faultInjection.executorFaultOf(call.request),
      },
      body,
    );
    if (body['stream'] === false) {
      await run.ended();
      return run.published.snapshot;
    }
    const mode = body['inc_stream'] === false ? 'snapshots' : 'patches';
    await streamTo(call, run, { mode, fullDiffs: 1 });
    return undefined;
  });
  router.on('POST', '/app/{key}/chat/resume', async (call) => {
    const { conversation_id: id } = await readBody(call);
    const run =
      typeof id === 'string' && store.find(ownerOf(call), id) !== null ? runs.find(id) : null;
    if (run === null) throw new DataAgentError(500, 'AgentAPP.Agent.ResumeFailed');
    await streamTo(call, run, { mode: 'patches', fullDiffs: 2 });
  });
  router.on('POST', '/app/{key}/chat/termination', async (call) => {
    const body = await readBody(call);
    const id = textOf(body['conversation_id']);
    const run = store.find(ownerOf(call), id) === null ? null : runs.find(id);
    if (run !== null) {
      run.terminate();
      await run.ended();
      return;
    }
    const messageId = body['interrupted_assistant_message_id'];
    const cancelled =
      typeof messageId === 'string' &&
      store.find(ownerOf(call), id) !== null &&
      cancelInterrupted(store, id, messageId);
    // The real server answers 500 when there is nothing to stop.
    if (!cancelled) throw new DataAgentError(500, 'AgentAPP.InternalError', 'No running answer.');
  });
  return router;
}

function shapeConversation(conversation: ConversationRow): JsonObject {
  return {
    id: conversation.id,
    agent_app_key: AGENT_KEY,
    title: conversation.title,
    origin: 'web_chat',
    message_index: conversation.message_index,
    read_message_index: conversation.read_message_index,
    ext: '',
    create_time: conversation.create_time,
    update_time: conversation.update_time,
    temparea_id: '',
    status: statusOf(conversation.last_status),
  };
}

function statusOf(last: string | null): string {
  return last === 'processing' || last === 'failed' || last === 'cancelled' ? last : 'completed';
}

function shapeMessage(message: StoredMessage): JsonObject {
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    agent_id: AGENT_ID,
    agent_version: 'latest',
    reply_id: message.reply_id,
    index: message.position,
    origin: message.origin,
    content: message.content,
    content_type: message.content_type,
    status: message.status,
    ext: message.ext,
    create_time: message.create_time,
    update_time: message.update_time,
  };
}

function ownerOf(call: ApiRequest): string {
  return call.identity.user ?? 'account';
}

function languageOfCall(call: ApiRequest): ReturnType<typeof readLanguage> {
  return readLanguage(call.request.headers['x-language']);
}

async function readBody(call: ApiRequest): Promise<JsonObject> {
  const body = await readJson(call.request, {});
  if (!isJsonObject(body)) throw invalid('The body is not an object.');
  return body;
}

function readInteger(text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw invalid(`A number from ${least} to ${most} is expected.`);
  }
  return value;
}

function invalid(details: string): DataAgentError {
  return new DataAgentError(400, 'AgentAPP.InvalidParameter.RequestBody', details);
}

/** Sends an error body. A stream that has begun is broken instead, because its status is sent already. */
async function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  onError: (error: unknown) => void,
): Promise<void> {
  const { status, code, details } = classify(error);
  if (status === 500 && !(error instanceof DataAgentError) && !response.destroyed) onError(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  await discardBody(request);
  const language = readLanguage(request.headers['x-language']);
  sendJson(response, status, describeError(code, details, language));
}

function classify(error: unknown): { status: number; code: string; details: string } {
  if (error instanceof DataAgentError) return error;
  if (!(error instanceof ApiError)) {
    return { status: 500, code: 'AgentAPP.InternalError', details: '' };
  }
  const { status, message: details } = error;
  return { status, code: codeOfStatus(status), details };
}
