import type { IncomingMessage, RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { createUbikProxy, type UbikProxyOptions } from '../../server/index.js';
import { startLocalServerForTest } from '../helpers/local-server.js';

/** The API key of the tests. */
export const KEY = 'the-secret-key';

/** Starts a server with a proxy below `/api/v1`. The header `x-user` names the signed-in user in place of a cookie. */
export async function startProxy(
  context: TestContext,
  baseUrl: string,
  options: Partial<UbikProxyOptions> = {},
): Promise<string> {
  const proxy = createUbikProxy({
    apiKey: KEY,
    baseUrl,
    getUser: (request) => Promise.resolve(request.headers['x-user']?.toString()),
    ...options,
  });
  return startLocalServerForTest(context, (request, response) => {
    request.url = (request.url ?? '').slice('/api/v1'.length);
    void proxy(request, response).then((handled) => {
      if (!handled) response.writeHead(404).end('{"detail":"Not Found"}');
    });
  });
}

/** A complete request as the service has received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Starts a service that records complete requests and responds. */
export async function startRecordingService(
  context: TestContext,
  respond: RequestListener = (_request, response) => response.end('{}'),
): Promise<{ readonly url: string; readonly requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const url = await startLocalServerForTest(context, (request, response) => {
    void readAll(request).then(
      (body) => {
        requests.push({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body,
        });
        respond(request, response);
      },
      () => undefined,
    );
  });
  return { url, requests };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
