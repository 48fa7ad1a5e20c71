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
  type Answer,
  type TestEnvironment,
} from '../../../helpers/test-environment.js';

/** Where the test's service is. */
export const BASE = 'https://api.test/v1';
/** The session of all tests. */
export const SESSION = 's1';
/** Where a run's changes go. */
export const KEYS: RunKeys = { thread: 't', user: 'u', answer: 'a' };

/** Nobody aborts it. */
export const { signal } = new AbortController();
/** The first event of a stream. */
export const HELLO = { type: 'connection_established', task_id: 't1' };

/** A backend over a scripted network, and a model that takes what it tells. */
export interface UbikSession {
  readonly backend: UbikBackend;
  readonly environment: TestEnvironment;
  readonly diagnostics: UbikError[];
  readonly thread: Thread;
  readonly answer: Message;
  /** All batches taken, empty ones too. */
  readonly batches: Batch[];
  /** Changes that did not fit the model. */
  readonly rejected: Change[];
  /** Takes batches of a run to its end; gives the error it broke with. */
  read(stream: RunStream, each?: (batch: Batch) => void): Promise<UbikError | null>;
}

/** A session with a question and an empty answer. */
export function setupSession(
  answer: Answer,
  options: Partial<UbikBackendOptions> = {},
): UbikSession {
  const environment = createTestEnvironment({ answer });
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
  const refused: Change[] = [];
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
    rejected: refused,
    get thread() {
      return thread();
    },
    get answer() {
      const message = thread().messages.get('a');
      if (!message) throw new Error('The answer is gone.');
      return message;
    },
    read: async (stream, each) => {
      try {
        for await (const batch of stream) {
          batches.push(batch);
          refused.push(...apply(store, batch).rejected);
          each?.(batch);
        }
        return null;
      } catch (error) {
        return error as UbikError;
      }
    },
  };
}

/** An answer of server-sent events. */
export function eventsResponse(body: BodyInit): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** An answer of JSON. */
export function jsonResponse(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

/** Events as the bytes of a stream, each a flat object with its type. */
export function printEvents(events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** An answer that tells these events, and ends. */
export const eventsAnswer = (events: readonly object[]): Response =>
  eventsResponse(printEvents(events));
