import { isUbikError, UbikError } from '../errors.js';
import type { Environment, UploadProgress } from './environment.js';
import { guessKind } from './content-kind.js';
import { resolveBaseUrl, resolveTarget, type Target } from './http/address.js';
import { createAnswerError } from './http/answer-error.js';
import { readJsonAnswer } from './http/read-body.js';
import { createTokenSource, type GetToken } from './http/token-source.js';
import { SAFE_REQUEST } from './platform/upload.js';

export { encodePath } from './http/address.js';
export type { Query, Target } from './http/address.js';
export type { GetToken, TokenAsk } from './http/token-source.js';

/** Headers of the host's own, for every request. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** What an HTTP client is made from. */
export interface HttpClientOptions {
  readonly environment: Pick<
    Environment,
    'fetch' | 'upload' | 'now' | 'pageUrl' | 'setTimer' | 'clearTimer'
  >;
  /** Absolute, or relative to the page. All requests stay on its origin. */
  readonly baseUrl: string;
  /** Asked before each connection, and once more after a 401. */
  readonly getToken?: GetToken | undefined;
  /** Fixed ones, or a function that is asked before each connection. They never replace ours. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  readonly limits?: HttpLimits | undefined;
}

/** Bounds of an HTTP client. */
export interface HttpLimits {
  /** Bytes of a JSON answer: 64 Mi. */
  readonly jsonBytes?: number | undefined;
}

/** One request. At most one of `json` and `form`. */
export interface HttpRequest extends Target {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart form data. */
  readonly form?: FormData | undefined;
  /** What the caller can read; `application/json` by default. A web page is refused unless this allows one. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** ms until the answer's head must be there (for {@link HttpClient.json} and `upload`: all of it); unlimited by default. */
  readonly timeout?: number | undefined;
  /** Sends the token as this query parameter instead of a header. Addresses are logged: only when the host insists. */
  readonly tokenParameter?: string | undefined;
}

/** An upload. */
export type UploadCall = Omit<HttpRequest, 'json' | 'form'> & { readonly form: FormData };

/** Talks HTTP with one service. Every method rejects with a `UbikError`. */
export interface HttpClient {
  /** Absolute, without a closing slash. */
  readonly baseUrl: string;
  /** The answer, when it is a success (2xx). Its body is the caller's to read or cancel. */
  request(request: HttpRequest): Promise<Response>;
  /** The answer's JSON; null for an empty one. */
  json(request: HttpRequest): Promise<unknown>;
  /** Sends a form and tells how far it is; gives the answer's JSON. */
  upload(call: UploadCall, onProgress: UploadProgress): Promise<unknown>;
}

/**
 * The one place that talks HTTP. Credentials go to the base URL's origin and nowhere else; redirects are refused; nothing is
 * repeated, except once with a fresh token after a 401, which has started nothing.
 *
 * @throws {UbikError} `misuse` for a base URL that cannot be used.
 * @example
 * const http = createHttpClient({ environment, baseUrl: '/api', getToken });
 * const thread = await http.json({ method: 'GET', path: encodePath`/threads/${id}` });
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { environment, getToken } = options;
  const pageUrl = environment.pageUrl();
  const base = resolveBaseUrl(options.baseUrl, pageUrl);
  const askToken = createTokenSource(getToken);
  const isOwnOrigin = pageUrl !== null && new URL(pageUrl).origin === base.origin;
  const credentials = isOwnOrigin ? 'same-origin' : 'omit';

  const send = async (call: Call, prepared: Prepared): Promise<Response> => {
    const { method, json, form = null, onProgress } = call;
    if (!onProgress || !form) {
      const body = json === undefined ? form : JSON.stringify(json);
      const init = { ...SAFE_REQUEST, ...prepared, method, body, credentials } as const;
      const response = await environment.fetch(prepared.url, init);
      return checkOrigin(response, response.url, base);
    }
    const upload = { ...prepared, method, body: form, credentials } as const;
    const { status, headers, url, text } = await environment.upload(upload, onProgress);
    return checkOrigin(new Response(text || null, { status, headers }), url, base);
  };

  /** One exchange with one token. */
  const attempt = async <T>(
    call: Call,
    address: URL,
    token: string | null,
    { signal, read }: Exchange<T>,
  ): Promise<T> => {
    const headers = await createHeaders(call, options.headers);
    const url = new URL(address);
    const { accept = '', tokenParameter } = call;
    if (token && tokenParameter) url.searchParams.set(tokenParameter, token);
    else if (token) headers.set('authorization', `Bearer ${token}`);
    signal.throwIfAborted();
    try {
      const prepared = { url: url.href, headers: Object.fromEntries(headers), signal };
      const response = await send(call, prepared);
      if (!response.ok) throw await createAnswerError(response, environment.now(), token);
      if (guessKind(response.headers, '') === 'html' && !/text\/html|\*\/\*/.test(accept)) {
        response.body?.cancel().catch(() => undefined);
        throw new UbikError('not-an-api', { status: response.status });
      }
      return await read(response);
    } catch (cause) {
      // An error of the platform may quote the address, and with it the token.
      throw isUbikError(cause) ? cause : new UbikError('network', tokenParameter ? {} : { cause });
    }
  };

