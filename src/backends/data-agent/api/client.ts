import { isUbikError, UbikError } from '../../../errors.js';
import { createEnvironment, type Environment } from '../../../transport/environment.js';
import {
  createHttpClient,
  encodePath,
  type GetToken,
  type HttpClient,
  type HttpRequest,
} from '../../../transport/http.js';
import { cancelBody } from '../../../transport/response.js';
import type { ApiPrefix, DataAgentBackendOptions, DataAgentLimits } from '../options.js';
import { readResponseError } from '../projection/run-errors.js';

/** The HTTP client of the backend, and the state that its requests share. */
export interface DataAgentClient extends Pick<HttpClient, 'prepare' | 'forgetToken'> {
  readonly environment: Environment;
  readonly limits: DataAgentLimits;
  readonly options: DataAgentBackendOptions;
  /** Key of the agent. */
  readonly agentKey: string;
  /** The id of the agent; until the onboarding has loaded it, its key. Sent with questions and new conversations; the service accepts both. */
  agentId: string;
  /** Version of the agent, for the onboarding, new conversations and questions. */
  readonly agentVersion: string;
  /** Sends a request and parses the JSON of the response. `path` is relative to the path of the agent. */
  requestJson(
    method: HttpRequest['method'],
    path: string,
    more?: Partial<HttpRequest>,
  ): Promise<unknown>;
  /** Sends a request whose response body is ignored. */
  request(method: HttpRequest['method'], path: string, more?: Partial<HttpRequest>): Promise<void>;
  /**
   * Sends a POST whose response is a stream, or a whole reply as JSON. Has no timeout, because the service sends no byte before the first
   * event.
   */
  openStream(path: string, json: unknown, signal: AbortSignal): Promise<Response>;
  /** Loads the description of the agent. */
  loadAgent(signal?: AbortSignal): Promise<unknown>;
  /** Calls `onDiagnostic` of the backend. */
  reportDiagnostic(error: UbikError): void;
}

const PREFIXES: readonly ApiPrefix[] = ['/api/agent-factory/v1', '/api/agent-app/v1'];
/** Path of the descriptions of agents, which does not depend on the API prefix. */
const MARKET = '/api/agent-factory/v3/agent-market';

/**
 * Creates the client for the service of the options.
 *
 * @throws {UbikError} `misuse` without an agent, and for an invalid base URL.
 */
export function createDataAgentClient(
  options: DataAgentBackendOptions,
  reportDiagnostic: (error: UbikError) => void,
): DataAgentClient {
  const { agentId: agentKey, agentVersion = 'latest', limits = {} } = options;
  const { environment = createEnvironment() } = options;
  if (!agentKey) throw new UbikError('misuse', 'Set agent-id to the key of a Data Agent.');
  const { baseUrl, prefix } = splitBaseUrl(options);
  const { getToken, shouldRefreshToken } = options;
  const http = createHttpClient({
    environment,
    baseUrl,
    getToken: getToken ? withoutScheme(getToken) : undefined,
    isTokenRejected: shouldRefreshToken && (({ status }) => shouldRefreshToken(status)),
    readServiceError: readResponseError,
    headers: createHeaders(options),
  });
  const prefixes = new PrefixFallback(prefix);
  const { requestTimeout: timeout = 30_000 } = limits;
  const app = encodePath`/app/${agentKey}`;
  const send = <T>(path: string, call: (path: string) => Promise<T>): Promise<T> =>
    prefixes.send((current) => call(current + app + path));
  return {
    environment,
    limits,
    options,
    agentKey,
    agentId: agentKey,
    agentVersion,
    reportDiagnostic,
    prepare: () => http.prepare(),
    forgetToken: () => http.forgetToken(),
    requestJson: (method, path, more) =>
      send(path, (full) => http.json({ method, path: full, timeout, ...more })),
    request: (method, path, more) =>
      send(path, async (full) => {
        cancelBody(await http.request({ method, path: full, timeout, ...more }));
      }),
    openStream: (path, json, signal) => {
      const accept = 'text/event-stream, application/json';
      return send(path, (full) =>
        http.request({ method: 'POST', path: full, json, accept, signal }),
      );
    },
    loadAgent: (signal) => {
      const path = MARKET + encodePath`/agent/${agentKey}/version/${agentVersion}`;
      return http.json({ method: 'GET', path, timeout, signal });
    },
  };
}

