import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './safe-response.js';
import {
  assertApiKey,
  assertGetUser,
  callIntegrator,
  type GetUser,
  parseBaseUrl,
  resolveUser,
} from './handler-options.js';
import { isIdentityClaim } from './identity-claims.js';
import { forwardRequest, type UpstreamTimeouts } from './forward.js';
import { createKeyMask, type KeyMask } from './key-mask.js';
import { discardBody, disconnectSignal } from './disconnect.js';
import { readRequestBody, type BodyOptions } from './request-body.js';
import { HttpError } from './http-error.js';
import { matchRoute, type Route } from './routes.js';
import { createCsrfCheck } from './csrf-check.js';

/** How the proxy reaches the service. */
export interface UbikProxyOptions {
  /** The key of the account. It is sent to the service only; no answer and no error ever carries it. */
  readonly apiKey: string;
  /** Who is signed in. Nobody: 401. */
  readonly getUser: GetUser;
  /** Address of the service, with its version; `https://app.ubik-agent.com/api/v1` by default. */
  readonly baseUrl?: string;
  /**
   * Origins such as `https://www.example.com` whose pages may change something through this proxy, besides pages of its own origin.
   * Needed for pages on another origin, and on plain http beyond localhost, where browsers do not say what a request comes from.
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * Fields that pages may set although they decide what the agent is and may do, such as `assistant_id`, `model_name`,
   * `initial_system_prompt`, `prompt_variables`, `tool_ids`, `skill_ids`, `mcp_config` or `tool_choice`. None by default: whoever uses
   * the page can send any value for them, up to the bounds of every body (2 MiB, 50,000 values, 64 levels).
   */
  readonly allowSessionOptions?: readonly string[];
  /** Asked before each request that would be forwarded: the place for limits of rate and cost. */
  readonly beforeForward?: BeforeForward;
  /** The most bytes of a form with a file; 50 MiB by default. */
  readonly maxUploadBytes?: number;
  /** Milliseconds until the service must have begun to answer, counted from the last byte sent to it; 120,000 by default. */
  readonly firstByteTimeout?: number;
  /**
   * Milliseconds that an answer of the service may pause; 120,000 by default. A stream must be longer than the service's heartbeat;
   * one that is cut is rejoined by the page.
   */
  readonly idleTimeout?: number;
}

/** A request that is about to be forwarded. */
export interface ForwardCall {
  /** Its body is not read yet; leave it alone. */
  readonly request: IncomingMessage;
  /** What `getUser` has said. */
  readonly user: string;
  readonly method: string;
  /** The endpoint with `{id}` for ids: `/agent-sessions/{id}/messages`. */
  readonly endpoint: string;
  /** The path as it is forwarded. */
  readonly path: string;
}

/** Why a request is not forwarded. */
export interface ForwardRefusal {
  /** From 400 to 599, such as 429. */
  readonly status: number;
  /** A sentence for the page. */
  readonly detail: string;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number;
}

/**
 * Decides about a request: nothing lets it pass, a refusal is answered in place of the service. When it throws, the request is not
 * forwarded and the page is answered with 500.
 */
export type BeforeForward = (
  call: ForwardCall,
) => ForwardRefusal | null | undefined | Promise<ForwardRefusal | null | undefined>;

/**
 * A handler for `node:http` and everything that is built on it. Its paths are those of the API below the place where it
 * is mounted, so `request.url` must begin with `/agent-sessions` and the like.
 *
 * @returns whether the request was answered; false for a path that is not of the API, and nothing is sent then.
 */
export type UbikProxy = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_URL_LENGTH = 4096;

/**
 * Makes a proxy on the integrator's own origin, so that pages need no token and no CORS.
 *
 * - It asks `getUser` for every request and acts for that person, whatever the page claims: `X-End-User-ID`, `X-API-KEY`,
 *   `Authorization`, cookies, and `api_key`, `token` and `external_user_id` in the address do not pass; names of a person or a key
 *   are taken out of JSON bodies at any depth, and a form that holds them is refused.
 * - It serves the endpoints that a chat needs and no other, and only with ids of the shapes that the service documents; `/auth/token`
 *   is none of them. A request may have the fields that a chat
 *   needs and no other, unless `allowSessionOptions` names them.
 * - What changes something must come from a page of this origin or of `allowedOrigins`; JSON must be sent as `application/json`.
 * - What tools and people have made is never a document of this origin: types that cannot run are displayed in a sandbox, everything
 *   else is downloaded. No cache keeps an answer.
 * - Files and streams pass unbuffered, JSON bodies are read to be cleaned. Bodies, headers and waiting times are bounded. When the
 *   page leaves, the request to the service ends too.
 *
 * Throws a `TypeError` or `RangeError` for options that cannot be meant, such as an `apiKey` that is missing.
 *
 * @example
 * ```js
 * const proxy = createUbikProxy({ apiKey: process.env.UBIK_API_KEY, getUser: (request) => sessionOf(request)?.userId });
 * createServer(async (request, response) => {
 *   if (!request.url.startsWith('/api/v1/')) return servePage(request, response);
 *   request.url = request.url.slice('/api/v1'.length);
 *   if (!(await proxy(request, response))) response.writeHead(404).end();
 * });
 * ```
 */
