import { isUbikError, UbikError } from '../../../errors.js';
import { createEnvironment, type Environment } from '../../../transport/environment.js';
import {
  createHttpClient,
  type ExtraHeaders,
  type HttpClient,
  type HttpRequest,
  type RequestTarget,
} from '../../../transport/http.js';
import type { UbikBackendOptions, UbikLimits } from '../options.js';
import { createEventReader, type EventReader, type Dialect } from '../events/event-reader.js';
import { ServiceClock } from '../events/service-clock.js';
import { cancelBody, readResponseDate } from '../../../transport/response.js';

/** The HTTP client of the backend, and the state that its requests share. */
export interface UbikClient {
  readonly http: HttpClient;
  readonly environment: Environment;
  readonly limits: UbikLimits;
  readonly clock: ServiceClock;
  /** Sends a request and parses the JSON of the response. The timeout is `requestTimeout`, unless `more` sets another one. */
  requestJson(
    method: HttpRequest['method'],
    path: string,
    more?: Partial<HttpRequest>,
  ): Promise<unknown>;
  /** Sends a request as {@link requestJson} does, and ignores the body of the response. */
  request(method: HttpRequest['method'], path: string, more?: Partial<HttpRequest>): Promise<void>;
  /** Requests a file. The timeout of {@link request} applies to the headers, and again to each piece of the file. */
  requestFile(path: string, signal: AbortSignal): Promise<Blob>;
  /** Opens a stream of server-sent events. Sets {@link clock} by the date of the response. */
  openStream(target: RequestTarget, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Creates a reader for the events of one connection; for a session's stream by default. */
  createEventReader(dialect?: Dialect): EventReader;
  /** Calls `onDiagnostic` of the backend. */
  reportDiagnostic(error: UbikError): void;
  /** Calls `onExternalChange` of the backend. */
  reportExternalChange(session: string): void;
}

/** Creates the client for the service of the options. */
export function createUbikClient(
  options: UbikBackendOptions,
  {
    reportDiagnostic,
    reportExternalChange,
  }: Pick<UbikClient, 'reportDiagnostic' | 'reportExternalChange'>,
): UbikClient {
  const { baseUrl, getToken, environment = createEnvironment(), limits = {} } = options;
  const headers = guardHeaders(options, environment.pageUrl());
  const http = createHttpClient({ environment, baseUrl, getToken, headers });
  const { requestTimeout: timeout = 30_000 } = limits;
  const clock = new ServiceClock(environment);
  const streaming = {
    accept: 'text/event-stream',
    timeout,
    tokenParameter: options.streamAuth === 'query' ? 'token' : undefined,
  } as const;
  return {
    http,
    environment,
    limits,
    clock,
    reportDiagnostic,
    reportExternalChange,
    requestJson: (method, path, more) => http.json({ method, path, timeout, ...more }),
    request: async (method, path, more) => {
      cancelBody(await http.request({ method, path, timeout, ...more }));
    },
    requestFile: async (path, signal) => {
      const request = { method: 'GET', path, accept: '*/*', timeout, signal } as const;
      const response = await http.request(request);
      return readBlob(response, environment, timeout).catch((cause: unknown) => {
        if (isUbikError(cause)) throw cause;
        throw new UbikError(signal.aborted ? 'aborted' : 'network', { cause });
      });
    },
    openStream: async (target, signal) => {
      const request = { method: 'GET', ...target, ...streaming, signal } as const;
      const { body, status, headers } = await http.request(request);
      const date = readResponseDate(headers);
      if (date !== null) clock.set(date);
      // HTML standard, server-sent events: 204 means that the client must not reconnect.
      if (status === 204) throw new UbikError('interrupted', { status });
      return body ?? new Blob().stream();
    },
    createEventReader: (dialect) =>
      createEventReader({
        ...(dialect && { dialect }),
        limits: limits.deltas,
        maxDepth: limits.maxDepth,
        onDiagnostic: reportDiagnostic,
      }),
  };
}

/** Reads a body. Rejects when none of it arrives for `timeout` ms. */
async function readBlob(
  response: Response,
  environment: Environment,
  timeout: number,
): Promise<Blob> {
  const reader = response.body?.getReader();
  if (!reader) return response.blob();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let isStalled = false;
  const stall = (): void => {
    isStalled = true;
    reader.cancel().catch(() => undefined);
  };
  for (;;) {
    const timer = environment.setTimer(stall, timeout);
    const { done, value } = await reader.read().finally(() => {
      environment.clearTimer(timer);
    });
    if (isStalled) throw new UbikError('network');
    if (done) return new Blob(pieces, { type: response.headers.get('content-type') ?? '' });
    pieces.push(value);
  }
}

/** Rejects an API key, unless it is allowed on localhost. Headers that a function returns are checked for each request. */
function guardHeaders(
  { headers, allowInsecureKey, baseUrl }: UbikBackendOptions,
  pageUrl: string | null,
): UbikBackendOptions['headers'] {
  if (!headers || (allowInsecureKey && isLocal(baseUrl, pageUrl))) return headers;
  return typeof headers === 'function'
    ? async () => rejectApiKey(await headers())
    : rejectApiKey(headers);
}

function rejectApiKey(headers: ExtraHeaders): ExtraHeaders {
  if (!new Headers(headers).has('x-api-key')) return headers;
  throw new UbikError('misuse', 'No API key in a browser: give getToken, or use a proxy.');
}

function isLocal(baseUrl: string, pageUrl: string | null): boolean {
  const base = pageUrl ?? undefined;
  return (
    URL.canParse(baseUrl, base) &&
    /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(new URL(baseUrl, base).hostname)
  );
}
