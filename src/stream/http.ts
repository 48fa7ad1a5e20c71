import { isUbikError, UbikError } from '../errors.js';
import type { Environment, UploadProgress } from './environment.js';
import { resolveBaseUrl, resolveTarget, type Target } from './http/address.js';
import { createAnswerError, isHtml, readRefusedAnswer } from './http/answer-error.js';
import { parseJsonAnswer, readJsonAnswer } from './http/json-answer.js';
import { redact } from './http/redact.js';
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
  const tokens = createTokenSource(getToken);
  const isOwnOrigin = pageUrl !== null && new URL(pageUrl).origin === base.origin;
  const credentials = isOwnOrigin ? 'same-origin' : 'omit';

  /** A stand-in for `fetch`, and XMLHttpRequest, follow redirects. */
  const checkOrigin = (url: string) => {
    if (url && new URL(url).origin !== base.origin) throw new UbikError('foreign-origin');
  };

  const sendFetch = async (request: HttpRequest, { url, ...prepared }: Prepared) => {
    const { method, json, form = null } = request;
    const body = json === undefined ? form : JSON.stringify(json);
    const init = { ...SAFE_REQUEST, ...prepared, method, body, credentials } as const;
    const response = await environment.fetch(url, init);
    checkOrigin(response.url);
    if (!response.ok) {
      throw createAnswerError(await readRefusedAnswer(response), environment.now());
    }
    refusePage(request, response);
    return response;
  };

  /** Once with a token, and once more with a fresh one when it was refused (401 and only 401). */
  const exchange = async <T>(request: HttpRequest, signal: AbortSignal, send: Send<T>) => {
    // First of all: a foreign address must not even cost a token.
    const url = resolveTarget(base, request);
    let token = await tokens.connect();
    for (let isRepeat = false; ; isRepeat = true) {
      const headers = await createHeaders(request, options.headers);
      signal.throwIfAborted();
      try {
        return await send({ ...attachToken(request, url, headers, token), signal });
      } catch (error) {
        const isRefused = getToken && isUbikError(error) && error.status === 401;
        if (isRepeat || signal.aborted || !isRefused) throw redact(error, token);
      }
      token = await tokens.renew(token);
    }
  };

  const act = <T>(request: HttpRequest, send: Send<T>, isWhole = true) =>
    attempt(environment, request, isWhole, (signal) => exchange(request, signal, send));

  return {
    baseUrl: base.href.replace(/\/$/, ''),
    request: (request) => act(request, (prepared) => sendFetch(request, prepared), false),
    json: (request) =>
      act(request, async (prepared) =>
        readJsonAnswer(await sendFetch(request, prepared), options.limits?.jsonBytes ?? 1 << 26),
      ),
    upload: (call, onProgress) =>
      act(call, async (prepared) => {
        const { method, form: body } = call;
        const upload = { ...prepared, method, body, credentials } as const;
        const { status, headers, url, text } = await environment.upload(upload, onProgress);
        checkOrigin(url);
        if (status >= 200 && status < 300) return parseJsonAnswer(text);
        throw createAnswerError({ status, headers, body: text }, environment.now());
      }),
  };
}

/** What both ways of sending have in common. */
interface Prepared {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
}

type Send<T> = (prepared: Prepared) => Promise<T>;

/**
 * One exchange, unless its caller gives up or its time is over first: it has a signal of its own, so that giving it up never
 * touches another. Behind an exchange that is not the whole the caller's signal still reaches the body of the answer.
 */
async function attempt<T>(
  environment: HttpClientOptions['environment'],
  { signal: caller, timeout }: HttpRequest,
  isWhole: boolean,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const passOn = () => controller.abort(caller?.reason);
  if (caller?.aborted) passOn();
  caller?.addEventListener('abort', passOn);
  const timer =
    timeout === undefined ? null : environment.setTimer(() => controller.abort(), timeout);
  try {
    return await new Promise<T>((resolve, reject) => {
      const giveUp = () => reject(signal.reason as Error);
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp);
      run(signal).then(resolve, reject);
    });
  } catch (cause) {
    if (caller?.aborted) throw new UbikError('aborted');
    if (signal.aborted) throw new UbikError('network', 'The service did not answer in time.');
    throw isUbikError(cause) ? cause : new UbikError('network', { cause });
  } finally {
    if (timer) environment.clearTimer(timer);
    if (isWhole) caller?.removeEventListener('abort', passOn);
  }
}

function refusePage({ accept = '' }: HttpRequest, response: Response): void {
  if (/text\/html|\*\/\*/.test(accept) || !isHtml(response.headers, '')) return;
  response.body?.cancel().catch(() => undefined);
  throw new UbikError('not-an-api', { status: response.status });
}

async function createHeaders(
  { accept = 'application/json', json }: HttpRequest,
  extra: HttpClientOptions['headers'] = {},
): Promise<Headers> {
  const given =
    typeof extra !== 'function'
      ? extra
      : await Promise.resolve()
          .then(extra)
          .catch((cause: unknown) => {
            if (isUbikError(cause)) throw cause;
            const text = 'The function that gives headers failed; nothing was sent.';
            throw new UbikError('misuse', text, { cause });
          });
  let headers;
  try {
    headers = new Headers({ ...given });
  } catch {
    // The platform's error quotes the value, which may be a key.
    throw new UbikError('misuse', 'A header has a name or value that HTTP does not allow.');
  }
  headers.set('accept', accept);
  if (json !== undefined) headers.set('content-type', 'application/json');
  return headers;
}

function attachToken(
  { tokenParameter }: HttpRequest,
  address: URL,
  headers: Headers,
  token: string | null,
): { url: string; headers: Record<string, string> } {
  const url = new URL(address);
  if (token !== null && tokenParameter) url.searchParams.set(tokenParameter, token);
  else if (token !== null) headers.set('authorization', `Bearer ${token}`);
  return { url: url.href, headers: Object.fromEntries(headers) };
}
