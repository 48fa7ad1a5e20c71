import { isUbikError, UbikError } from '../errors.js';
import { combineSignals } from './abort-signals.js';
import type { Environment, UploadProgress } from './environment.js';
import { readJson, readMediaKind } from './response.js';
import { resolveBaseUrl, resolveTarget, type RequestTarget } from './url.js';
import { callHost, createTokenSource, type GetToken, type TokenSource } from './token.js';
import { createResponseError, createUnreachableError } from './response-error.js';
import { SAFE_REQUEST } from './upload.js';

export { encodePath } from './url.js';
export type { RequestTarget } from './url.js';
export type { GetToken, TokenRequest } from './token.js';

/** Headers of the host's own, for every request. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** What an HTTP client is made from. */
export interface HttpClientOptions {
  readonly environment: Pick<
    Environment,
    'fetch' | 'upload' | 'diagnoseConnection' | 'now' | 'pageUrl' | 'setTimer' | 'clearTimer'
  >;
  /** Absolute, or relative to the page. All requests stay on its origin. */
  readonly baseUrl: string;
  /** Asked before each connection, and once more after a 401. */
  readonly getToken?: GetToken | undefined;
  /** Fixed ones, or a function that is asked before each connection and may take 20 s. They never replace ours. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  readonly limits?: HttpLimits | undefined;
}

/** Bounds of an HTTP client. */
export interface HttpLimits {
  /** Bytes of a JSON answer: 64 Mi. */
  readonly jsonBytes?: number | undefined;
}

/** One request. At most one of `json` and `form`. */
export interface HttpRequest extends RequestTarget {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart form data. */
  readonly form?: FormData | undefined;
  /** What the caller can read; `application/json` by default. A page or JSON that it does not name is refused. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The page is about to go: the request outlives it, and is sent with the last token, for nobody can be asked for another. */
  readonly keepalive?: boolean | undefined;
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
  return new FetchHttpClient(options);
}

const JSON_TYPE = 'application/json';

/** A request, whose sending may be watched. */
type Call = HttpRequest & { readonly onProgress?: UploadProgress };

/** One call on its way. */
interface Exchange {
  readonly call: Call;
  readonly signal: AbortSignal;
  readonly address: URL;
  /** The network has it, and the service may act on it: not before there is a token, nor after that was refused. */
  isSent: boolean;
}

class FetchHttpClient implements HttpClient {
  readonly baseUrl: string;
  readonly #options: HttpClientOptions;
  readonly #base: URL;
  readonly #credentials: 'same-origin' | 'omit';
  readonly #askToken: TokenSource;
  /** Whether an answer has ever come: whatever stops the next request, it is not the address or the rights of the page. */
  #hasConnected = false;

  constructor(options: HttpClientOptions) {
    const pageUrl = options.environment.pageUrl();
    this.#options = options;
    this.#base = resolveBaseUrl(options.baseUrl, pageUrl);
    this.baseUrl = this.#base.href.replace(/\/$/, '');
    const isOwnOrigin = pageUrl !== null && new URL(pageUrl).origin === this.#base.origin;
    this.#credentials = isOwnOrigin ? 'same-origin' : 'omit';
    this.#askToken = createTokenSource(options.environment, options.getToken);
  }

  request(request: HttpRequest): Promise<Response> {
    return this.#perform(request, (response) => response);
  }

  json(request: Call): Promise<unknown> {
    const limit = this.#options.limits?.jsonBytes;
    return this.#perform(request, (response) => readJson(response, limit));
  }

  upload(call: UploadCall, onProgress: UploadProgress): Promise<unknown> {
    return this.json({ ...call, onProgress });
  }

  /**
   * Unless the caller gives up or the time is over first. Each exchange has a signal of its own, so that giving it up never touches
   * another; the caller's signal reaches through it to the body of the answer.
   */
  async #perform<T>(call: Call, read: (response: Response) => T | Promise<T>): Promise<T> {
    const { environment } = this.#options;
    const { signal: caller, timeout } = call;
    const late = new AbortController();
    const signal = combineSignals(late.signal, caller);
    // First of all: a foreign address must not even cost a token.
    const exchange = { call, signal, address: resolveTarget(this.#base, call), isSent: false };
    const timer = timeout === undefined ? null : environment.setTimer(() => late.abort(), timeout);
    try {
      signal.throwIfAborted();
      const givenUp = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', reject);
      });
      return await Promise.race([givenUp, this.#exchange(exchange).then(read)]);
    } catch (cause) {
      const unsent = !exchange.isSent;
      if (caller?.aborted) throw new UbikError('aborted', { unsent });
      if (signal.aborted) {
        throw new UbikError('network', 'The service did not answer in time.', { unsent });
      }
      if (isUbikError(cause)) throw unsent ? copyAsUnsent(cause) : cause;
      // An error of the platform may quote the address, and with it the token.
      throw new UbikError('network', call.tokenParameter ? { unsent } : { unsent, cause });
    } finally {
      if (timer) environment.clearTimer(timer);
    }
  }

  /** Once with a token, and once more with a fresh one when it was refused (401 and only 401). */
  async #exchange(exchange: Exchange): Promise<Response> {
    const { call } = exchange;
    const token = await this.#askToken(call.keepalive ? null : undefined);
    const response = await this.#send(exchange, token);
    const isRefused = response.status === 401 && this.#options.getToken;
    if (!isRefused) return this.#validate(call, response, token);
    exchange.isSent = false;
    response.body?.cancel().catch(() => undefined);
    const fresh = await this.#askToken(token);
    return this.#validate(call, await this.#send(exchange, fresh), fresh);
  }

