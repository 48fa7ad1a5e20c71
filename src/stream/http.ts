import { isUbikError, UbikError } from '../errors.js';
import type { Environment, UploadProgress } from './environment.js';
import { createForeignError, resolveBaseUrl, resolveTarget, type Target } from './http/address.js';
import { createAnswerError, isHtml, readRefusedAnswer } from './http/answer-error.js';
import { startAttempt, type Attempt } from './http/attempt.js';
import { parseJsonAnswer, readJsonAnswer } from './http/json-answer.js';
import { redact } from './http/redact.js';
import { createTokenSource, type GetToken, type TokenSource } from './http/token-source.js';

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
  return new FetchingClient(options);
}

/** What both ways of sending have in common. */
interface Prepared {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

class FetchingClient implements HttpClient {
  readonly #options: HttpClientOptions;
  readonly #base: URL;
  readonly #tokens: TokenSource;
  readonly #credentials: 'same-origin' | 'omit';

  constructor(options: HttpClientOptions) {
    this.#options = options;
    const pageUrl = options.environment.pageUrl();
    this.#base = resolveBaseUrl(options.baseUrl, pageUrl);
    this.#tokens = createTokenSource(options.getToken);
    const isOwnOrigin = pageUrl !== null && new URL(pageUrl).origin === this.#base.origin;
    this.#credentials = isOwnOrigin ? 'same-origin' : 'omit';
  }

  get baseUrl(): string {
    return this.#base.href.replace(/\/$/, '');
  }

  async request(request: HttpRequest): Promise<Response> {
    const attempt = this.#start(request);
    try {
      return await this.#answer(request, attempt);
    } finally {
      attempt.headArrived();
    }
  }

  async json(request: HttpRequest): Promise<unknown> {
    const attempt = this.#start(request);
    try {
      const response = await this.#answer(request, attempt);
      return await readJsonAnswer(response, this.#options.limits?.jsonBytes ?? 1 << 26);
    } catch (error) {
      throw attempt.explain(error);
    } finally {
      attempt.end();
    }
  }

  async upload(call: UploadCall, onProgress: UploadProgress): Promise<unknown> {
    const attempt = this.#start(call);
    try {
      const answer = await this.#withToken(call, attempt, async (prepared) => {
        const { method, form: body } = call;
        const credentials = this.#credentials;
        const sent = await this.#options.environment.upload(
          { ...prepared, method, body, credentials },
          onProgress,
        );
        this.#checkOrigin(sent.url);
        if (sent.status >= 200 && sent.status < 300) return sent;
        throw createAnswerError({ ...sent, body: sent.text }, this.#options.environment.now());
      });
      return parseJsonAnswer(answer.text, answer.headers);
    } catch (error) {
      throw attempt.explain(error);
    } finally {
      attempt.end();
    }
  }

  #start(request: HttpRequest): Attempt {
    return startAttempt(this.#options.environment, request.signal, request.timeout);
  }

  async #answer(request: HttpRequest, attempt: Attempt): Promise<Response> {
    try {
      return await this.#withToken(request, attempt, (prepared) => this.#fetch(request, prepared));
    } catch (error) {
      throw attempt.explain(error);
    }
  }

  /** Once with a token, and once more with a fresh one when it was refused (401 and only 401). */
  async #withToken<T>(
    request: HttpRequest,
    attempt: Attempt,
    send: (prepared: Prepared) => Promise<T>,
  ): Promise<T> {
    // First of all: a foreign address must not even cost a token.
    const url = resolveTarget(this.#base, request);
    let token = await attempt.wait(this.#tokens.connect());
    for (let isRepeat = false; ; isRepeat = true) {
      const headers = await attempt.wait(this.#createHeaders(request));
      const prepared = { ...attachToken(request, url, headers, token), signal: attempt.signal };
      try {
        return await attempt.wait(send(prepared));
      } catch (error) {
        if (isRepeat || !isRefused(error) || !this.#options.getToken) throw redact(error, token);
      }
      token = await attempt.wait(this.#tokens.renew(token));
    }
  }

  async #createHeaders(request: HttpRequest): Promise<Headers> {
    const { headers: extra = {} } = this.#options;
    const headers = makeHeaders(typeof extra === 'function' ? await callHost(extra) : extra);
    headers.set('accept', request.accept ?? 'application/json');
    if (request.json !== undefined) headers.set('content-type', 'application/json');
    return headers;
  }

  async #fetch(request: HttpRequest, prepared: Prepared): Promise<Response> {
    const { url, headers, signal } = prepared;
    const body = request.json === undefined ? (request.form ?? null) : JSON.stringify(request.json);
    const response = await this.#options.environment.fetch(url, {
      method: request.method,
      headers,
      body,
      signal,
      credentials: this.#credentials,
      redirect: 'error',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    this.#checkOrigin(response.url);
    if (!response.ok)
      throw createAnswerError(await readRefusedAnswer(response), this.#options.environment.now());
    refusePage(request, response);
    return response;
  }

  /** A stand-in for `fetch`, and XMLHttpRequest, follow redirects. */
  #checkOrigin(url: string): void {
    if (url !== '' && new URL(url).origin !== this.#base.origin) throw createForeignError();
  }
}

function refusePage(request: HttpRequest, response: Response): void {
  if (/text\/html|\*\/\*/.test(request.accept ?? '') || !isHtml(response.headers, '')) return;
  response.body?.cancel().catch(() => undefined);
  throw new UbikError(
    'not-an-api',
    'A web page answered instead of the service; look at the base URL.',
    {
      status: response.status,
    },
  );
}

function isRefused(error: unknown): boolean {
  return isUbikError(error) && error.code === 'unauthorized' && error.status === 401;
}

async function callHost(
  headers: () => ExtraHeaders | Promise<ExtraHeaders>,
): Promise<ExtraHeaders> {
  try {
    return await headers();
  } catch (cause) {
    if (isUbikError(cause)) throw cause;
    throw new UbikError('misuse', 'The function that gives headers failed; nothing was sent.', {
      cause,
    });
  }
}

function makeHeaders(extra: ExtraHeaders): Headers {
  try {
    return new Headers({ ...extra });
  } catch {
    // The platform's error quotes the value, which may be a key.
    throw new UbikError('misuse', 'A header has a name or value that HTTP does not allow.');
  }
}

function attachToken(
  request: HttpRequest,
  address: URL,
  headers: Headers,
  token: string | null,
): { url: string; headers: Record<string, string> } {
  const url = new URL(address);
  if (token !== null && request.tokenParameter) url.searchParams.set(request.tokenParameter, token);
  else if (token !== null) headers.set('authorization', `Bearer ${token}`);
  return { url: url.href, headers: Object.fromEntries(headers) };
}
