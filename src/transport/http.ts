import { isUbikError, UbikError } from '../errors.js';
import { combineSignals } from './abort-signals.js';
import type { createUnreachableError } from './connection-diagnosis.js';
import type { Environment, UploadProgress } from './environment.js';
import { createSliceYield } from './slice-yield.js';
import {
  cancelBody,
  createResponseError,
  readJson,
  readMediaKind,
  type ReadServiceError,
} from './response.js';
import { resolveBaseUrl, resolveTarget, type RequestTarget } from './url.js';
import {
  callHost,
  createTokenSource,
  isNetworkFailure,
  type GetToken,
  type TokenSource,
} from './token.js';
import { SAFE_REQUEST } from './upload.js';

export { encodePath } from './url.js';
export type { RequestTarget } from './url.js';
export type { GetToken, TokenRequest } from './token.js';

/** Additional headers from the host, sent with every request. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** Options of {@link createHttpClient}. */
export interface HttpClientOptions {
  readonly environment: Pick<
    Environment,
    | 'fetch'
    | 'upload'
    | 'diagnoseConnection'
    | 'now'
    | 'monotonic'
    | 'yieldToEventLoop'
    | 'pageUrl'
    | 'setTimer'
    | 'clearTimer'
  >;
  /** Absolute, or relative to the page. All requests stay on its origin. */
  readonly baseUrl: string;
  /**
   * Called when there is no valid token, and once more when a response says that the token was rejected. Not called for a request with
   * `keepalive`.
   */
  readonly getToken?: GetToken | undefined;
  /** Whether a response says that the token was rejected; by default one with the status 401. */
  readonly isTokenRejected?: ((response: Response) => boolean) | undefined;
  /**
   * Additional headers, or a callback that returns them within 20 s, called before each request. They never override the client's headers.
   */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders | Promise<ExtraHeaders>) | undefined;
  /** Reads the error description that the service has written for users; by default none is read. */
  readonly readServiceError?: ReadServiceError | undefined;
  readonly limits?: HttpLimits | undefined;
}

/** Limits of an HTTP client. */
export interface HttpLimits {
  /** Maximum size of a JSON response, in bytes; 64 Mi by default. */
  readonly jsonBytes?: number | undefined;
}

/** A request. It has at most one of `json` and `form`. */
export interface HttpRequest extends RequestTarget {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as multipart form data. */
  readonly form?: FormData | undefined;
  /** The `Accept` header; `application/json` by default. HTML or JSON that the header does not list is rejected with `not-an-api`. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends a request that outlives the page, with the last token if there is one, because an unloading page has no time to request a new one.
   */
  readonly keepalive?: boolean | undefined;
  /**
   * Time in ms until the response headers must arrive (for {@link HttpClient.json} and `upload`: the whole response); unlimited by default.
   */
  readonly timeout?: number | undefined;
  /** Sends the token in this query parameter instead of a header. Servers log URLs, so this must be an explicit choice of the host. */
  readonly tokenParameter?: string | undefined;
}

/** An upload request. */
export type UploadCall = Omit<HttpRequest, 'json' | 'form'> & { readonly form: FormData };

/** An HTTP client for one service. Every method rejects with a `UbikError`. */
export interface HttpClient {
  /** The absolute base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Resolves to a successful response (2xx). The caller has to read or cancel its body. */
  request(request: HttpRequest): Promise<Response>;
  /** Resolves to the JSON of the response; null for an empty body. */
  json(request: HttpRequest): Promise<unknown>;
  /** Sends a form, reports progress, and resolves to the JSON of the response. */
  upload(call: UploadCall, onProgress: UploadProgress): Promise<unknown>;
  /**
   * Requests a token for the first request. Ignores a failure, because that request asks again. Does nothing when called again, except after
   * `forgetToken`. Resolves without waiting for the token.
   */
  prepare(): Promise<void>;
  /**
   * Drops the token, because the user may have changed: the next request asks for a new one. A request in progress keeps its token; when that is
   * rejected, the request is not repeated and rejects with `unauthorized`.
   */
  forgetToken(): void;
}