/** Splits an API prefix off the end of the base URL. */
function splitBaseUrl({ baseUrl, prefix }: DataAgentBackendOptions): {
  readonly baseUrl: string;
  readonly prefix: ApiPrefix | undefined;
} {
  const address = (baseUrl ?? '').replace(/\/+$/, '');
  const found = PREFIXES.find((known) => address.endsWith(known));
  const start = found ? address.slice(0, -found.length) : address;
  return { baseUrl: start || '/', prefix: prefix ?? found };
}

/** Removes `Bearer`, even when it is repeated: the client adds it once. */
function withoutScheme(getToken: GetToken): GetToken {
  return async (request) => {
    const token: unknown = await getToken(request);
    return typeof token === 'string' ? token.trim().replace(/^(?:bearer\s+)+/i, '') : '';
  };
}

function createHeaders({
  headers,
  businessDomain = 'bd_public',
  language,
}: DataAgentBackendOptions): Exclude<DataAgentBackendOptions['headers'], undefined> {
  return async () => {
    const tag = typeof language === 'function' ? findServiceLanguage(language()) : language;
    return {
      ...(typeof headers === 'function' ? await headers() : headers),
      'x-business-domain': businessDomain,
      ...(tag === undefined ? {} : { 'x-language': tag }),
    };
  };
}

/** Maps a BCP 47 tag to the nearest language of the service: English for everything but Chinese. */
function findServiceLanguage(tag: string): string {
  if (!/^zh\b/i.test(tag)) return 'en-US';
  const isTraditional = /-(?:hant|tw|hk|mo)\b/i.test(tag) && !/-hans\b/i.test(tag);
  return isTraditional ? 'zh-TW' : 'zh-CN';
}

/**
 * Finds the API prefix of a service. After a 404, a request is repeated with the other prefix, unless its own is already confirmed. A
 * success confirms the prefix of its request, and so does an error that the service describes, except 401 and 404.
 */
class PrefixFallback {
  #prefix: ApiPrefix;
  #isConfirmed = false;

  constructor(prefix: ApiPrefix = '/api/agent-factory/v1') {
    this.#prefix = prefix;
  }

  async send<T>(call: (prefix: ApiPrefix) => Promise<T>): Promise<T> {
    const first = this.#prefix;
    try {
      return await this.#try(first, call);
    } catch (error) {
      const other = PREFIXES.find((prefix) => prefix !== first);
      // Another request may have confirmed the other prefix in the meantime.
      const isConfirmed = this.#isConfirmed && this.#prefix === first;
      if (isConfirmed || !other || !isNotFound(error)) throw error;
      return this.#try(other, call).catch((second: unknown) => {
        // A 404 with both prefixes means that the resource does not exist. An error without a description may be the web page of a gateway.
        throw isNotFound(second) && !second.serviceError ? error : second;
      });
    }
  }

  async #try<T>(prefix: ApiPrefix, call: (prefix: ApiPrefix) => Promise<T>): Promise<T> {
    try {
      const result = await call(prefix);
      this.#confirm(prefix);
      return result;
    } catch (error) {
      // Any other error may be that of a gateway, which responds also for a prefix that the service does not have.
      const isOfService = isUbikError(error) && error.serviceError && error.status !== 401;
      if (isOfService && !isNotFound(error)) this.#confirm(prefix);
      throw error;
    }
  }

  #confirm(prefix: ApiPrefix): void {
    this.#prefix = prefix;
    this.#isConfirmed = true;
  }
}

function isNotFound(error: unknown): error is UbikError {
  return isUbikError(error) && error.status === 404;
}
