import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { createUbikBackend, type UbikBackendOptions } from '../../../src/backends/ubik/index.js';
import type { Backend } from '../../../src/backends/backend.js';
import { createStreamController } from '../../../src/controller/controller.js';
import type {
  ControllerOptions,
  StreamController,
} from '../../../src/controller/controller-types.js';
import { loadLazyCode } from '../../helpers/load-lazy-actions.js';
import { startLocalServer } from '../../helpers/local-server.js';
import { createTestEnvironment, type TestEnvironment } from '../../helpers/test-environment.js';
import { ScriptedPage } from '../setup-controller.js';

/** Responds to one request; `nth` counts the requests to the same method and path, from 1. */
export type RouteHandler = (
  response: ServerResponse,
  nth: number,
  request: IncomingMessage,
) => void;

/** A controller with a real server over real HTTP. The test controls the clock. */
export interface HttpControllerFixture {
  readonly controller: StreamController;
  readonly backend: Backend;
  readonly environment: TestEnvironment;
  readonly page: ScriptedPage;
  /** The name of each received request, as that of a route, in order. */
  readonly received: readonly string[];
  /** The number of requests of the controller, including those that have not reached the server. */
  readonly requestCount: () => number;
  /** Resolves when all responses were read and their effects have settled. */
  settleNetwork(): Promise<void>;
  /** Advances the clock in small steps and waits for the network after each. */
  advance(ms: number): Promise<void>;
}

/** The path of the sessions of the service. */
const SESSIONS = '/v1/agent-sessions';
/** Step of the clock in ms. */
const STEP = 100;

/**
 * Starts a server with these routes, and a controller for it. The name of a route is its method, a blank, and its path without query: below
 * `/agent-sessions` what follows it, such as `GET /s1/stream`, else the whole path. Each handler must end its response, else `settleNetwork`
 * never resolves. Routes that create and load the session `s1` are included. `client` sends the requests.
 */
export async function setupHttpController(
  context: TestContext,
  routes: Readonly<Record<string, RouteHandler>>,
  options: Partial<ControllerOptions> = {},
  backendOptions: Partial<UbikBackendOptions> = {},
  client: typeof fetch = fetch,
): Promise<HttpControllerFixture> {
  await loadLazyCode();
  const received: string[] = [];
  const session: RouteHandler = (response) => sendJson(response, { id: 's1', title: 'Title' });
  const known: Readonly<Record<string, RouteHandler>> = {
    // Creates the session: nothing follows `/agent-sessions`.
    'POST ': session,
    'GET /s1': session,
    ...routes,
  };
  const server = await startLocalServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname.replace(SESSIONS, '');
    const name = `${request.method ?? ''} ${path}`;
    received.push(name);
    const respond = known[name];
    const nth = received.filter((other) => other === name).length;
    if (respond) respond(response, nth, request);
    else sendJson(response, { detail: 'Not found' }, 404);
  });
  const network = createCountedNetwork(client);
  const base = createTestEnvironment();
  // Inherits from the environment instead of copying it, because its counters are getters.
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
  const settleNetwork = async (): Promise<void> => {
    do {
      await network.whenIdle();
      // The backend requests a chunk before it has applied the one before, so a stream may have ended while its last events are still to be
      // applied and the next request is still to be sent.
      for (let round = 0; round < 4; round += 1) await environment.settle();
    } while (network.openCount > 0);
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
    received,
    requestCount: () => network.requestCount,
    settleNetwork,
    advance: async (ms) => {
      for (let passed = 0; passed < ms; passed += STEP) {
        await environment.advance(STEP);
        if (network.openCount > 0) await settleNetwork();
      }
    },
  };
}

interface CountedNetwork {
  /** The number of requests so far. */
  readonly requestCount: number;
  /** The number of requests whose responses have not been read completely. */
  readonly openCount: number;
  readonly fetch: typeof fetch;
  /** Resolves when all responses were read. */
  whenIdle(): Promise<void>;
}

function createCountedNetwork(client: typeof fetch): CountedNetwork {
  let openCount = 0;
  let requestCount = 0;
  let waiting: (() => void)[] = [];
  const finish = (): void => {
    openCount -= 1;
    if (openCount > 0) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    get requestCount() {
      return requestCount;
    },
    get openCount() {
      return openCount;
    },
    whenIdle: async () => {
      if (openCount > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    fetch: async (...args) => {
      openCount += 1;
      requestCount += 1;
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
    // This wrapper requests no chunk before the backend does, so a stream counts as open until the backend has requested its end.
    { highWaterMark: 0 },
  );
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Responds with a stream of this text, which ends cleanly. */
export function sendStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}

/** Responds with a stream that breaks after this text. */
export function sendBrokenStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text, () => response.destroy());
}
