import {
  createEnvironment,
  type Environment,
  type Timer,
} from '../../src/transport/environment.js';
import type { KeyValueStorage, UploadRequest } from '../../src/transport/environment.js';
import { createRandom } from './seeded-random.js';

/** Responds to a request of the scripted network. Throwing is a network failure. */
export type Respond = (request: Request) => Response | Promise<Response>;

/** A request that was sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** The second argument of `fetch`. */
  readonly init: RequestInit;
}

/** Initial clock, random seed and network of a test. */
export interface TestEnvironmentOptions {
  /** Wall clock in ms since the epoch; 2026-01-01T00:00:00Z by default. */
  readonly now?: number;
  readonly seed?: number;
  /** `https://page.test/` by default. */
  readonly pageUrl?: string | null;
  /** Responds with 404 to every request by default. */
  readonly respond?: Respond;
  /** Reports `unknown` by default. */
  readonly diagnoseConnection?: Environment['diagnoseConnection'];
}

/** An environment that the test controls. */
export interface TestEnvironment extends Environment {
  /** All requests, including uploads, in order. */
  readonly requests: readonly SentRequest[];
  /** Number of calls of `yieldToEventLoop`. */
  readonly pauses: number;
  /** Number of pending timers. */
  readonly timers: number;
  /** Replaces the function that responds to requests. */
  respond(respond: Respond): void;
  /** Advances the clocks: timers fire in order, and promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Moves the wall clock only, as after sleep or a clock change. Timers do not fire. */
  jump(ms: number): void;
  /** Settles promises that wait only for the event loop. */
  settle(): Promise<void>;
}

interface PendingTimer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Creates an environment with scripted time, randomness, network and storage. */
export function createTestEnvironment(options: TestEnvironmentOptions = {}): TestEnvironment {
  const platform = createEnvironment();
  const random = createRandom(options.seed ?? 1);
  const timers = new Map<number, PendingTimer>();
  const requests: SentRequest[] = [];
  let respond: Respond = options.respond ?? (() => new Response(null, { status: 404 }));
  let elapsed = 0;
  let wall = options.now ?? Date.UTC(2026, 0, 1);
  let counter = 0;
  let pauses = 0;

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    requests.push({ method: init.method ?? 'GET', url: new URL(url), headers, init });
    return respond(new Request(url, { ...init, cache: 'default', mode: 'cors' }));
  };
  const settle = async () => {
    // Several turns, because settling one promise can start work that needs another turn.
    for (let turn = 0; turn < 5; turn++) await platform.yieldToEventLoop();
  };
  const advance = async (ms: number) => {
    const end = elapsed + ms;
    await settle();
    for (let next = takeDue(timers, end); next; next = takeDue(timers, end)) {
      wall += Math.max(0, next.due - elapsed);
      elapsed = Math.max(elapsed, next.due);
      next.callback();
      await settle();
    }
    wall += end - elapsed;
    elapsed = end;
  };

  return {
    now: () => wall,
    monotonic: () => elapsed,
    random,
    uuid: () => `00000000-0000-4000-8000-${String(++counter).padStart(12, '0')}`,
    setTimer: (callback, ms) => {
      const order = ++counter;
      timers.set(order, { due: elapsed + Math.max(0, ms), order, callback });
      return { handle: order };
    },
    clearTimer: (timer: Timer) => void timers.delete(timer.handle as number),
    yieldToEventLoop: () => {
      pauses++;
      return platform.yieldToEventLoop();
    },
    readInterval: () => 0,
    pageUrl: () => (options.pageUrl === undefined ? 'https://page.test/' : options.pageUrl),
    fetch: send,
    upload: async (request, onProgress) => {
      const response = await send(request.url, toInit(request));
      onProgress(1, 1);
      const { status, statusText, headers, url } = response;
      return { status, statusText, headers, url, text: await response.text() };
    },
    diagnoseConnection: options.diagnoseConnection ?? (() => Promise.resolve({ kind: 'unknown' })),
    storage: createMemoryStorage(),
    tabStorage: createMemoryStorage(),
    tabId: () => Promise.resolve('tab-1'),
    get requests() {
      return requests;
    },
    get pauses() {
      return pauses;
    },
    get timers() {
      return timers.size;
    },
    respond: (next) => (respond = next),
    advance,
    jump: (ms) => (wall += ms),
    settle,
  };
}

function takeDue(timers: Map<number, PendingTimer>, end: number): PendingTimer | null {
  let first: PendingTimer | null = null;
  for (const timer of timers.values()) {
    if (timer.due <= end && (!first || timer.due < first.due)) first = timer;
  }
  if (first) timers.delete(first.order);
  return first;
}

function toInit({ method, headers, body, credentials, signal }: UploadRequest): RequestInit {
  return { method, headers, body, credentials, signal: signal ?? null };
}

function createMemoryStorage(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(values.get(key) ?? null),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
    remove: (key) => Promise.resolve(void values.delete(key)),
  };
}