/**
 * Creates an HTTP client. Credentials are sent to the origin of the base URL only. Redirects are rejected. No request is repeated,
 * except once with a new token of the same user after a 401, in which case the service has not processed the request (UBIK R8).
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

/** A request with optional upload progress. */
type Call = HttpRequest & { readonly onProgress?: UploadProgress };

/** The state of a request in progress. */
interface Exchange {
  readonly call: Call;
  readonly signal: AbortSignal;
  readonly address: URL;
  /** Whether the service may have received and accepted the request. False before it is sent and after its token was rejected. */
  isSent: boolean;
}

class FetchHttpClient implements HttpClient {
  readonly baseUrl: string;
  readonly #options: HttpClientOptions;
  readonly #base: URL;
  readonly #credentials: 'same-origin' | 'omit';
  readonly #tokens: TokenSource;
  /** Whether the service has ever responded. If so, a later failure is not caused by the base URL or the policies of the page. */
  #hasConnected = false;
  #isPrepared = false;

  constructor(options: HttpClientOptions) {
    const pageUrl = options.environment.pageUrl();
    this.#options = options;
    this.#base = resolveBaseUrl(options.baseUrl, pageUrl);
    this.baseUrl = this.#base.href.replace(/\/$/, '');
    const isOwnOrigin = pageUrl !== null && new URL(pageUrl).origin === this.#base.origin;
    this.#credentials = isOwnOrigin ? 'same-origin' : 'omit';
    this.#tokens = createTokenSource(options.environment, options.getToken);
  }

  request(request: HttpRequest): Promise<Response> {
    return this.#perform(request, (response) => response);
  }