export function createUbikProxy(options: UbikProxyOptions): UbikProxy {
  const settings = readSettings(options);
  return async (request, response) => {
    const disconnected = disconnectSignal(response);
    const route = matchRoute(request.method ?? 'GET', request.url ?? '/');
    if (route === 'unknown') return false;
    try {
      await serve(settings, { request, response, route, disconnected });
    } catch (error) {
      await sendError(request, response, error);
    }
    return true;
  };
}

interface Settings {
  readonly apiKey: string;
  readonly mask: KeyMask;
  readonly baseUrl: URL;
  readonly getUser: GetUser;
  readonly beforeForward: BeforeForward;
  readonly assertSameSite: (request: IncomingMessage) => void;
  readonly body: BodyOptions;
  readonly timeouts: UpstreamTimeouts;
}

function readSettings(options: UbikProxyOptions): Settings {
  assertApiKey(options.apiKey);
  assertGetUser(options.getUser);
  const { allowSessionOptions = [], beforeForward = () => null } = options;
  if (typeof beforeForward !== 'function') throw new TypeError('beforeForward must be a function.');
  const claim = allowSessionOptions.find(isIdentityClaim);
  if (claim !== undefined) {
    throw new TypeError(
      `allowSessionOptions must not hold "${claim}": getUser says who the person is.`,
    );
  }
  return {
    apiKey: options.apiKey,
    mask: createKeyMask(options.apiKey),
    baseUrl: parseBaseUrl(options.baseUrl),
    getUser: options.getUser,
    beforeForward,
    assertSameSite: createCsrfCheck(options.allowedOrigins),
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

/** More milliseconds than this a timer cannot count. */
const MAX_TIMER_DELAY = 2 ** 31 - 1;

function readPositiveInteger(name: string, value: number | undefined, usual: number): number {
  if (value === undefined) return usual;
  if (Number.isInteger(value) && value >= 1 && value <= MAX_TIMER_DELAY) return value;
  throw new RangeError(`${name} must be a whole number from 1 to ${String(MAX_TIMER_DELAY)}.`);
}

interface ProxyCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route | 'method' | 'id';
  readonly disconnected: AbortSignal;
}

/** Each wait may be the one in which the page leaves: after it nothing is begun for a page that is gone. */
async function serve(
  settings: Settings,
  { request, response, route, disconnected }: ProxyCall,
): Promise<void> {
  assertBoundedHead(request);
  settings.assertSameSite(request);
  const user = await resolveUser(settings.getUser, request);
  if (disconnected.aborted) return;
  if (user === null || user === undefined || user === '') {
    throw new HttpError(401, 'Not authenticated');
  }
  if (!isHeaderValue(user)) throw new HttpError(502, 'The user cannot be named to the service');
  if (route === 'id') throw new HttpError(404, 'No id of the service looks like this');
  if (route === 'method') throw new HttpError(405, 'Method Not Allowed');
  const { endpoint, path } = route;
  const call: ForwardCall = { request, user, method: request.method ?? 'GET', endpoint, path };
  const refusal = await callIntegrator(
    () => settings.beforeForward(call),
    'The request cannot be checked',
  );
  if (disconnected.aborted) return;
  if (refusal) throw toHttpError(refusal);
  const body = await readRequestBody(request, route.body, settings.body);
  const { apiKey, mask, baseUrl, timeouts } = settings;
  const given = { request, response, route, body, user, disconnected };
  await forwardRequest({ ...given, apiKey, mask, baseUrl, timeouts });
  // A service may have answered before the whole form was sent.
  if (!request.complete) void discardBody(request);
}

function toHttpError({ status, detail, retryAfter }: ForwardRefusal): HttpError {
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) };
  return new HttpError(isStatus ? status : 500, detail, headers);
}

function assertBoundedHead({ url = '', rawHeaders }: IncomingMessage): void {
  if (url.length > MAX_URL_LENGTH) throw new HttpError(414, 'The address is too long');
  const length = rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_HEADER_BYTES) throw new HttpError(431, 'The headers are too large');
}

/** What may stand in a header. A name beyond ASCII must be encoded by the integrator. */
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
  if (response.destroyed) return;
  const rest = request.complete ? {} : { connection: 'close' };
  if (error instanceof HttpError) {
    sendJson(response, error.status, { detail: error.message }, { ...error.headers, ...rest });
  } else {
    // The words of the error may name the service's inside; the page only learns that it failed.
    sendJson(response, 502, { detail: 'The service cannot be reached' }, rest);
  }
}
