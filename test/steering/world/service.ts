import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openAgent } from '../../../demo/agent/agent.js';
import { createControls } from '../../../demo/faults/controls.js';
import { startLocalServer } from '../../helpers/local-server.js';
import { Bell } from './bell.js';
import { PersonGates } from './person-gates.js';

const ROOT = new URL('../../../', import.meta.url);
const API = '/api/v1';

/** One request as the server sees it. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Bytes of the answer's body so far. */
  written: number;
  /** No more will be written. */
  ended: boolean;
}

/** The local agent behind a real server, which tells how far each answer is. */
export interface Service {
  readonly baseUrl: string;
  readonly gates: PersonGates;
  /** By the name that the client gave the request. */
  readonly exchanges: Map<string, Exchange>;
  /** Rings whenever the server has done something. */
  readonly bell: Bell;
  /** What should never happen. */
  readonly errors: unknown[];
  mint(person: string): string;
  documentsRead(): Promise<void>;
}

/** Starts an agent that waits for nothing, with an empty data folder; both go with the test. */
export async function startService(context: TestContext): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ubik-steering-'));
  const errors: unknown[] = [];
  const bell = new Bell();
  const gates = new PersonGates(bell);
  const exchanges = new Map<string, Exchange>();
  const agent = openAgent({
    dataDir,
    root: ROOT,
    speed: 0,
    apiKey: null,
    model: null,
    gate: gates,
    interference: createControls(),
    onError: (error) => errors.push(error),
  });
  const server = await startLocalServer((request, response) => {
    watch(request, response, exchanges, bell);
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    return agent.handle(request, response, path.slice(API.length));
  });
  context.after(async () => {
    gates.close();
    await agent.close();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
    if (errors.length > 0) throw new AggregateError(errors, 'The server met the unexpected.');
  });
  await agent.documentsRead();
  return {
    baseUrl: server.origin + API,
    gates,
    exchanges,
    bell,
    errors,
    mint: (person) => agent.mint(person, 60),
    documentsRead: () => agent.documentsRead(),
  };
}

/** Counts what is written in answer to a request. */
function watch(
  request: IncomingMessage,
  response: ServerResponse,
  exchanges: Service['exchanges'],
  bell: Bell,
): void {
  const exchange: Exchange = { response, written: 0, ended: false };
  const name = request.headers['x-request'];
  if (typeof name === 'string') exchanges.set(name, exchange);
  const { write, end } = response;
  const count = (data: unknown) => {
    if (typeof data === 'string' || data instanceof Uint8Array) {
      exchange.written += Buffer.byteLength(data);
    }
    bell.ring();
  };
  response.write = (...args: unknown[]) => {
    count(args[0]);
    return Reflect.apply(write, response, args) as boolean;
  };
  response.end = (...args: unknown[]) => {
    exchange.ended = true;
    count(args[0]);
    return Reflect.apply(end, response, args) as ServerResponse;
  };
}
