import { createBoundedStorage, type KeyValueStorage, type StorageArea } from './storage.js';
import { claimTabId, type TabPlatform } from './tab-id.js';
import type { diagnoseConnection, ConnectionDiagnosis } from './connection-diagnosis.js';
import type { Upload } from './upload.js';

export type { KeyValueStorage } from './storage.js';
export type { ConnectionDiagnosis } from './connection-diagnosis.js';
export type { Upload, UploadProgress, UploadRequest } from './upload.js';

/** A timer, to be passed to {@link Environment.clearTimer}. */
export interface Timer {
  readonly handle: unknown;
}

/** The signature of the platform's `fetch`, as far as it is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The platform services that this library uses: time, randomness, network and storage. It is passed to the controller and to each
 * backend, so that a host can replace any of them and a test can control all of them.
 */
export interface Environment {
  /** Returns the wall-clock time in ms since the epoch. It can jump. */
  now(): number;
  /** Returns a monotonic time in ms since an arbitrary moment. It may stop while the machine sleeps. */
  monotonic(): number;
  /** Returns a random number, at least 0 and less than 1. Not cryptographically secure. */
  random(): number;
  /** Returns a random UUID, version 4, also where `crypto.randomUUID` is missing. */
  uuid(): string;
  /** Calls `callback` once, after at least `ms`. */
  setTimer(callback: () => void, ms: number): Timer;
  /** Cancels a timer. Does nothing when it has already fired. */
  clearTimer(timer: Timer): void;
  /** Resolves in a later task, so that the event loop can handle input, rendering and network. */
  yieldToEventLoop(): Promise<void>;
  /**
   * Returns the time, in ms, for which the chunks of a stream are collected before they are read together. In a visible page half a frame:
   * reading each chunk by itself takes longer than rendering it, and the chunks of a frame are rendered together anyway. Elsewhere 0,
   * because timers are late in hidden pages.
   */
  readInterval(): number;
  /** Returns the URL of the page or worker, against which a relative base URL is resolved; null for a page without an http(s) URL, such as a file, and on a server. */
  pageUrl(): string | null;
  /** Sends an HTTP request. */
  readonly fetch: Fetch;
  /**
   * Sends a request and reports upload progress. By default it rejects redirects and reports progress once, at the end. If the server
   * never redirects, the host can replace it with a function that reports progress continuously.
   */
  readonly upload: Upload;
  /**
   * Diagnoses why a service cannot be reached. Called when a request fails and the service has never responded. Sends requests
   * without credentials and body. Never rejects.
   */
  readonly diagnoseConnection: (address: string) => Promise<ConnectionDiagnosis>;
  /** Storage that persists across pages and sessions. The caller has to include service and user in the keys where they matter. */
  readonly storage: KeyValueStorage;
  /** Storage that lasts as long as the tab, also across reloads. Browsers copy it into a tab that is opened from this one. */
  readonly tabStorage: KeyValueStorage;
  /** Resolves to the id of this tab, which stays the same after a reload and differs from that of every other tab. Never rejects. */
  tabId(): Promise<string>;
}

/** The globals that are used. Each of them is missing on some platforms. */
interface PlatformGlobals extends TabPlatform {
  removeEventListener?(type: 'pageshow', listener: () => void): void;
  readonly document?: { readonly hidden: boolean };
  readonly localStorage?: StorageArea;
  readonly sessionStorage?: StorageArea;
  readonly location?: { readonly href: string; readonly pathname?: string };
  readonly origin?: string;
  readonly scheduler?: { yield?(): Promise<void> };
  readonly setImmediate?: (callback: () => void) => unknown;
  readonly MessageChannel?: typeof MessageChannel;
  readonly crypto?: Partial<Crypto>;
}

/** Half of the time between two frames, in ms. */
const READ_INTERVAL = 8;

/** The longest delay that platforms accept, in ms. A longer one would fire at once. */
const MAX_TIMER_DELAY = 2_147_483_647;

/**
 * Creates the environment of this page, worker or process, with overrides by the caller. Never throws: features that the platform
 * lacks have a fallback.
 *
 * @example
 * const environment = createEnvironment({ fetch: (url, init) => myFetch(url, init) });
 */
export function createEnvironment(overrides: Partial<Environment> = {}): Environment {
  const platform = globalThis as PlatformGlobals;
  // `fetch` is looked up at each call, since a page can wrap it later. An overridden `fetch` is used for uploads, too.
  const network: Fetch = overrides.fetch ?? ((url, init) => fetch(url, init));
  const environment: Environment = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    uuid: () => createUuid(platform.crypto),
    setTimer: (callback, ms) => ({ handle: setTimeout(callback, Math.min(ms, MAX_TIMER_DELAY)) }),
    clearTimer: (timer) => clearTimeout(timer.handle as number),
    yieldToEventLoop: createYield(platform),
    readInterval: () => (platform.document?.hidden === false ? READ_INTERVAL : 0),
    pageUrl: () => readPageUrl(platform),
    fetch: network,
    upload: createUpload(network),
    diagnoseConnection: async (address) => (await loadDiagnosis())(address, environment),
    storage: createBoundedStorage(() => platform.localStorage),
    tabStorage: createBoundedStorage(() => platform.sessionStorage),
    tabId: () => claimTabId(platform, () => createUuid(platform.crypto)),
    ...overrides,
  };
  return environment;
}

/** Loads the diagnosis lazily, since it is needed only after a failure. If loading fails, the diagnosis is `unknown`. */
async function loadDiagnosis(): Promise<typeof diagnoseConnection> {
  try {
    return (await import('./connection-diagnosis.js')).diagnoseConnection;
  } catch {
    return () => Promise.resolve({ kind: 'unknown' });
  }
}

function createUpload(fetch: Fetch): Upload {
  return async (request, onProgress) => {
    // Imported lazily, because only backends upload files; `upload.js` is in their chunks.
    const { createFetchUpload } = await import('./upload.js');
    return createFetchUpload(fetch)(request, onProgress);
  };
}

/** Returns the URL of the page. An `about:srcdoc` page gets its inherited origin, because an `about:` URL cannot be a base URL. */
function readPageUrl({ location, origin }: PlatformGlobals): string | null {
  return [location?.href, origin].find((address) => /^https?:/.test(address ?? '')) ?? null;
}

/** Creates a random UUID (RFC 9562: version 4, variant 10). `crypto.randomUUID` exists in secure contexts only. */
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
 * Creates the function that yields to the event loop. It uses `scheduler.yield` or a message, not a timer: nested timers are clamped to 4 ms,
 * in a hidden tab to a second. In Node an open message port keeps the process running, so `setImmediate` is preferred.
 */
function createYield(platform: PlatformGlobals): () => Promise<void> {
  const { scheduler, setImmediate, MessageChannel: Channel } = platform;
  const resolvers: (() => void)[] = [];
  let channel: MessageChannel | undefined;
  const resolveAll = (): void => {
    platform.removeEventListener?.('pageshow', resolveAll);
    for (const resolve of resolvers.splice(0)) resolve();
  };
  const post = (resolve: () => void) => {
    if (setImmediate) return setImmediate(resolve);
    if (!Channel) return setTimeout(resolve);
    resolvers.push(resolve);
    // A page that enters the back/forward cache loses the messages that are not delivered yet.
    platform.addEventListener?.('pageshow', resolveAll);
    channel ??= new Channel();
    channel.port1.onmessage = resolveAll;
    return channel.port2.postMessage(null);
  };
  return () => scheduler?.yield?.() ?? new Promise((resolve) => void post(resolve));
}