  json(request: Call): Promise<unknown> {
    const { environment, limits } = this.#options;
    return this.#perform(request, (response) =>
      readJson(response, limits?.jsonBytes, createSliceYield(environment)),
    );
  }

  upload(call: UploadCall, onProgress: UploadProgress): Promise<unknown> {
    return this.json({ ...call, onProgress });
  }

  prepare(): Promise<void> {
    const isNeeded = this.#options.getToken && !this.#isPrepared;
    this.#isPrepared = true;
    if (isNeeded) this.#tokens.request().catch(() => undefined);
    return Promise.resolve();
  }

  forgetToken(): void {
    this.#isPrepared = false;
    this.#tokens.forget();
  }

  /**
   * Performs a request until the caller aborts it or it times out. Each request has its own signal, so that a timeout affects no
   * other request. The caller's signal also aborts the response body.
   */
  async #perform<T>(call: Call, read: (response: Response) => T | Promise<T>): Promise<T> {
    const { environment } = this.#options;
    const { signal: caller, timeout } = call;
    const timedOut = new AbortController();
    const signal = combineSignals(timedOut.signal, caller);
    // Throws for a foreign URL before a token is requested.
    const exchange = { call, signal, address: resolveTarget(this.#base, call), isSent: false };
    const timer =
      timeout === undefined ? null : environment.setTimer(() => timedOut.abort(), timeout);
    try {
      signal.throwIfAborted();
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', reject);
      });
      return await Promise.race([aborted, this.#exchange(exchange).then(read)]);
    } catch (cause) {
      const unsent = !exchange.isSent;
      if (caller?.aborted) throw new UbikError('aborted', { unsent });
      if (signal.aborted) {
        throw new UbikError('network', 'The service did not respond in time.', { unsent });
      }
      if (isUbikError(cause)) throw unsent ? copyAsUnsent(cause) : cause;
      // The platform's error may quote the URL, which contains the token if there is a `tokenParameter`.
      throw new UbikError('network', call.tokenParameter ? { unsent } : { unsent, cause });
    } finally {
      if (timer) environment.clearTimer(timer);
    }
  }

  /**
   * Sends a request with a token, and once more with a new one when the token was rejected (by default with a 401). With `keepalive`, only once
   * and with the last token.
   */
  async #exchange(exchange: Exchange): Promise<Response> {
    const { call } = exchange;
    const { keepalive = false } = call;
    const { user } = this.#tokens;
    const token = keepalive ? this.#tokens.last : await this.#tokens.request();
    const response = await this.#send(exchange, token);
    const { getToken, isTokenRejected = ({ status }) => status === 401 } = this.#options;
    const isRejected = isTokenRejected(response) && getToken && !keepalive;
    if (!isRejected) return this.#validate(call, response, token);
    exchange.isSent = false;
    cancelBody(response);
    const fresh = await this.#tokens.replace(token, user);
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
      const uploading = environment.upload(upload, onProgress);
      const {
        url: from,
        text,
        status,
        headers: received,
      } = await this.#awaitResponse(call, signal, uploading);
      this.#checkOrigin(from);
      return new Response(text || null, { status, headers: received });
    }
    const body = json === undefined ? form : JSON.stringify(json);
    const init = { ...SAFE_REQUEST, ...sent, keepalive, body };
    const response = await this.#awaitResponse(call, signal, environment.fetch(url, init));
    this.#checkOrigin(response.url);
    return response;
  }

  /** Waits for a response. When a request fails before the service has ever responded, diagnoses the reason. */
  async #awaitResponse<T>(
    { keepalive }: Call,
    signal: AbortSignal,
    pending: Promise<T>,
  ): Promise<T> {
    try {
      const response = await pending;
      this.#hasConnected = true;
      return response;
    } catch (cause) {
      if (this.#hasConnected || keepalive || signal.aborted) throw cause;
      const { environment } = this.#options;
      const diagnosis = await environment.diagnoseConnection(this.baseUrl);
      if (diagnosis.kind === 'unknown') throw cause;
      const explain = await loadExplanation();
      throw explain?.(diagnosis, { base: this.#base, pageUrl: environment.pageUrl() }) ?? cause;
    }
  }

  /** Rejects a response from another origin, because a `fetch` or `upload` of the host may follow redirects. */
  #checkOrigin(url: string): void {
    if (url && new URL(url).origin !== this.#base.origin) throw new UbikError('foreign-origin');
  }

  /** Returns a successful response in an accepted format; throws for any other one. */
  async #validate(
    { accept = JSON_TYPE }: Call,
    response: Response,
    token: string | null,
  ): Promise<Response> {
    const { environment, readServiceError } = this.#options;
    if (!response.ok) {
      throw await createResponseError(response, environment.now(), token, readServiceError);
    }
    const declared = readMediaKind(response.headers);
    // If the caller expects JSON, a stream is rejected when its body is parsed.
    const isAccepted = !declared || declared === 'event-stream' || accept.includes(declared);
    if (isAccepted || accept === '*/*') return response;
    cancelBody(response);
    throw new UbikError('not-an-api', { status: response.status });
  }
}

/** Loads the function that explains a failed connection lazily, since it is needed only after a failure. Null if it cannot be loaded. */
async function loadExplanation(): Promise<typeof createUnreachableError | null> {
  try {
    return (await import('./connection-diagnosis.js')).createUnreachableError;
  } catch {
    return null;
  }
}

/** Returns an error as that of a request that was not sent or was rejected, for example because a request on which it depends has failed. */
export function copyAsUnsent(error: UbikError): UbikError {
  const { code, message, status, retryAfter, offender, serviceError, cause } = error;
  const details = { status, retryAfter, offender, serviceError, cause };
  return new UbikError(code, message, { ...details, unsent: true });
}

async function createHeaders(
  environment: HttpClientOptions['environment'],
  { accept = JSON_TYPE, json }: HttpRequest,
  extra: HttpClientOptions['headers'],
): Promise<Headers> {
  try {
    const extraHeaders =
      typeof extra === 'function'
        ? await callHost(environment, 'headers', extra).catch(rejectHeaders)
        : extra;
    const headers = new Headers(extraHeaders);
    headers.set('accept', accept);
    // The browser sets the type of a form, because the type includes the boundary of its parts.
    if (json === undefined) headers.delete('content-type');
    else headers.set('content-type', JSON_TYPE);
    return headers;
  } catch (error) {
    // The platform's error is not passed on, because it quotes the value, which may be a key.
    if (isUbikError(error)) throw error;
    throw new UbikError('misuse', 'The headers callback failed, or a header is not valid.');
  }
}

function rejectHeaders(error: unknown): never {
  if (!isNetworkFailure(error)) throw error;
  throw new UbikError('network', 'headers failed; the service has not processed the request.');
}
