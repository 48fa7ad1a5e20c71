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
} from './safe-response.js';
import type { KeyMask } from './key-mask.js';
import type { ForwardedBody } from './request-body.js';
import { HttpError } from './http-error.js';
import type { Route } from './routes.js';

/** How long the service may be silent, in milliseconds. */
export interface UpstreamTimeouts {
  /** Until its answer begins, counted from the last byte that was sent to it. */
  readonly firstByteTimeout: number;
  /** Between two pieces of its answer. */
  readonly idleTimeout: number;
}

/** One request on its way to the service. */
export interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly baseUrl: URL;
  readonly route: Route;
  readonly body: ForwardedBody;
  /** The key of the account: sent to the service, and never passed back. */
  readonly apiKey: string;
  /** Covers the key where the service quotes it. */
  readonly mask: KeyMask;
  readonly user: string;
  readonly timeouts: UpstreamTimeouts;
  /** Aborts when the page has left, or when its answer is complete. */
  readonly disconnected: AbortSignal;
}

/** What of the page's headers means something to the service. Everything else stays here. */
const FORWARDED_HEADERS = ['accept', 'accept-language', 'user-agent'];

/** What of the service's headers passes, in its documented shape. Type, disposition and caching are ours to decide; its cookies do not pass. */
const RETURNED_HEADERS: readonly (readonly [name: string, shape: RegExp])[] = [
  ['content-length', /^\d{1,15}$/u],
  // Seconds or an HTTP date.
  ['retry-after', /^(?:\d{1,9}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/u],
];

/**
 * Sends a request to the service and its answer to the page, piece by piece. Resolves when the answer is over or the page has left.
 * Rejects, with a `Refusal` where there is a sentence for the page, as long as no answer has begun; after that the page's connection
 * breaks, since an answer that was cut must not look complete.
 */
export async function forwardRequest(forwarding: ForwardedRequest): Promise<void> {
  const { response, body, mask, timeouts, disconnected } = forwarding;
  if (disconnected.aborted) return;
  const upstream = openUpstream(forwarding);
  const silence = createIdleTimer((error) => {
    // Nothing comes from the service either while the page does not take what is there.
    if (response.writableNeedDrain) silence.allow(timeouts.idleTimeout);
    else upstream.destroy(error);
  });
  // The page has left: the service need not go on sending. (A run of the agent goes on by itself.)
  const leave = (): void => {
    upstream.destroy();
  };
  disconnected.addEventListener('abort', leave);
  try {
    silence.allow(timeouts.firstByteTimeout);
    const answered = waitForResponse(upstream);
    await Promise.race([
      answered,
      // A body that was sent is no answer yet; one that was refused in the middle is the end.
      sendBody(body, upstream, () => silence.allow(timeouts.firstByteTimeout)).then(() => answered),
    ]);
    const answer = await answered;
    silence.allow(timeouts.idleTimeout);
    answer.on('data', () => silence.allow(timeouts.idleTimeout));
    writeResponseHead(answer, mask, response);
    await pipeline(answer, mask.stream(), response);
  } catch (error) {
    if (disconnected.aborted) return;
    throw error;
  } finally {
    silence.end();
    disconnected.removeEventListener('abort', leave);
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
  const start = baseUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  const url = new URL(`${baseUrl.href.replace(/\/+$/u, '')}${route.path}${route.query}`);
  return start(url, {
    method: request.method ?? 'GET',
    headers: {
      ...pickHeaders(request.headers, FORWARDED_HEADERS),
      ...bodyHeaders(body),
      // In a compressed answer the key could not be found.
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
    upstream.on('error', reject);
    upstream.once('close', () => reject(new Error('The service has closed the connection.')));
  });
}

async function sendBody(
  body: ForwardedBody,
  upstream: ClientRequest,
  onPiece: () => void,
): Promise<void> {
  if (body === null || 'json' in body) {
    upstream.end(body?.json);
    return;
  }
  await pipeline(async function* () {
    try {
      for await (const piece of body.body) {
        onPiece();
        yield piece;
      }
    } catch (error) {
      // The pipeline would only break the connection: the reason must be known first.
      upstream.destroy(error as Error);
      throw error;
    }
  }, upstream);
}

function writeResponseHead(answer: IncomingMessage, mask: KeyMask, response: ServerResponse): void {
  const status = answer.statusCode ?? 502;
  if (status >= 300 && status < 400) {
    // Nobody is sent anywhere else: that would be an address that nobody has allowed.
    throw new HttpError(502, 'The service answered with a redirect');
  }
  if (!isUncompressed(answer.headers)) {
    throw new HttpError(502, 'The service has compressed its answer although it was asked not to');
  }
  const contentType = mask.mask(answer.headers['content-type'] ?? '');
  const isStream = parseMediaType(contentType) === 'text/event-stream';
  const headers = pickValidHeaders(answer.headers, mask);
  // Whoever passes the answer on could take the next one for the content that this length announces.
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

/** Whether the bytes are the content itself: both the content and the way it is sent can be compressed. */
function isUncompressed(headers: IncomingHttpHeaders): boolean {
  return (
    /^(?:identity)?$/iu.test(headers['content-encoding'] ?? '') &&
    /^(?:chunked)?$/iu.test(headers['transfer-encoding'] ?? '')
  );
}

function pickValidHeaders(headers: IncomingHttpHeaders, mask: KeyMask): OutgoingHttpHeaders {
  return Object.fromEntries(
    RETURNED_HEADERS.flatMap(([name, shape]) => {
      const value = headers[name];
      // A key of digits fits the shape of a number.
      const isClean = typeof value === 'string' && shape.test(value) && mask.mask(value) === value;
      return isClean ? [[name, value]] : [];
    }),
  );
}

/** Calls back when nothing has come for as long as was allowed last. After the end nothing is allowed any more: a refused body may still be read. */
function createIdleTimer(onSilence: (error: HttpError) => void): {
  allow(milliseconds: number): void;
  end(): void;
} {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    allow: (milliseconds) => {
      clearTimeout(timer);
      if (isOver) return;
      timer = setTimeout(() => {
        onSilence(new HttpError(504, 'The service did not answer in time'));
      }, milliseconds);
    },
    end: () => {
      isOver = true;
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
