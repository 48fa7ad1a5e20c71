import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './inert-content.js';
import {
  assertApiKey,
  assertGetUser,
  runCallback,
  type GetUser,
  type OnError,
  parseBaseUrl,
  reportServerError,
  resolveUser,
} from './handler-options.js';
import { isIdentityField } from './identity-fields.js';
import { forwardRequest, type UpstreamTimeouts } from './forward.js';
import { createKeyMask, type KeyMask } from './key-mask.js';
import { discardBody, createCloseSignal } from './client-connection.js';
import { readRequestBody, type BodyOptions } from './request-body.js';
import { HttpError } from './http-error.js';
import { matchRoute, type MethodNotAllowed, type Route } from './routes.js';
import { createCsrfCheck } from './csrf-check.js';

/** Options of {@link createUbikProxy}. */
export interface UbikProxyOptions {
  /** The API key of the account. It is sent to the service only; no response and no error contains it. */
  readonly apiKey: string;
  /** Returns the user who is signed in. Without one, the response is 401. */
  readonly getUser: GetUser;
  /** Base URL of the service, with its version; `https://app.ubik-agent.com/api/v1` by default. */
  readonly baseUrl?: string;
  /**
   * Origins such as `https://www.example.com` whose pages may send requests other than GET, besides pages of the proxy's own origin.
   * Required for pages on another origin, and on plain http except localhost, where browsers do not send `Sec-Fetch-Site`.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Fields that pages may set although they configure the agent, such as `assistant_id`, `model_name`, `initial_system_prompt`,
   * `prompt_variables`, `tool_ids`, `skill_ids`, `mcp_config` or `tool_choice`. None by default: a user of the page can send any value
   * for them, within the limits of a body (2 MiB, 50,000 values, 64 levels).
   */
  readonly allowSessionOptions?: readonly string[];
  /** Called before each request is forwarded, for example to limit rate and cost. */
  readonly beforeForward?: BeforeForward;
  /** Maximum size in bytes of a form with a file; 50 MiB by default. */
  readonly maxUploadBytes?: number;
  /** Maximum time in ms until the response of the service begins, measured from the last byte sent to it; 120,000 by default. */
  readonly firstByteTimeout?: number;
  /**
   * Maximum time in ms between two chunks of a response; 120,000 by default. It must be longer than the heartbeat interval of the service.
   * Pages rejoin a stream that is cut.
   */
  readonly idleTimeout?: number;
  /**
   * Receives the reason of each response with status 500 or above that the proxy itself creates, not of those that it forwards, and of each one
   * that breaks off; nothing is logged by default.
   */
  readonly onError?: OnError;
}

/** A request that is about to be forwarded. */
export interface ForwardCall {
  /** The request. Its body has not been read, and must not be read by the callback. */
  readonly request: IncomingMessage;
  /** The user that `getUser` has returned. */
  readonly user: string;
  readonly method: string;
  /** The endpoint with `{id}` for ids: `/agent-sessions/{id}/messages`. */
  readonly endpoint: string;
  /** The path as it is forwarded. */
  readonly path: string;
}

/** The response to a request that is not forwarded. */
export interface ForwardRejection {
  /** From 400 to 599, such as 429. */
  readonly status: number;
  /** A message for the page. */
  readonly detail: string;
  /** Delay in seconds after which the page may retry (`Retry-After`). */
  readonly retryAfter?: number;
}

/**
 * Decides whether a request is forwarded. Returns null or undefined to forward it, or a rejection, which is sent to the page. If it
 * throws, the request is not forwarded and the response is 500.
 */
export type BeforeForward = (
  call: ForwardCall,
) => ForwardRejection | null | undefined | Promise<ForwardRejection | null | undefined>;

/**
 * A request handler for `node:http` and frameworks on top of it. `request.url` must be relative to the mount path, so that it begins
 * with the path of an endpoint such as `/agent-sessions`.
 *
 * @returns Whether a response was sent; false for a path that is not an endpoint, for which nothing is sent.
 */
export type UbikProxy = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_URL_LENGTH = 4096;

/**
 * Creates a proxy on the integrator's own origin, so that pages need neither a token nor CORS.
 *
 * - It calls `getUser` for every request and acts for that user, whatever the page claims: `X-End-User-ID`, `X-API-KEY`,
 *   `Authorization`, cookies, and `api_key`, `token` and `external_user_id` in the URL are dropped. Such fields are removed from
 *   JSON bodies at any depth, and a form that contains them is rejected.
 * - It serves only the endpoints that a chat needs, with ids in the documented formats; `/auth/token` is not one of them. Bodies may
 *   have only the fields that a chat needs, and those in `allowSessionOptions`.
 * - Requests other than GET must come from a page of this origin or of `allowedOrigins`; JSON must be sent as `application/json`.
 * - Files of tools and users never execute on this origin: types without scripts are displayed in a sandbox, all others are
 *   downloaded. Responses are not cached.
 * - Files and streams are not buffered; JSON bodies are, to sanitize them. Sizes and waiting times are limited. When the client
 *   disconnects, the request to the service is cancelled.
 *
 * Throws a `TypeError` or `RangeError` for invalid options, such as a missing `apiKey`.
 *
 * @example
 * ```js
 * const proxy = createUbikProxy({ apiKey: process.env.UBIK_API_KEY, getUser: (request) => sessionOf(request)?.userId });
 * createServer(async (request, response) => {
 *   if (!request.url.startsWith('/api/ubik/')) return servePage(request, response);
 *   request.url = request.url.slice('/api/ubik'.length);
 *   if (!(await proxy(request, response))) response.writeHead(404).end();
 * });
 * ```
 */
