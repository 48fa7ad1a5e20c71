import {
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import {
  INERT_HEADERS,
  inertContentHeaders,
  parseMediaType,
  privateResponseHeaders,
} from './inert-content.js';
import type { KeyMask } from './key-mask.js';
import type { ForwardedBody } from './request-body.js';
import { HttpError } from './http-error.js';
import type { Route } from './routes.js';

/** Timeouts when waiting for the service, in ms. */
export interface UpstreamTimeouts {
  /** Until the response begins, measured from the last byte that was sent to the service. */
  readonly firstByteTimeout: number;
  /** Between two chunks of the response. */
  readonly idleTimeout: number;
}

/** A request to be forwarded to the service. */
export interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly baseUrl: string;
  readonly route: Route;
  readonly body: ForwardedBody;
  /** The API key of the account. It is sent to the service, and never returned to the page. */
  readonly apiKey: string;
  /** Redacts the key in the response. */
  readonly mask: KeyMask;
  readonly user: string;
  readonly timeouts: UpstreamTimeouts;
  /** Aborts when the response is closed: the client has disconnected, or the response is complete. */
  readonly closed: AbortSignal;
}

/** Request headers that are forwarded to the service. */
const FORWARDED_HEADERS = ['accept', 'accept-language', 'user-agent'];

/**
 * Response headers that are returned to the page, if they have the documented format. Type, disposition and caching are set by this
 * server, and cookies are dropped.
 */
const RETURNED_HEADERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['content-length', /^\d{1,15}$/u],
  // Seconds or an HTTP date.
  ['retry-after', /^(?:\d{1,9}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/u],
];

/**
 * Forwards a request to the service and streams the response to the page. Resolves when the response is complete, and sends nothing for
 * a client that has disconnected before. Rejects with an error before the response has begun, with an `HttpError` where there is a message
 * for the page. An error after that also breaks the connection of the page, so that a truncated response does not look complete. Also rejects
 * when the client disconnects before the response is complete.
 */
export async function forwardRequest(forwarded: ForwardedRequest): Promise<void> {
  const { response, body, mask, timeouts, closed } = forwarded;
  if (closed.aborted) return;
  const upstream = openUpstream(forwarded);
  let timeout: HttpError | undefined;
  const idleTimer = createIdleTimer((error) => {
    // With a full buffer, the service is silent because the page does not read.
    if (response.writableNeedDrain) idleTimer.restart(timeouts.idleTimeout);
    else upstream.destroy((timeout = error));
  });
  // After a disconnect, the request to the service is cancelled. A run of the agent continues nevertheless.
  closed.addEventListener('abort', () => {
    upstream.destroy();
  });
  try {
    idleTimer.restart(timeouts.firstByteTimeout);
    const responded = waitForResponse(upstream);
    await Promise.race([
      responded,
      // The service may respond before the body is sent. If sending fails, the request fails.
      sendBody(body, upstream, () => idleTimer.restart(timeouts.firstByteTimeout)).then(
        () => responded,
      ),
    ]);
    const upstreamResponse = await responded;
    idleTimer.restart(timeouts.idleTimeout);
    upstreamResponse.on('data', () => idleTimer.restart(timeouts.idleTimeout));
    writeResponseHead(upstreamResponse, mask, response);
    await pipeline(upstreamResponse, mask.stream(), response);
  } catch (error) {
    // The response of a destroyed request fails with another error than the request.
    throw timeout ?? error;
  } finally {
    idleTimer.stop();
    upstream.destroy();
  }
}

function openUpstream({
  request,
  baseUrl,
  route,
  body,
  apiKey,
  user,
}: ForwardedRequest): ClientRequest {
  const url = new URL(`${baseUrl}${route.path}${route.query}`);
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return start(url, {
    method: request.method ?? 'GET',
    headers: {
      ...pickHeaders(request.headers, FORWARDED_HEADERS),
      ...bodyHeaders(body),
      // In a compressed response, the mask could not find the key.
      'accept-encoding': 'identity',
      'x-api-key': apiKey,
      'x-end-user-id': user,
    },
  });
}

function bodyHeaders(body: ForwardedBody): OutgoingHttpHeaders {
  if (body === null) return {};
  if ('contentType' in body) return { 'content-type': body.contentType };
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body.json) };
}

function waitForResponse(upstream: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    upstream.once('response', resolve);
    // Not `once`: a later error without a listener would end the process.
    upstream.on('error', reject);
    upstream.once('close', () => reject(new Error('The service closed the connection.')));
  });
}

async function sendBody(
  body: ForwardedBody,
  upstream: ClientRequest,
  onChunk: () => void,
): Promise<void> {
  if (body === null || 'json' in body) {
    upstream.end(body?.json);
    return;
  }
  await pipeline(async function* () {
    try {
      for await (const chunk of body.body) {
        onChunk();
        yield chunk;
      }
    } catch (error) {
      // Destroyed with the error here, because the pipeline would destroy it without one.
      upstream.destroy(error as Error);
      throw error;
    }
  }, upstream);
}

function writeResponseHead(
  upstreamResponse: IncomingMessage,
  mask: KeyMask,
  response: ServerResponse,
): void {
  const status = upstreamResponse.statusCode ?? 502;
  if (status >= 300 && status < 400) {
    // A redirect is not passed on, since its target is not an allowed endpoint.
    throw new HttpError(502, 'The service responded with a redirect');
  }
  if (!isUncompressed(upstreamResponse.headers)) {
    throw new HttpError(502, 'The service compressed its response although it was asked not to');
  }
  const contentType = mask.redact(upstreamResponse.headers['content-type'] ?? '');
  const isStream = parseMediaType(contentType) === 'text/event-stream';
  const headers = pickValidHeaders(upstreamResponse.headers, mask);
  // A 204 response has no body. With a length, a proxy could take the next response for its body.
  if (status === 204) delete headers['content-length'];
  response.writeHead(status, {
    ...headers,
    ...(isStream
      ? { 'content-type': 'text/event-stream', ...INERT_HEADERS }
      : inertContentHeaders(contentType)),
    ...privateResponseHeaders(response, isStream),
  });
  response.flushHeaders();
}

/** Whether the body is not compressed, neither by content coding nor by transfer coding. */
function isUncompressed(headers: IncomingHttpHeaders): boolean {
  return (
    /^(?:identity)?$/iu.test(headers['content-encoding'] ?? '') &&
    /^(?:chunked)?$/iu.test(headers['transfer-encoding'] ?? '')
  );
}

function pickValidHeaders(headers: IncomingHttpHeaders, mask: KeyMask): OutgoingHttpHeaders {
  return Object.fromEntries(
    RETURNED_HEADERS.flatMap(([name, pattern]) => {
      const value = headers[name];
      // An API key that consists of digits would pass as a `content-length`.
      const isValid =
        typeof value === 'string' && pattern.test(value) && mask.redact(value) === value;
      return isValid ? [[name, value]] : [];
    }),
  );
}

/** Creates a timer that activity restarts. After `stop` it cannot be restarted, because the rest of a rejected body may still arrive. */
function createIdleTimer(onTimeout: (error: HttpError) => void): {
  restart(milliseconds: number): void;
  stop(): void;
} {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  return {
    restart: (milliseconds) => {
      clearTimeout(timer);
      if (isStopped) return;
      timer = setTimeout(() => {
        onTimeout(new HttpError(504, 'The service did not respond in time'));
      }, milliseconds);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function pickHeaders(headers: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
