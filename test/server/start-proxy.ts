import type { IncomingMessage, RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { createUbikProxy, type UbikProxyOptions } from '../../server/index.js';
import { startServer } from './start-server.js';

/** The account's key in tests. */
export const KEY = 'the-secret-key';

/** An integrator's server with a proxy below `/api/v1`. Who is signed in stands in a header that stands for its cookie. */
export async function startProxy(
  context: TestContext,
  baseUrl: string,
  options: Partial<UbikProxyOptions> = {},
): Promise<string> {
  const proxy = createUbikProxy({
    apiKey: KEY,
    baseUrl,
    getUser: (request) => Promise.resolve(request.headers['x-who']?.toString()),
    ...options,
  });
  return startServer(context, (request, response) => {
    request.url = (request.url ?? '').slice('/api/v1'.length);
    void proxy(request, response).then((answered) => {
      if (!answered) response.writeHead(404).end('{"detail":"Not Found"}');
    });
  });
}

/** A request as the service got it, whole. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A service that notes what reaches it whole, and answers. */
export async function startRecordingService(
  context: TestContext,
  answer: RequestListener = (_request, response) => response.end('{}'),
): Promise<{ readonly url: string; readonly seen: ReceivedRequest[] }> {
  const seen: ReceivedRequest[] = [];
  const url = await startServer(context, (request, response) => {
    void readAll(request).then(
      (body) => {
        seen.push({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body,
        });
        answer(request, response);
      },
      () => undefined,
    );
  });
  return { url, seen };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
