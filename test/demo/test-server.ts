import { rm } from 'node:fs/promises';
import { startServer, type RunningServer, type ServerOptions } from '../../demo/server.js';
import { createDataFolder } from '../helpers/data-folder.js';
import { shareFixture, type FixtureContext } from '../helpers/share-fixture.js';
import { readWire, type WireEvent } from './wire-reader.js';

/** A message of the API. */
export interface ApiMessage {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly parent_id: string | null;
  readonly sibling_ids: readonly string[];
  readonly task_id: string | null;
}

/** A response that was read completely. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

/** A server of tests, with the unexpected errors that it has reported. */
export interface TestServer extends RunningServer {
  readonly errors: unknown[];
  readonly dataDir: string;
}

/** Starts a server without delays, on a data folder without conversations. The test closes the server and deletes the folder when it ends. */
export async function startTestServer(
  context: FixtureContext,
  options: Partial<ServerOptions> = {},
): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await createDataFolder());
  const errors: unknown[] = [];
  const server = await startServer({
    port: 0,
    dataDir,
    speed: 0,
    controls: true,
    onError: (error) => errors.push(error),
    ...options,
  });
  context.after(async () => {
    await server.close();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    if (errors.length > 0)
      throw new AggregateError(errors, 'The server reported unexpected errors.');
  });
  await server.agent?.whenDocumentsIndexed();
  return Object.assign(server, { errors, dataDir });
}

/** Starts one server for all tests of a file, each of which uses it as a new user. Returns a function that returns it during a test. */
export const shareTestServer = (): (() => TestServer) =>
  shareFixture((context) => startTestServer(context));

/** A client of the UBIK API that acts as one user. */
export class DemoApiClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  /** Creates a client for a new user, with the token of that user. */
  static async create(url: string): Promise<DemoApiClient> {
    const response = await fetch(`${url}/token`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    return new DemoApiClient(url, { authorization: `Bearer ${token}` });
  }

  /** The headers that authenticate this client. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** Sends a request and reads the response; a body that is neither a form nor a text is sent as JSON. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const response = await this.open(method, path, body, headers);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  }

  /** Sends a request and returns the response, whose body was not read. */
  async open(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    const isRaw = body instanceof FormData || typeof body === 'string';
    return fetch(`${this.#url}/api/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        ...this.#headers,
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Creates a session and returns its id. */
  async createSession(): Promise<string> {
    const { json } = await this.request('POST', '/agent-sessions', {});
    return (json as { id: string }).id;
  }

  /** Sends a message and reads its stream to the end. */
  async send(
    session: string,
    content: string,
    headers: Record<string, string> = {},
    more: Record<string, unknown> = {},
  ): Promise<WireEvent[]> {
    const reply = await this.request(
      'POST',
      `/agent-sessions/${session}/messages`,
      { content, ...more },
      headers,
    );
    if (reply.status !== 200) throw new Error(`Sending failed: ${reply.text}`);
    return readWire(reply.text);
  }

  /** Restores a checkpoint with a hint, and reads the stream of the new run to the end. */
  async restore(session: string, checkpoint: string, hint: string): Promise<WireEvent[]> {
    const reply = await this.request('POST', `/agent-sessions/${session}/navigate-to-checkpoint`, {
      checkpoint_name: checkpoint,
      checkpoint_hint: hint,
    });
    if (reply.status !== 200) throw new Error(`Restoring failed: ${reply.text}`);
    return readWire(reply.text);
  }

  /** The messages of the active branch. */
  async messages(session: string): Promise<ApiMessage[]> {
    const { json } = await this.request('GET', `/agent-sessions/${session}/messages`);
    return (json as { items: ApiMessage[] }).items;
  }

  /** The content of the last message. */
  async lastContent(session: string): Promise<string> {
    return (await this.messages(session)).at(-1)?.content ?? '';
  }

  /** The names of the checkpoints, oldest first. */
  async checkpoints(session: string): Promise<string[]> {
    const { json } = await this.request('GET', `/agent-sessions/${session}/checkpoints`);
    return (json as { checkpoints: { checkpoint_name: string }[] }).checkpoints.map(
      (checkpoint) => checkpoint.checkpoint_name,
    );
  }
}

/** Returns the first event of a type; throws if there is none. */
export function eventOf(events: readonly WireEvent[], type: string): WireEvent {
  const event = events.find((each) => each.type === type);
  if (event === undefined)
    throw new Error(`No ${type} among ${events.map((each) => each.type).join(', ')}`);
  return event;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
