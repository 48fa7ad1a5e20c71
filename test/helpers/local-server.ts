import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real server on a free port of this machine. */
export interface LocalServer {
  /** `http://127.0.0.1:…`, without a closing slash. */
  readonly origin: string;
  /** What it was asked, in order. */
  readonly requests: readonly IncomingMessage[];
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts a server that answers with a listener, which may take its time. */
export async function startLocalServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
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
