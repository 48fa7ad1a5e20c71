import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** An HTTP server on a free port of localhost. */
export interface LocalServer {
  /** `http://127.0.0.1:…`, without a trailing slash. */
  readonly origin: string;
  /** The requests in order. */
  readonly requests: readonly IncomingMessage[];
  /** Closes all connections and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a server with a listener, which may respond asynchronously. If the listener rejects, only its connection is closed: a listener that
 * forwards a request rejects when the other server is closed after the tests.
 */
export async function startLocalServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  options: ServerOptions = {},
): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer(options, (request, response) => {
    requests.push(request);
    Promise.resolve(listener(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Starts a server for one test and returns its origin. */
export async function startLocalServerForTest(
  context: TestContext,
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  options: ServerOptions = {},
): Promise<string> {
  const { origin, close } = await startLocalServer(listener, options);
  context.after(close);
  return origin;
}
