import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendJson } from '../server/inert-content.js';
import { createTokenHandler } from '../server/token-handler.js';
import { createUbikProxy } from '../server/proxy.js';
import { openAgent, type Agent, type AgentOptions } from './agent/agent.js';
import type { LanguageModelOptions } from './agent/llm/chat-completion.js';
import { StartError } from './agent/start-error.js';
import type { DataAgent } from './data-agent/data-agent.js';
import { createControls, type Controls } from './faults/controls.js';
import { createStaticFiles, type StaticFiles } from './web/static-files.js';
import { createOriginAllowance, type AllowOrigin } from './web/cross-origin.js';
import { createOwnHostCheck, type IsOwnHost } from './web/own-hosts.js';
import { ensureVisitorId, readVisitor } from './web/visitor.js';

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Folder of the database. */
  readonly dataDir: string;
  /** Address that the server listens on; by default, only this machine can reach it. */
  readonly host?: string;
  /** Host names of the server, such as `demo.example.com`, besides IP addresses and `localhost`. */
  readonly hosts?: readonly string[];
  /** 1 for a natural pace (default), 0 for no waiting. */
  readonly speed?: number;
  /** Whether tests may choose dialects, faults and pauses (`demo/faults`). Never for a server that others can reach. */
  readonly controls?: boolean;
  /** A key with which the API may be used as an account; by default there is none. */
  readonly apiKey?: string;
  /**
   * Origins such as `https://www.example.com` whose pages may use the API with a token; by default only those of this server. Over plain http
   * except localhost, browsers do not tell the site of a request, so its own origin must be listed.
   */
  readonly allowedOrigins?: readonly string[];
  /** Settings of the Data Agent API. */
  readonly dataAgent?: AgentOptions['dataAgent'];
  /** A language model that plans and answers in both services; the rules do by default. */
  readonly model?: LanguageModelOptions;
  /** The real service, to which the requests of the API are forwarded; the local agents are then off. */
  readonly service?: { readonly apiKey: string; readonly baseUrl?: string };
  /** Called with unexpected errors; by default they are ignored. */
  readonly onError?: (error: unknown) => void;
}

