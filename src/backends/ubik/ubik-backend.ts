import {
  followExecution,
  loadExecution,
  type ExecutionEvent,
  type WireExecution,
} from './api/executions.js';
import type { UbikBackendOptions } from './options.js';
import { createSessionBackend, type SessionBackend } from './session-backend.js';

/** A backend for UBIK agent sessions, with methods beyond the contract. */
export interface UbikBackend extends SessionBackend {
  /** Loads one execution of a tool. */
  loadExecution(id: string): Promise<WireExecution>;
  /** Reads the stream of one execution from its start, for following a tool outside a run. */
  followExecution(id: string, signal: AbortSignal): AsyncIterable<ExecutionEvent>;
}

/**
 * Creates a backend for UBIK agent sessions. A session is a thread. Sends no request before the first method call.
 *
 * @throws {UbikError} `misuse` for an invalid base URL, or an API key that is not allowed.
 * @example
 * const backend = createUbikBackend({ baseUrl: '/api/ubik', getToken: () => fetchToken() });
 */
export function createUbikBackend(given: UbikBackendOptions): UbikBackend {
  const { backend, client } = createSessionBackend(given);
  return Object.assign(backend, {
    loadExecution: (id: string) => loadExecution(client, id),
    followExecution: (id: string, signal: AbortSignal) => followExecution(client, id, signal),
  });
}
