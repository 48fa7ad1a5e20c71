import { isUbikError } from '../../errors.js';
import { encodePath } from '../../transport/http.js';
import type { Backend, RunKeys } from '../backend.js';
import { loadCode } from '../load-code.js';
import { type UbikBackendOptions, getUbikInfo } from './options.js';
import { createDocumentMethods } from './api/documents.js';
import { createUbikClient, type UbikClient } from './api/client.js';
import { createThreadMethods } from './api/threads.js';
import { loadThread } from './run/load-thread.js';
import type { RunContext } from './run/ubik-run.js';
import {
  findTask,
  getSessionState,
  markEnded,
  releaseTask,
  type SessionStates,
} from './run/session-state.js';
import { postMessage, postRun, rejoinRun, startRun } from './run/start-run.js';

/** A backend for UBIK agent sessions with the methods of the contract. */
export interface SessionBackend extends Required<
  Omit<Backend, 'loadOnboarding' | 'markThreadRead' | 'onDiagnostic' | 'onExternalChange'>
> {
  onDiagnostic?: Backend['onDiagnostic'];
  onExternalChange?: Backend['onExternalChange'];
}

/**
 * Creates a backend with the methods of the contract, and its client. A session is a thread. Sends no request before the first method call.
 *
 * @throws {UbikError} `misuse` for an invalid base URL, or an API key that is not allowed.
 */
export function createSessionBackend(given: UbikBackendOptions): {
  readonly backend: SessionBackend;
  readonly client: UbikClient;
} {
  // The null prototype keeps properties that a script has added to Object.prototype, such as `streamAuth`, from becoming options.
  const options = Object.assign(Object.create(null) as UbikBackendOptions, given);
  const client = createUbikClient(options, {
    reportDiagnostic: (error) => backend.onDiagnostic?.(error),
    reportExternalChange: (session) => backend.onExternalChange?.(session),
  });
  const states: SessionStates = new Map();
  const load = (session: string, signal?: AbortSignal) =>
    loadThread(client, getSessionState(states, session), session, signal);
  const documents = createDocumentMethods(client);
  const backend: SessionBackend = {
    ...getUbikInfo(options),
    ...createThreadMethods(client, options.assistantId),
    ...documents,
    ...createRunMethods(client, states, options),
    prepare: () => client.http.prepare(),
    forgetToken: () => client.http.forgetToken(),
    loadThread: load,
    switchBranch: async (session, messageId, signal) => {
      const json = { target_message_id: messageId };
      await client.request('POST', encodePath`/agent-sessions/${session}/navigate`, { json });
      // The service decides which message of the branch becomes its head.
      return load(session, signal);
    },
    unlinkDocument: async (session, id, keepalive) => {
      const { uploads } = getSessionState(states, session);
      const removed = [...uploads].filter(([, uploaded]) => uploaded.id === id);
      // Another attempt to send an answer must not attach a document that may no longer be in the session.
      for (const [file] of removed) uploads.delete(file);
      await documents.unlinkDocument(session, id, keepalive).catch((error: unknown) => {
        const isRefused = isUbikError(error) && error.status && error.code !== 'not-found';
        for (const [file, uploaded] of isRefused ? removed : []) uploads.set(file, uploaded);
        throw error;
      });
    },
    listCheckpoints: async (session, signal) => {
      const { loadCheckpoints } = await loadCheckpointCode();
      return loadCheckpoints(client, session, signal);
    },
    deleteThread: async (session, keepalive) => {
      await client.request('DELETE', encodePath`/agent-sessions/${session}`, { keepalive });
      states.delete(session);
    },
  };
  return { backend, client };
}

function createRunMethods(
  client: UbikClient,
  states: SessionStates,
  { chooseAnswerRoute: chooseRoute }: UbikBackendOptions,
) {
  const createContext = (session: string, keys: RunKeys, signal: AbortSignal): RunContext => {
    return { client, state: getSessionState(states, session), session, keys, signal };
  };
  return {
    send: (session, draft, keys, signal) =>
      startRun(createContext(session, keys, signal), (context) => postMessage(context, draft)),
    edit: (session, message, { text }, keys, signal) =>
      startRun(createContext(session, keys, signal), (context) =>
        postRun(context, encodePath`messages/${message}/edit`, { content: text }),
      ),
    regenerate: (session, message, _settings, keys, signal) =>
      startRun(createContext(session, keys, signal), (context) =>
        postRun(context, encodePath`messages/${message}/regenerate`, {}),
      ),
    restoreCheckpoint: async function* (session, checkpoint, hint, keys, signal) {
      const { postRestore } = await loadCheckpointCode();
      yield* startRun(createContext(session, keys, signal), (context) =>
        postRestore(context, checkpoint, hint),
      );
    },
    rejoin: (session, run, signal) => rejoinRun(createContext(session, run.keys, signal), run),
    provideInput: async function* (session, request, answer, keys, signal) {
      const { provideInput } = await loadProvideInput();
      yield* provideInput(createContext(session, keys, signal), { request, answer, chooseRoute });
    },
    stop: async (session, { id, keys }) => {
      const { runs, stops } = getSessionState(states, session);
      if (!stops.has(keys.answer)) stops.set(keys.answer, false);
      // Has no timeout, because the service responds only after the running tool call has ended.
      const path = encodePath`/agent-sessions/${session}/stop`;
      await client.request('POST', path, { timeout: undefined });
      // The run may have been released before the response, and joined again. Another run of the same answer is not stopped.
      const isJoined = id !== null && runs.get(keys.answer)?.status.taskId === id;
      if (isJoined || stops.has(keys.answer)) stops.set(keys.answer, true);
    },
    getIncompleteText: (session, run) =>
      findTask(getSessionState(states, session), run)?.createIncompleteTextChanges() ?? null,
    releaseRun: (session, { id, keys }) => {
      const state = getSessionState(states, session);
      releaseTask(state, keys.answer);
      // Another tab may have read the run, so that this tab has no task of it.
      markEnded(state, id);
    },
  } satisfies Partial<Backend>;
}

/** Loads the code for answers to requests, which most runs do not need. */
const loadProvideInput = () => loadCode(() => import('./run/provide-input.js'));

/** Loads the code that lists and restores checkpoints, which runs without a restore do not need. */
const loadCheckpointCode = () => loadCode(() => import('./run/checkpoints.js'));