  /** Once with a token, and once more with a fresh one when it was refused (401 and only 401). */
  const exchange = async <T>(call: Call, context: Exchange<T>): Promise<T> => {
    context.signal.throwIfAborted();
    // First of all: a foreign address must not even cost a token.
    const url = resolveTarget(base, call);
    const token = await askToken();
    try {
      return await attempt(call, url, token, context);
    } catch (error) {
      if (!getToken || !isUbikError(error) || error.status !== 401) throw error;
    }
    return attempt(call, url, await askToken(token), context);
  };

  const act = <T>(call: Call, read: Exchange<T>['read']) =>
    limit(environment, call, (signal) => exchange(call, { signal, read }));
  const readJson = (response: Response) => readJsonAnswer(response, options.limits?.jsonBytes);

  return {
    baseUrl: base.href.replace(/\/$/, ''),
    request: (request) => act(request, (response) => response),
    json: (request) => act(request, readJson),
    upload: (call, onProgress) => act({ ...call, onProgress }, readJson),
  };
}

/** A request, whose sending may be watched. */
type Call = HttpRequest & { readonly onProgress?: UploadProgress };

/** What both ways of sending have in common. */
interface Prepared {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

interface Exchange<T> {
  readonly signal: AbortSignal;
  readonly read: (response: Response) => T | Promise<T>;
}

/** A stand-in for `fetch`, and XMLHttpRequest, follow redirects. */
function checkOrigin(response: Response, url: string, base: URL): Response {
  if (url && new URL(url).origin !== base.origin) throw new UbikError('foreign-origin');
  return response;
}

/**
 * One exchange, unless its caller gives up or its time is over first. It has a signal of its own, so that giving it up never touches
 * another; the caller's signal reaches through it to the body of the answer.
 */
async function limit<T>(
  environment: HttpClientOptions['environment'],
  { signal: caller, timeout }: HttpRequest,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const signal = AbortSignal.any([late.signal, ...(caller ? [caller] : [])]);
  const timer = timeout === undefined ? null : environment.setTimer(() => late.abort(), timeout);
  try {
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', reject);
    });
    return await Promise.race([run(signal), givenUp]);
  } catch (error) {
    if (caller?.aborted) throw new UbikError('aborted');
    if (signal.aborted) throw new UbikError('network', 'The service did not answer in time.');
    throw error;
  } finally {
    if (timer) environment.clearTimer(timer);
  }
}

async function createHeaders(
  { accept = 'application/json', json }: HttpRequest,
  extra: HttpClientOptions['headers'],
): Promise<Headers> {
  try {
    const headers = new Headers(typeof extra === 'function' ? await extra() : extra);
    headers.set('accept', accept);
    if (json !== undefined) headers.set('content-type', 'application/json');
    return headers;
  } catch (error) {
    // The platform's error quotes the value, which may be a key.
    if (isUbikError(error)) throw error;
    throw new UbikError('misuse', 'The headers of the host failed, or HTTP does not allow them.');
  }
}