/** A running server. */
export interface RunningServer {
  /** Its loopback address, without a slash at the end. */
  readonly url: string;
  /** The local agents; null when the server forwards to the real service. */
  readonly agent: Agent | null;
  /** Chooses dialects, faults and paused runs; null when they are not allowed. */
  readonly controls: Controls | null;
  /** Closes the server. Interrupted UBIK runs are marked as failed at the next start, and requests for input are restored. */
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

const ROOT = new URL('../', import.meta.url);
const API = '/api/v1';

/** Starts the demo: pages, tokens and the API. Rejects with a `StartError` that says in one sentence what is wrong. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const onError = options.onError ?? ((): void => undefined);
  const controls = options.controls === true ? createControls() : null;
  const agent =
    options.service === undefined
      ? openAgent({
          dataDir: options.dataDir,
          root: ROOT,
          speed: options.speed ?? 1,
          apiKey: options.apiKey ?? null,
          model: options.model ?? null,
          onError,
          ...(options.dataAgent === undefined ? {} : { dataAgent: options.dataAgent }),
          ...(controls === null ? {} : { faultInjection: controls, pausePoints: controls }),
        })
      : null;
  const api = agent === null ? createForwarder(options) : agent.handle;
  const token = createTokenRoute(options, agent);
  const files = createStaticFiles(ROOT);
  const allowOrigin = createOriginAllowance(options.allowedOrigins ?? []);
  const isOwnHost = createOwnHostCheck([options.host ?? '', ...(options.hosts ?? [])]);
  const server = createServer((request, response) => {
    serve(
      { api, dataAgent: agent?.dataAgent ?? null, token, files, controls, isOwnHost, allowOrigin },
      request,
      response,
    ).catch((error: unknown) => {
      onError(error);
      response.destroy();
    });
  });
  try {
    await listen(server, options);
  } catch (error) {
    await agent?.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    controls?.resumeRuns();
    const closed = new Promise((resolve) => server.close(resolve));
    await agent?.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${String(port)}`,
    agent,
    controls,
    close: () => (closing ??= close()),
  };
}

interface Dependencies {
  readonly api: Handler;
  readonly dataAgent: DataAgent | null;
  readonly token: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
  readonly files: StaticFiles;
  readonly isOwnHost: IsOwnHost;
  readonly allowOrigin: AllowOrigin;
  readonly controls: Controls | null;
}

async function serve(
  dependencies: Dependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (!dependencies.isOwnHost(request.headers.host)) {
    const detail =
      'This server does not answer under that name. Add the name to ALLOWED_HOSTS if it belongs to this server.';
    sendJson(response, 403, { detail });
  } else if (path === API || path.startsWith(`${API}/`)) {
    if (dependencies.allowOrigin(request, response)) return;
    await dependencies.api(request, response, path.slice(API.length) || '/');
  } else if (
    dependencies.dataAgent !== null &&
    (await dependencies.dataAgent.handle(request, response, path))
  ) {
    return;
  } else if (path === '/served.js') {
    sendServices(response, dependencies);
  } else if (path === '/token') {
    await dependencies.token(request, response);
  } else if (path === '/demo/controls' && dependencies.controls !== null) {
    await dependencies.controls.handle(request, response);
  } else {
    // The cookie is set with the page, because parallel first requests for a token would each create a visitor. A form of another site is
    // sent without the cookie, and the response would replace the visitor.
    const isPage = request.method === 'GET' && request.headers['sec-fetch-dest'] === 'document';
    if (isPage) ensureVisitorId(request, response);
    if (await dependencies.files(request, response, path)) return;
    sendJson(response, 404, { detail: 'Not Found' });
  }
}

/** Sends the script that tells the page which services this server offers, and whether its local agents answer. */
function sendServices(response: ServerResponse, { dataAgent }: Dependencies): void {
  const services = dataAgent === null ? ['ubik'] : ['ubik', 'data-agent'];
  response.writeHead(200, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`const served = ${JSON.stringify({ services, isLocal: dataAgent !== null })};\n`);
}

/** The handler is created for each request, so that it creates a visitor only for a request that it accepts. */
function createTokenRoute(options: ServerOptions, agent: Agent | null): Dependencies['token'] {
  const { service: { apiKey = '', baseUrl } = {}, allowedOrigins = [] } = options;
  const source =
    agent === null
      ? { apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }
      : {
          mint: (user: string, minutes: number) =>
            Promise.resolve(agent.createToken(user, minutes)),
        };
  return (request, response) => {
    const getUser = (): string => ensureVisitorId(request, response);
    return createTokenHandler({ ...source, getUser, allowedOrigins })(request, response);
  };
}

function createForwarder(options: ServerOptions): Handler {
  const { service: { apiKey = '', baseUrl } = {}, allowedOrigins = [] } = options;
  const proxy = createUbikProxy({
    apiKey,
    allowedOrigins,
    getUser: readVisitor,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  return async (request, response) => {
    // The proxy expects paths relative to its mount point.
    request.url = (request.url ?? '').slice(API.length);
    if (!(await proxy(request, response))) sendJson(response, 404, { detail: 'Not Found' });
  };
}

function listen(server: Server, options: ServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new StartError(explain(error, options.port)));
    });
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
}

function explain(error: NodeJS.ErrnoException, port: number): string {
  const portText = String(port);
  if (error.code === 'EADDRINUSE') {
    return `Port ${portText} is taken: stop the other server, or set PORT to a free port.`;
  }
  if (error.code === 'EACCES')
    return `Port ${portText} may not be used: set PORT to one above 1024.`;
  return `The server cannot listen at port ${portText} (${error.code ?? error.message}).`;
}
