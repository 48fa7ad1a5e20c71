import {
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { answerJson } from './answer-json.js';
import type { CleanBody } from './clean-body.js';
import type { Route } from './routes.js';

/** One request on its way to the service. */
export interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly baseUrl: URL;
  readonly route: Route;
  readonly body: CleanBody;
  /** The key and the person. */
  readonly headers: OutgoingHttpHeaders;
}

/** What of the page's headers means something to the service. Everything else stays here. */
const PASSED_ON = ['accept', 'accept-language', 'user-agent'];

/** What of the service's headers means something to the page. Cookies of the service do not pass. */
const PASSED_BACK = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-encoding',
  'cache-control',
  'retry-after',
  'x-accel-buffering',
];

/** Sends a request to the service and its answer to the page, piece by piece. Resolves when the answer is over. */
export function forwardRequest(forwarding: Forwarding): Promise<void> {
  const { request, response, body } = forwarding;
  return new Promise((resolve, reject) => {
    const upstream = open(forwarding);
    const leave = (): void => {
      // The page has left: the service need not go on sending. (A run of the agent goes on by itself.)
      upstream.destroy();
      resolve();
    };
    response.once('close', leave);
    upstream.once('error', (error) => {
      if (response.destroyed) resolve();
      else reject(error);
    });
    upstream.once('response', (answer) => {
      answer.once('error', () => response.destroy());
      answer.once('aborted', () => response.destroy());
      passBack(answer, response);
    });
    if (body === 'stream') request.pipe(upstream);
    else upstream.end(body === null ? undefined : body.json);
  });
}

function open({ request, baseUrl, route, body, headers }: Forwarding): ClientRequest {
  const start = baseUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  const url = new URL(`${baseUrl.href.replace(/\/+$/u, '')}${route.path}${route.query}`);
  return start(url, {
    method: request.method ?? 'GET',
    headers: { ...pick(request.headers, PASSED_ON), ...describeBody(request, body), ...headers },
  });
}

function describeBody(request: IncomingMessage, body: CleanBody): OutgoingHttpHeaders {
  if (body === null) return {};
  if (body === 'stream') return pick(request.headers, ['content-type', 'content-length']);
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body.json) };
}

function passBack(answer: IncomingMessage, response: ServerResponse): void {
  const status = answer.statusCode ?? 502;
  if (status >= 300 && status < 400) {
    // Nobody is sent anywhere else: that would be an address that nobody has allowed.
    answer.resume();
    answerJson(response, 502, { detail: 'The service answered with a redirect' });
    return;
  }
  response.writeHead(status, {
    'cache-control': 'no-store',
    ...pick(answer.headers, PASSED_BACK),
    'x-content-type-options': 'nosniff',
  });
  response.flushHeaders();
  answer.pipe(response);
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
