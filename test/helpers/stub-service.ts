import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../../dist/', import.meta.url);
const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['mjs', 'text/javascript'],
  ['js', 'text/javascript'],
  ['map', 'application/json'],
]);

/** A page or script of the stub service. */
export interface StubFile {
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The responses of the stub service, sent verbatim. */
export interface StubResponses {
  /** Pages and scripts by path, in addition to `/dist/`. */
  readonly files: ReadonlyMap<string, StubFile>;
  /** The pieces of the stream that answers each message. Iterated again for each message. */
  readonly stream?: Iterable<string> | AsyncIterable<string>;
  /** Stored messages of the only session, in the wire format. */
  readonly messages?: readonly object[];
  /** JSON by path below `/api` or `/api/v1`, such as `/agent-sessions/s1/documents`, for every method. It takes precedence over all but `stream`. */
  readonly responses?: ReadonlyMap<string, unknown>;
  /** Headers of every response, such as those of CORS. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether files and built scripts are compressed. */
  readonly compress?: boolean;
}

/** A service with one session and a page, with scripted responses. */
export interface StubService {
  readonly url: string;
  /** Every request as `METHOD path?query`, in order. */
  readonly requests: readonly string[];
  /** Violation reports of pages whose policy names `/reports`. */
  readonly reports: readonly string[];
  /** Resolves with the first violation report. */
  readonly reportReceived: Promise<void>;
  /** Changes the responses from now on. */
  setResponses(script: Partial<StubResponses>): void;
  close(): Promise<void>;
}

/** Starts the stub service on a free port of localhost. */
export async function startStubService(initial: StubResponses): Promise<StubService> {
  const requests: string[] = [];
  const reports: string[] = [];
  let script = initial;
  let resolveReported = (): void => undefined;
  const reported = new Promise<void>((resolve) => (resolveReported = resolve));
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    void respond(script, reports, path, request, response)
      .catch(() => response.destroy())
      .then(() => {
        if (reports.length > 0) resolveReported();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    reports,
    reportReceived: reported,
    setResponses: (more) => {
      script = { ...script, ...more };
    },
    close: () => closeServer(server),
  };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

async function respond(
  script: StubResponses,
  reports: string[],
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const file = script.files.get(path);
  for (const [name, value] of Object.entries(script.headers ?? {})) response.setHeader(name, value);
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  if (path === '/reports') reports.push(body);
  const { compress = false } = script;
  if (file) sendFile(file, response, compress);
  else if (path.startsWith('/dist/'))
    sendFile(await readBuilt(path.slice('/dist/'.length)), response, compress);
  else if (path.startsWith('/api/')) {
    await respondToApi(script, path.replace(/^\/api(\/v1)?/, ''), request, response);
  } else response.writeHead(path === '/reports' ? 204 : 404).end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

async function readBuilt(name: string): Promise<StubFile> {
  const type = TYPES.get(name.split('.').at(-1) ?? '') ?? 'application/octet-stream';
  return { type, body: await readFile(new URL(name, DIST)) };
}

function sendFile({ type, body, headers }: StubFile, response: ServerResponse, compress: boolean) {
  response.writeHead(200, {
    'content-type': type,
    ...(compress ? { 'content-encoding': 'gzip' } : {}),
    ...headers,
  });
  response.end(compress ? gzipSync(body) : body);
}

const SESSION = { id: 's1', status: 'active', title: 'One', created_at: '2026-01-01T00:00:00Z' };

async function respondToApi(
  script: StubResponses,
  path: string,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { messages = [], stream = [], responses } = script;
  if (method === 'POST' && /\/(?:messages|chat\/completion)$/.test(path)) {
    await sendStream(stream, response);
    return;
  }
  const page = { total: 0, page: 1, limit: 20, has_more: false };
  const known = new Map<string, unknown>([
    ['/agent-sessions', method === 'POST' ? SESSION : { items: [SESSION], ...page }],
    ['/agent-sessions/s1', SESSION],
    ['/agent-sessions/s1/messages', { items: messages, active_head_id: null }],
    ['/agent-sessions/s1/checkpoints', { checkpoints: [] }],
    ['/agent-sessions/s1/documents', { items: [], ...page }],
    ...(responses ?? []),
  ]);
  const value = known.get(path);
  response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value ?? { detail: 'Not Found' }));
}

/** Sends each piece in a separate packet. */
async function sendStream(
  pieces: Iterable<string> | AsyncIterable<string>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.socket?.setNoDelay(true);
  for await (const piece of pieces) {
    if (!response.write(piece)) await once(response, 'drain');
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** Prints a server-sent event of UBIK. */
export function printEvent(type: string, fields: object): string {
  return `data: ${JSON.stringify({ type, ...fields })}\n\n`;
}
