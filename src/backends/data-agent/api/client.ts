import { isUbikError, UbikError } from '../../../errors.js';
import { createEnvironment, type Environment } from '../../../transport/environment.js';
import {
  createHttpClient,
  encodePath,
  type GetToken,
  type HttpClient,
  type HttpRequest,
} from '../../../transport/http.js';
import type { ApiPrefix, DataAgentBackendOptions, DataAgentLimits } from '../options.js';
import { readResponseError } from '../view/run-errors.js';

/** The HTTP client of the backend, with what all of its requests share. */
export interface DataAgentClient {
  readonly environment: Environment;
  readonly limits: DataAgentLimits;
  readonly options: DataAgentBackendOptions;
  /** Key of the agent. */
  readonly agentKey: string;
  /** The agent that answers: its id once the onboarding has brought it, else its key. The service accepts both. */
  agentId: string;
  /** Version of the agent, for the onboarding and for questions. */
  readonly agentVersion: string;
  /** Sends a request and parses the JSON of the response. `path` is below the path of the agent's app. */
  requestJson(
    method: HttpRequest['method'],
    path: string,
    more?: Partial<HttpRequest>,
  ): Promise<unknown>;
  /** Sends a request whose response body is ignored. */
  request(method: HttpRequest['method'], path: string, more?: Partial<HttpRequest>): Promise<void>;
  /** Sends a POST that is answered with a stream, or with a whole reply as JSON. Without a timeout: no byte comes before the first frame. */
  openStream(path: string, json: unknown, signal: AbortSignal): Promise<Response>;
  /** Loads the description of the agent. */
  loadAgent(signal?: AbortSignal): Promise<unknown>;
  /** Calls `onDiagnostic` of the backend. */
  reportDiagnostic(error: UbikError): void;
}

const PREFIXES: readonly ApiPrefix[] = ['/api/agent-factory/v1', '/api/agent-app/v1'];
const MARKET = '/api/agent-factory/v3/agent-market';

/**
 * Creates the client of the service that the options name.
 *
 * @throws {UbikError} `misuse` without an agent, and for a base URL that cannot be used.
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
  const router = new PrefixRouter(prefix);
  const { requestTimeout: timeout = 30_000 } = limits;
  const app = encodePath`/app/${agentKey}`;
  const send = <T>(path: string, call: (path: string) => Promise<T>): Promise<T> =>
    router.send((current) => call(current + app + path));
  return {
    environment,
    limits,
    options,
    agentKey,
    agentId: agentKey,
    agentVersion,
    reportDiagnostic,
    requestJson: (method, path, more) =>
      send(path, (full) => http.json({ method, path: full, timeout, ...more })),
    request: (method, path, more) =>
      send(path, (full) => discardBody(http, { method, path: full, timeout, ...more })),
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

async function discardBody(http: HttpClient, request: HttpRequest): Promise<void> {
  const { body } = await http.request(request);
  await body?.cancel();
}

/** Splits a prefix of the API off the end of the base URL. */
function splitBaseUrl({ baseUrl, prefix }: DataAgentBackendOptions): {
  readonly baseUrl: string;
  readonly prefix: ApiPrefix | undefined;
} {
  const address = (baseUrl ?? '').replace(/\/+$/, '');
  const found = PREFIXES.find((known) => address.endsWith(known));
  const start = found ? address.slice(0, -found.length) : address;
  return { baseUrl: start || '/', prefix: prefix ?? found };
}

/** Removes `Bearer`, however often it is there: the client adds it once. */
function withoutScheme(getToken: GetToken): GetToken {
  return async (ask) => {
    const token: unknown = await getToken(ask);
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

/** The language of the service that is nearest to a BCP 47 tag: English for all but Chinese. */
function findServiceLanguage(tag: string): string {
  if (!/^zh\b/i.test(tag)) return 'en-US';
  const isTraditional = /-(?:hant|tw|hk|mo)\b/i.test(tag) && !/-hans\b/i.test(tag);
  return isTraditional ? 'zh-TW' : 'zh-CN';
}

/**
 * Finds the path prefix of a service. When a request gets a 404 before the prefix has proven right, the other one is tried, and is used
 * from then on when anything but a 404 comes back.
 */
class PrefixRouter {
  #prefix: ApiPrefix;
  #isProven = false;

  constructor(prefix: ApiPrefix = '/api/agent-factory/v1') {
    this.#prefix = prefix;
  }

  async send<T>(call: (prefix: ApiPrefix) => Promise<T>): Promise<T> {
    const first = this.#prefix;
    try {
      return await this.#try(first, call);
    } catch (error) {
      const other = PREFIXES.find((prefix) => prefix !== first);
      if (this.#isProven || !other || !isMissing(error)) throw error;
      return this.#try(other, call).catch((second: unknown) => {
        // With both prefixes missing, the thing itself is missing.
        throw isMissing(second) ? error : second;
      });
    }
  }

  async #try<T>(prefix: ApiPrefix, call: (prefix: ApiPrefix) => Promise<T>): Promise<T> {
    try {
      const result = await call(prefix);
      this.#prove(prefix);
      return result;
    } catch (error) {
      if (isUbikError(error) && error.status !== undefined && !isMissing(error)) {
        this.#prove(prefix);
      }
      throw error;
    }
  }

  #prove(prefix: ApiPrefix): void {
    this.#prefix = prefix;
    this.#isProven = true;
  }
}

function isMissing(error: unknown): boolean {
  return isUbikError(error) && error.status === 404;
}
