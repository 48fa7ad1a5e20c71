import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { createUbikBackend, type UbikBackendOptions } from '../../../src/backends/ubik/index.js';
import type { Backend } from '../../../src/backends/backend.js';
import { createStreamController } from '../../../src/controller/controller.js';
import type {
  ControllerOptions,
  StreamController,
} from '../../../src/controller/controller-types.js';
import { startLocalServer } from '../../helpers/local-server.js';
import { createTestEnvironment, type TestEnvironment } from '../../helpers/test-environment.js';
import { ScriptedPage } from '../setup-conversation.js';

/** What the service answers to one request; `nth` counts the requests to the same method and path, from 1. */
export type Respond = (response: ServerResponse, nth: number, request: IncomingMessage) => void;

/** A controller that talks to a real server over real HTTP, while the test owns the clock. */
export interface HttpConversation {
  readonly controller: StreamController;
  readonly backend: Backend;
  readonly environment: TestEnvironment;
  readonly page: ScriptedPage;
  /** Method and path of each request, without the base and the query, in order. */
  readonly sent: readonly string[];
  /** How many requests the controller has made, those included that have not reached the server. */
  readonly made: () => number;
  /** Resolves when every answer has been read to its end and what came of it is done. */
  quiet(): Promise<void>;
  /** Lets time pass in small steps, with the network quiet after each. */
  pass(ms: number): Promise<void>;
}

const BASE = '/v1/agent-sessions';
const STEP = 100;

/**
 * Starts a server with these routes (`GET /s1/stream`), each ending its answer, and a controller for it. A session `s1` can be
 * made and read without a route of its own. `client` makes the requests.
 */
export async function setupHttpConversation(
  context: TestContext,
  routes: Readonly<Record<string, Respond>>,
  options: Partial<ControllerOptions> = {},
  backendOptions: Partial<UbikBackendOptions> = {},
  client: typeof fetch = fetch,
): Promise<HttpConversation> {
  const sent: string[] = [];
  const session: Respond = (response) => sendJson(response, { id: 's1', title: 'Title' });
  const known: Readonly<Record<string, Respond>> = {
    'POST ': session,
    'GET /s1': session,
    ...routes,
  };
  const server = await startLocalServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace(BASE, '');
    const name = `${request.method ?? ''} ${path}`;
    sent.push(name);
    const respond = known[name];
    const nth = sent.filter((other) => other === name).length;
    if (respond) respond(response, nth, request);
    else sendJson(response, { detail: 'Not found' }, 404);
  });
  const network = createCountedNetwork(client);
  const base = createTestEnvironment();
  const environment = Object.create(base, {
    fetch: { value: network.fetch },
  }) as TestEnvironment;
  const backend = createUbikBackend({
    baseUrl: `${server.origin}/v1`,
    environment,
    ...backendOptions,
  });
  const page = new ScriptedPage();
  const controller = createStreamController({ backend, environment, page, ...options });
  const quiet = async (): Promise<void> => {
    do {
      await network.idle();
      await environment.settle();
    } while (network.open > 0);
  };
  context.after(async () => {
    controller.close();
    await server.close();
  });
  return {
    controller,
    backend,
    environment,
    page,
    sent,
    made: () => network.made,
    quiet,
    pass: async (ms) => {
      for (let passed = 0; passed < ms; passed += STEP) {
        await environment.advance(STEP);
        if (network.open > 0) await quiet();
      }
    },
  };
}

interface CountedNetwork {
  /** Requests so far. */
  readonly made: number;
  /** Requests whose answers have not been read to their ends. */
  readonly open: number;
  readonly fetch: typeof fetch;
  /** Resolves when no answer is open. */
  idle(): Promise<void>;
}

function createCountedNetwork(client: typeof fetch): CountedNetwork {
  let open = 0;
  let made = 0;
  let waiting: (() => void)[] = [];
  const finish = (): void => {
    open -= 1;
    if (open > 0) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    get made() {
      return made;
    },
    get open() {
      return open;
    },
    idle: async () => {
      if (open > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    fetch: async (...args) => {
      open += 1;
      made += 1;
      try {
        const response = await client(...args);
        const { status, statusText, headers, body } = response;
        if (!body) {
          finish();
          return response;
        }
        return new Response(watchEnd(body, finish), { status, statusText, headers });
      } catch (error) {
        finish();
        throw error;
      }
    },
  };
}

function watchEnd(
  body: ReadableStream<Uint8Array>,
  finish: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          finish();
          controller.close();
        } catch (error) {
          finish();
          throw error;
        }
      },
      cancel: (reason) => {
        finish();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Answers with a stream of this text, which ends cleanly. */
export function sendStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}

/** Answers with a stream that breaks after this text. */
export function sendBrokenStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text, () => response.destroy());
}
