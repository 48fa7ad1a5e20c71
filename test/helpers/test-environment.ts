import {
  createEnvironment,
  type Environment,
  type Timer,
} from '../../src/transport/environment.js';
import type { KeyValueStorage, UploadRequest } from '../../src/transport/environment.js';
import { createRandom } from './seeded-random.js';

/** What a scripted network answers; a thrown value is a network that failed. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** One request that was sent, as far as tests look at it. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** As `fetch` was called. */
  readonly init: RequestInit;
}

/** Where a test's clock, chance and network begin. */
export interface TestEnvironmentOptions {
  /** Wall clock, ms since the epoch; 2026-01-01T00:00:00Z by default. */
  readonly now?: number;
  readonly seed?: number;
  /** `https://page.test/` by default. */
  readonly pageUrl?: string | null;
  /** 404 for everything by default. */
  readonly answer?: Answer;
  /** Nothing is in the way by default. */
  readonly diagnoseConnection?: Environment['diagnoseConnection'];
}

/** An environment in which nothing happens unless the test says so. */
export interface TestEnvironment extends Environment {
  /** Every request, uploads included, in the order of sending. */
  readonly requests: readonly SentRequest[];
  /** How often the event loop was given its turn. */
  readonly pauses: number;
  /** Timers that are set and have not fired. */
  readonly timers: number;
  /** Answers requests from now on. */
  respond(answer: Answer): void;
  /** Lets time pass: timers fire in order at their times, and what they start settles in between. */
  advance(ms: number): Promise<void>;
  /** Lets the wall clock jump, as after sleep or when it is set; no timer sees it. */
  jump(ms: number): void;
  /** Lets promises that wait for nothing but the event loop settle. */
  settle(): Promise<void>;
}

interface PendingTimer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Owns time, chance, network and storage for a test. Network and clock are scripted; nothing real is touched. */
export function createTestEnvironment(options: TestEnvironmentOptions = {}): TestEnvironment {
  const platform = createEnvironment();
  const random = createRandom(options.seed ?? 1);
  const timers = new Map<number, PendingTimer>();
  const requests: SentRequest[] = [];
  let answer: Answer = options.answer ?? (() => new Response(null, { status: 404 }));
  let elapsed = 0;
  let wall = options.now ?? Date.UTC(2026, 0, 1);
  let counter = 0;
  let pauses = 0;

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    requests.push({ method: init.method ?? 'GET', url: new URL(url), headers, init });
    return answer(new Request(url, { ...init, cache: 'default', mode: 'cors' }));
  };
  const settle = async () => {
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
    respond: (next) => (answer = next),
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
