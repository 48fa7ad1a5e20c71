import { encodePath } from '../../transport/http.js';
import type { Backend, RunKeys } from '../backend.js';
import { type UbikBackendOptions, getUbikInfo } from './options.js';
import { createDocumentMethods } from './api/documents.js';
import {
  followExecution,
  getExecution,
  type ExecutionEvent,
  type WireExecution,
} from './api/executions.js';
import { createService, type Service } from './api/service.js';
import { createThreadMethods } from './api/threads.js';
import { answerByMessage, provideInput } from './run/provide-input.js';
import { loadThread } from './run/load-thread.js';
import type { RunPlace } from './run/run.js';
import { findMemory, forgetRun, notesOf, type Notes } from './run/session-state.js';
import { postRestore, postRun, rejoinRun, startRun } from './run/start-run.js';

/** A backend for UBIK agent sessions, with what the service knows beside the contract. */
export interface UbikBackend extends Required<
  Omit<Backend, 'loadOnboarding' | 'onDiagnostic' | 'onForeignChange'>
> {
  onDiagnostic?: Backend['onDiagnostic'];
  onForeignChange?: Backend['onForeignChange'];
  /** One execution of a tool. */
  loadExecution(id: string): Promise<WireExecution>;
  /** What one execution tells, from its beginning: for following a tool on its own. */
  followExecution(id: string, signal: AbortSignal): AsyncIterable<ExecutionEvent>;
}

/**
 * A backend that speaks with UBIK agent sessions. A session is a thread. Nothing is sent before the first call.
 *
 * @throws {UbikError} `misuse` for a base URL that cannot be used, or an API key that is not allowed.
 * @example
 * const backend = createUbikBackend({ baseUrl: '/api/ubik', getToken: () => fetchToken() });
 */
export function createUbikBackend(given: UbikBackendOptions): UbikBackend {
  // Nothing that a script has put on the prototype of all objects may put the token into an address.
  const options = Object.assign(Object.create(null) as UbikBackendOptions, given);
  const service = createService(options, {
    report: (error) => backend.onDiagnostic?.(error),
    reportForeignChange: (session) => backend.onForeignChange?.(session),
  });
  const notes: Notes = new Map();
  const load = (session: string, signal?: AbortSignal) =>
    loadThread(service, notesOf(notes, session), session, signal);
  const backend: UbikBackend = {
    ...getUbikInfo(options),
    ...createThreadMethods(service, options.assistantId),
    ...createDocumentMethods(service),
    ...createRunMethods(service, notes, options),
    loadThread: load,
    switchBranch: async (session, messageId, signal) => {
      const json = { target_message_id: messageId };
      await service.tell('POST', encodePath`/agent-sessions/${session}/navigate`, { json });
      // Where it leads is the service's choice.
      return load(session, signal);
    },
    deleteThread: async (session, leaving) => {
      await service.tell('DELETE', encodePath`/agent-sessions/${session}`, { keepalive: leaving });
      notes.delete(session);
    },
    loadExecution: (id) => getExecution(service, id),
    followExecution: (id, signal) => followExecution(service, id, signal),
  };
  return backend;
}

function createRunMethods(
  service: Service,
  allNotes: Notes,
  { answerInput: strategy = answerByMessage }: UbikBackendOptions,
) {
  const placeOf = (session: string, keys: RunKeys, signal: AbortSignal): RunPlace => {
    return { service, notes: notesOf(allNotes, session), session, keys, signal };
  };
  return {
    send: (session, { text, attachments }, keys, signal) =>
      startRun(placeOf(session, keys, signal), (place) => {
        const ids = attachments.map(({ id }) => id);
        const attached = ids.length > 0 ? { attachment_document_ids: ids } : {};
        return postRun(place, 'messages', { content: text, ...attached });
      }),
    edit: (session, message, { text }, keys, signal) =>
      startRun(placeOf(session, keys, signal), (place) =>
        postRun(place, encodePath`messages/${message}/edit`, { content: text }),
      ),
    regenerate: (session, message, keys, signal) =>
      startRun(placeOf(session, keys, signal), (place) =>
        postRun(place, encodePath`messages/${message}/regenerate`, {}),
      ),
    restoreCheckpoint: (session, checkpoint, hint, keys, signal) =>
      startRun(placeOf(session, keys, signal), (place) => postRestore(place, checkpoint, hint)),
    rejoin: (session, run, signal) => rejoinRun(placeOf(session, run.keys, signal), run),
    provideInput: (session, request, answer, keys, signal) =>
      provideInput(placeOf(session, keys, signal), { request, answer, strategy }),
    stop: async (session, run) => {
      // The service waits for a running tool before it answers: no limit of ours.
      const path = encodePath`/agent-sessions/${session}/stop`;
      await service.tell('POST', path, { timeout: undefined });
      findMemory(notesOf(allNotes, session), run)?.acceptStop();
    },
    getIncompleteText: (session, run) =>
      findMemory(notesOf(allNotes, session), run)?.listIncompleteText() ?? null,
    releaseRun: (session, { keys }) => forgetRun(notesOf(allNotes, session), keys.answer),
  } satisfies Partial<Backend>;
}
