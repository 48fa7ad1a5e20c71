import { UbikError } from '../../errors.js';
import { createEnvironment } from '../../stream/environment.js';
import { createHttpClient, encodePath, type ExtraHeaders } from '../../stream/http.js';
import type { Backend, Capability, RunKeys, RunStream } from '../backend.js';
import type { UbikBackendOptions } from './options.js';
import { getCheckpoints, postRestore } from './requests/checkpoints.js';
import type { UbikContext } from './requests/context.js';
import {
  deleteLink,
  getDocument,
  getDocuments,
  getMedia,
  getPassage,
  postLinks,
  postUpload,
  putStar,
} from './requests/documents.js';
import { getExecution, type WireExecution } from './requests/executions.js';
import { getMessage, postNavigate, postStop } from './requests/messages.js';
import { toStoredMessage } from './requests/read-message.js';
import { deleteSession, getSessions, patchSession, postSession } from './requests/sessions.js';
import { answerByMessage } from './run/answer-input.js';
import { readExecution, type ExecutionEvent } from './run/execution-stream.js';
import { loadThread } from './run/load-thread.js';
import { provideInput } from './run/provide-input.js';
import { rejoinRun } from './run/rejoin-run.js';
import { startRun } from './run/start-run.js';
import { TaskRegistry } from './run/task-registry.js';

/** A backend for UBIK agent sessions, with what the service knows beside the contract. */
export interface UbikBackend extends Required<Omit<Backend, 'onboarding' | 'onDiagnostic'>> {
  onDiagnostic?: ((error: UbikError) => void) | undefined;
  /** One execution of a tool. */
  execution(id: string): Promise<WireExecution>;
  /** What one execution tells, from its beginning: for following a tool on its own. */
  followExecution(id: string, signal: AbortSignal): AsyncIterable<ExecutionEvent>;
}

const CAPABILITIES: readonly Capability[] = [
  'threads',
  'rename',
  'delete',
  'stop',
  'rejoin',
  'input',
  'edit',
  'regenerate',
  'branches',
  'checkpoints',
  'documents',
  'upload',
  'link',
  'star',
  'citations',
  'media',
];

/**
 * A backend that speaks with UBIK agent sessions. A session is a thread. Nothing is sent before the first call.
 *
 * @throws {UbikError} `misuse` for a base URL that cannot be used, or an API key that is not allowed.
 * @example
 * const backend = createUbikBackend({ baseUrl: '/api/ubik', getToken: () => fetchToken() });
 */
export function createUbikBackend(options: UbikBackendOptions): UbikBackend {
  const context = createContext(options, (error) => backend.onDiagnostic?.(error));
  const registry = new TaskRegistry();
  const backend: UbikBackend = {
    name: 'ubik',
    capabilities: new Set(CAPABILITIES),
    idleLimit: options.limits?.idleLimit ?? 45_000,
    ...createThreadMethods(context, registry, options.assistantId),
    ...createRunMethods(context, registry, options),
    ...createDocumentMethods(context),
    execution: (id) => getExecution(context, id),
    followExecution: (id, signal) => readExecution(context, id, signal),
  };
  return backend;
}

function createContext(
  options: UbikBackendOptions,
  report: (error: UbikError) => void,
): UbikContext {
  const environment = options.environment ?? createEnvironment();
  const { baseUrl, getToken, limits = {} } = options;
  const headers = guardHeaders(options, environment.pageUrl());
  return {
    environment,
    limits,
    report,
    http: createHttpClient({ environment, baseUrl, getToken, headers }),
    tokenParameter: options.streamAuth === 'query' ? 'token' : undefined,
  };
}

function createThreadMethods(
  context: UbikContext,
  registry: TaskRegistry,
  assistantId: string | undefined,
): Pick<
  UbikBackend,
  | 'listThreads'
  | 'createThread'
  | 'loadThread'
  | 'loadMessage'
  | 'navigate'
  | 'renameThread'
  | 'deleteThread'
  | 'listCheckpoints'
> {
  return {
    listThreads: (page) => getSessions(context, page),
    createThread: (thread = {}) => postSession(context, assistantId, thread),
    loadThread: (id) => loadThread(context, registry, id),
    loadMessage: async (threadId, id) => toStoredMessage(await getMessage(context, threadId, id)),
    navigate: async (threadId, messageId) => {
      await postNavigate(context, threadId, messageId);
      // Where it leads is the service's choice.
      return loadThread(context, registry, threadId);
    },
    renameThread: (threadId, title) => patchSession(context, threadId, { title }),
    deleteThread: async (threadId) => {
      await deleteSession(context, threadId);
      registry.forgetSession(threadId);
    },
    listCheckpoints: (threadId) => getCheckpoints(context, threadId),
  };
}

