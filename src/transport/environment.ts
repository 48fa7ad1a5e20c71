import { createBoundedStorage, type KeyValueStorage } from './storage.js';
import { readTabId, type TabPlatform } from './tab-id.js';
import type { diagnoseConnection, ConnectionDiagnosis } from './connection-diagnosis.js';
import type { Upload } from './upload.js';

export type { KeyValueStorage } from './storage.js';
export type { ConnectionDiagnosis } from './connection-diagnosis.js';
export type { Upload, UploadProgress, UploadRequest } from './upload.js';

/** A timer that was set; only good for {@link Environment.clearTimer}. */
export interface Timer {
  readonly handle: unknown;
}

/** One HTTP exchange, as the platform's `fetch` makes it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * All that this library takes from the platform besides language and streams: time, chance, network, storage. It is handed to
 * the controller and to each backend, so that a host can replace any of it and a test can own it.
 */
export interface Environment {
  /** The clock on the wall: ms since the epoch. May jump. */
  now(): number;
  /** A clock that never goes back: ms since some moment. May stand still while the machine sleeps. */
  monotonic(): number;
  /** At least 0, less than 1. Not for secrets. */
  random(): number;
  /** A random UUID, version 4, also on pages where `crypto.randomUUID` is missing. */
  uuid(): string;
  /** Calls back once, at the earliest after `ms`. */
  setTimer(callback: () => void, ms: number): Timer;
  /** Forgets a timer; nothing happens when it has already called. */
  clearTimer(timer: Timer): void;
  /** Gives the event loop its turn: input, painting and network come first, then the promise resolves. */
  yieldToEventLoop(): Promise<void>;
  /** Address of the page or worker, which a relative base URL is resolved against; null where there is none. */
  pageUrl(): string | null;
  /** The network. */
  readonly fetch: Fetch;
  /**
   * A request whose sending is watched. By default it refuses redirects and reports progress once, at the end. A host whose
   * server never redirects may replace it by one that reports more.
   */
  readonly upload: Upload;
  /**
   * Finds out why no answer came from an address. Asked after a request has failed at a service that has never answered. Sends no
   * credentials, no body and nothing twice, and never rejects.
   */
  readonly diagnoseConnection: (address: string) => Promise<ConnectionDiagnosis>;
  /** Outlives the page. Keys are the caller's matter: put service and user into them. */
  readonly storage: KeyValueStorage;
  /** Lives as long as the tab, reloads included. Browsers copy it into a tab that is opened from this one. */
  readonly tabStorage: KeyValueStorage;
  /** The id of this tab: the same after a reload, and that of no other tab. Never rejects. */
  tabId(): Promise<string>;
}

/** What is used of the global object. Most of it is missing somewhere. */
interface PlatformGlobals extends TabPlatform {
  readonly localStorage?: Storage;
  readonly sessionStorage?: Storage;
  readonly location?: { readonly href: string; readonly pathname?: string };
  readonly origin?: string;
  readonly scheduler?: { yield?(): Promise<void> };
  readonly setImmediate?: (callback: () => void) => unknown;
  readonly MessageChannel?: typeof MessageChannel;
  readonly crypto?: Partial<Crypto>;
}

/** As much of the platform's `Storage` as is used; workers have no such type. */
interface Storage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Longest delay that platforms keep; a longer one would fire at once. */
const MAX_TIMER_DELAY = 2_147_483_647;

/**
 * The environment of this page, worker or process, with what the caller replaces. Throws nothing: what a platform lacks is
 * stood in for.
 *
 * @example
 * const environment = createEnvironment({ fetch: (url, init) => myFetch(url, init) });
 */
export function createEnvironment(overrides: Partial<Environment> = {}): Environment {
  const platform = globalThis as PlatformGlobals;
  // Read at each call: a page may wrap `fetch` after this library was loaded. A host that owns the network owns uploads too.
  const network: Fetch = overrides.fetch ?? ((url, init) => fetch(url, init));
  const environment: Environment = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    uuid: () => createUuid(platform.crypto),
    setTimer: (callback, ms) => ({ handle: setTimeout(callback, Math.min(ms, MAX_TIMER_DELAY)) }),
    clearTimer: (timer) => clearTimeout(timer.handle as number),
    yieldToEventLoop: createYield(platform),
    pageUrl: () => readPageUrl(platform),
    fetch: network,
    upload: createUpload(network),
    diagnoseConnection: async (address) => (await loadDiagnosis())(address, environment),
    storage: createBoundedStorage(() => platform.localStorage),
    tabStorage: createBoundedStorage(() => platform.sessionStorage),
    tabId: () => readTabId(platform, () => createUuid(platform.crypto)),
    ...overrides,
  };
  return environment;
}

/** It is needed where something is wrong; where even this cannot be fetched, nothing is known. */
async function loadDiagnosis(): Promise<typeof diagnoseConnection> {
  try {
    return (await import('./connection-diagnosis.js')).diagnoseConnection;
  } catch {
    return () => Promise.resolve({ kind: 'unknown' });
  }
}

function createUpload(fetch: Fetch): Upload {
  return async (request, onProgress) => {
    // It comes with the code of a service, which is what uploads.
    const { createFetchUpload } = await import('./upload.js');
    return createFetchUpload(fetch)(request, onProgress);
  };
}

/** An address of `about:` (a frame made from text) cannot resolve anything; the inherited origin can. */
function readPageUrl({ location, origin }: PlatformGlobals): string | null {
  return [location?.href, origin].find((address) => /^https?:/.test(address ?? '')) ?? null;
}

/** `crypto.randomUUID` exists in secure contexts only. RFC 9562: version 4, variant 10. */
function createUuid(crypto: Partial<Crypto> | undefined): string {
  return (
    crypto?.randomUUID?.() ??
    'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (kind) => {
      const digit = Math.floor(Math.random() * 16);
      return (kind === 'x' ? digit : 8 + (digit % 4)).toString(16);
    })
  );
}

/**
 * A timer of 0 ms is 4 ms after five in a row, and a second in a hidden tab: a message or the scheduler is neither. Node keeps
 * a process alive for an open message port, so there `setImmediate` comes first.
 */
function createYield(platform: PlatformGlobals): () => Promise<void> {
  const { scheduler, setImmediate, MessageChannel: Channel } = platform;
  const waiting: (() => void)[] = [];
  let port: MessagePort | null = null;
  const post = (resolve: () => void) => {
    if (setImmediate) return setImmediate(resolve);
    if (!Channel) return setTimeout(resolve);
    if (!port) {
      const { port1, port2 } = new Channel();
      port1.onmessage = () => waiting.shift()?.();
      port = port2;
    }
    waiting.push(resolve);
    return port.postMessage(null);
  };
  return () => scheduler?.yield?.() ?? new Promise((resolve) => void post(resolve));
}
