import type { RunKeys, RunStream } from '../../../../src/backends/backend.js';
import {
  createUbikBackend,
  type UbikBackend,
  type UbikBackendOptions,
} from '../../../../src/backends/ubik/index.js';
import type { UbikError } from '../../../../src/errors.js';
import { apply } from '../../../../src/model/apply.js';
import type { Batch, Change } from '../../../../src/model/change.js';
import type { Message } from '../../../../src/model/message.js';
import { createStore } from '../../../../src/model/store.js';
import type { Thread } from '../../../../src/model/thread.js';
import { ANSWER } from '../../../helpers/model-message.js';
import {
  createTestEnvironment,
  type Respond,
  type TestEnvironment,
} from '../../../helpers/test-environment.js';

/** The base URL of the service. */
export const BASE = 'https://api.test/v1';
/** The id of the session in all tests. */
export const SESSION = 's1';
/** The keys that a run's changes address. */
export const KEYS: RunKeys = { thread: 't', user: 'u', answer: 'a' };

/** A signal that is never aborted. */
export const { signal } = new AbortController();
/** The first event of a stream. */
export const HELLO = { type: 'connection_established', task_id: 't1' };

/** A backend over a scripted network, and a model to which its batches are applied. */
export interface UbikSession {
  readonly backend: UbikBackend;
  readonly environment: TestEnvironment;
  readonly diagnostics: UbikError[];
  readonly thread: Thread;
  readonly answer: Message;
  /** All batches that were read, including empty ones. */
  readonly batches: Batch[];
  /** Changes that the model has rejected. */
  readonly rejected: Change[];
  /** Reads a run to its end and applies its batches. Returns the error that it rejects with, else null. */
  read(stream: RunStream, onBatch?: (batch: Batch) => void): Promise<UbikError | null>;
}

/** Creates a session with a user's message and an empty answer. */
export function setupSession(
  respond: Respond,
  options: Partial<UbikBackendOptions> = {},
): UbikSession {
  const environment = createTestEnvironment({ respond });
  const backend = createUbikBackend({ baseUrl: BASE, environment, ...options });
  const diagnostics: UbikError[] = [];
  backend.onDiagnostic = (error) => diagnostics.push(error);
  const store = createStore();
  const user = { ...ANSWER, role: 'user' as const, status: 'complete' as const };
  apply(store, {
    thread: 't',
    time: 0,
    changes: [
      { type: 'message', message: 'u', value: user },
      { type: 'message', message: 'a', value: { ...ANSWER, parent: 'u' } },
      { type: 'thread', set: { id: SESSION, head: 'a' } },
    ],
  });
  const batches: Batch[] = [];
  const rejected: Change[] = [];
  const thread = (): Thread => {
    const found = store.threads.get('t');
    if (!found) throw new Error('The thread is gone.');
    return found;
  };
  return {
    backend,
    environment,
    diagnostics,
    batches,
    rejected,
    get thread() {
      return thread();
    },
    get answer() {
      const message = thread().messages.get('a');
      if (!message) throw new Error('The answer is gone.');
      return message;
    },
    read: async (stream, onBatch) => {
      try {
        for await (const batch of stream) {
          batches.push(batch);
          rejected.push(...apply(store, batch).rejected);
          onBatch?.(batch);
        }
        return null;
      } catch (error) {
        return error as UbikError;
      }
    },
  };
}

/** A response of server-sent events with this body. */
export function streamResponse(body: BodyInit): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Prints events as server-sent events, each a flat object with its type. */
export function printEvents(events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** A response that streams these events and ends. */
export const eventsResponse = (events: readonly object[]): Response =>
  streamResponse(printEvents(events));

/** The text of the top-level parts of the answer. */
export function textOf({ answer }: UbikSession): string {
  return answer.parts
    .children(null)
    .map((key) => answer.parts.get(key)?.text?.read() ?? '')
    .join('');
}
