import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openAgent } from '../../../demo/agent/agent.js';
import { createControls } from '../../../demo/faults/controls.js';
import { createDataFolder } from '../../helpers/data-folder.js';
import { loadLazyCode } from '../../helpers/load-lazy-actions.js';
import { startLocalServer } from '../../helpers/local-server.js';
import { shareFixture, type FixtureContext } from '../../helpers/share-fixture.js';
import { ActivitySignal } from './activity-signal.js';
import { UserPauses } from './user-pauses.js';

const ROOT = new URL('../../../', import.meta.url);
const API = '/api/v1';

/** One request at the server. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Bytes of the response body that were written. */
  written: number;
  /** The response was ended. */
  ended: boolean;
}

/** The local agent, with both of its APIs, behind a real server that counts the bytes of each response. */
export interface Service {
  /** Where the paths of the Data Agent begin. */
  readonly origin: string;
  /** Where the paths of UBIK begin. */
  readonly baseUrl: string;
  readonly pauses: UserPauses;
  /** Requests by the name that the client has given them. */
  readonly exchanges: Map<string, Exchange>;
  /** Notified whenever the server has written something. */
  readonly activity: ActivitySignal;
  /** Unexpected errors of the server. */
  readonly errors: unknown[];
  /** Creates a token for a user. */
  mint(user: string): string;
  /** Resolves when the agent has read all uploaded documents. */
  whenDocumentsIndexed(): Promise<void>;
}

/** Starts an agent without delays and without conversations. Agent and data are removed after the test. */
export async function startService(context: FixtureContext): Promise<Service> {
  await loadLazyCode();
  const dataDir = await createDataFolder();
  const errors: unknown[] = [];
  const activity = new ActivitySignal();
  const pauses = new UserPauses(activity);
  const exchanges = new Map<string, Exchange>();
  const agent = openAgent({
    dataDir,
    root: ROOT,
    speed: 0,
    apiKey: null,
    model: null,
    pausePoints: pauses,
    faultInjection: createControls(),
    onError: (error) => errors.push(error),
  });
  const server = await startLocalServer((request, response) => {
    watch(request, response, exchanges, activity);
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    return path.startsWith(`${API}/`)
      ? agent.handle(request, response, path.slice(API.length))
      : agent.dataAgent.handle(request, response, path);
  });
  context.after(async () => {
    pauses.close();
    await agent.close();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
    if (errors.length > 0) throw new AggregateError(errors, 'The server had unexpected errors.');
  });
  await agent.whenDocumentsIndexed();
  return {
    origin: server.origin,
    baseUrl: server.origin + API,
    pauses,
    exchanges,
    activity,
    errors,
    mint: (user) => agent.createToken(user, 60),
    whenDocumentsIndexed: () => agent.whenDocumentsIndexed(),
  };
}

/** Starts one agent for the tests of a file. Returns a function that returns it during a test. */
export const shareService = (): (() => Service) => shareFixture(startService);

/** Records a response by the name of its request, counts its bytes and notifies about each write. */
function watch(
  request: IncomingMessage,
  response: ServerResponse,
  exchanges: Service['exchanges'],
  activity: ActivitySignal,
): void {
  const exchange: Exchange = { response, written: 0, ended: false };
  const name = request.headers['x-request'];
  if (typeof name === 'string') exchanges.set(name, exchange);
  const { write, end } = response;
  const count = (data: unknown) => {
    if (typeof data === 'string' || data instanceof Uint8Array) {
      exchange.written += Buffer.byteLength(data);
    }
    activity.notify();
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