  async #send(exchange: Exchange, token: string | null): Promise<Response> {
    const { call, signal, address } = exchange;
    const { environment, headers: extra } = this.#options;
    const { method, json, form = null, keepalive = false, onProgress, tokenParameter } = call;
    const headers = await createHeaders(environment, call, extra);
    const target = new URL(address);
    if (token && tokenParameter) target.searchParams.set(tokenParameter, token);
    else if (token) headers.set('authorization', `Bearer ${token}`);
    signal.throwIfAborted();
    const { href: url } = target;
    const shared = { method, headers: Object.fromEntries(headers), signal };
    const sent = { ...shared, credentials: this.#credentials };
    exchange.isSent = true;
    if (onProgress && form) {
      const upload = { ...sent, url, body: form };
      const answer = await this.#awaitResponse(
        call,
        signal,
        environment.upload(upload, onProgress),
      );
      this.#checkOrigin(answer.url);
      return new Response(answer.text || null, { status: answer.status, headers: answer.headers });
    }
    const body = json === undefined ? form : JSON.stringify(json);
    const init = { ...SAFE_REQUEST, ...sent, keepalive, body };
    const response = await this.#awaitResponse(call, signal, environment.fetch(url, init));
    this.#checkOrigin(response.url);
    return response;
  }

  /** An answer; for the first one that does not come, the reason is looked for. */
  async #awaitResponse<T>(
    { keepalive }: Call,
    signal: AbortSignal,
    answer: Promise<T>,
  ): Promise<T> {
    try {
      const reached = await answer;
      this.#hasConnected = true;
      return reached;
    } catch (cause) {
      if (this.#hasConnected || keepalive || signal.aborted) throw cause;
      const { environment } = this.#options;
      const obstacle = await environment.diagnoseConnection(this.baseUrl);
      const route = { base: this.#base, pageUrl: environment.pageUrl() };
      throw createUnreachableError(obstacle, route) ?? cause;
    }
  }

  /** What a host puts in the place of `fetch` or `upload` may follow redirects. */
  #checkOrigin(url: string): void {
    if (url && new URL(url).origin !== this.#base.origin) throw new UbikError('foreign-origin');
  }

  /** The answer when it is a success, and no page or JSON that was not asked for. */
  async #validate(
    { accept = JSON_TYPE }: Call,
    response: Response,
    token: string | null,
  ): Promise<Response> {
    const { environment } = this.#options;
    if (!response.ok) throw await createResponseError(response, environment.now(), token);
    const declared = readMediaKind(response.headers);
    // Whoever waits for JSON finds out by himself that a stream is none.
    const isFine = !declared || declared === 'event-stream' || accept.includes(declared);
    if (isFine || accept === '*/*') return response;
    response.body?.cancel().catch(() => undefined);
    throw new UbikError('not-an-api', { status: response.status });
  }
}

function copyAsUnsent(cause: UbikError): UbikError {
  const { code, message, status, retryAfter, offender } = cause;
  return new UbikError(code, message, { status, retryAfter, offender, cause, unsent: true });
}

async function createHeaders(
  environment: HttpClientOptions['environment'],
  { accept = JSON_TYPE, json }: HttpRequest,
  extra: HttpClientOptions['headers'],
): Promise<Headers> {
  try {
    const given =
      typeof extra === 'function' ? await callHost(environment, 'headers', extra) : extra;
    const headers = new Headers(given);
    headers.set('accept', accept);
    if (json !== undefined) headers.set('content-type', JSON_TYPE);
    return headers;
  } catch (error) {
    // The platform's error quotes the value, which may be a key.
    if (isUbikError(error)) throw error;
    throw new UbikError('misuse', 'The headers of the host failed, or HTTP does not allow them.');
  }
}