export function createUbikProxy(options: UbikProxyOptions): UbikProxy {
  const settings = readSettings(options);
  return async (request, response) => {
    const closed = createCloseSignal(response);
    const route = matchRoute(request.method ?? 'GET', request.url ?? '/');
    if (route === 'unknown') return false;
    try {
      await serve(settings, { request, response, route, closed });
    } catch (error) {
      // A client that has disconnected aborts its request to the service. A response that the proxy has broken off has an error.
      if (!closed.aborted || response.errored) reportServerError(options.onError, error);
      await sendError(request, response, error);
    }
    return true;
  };
}

interface Settings {
  readonly apiKey: string;
  readonly mask: KeyMask;
  readonly baseUrl: string;
  readonly getUser: GetUser;
  readonly beforeForward: BeforeForward;
  readonly assertAllowedOrigin: (request: IncomingMessage) => void;
  readonly body: BodyOptions;
  readonly timeouts: UpstreamTimeouts;
}

function readSettings(options: UbikProxyOptions): Settings {
  assertApiKey(options.apiKey);
  assertGetUser(options.getUser);
  const { allowSessionOptions = [], beforeForward = () => null } = options;
  if (typeof beforeForward !== 'function') throw new TypeError('beforeForward must be a function.');
  const identityField = allowSessionOptions.find(isIdentityField);
  if (identityField !== undefined) {
    throw new TypeError(
      `allowSessionOptions must not contain "${identityField}": the user is determined by getUser.`,
    );
  }
  return {
    apiKey: options.apiKey,
    mask: createKeyMask(options.apiKey),
    baseUrl: parseBaseUrl(options.baseUrl),
    getUser: options.getUser,
    beforeForward,
    assertAllowedOrigin: createCsrfCheck(options.allowedOrigins),
    body: {
      allowSessionOptions,
      maxUploadBytes: readPositiveInteger(
        'maxUploadBytes',
        options.maxUploadBytes,
        50 * 1024 * 1024,
      ),
    },
    timeouts: {
      firstByteTimeout: readPositiveInteger('firstByteTimeout', options.firstByteTimeout, 120_000),
      idleTimeout: readPositiveInteger('idleTimeout', options.idleTimeout, 120_000),
    },
  };
}

/** Maximum of an option that is an integer: the longest delay of a timer, in ms. It also bounds sizes, in bytes. */
const MAX_INTEGER_OPTION = 2 ** 31 - 1;

function readPositiveInteger(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && value >= 1 && value <= MAX_INTEGER_OPTION) return value;
  throw new RangeError(`${name} must be a whole number from 1 to ${String(MAX_INTEGER_OPTION)}.`);
}

interface ProxyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route | MethodNotAllowed | 'invalid-id';
  readonly closed: AbortSignal;
}

/**
 * Validates and forwards a request. If the client disconnects before `getUser` has returned, does not call `beforeForward` and forwards
 * nothing.
 */
async function serve(
  settings: Settings,
  { request, response, route, closed }: ProxyExchange,
): Promise<void> {
  assertBoundedHead(request);
  settings.assertAllowedOrigin(request);
  const user = await resolveUser(settings.getUser, request);
  if (closed.aborted) return;
  if (!isHeaderValue(user))
    throw new HttpError(500, 'getUser returned an id that cannot be sent in a header');
  if (route === 'invalid-id') throw new HttpError(404, 'The URL contains an invalid id');
  if ('allow' in route) throw new HttpError(405, 'Method Not Allowed', { ...route });
  const { endpoint, path } = route;
  const call: ForwardCall = { request, user, method: request.method ?? 'GET', endpoint, path };
  const rejection = await runCallback(
    () => settings.beforeForward(call),
    'The request cannot be checked',
  );
  if (rejection) throw toHttpError(rejection);
  const body = await readRequestBody(request, route.body, settings.body);
  const { apiKey, mask, baseUrl, timeouts } = settings;
  const forwarded = { request, response, route, body, user, closed };
  await forwardRequest({ ...forwarded, apiKey, mask, baseUrl, timeouts });
  // The service may have responded before the whole form was sent.
  if (!request.complete) void discardBody(request);
}

function toHttpError({ status, detail, retryAfter }: ForwardRejection): HttpError {
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) };
  return new HttpError(isStatus ? status : 500, detail, headers);
}

function assertBoundedHead({ url = '', rawHeaders }: IncomingMessage): void {
  if (url.length > MAX_URL_LENGTH) throw new HttpError(414, 'The URL is too long');
  const length = rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_HEADER_BYTES) throw new HttpError(431, 'The headers are too large');
}

/** Whether a user id can be sent in a header. The integrator must encode non-ASCII characters. */
function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]{1,500}$/u.test(text) && text.trim() === text;
}

async function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): Promise<void> {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  await discardBody(request);
  // A client that has disconnected meanwhile receives nothing: writing to a destroyed response has no effect.
  const closeHeader = request.complete ? {} : { connection: 'close' };
  if (error instanceof HttpError) {
    sendJson(
      response,
      error.status,
      { detail: error.message },
      { ...error.headers, ...closeHeader },
    );
  } else {
    // The original message is not sent, because it may contain internals of the service.
    sendJson(response, 502, { detail: 'The service cannot be reached' }, closeHeader);
  }
}