function createRunMethods(
  context: UbikContext,
  registry: TaskRegistry,
  options: UbikBackendOptions,
): Pick<
  UbikBackend,
  | 'send'
  | 'rejoin'
  | 'provideInput'
  | 'stop'
  | 'edit'
  | 'regenerate'
  | 'restoreCheckpoint'
  | 'forget'
> {
  const post = (
    session: string,
    path: string,
    json: object,
    keys: RunKeys,
    signal: AbortSignal,
  ): RunStream =>
    startRun({
      ...{ context, registry, session, keys, signal },
      send: (rest) => context.http.request({ method: 'POST', path, json, ...rest }),
    });
  return {
    send: (id, draft, keys, signal) => {
      const ids = draft.attachments.map((attachment) => attachment.id);
      const attached = ids.length > 0 ? { attachment_document_ids: ids } : {};
      const json = { content: draft.text, ...attached, stream: true };
      return post(id, encodePath`/agent-sessions/${id}/messages`, json, keys, signal);
    },
    edit: (id, message, draft, keys, signal) => {
      const path = encodePath`/agent-sessions/${id}/messages/${message}/edit`;
      return post(id, path, { content: draft.text, stream: true }, keys, signal);
    },
    regenerate: (id, message, keys, signal) => {
      const path = encodePath`/agent-sessions/${id}/messages/${message}/regenerate`;
      return post(id, path, { stream: true }, keys, signal);
    },
    restoreCheckpoint: (session, checkpoint, hint, keys, signal) =>
      startRun({
        ...{ context, registry, session, keys, signal },
        send: (rest) => postRestore(context, session, checkpoint, hint, rest),
      }),
    rejoin: (session, run, signal) => rejoinRun({ context, registry, session, run, signal }),
    provideInput: (session, request, answer, keys, signal) => {
      const strategy = options.answerInput ?? answerByMessage;
      const shared = { context, registry, session, keys, signal };
      return provideInput({ ...shared, request, answer, strategy });
    },
    stop: async (session, run) => {
      await postStop(context, session);
      registry.find(session, run)?.acceptStop();
    },
    forget: (session, run) => registry.forget(session, run),
  };
}

function createDocumentMethods(
  context: UbikContext,
): Pick<
  UbikBackend,
  'listDocuments' | 'upload' | 'link' | 'unlink' | 'star' | 'documentStatus' | 'passage' | 'media'
> {
  return {
    listDocuments: (threadId, page) => getDocuments(context, threadId, page),
    upload: (threadId, file, onProgress, signal) =>
      postUpload(context, threadId, file, onProgress, signal),
    link: (threadId, ids) => postLinks(context, threadId, ids),
    unlink: (threadId, id) => deleteLink(context, threadId, id),
    star: (threadId, id, starred) => putStar(context, threadId, id, starred),
    documentStatus: (id) => getDocument(context, id),
    passage: (id, signal) => getPassage(context, id, signal),
    media: (url, signal) => getMedia(context, url, signal),
  };
}

/** An API key opens the whole account: it has no place in a browser. Looked at with each connection, for a function may give it. */
function guardHeaders(
  { headers, allowInsecureKey, baseUrl }: UbikBackendOptions,
  pageUrl: string | null,
): UbikBackendOptions['headers'] {
  if (!headers || (allowInsecureKey && isLocal(baseUrl, pageUrl))) return headers;
  if (typeof headers !== 'function') return refuseKey(headers);
  return async () => refuseKey(await headers());
}

function refuseKey(headers: ExtraHeaders): ExtraHeaders {
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'x-api-key')) return headers;
  throw new UbikError(
    'misuse',
    'An API key must not be used in a browser; give getToken instead, or put a proxy in front.',
  );
}

function isLocal(baseUrl: string, pageUrl: string | null): boolean {
  try {
    const { hostname } = new URL(baseUrl, pageUrl ?? undefined);
    return /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(hostname);
  } catch {
    // The HTTP client says what is wrong with it.
    return false;
  }
}
