import type { Json } from '../../model/json.js';
import { encodeComponent } from '../../transport/encode-component.js';

/** A lock that one tab at a time can have. */
export interface TabLock {
  /** Aborted when another tab has stolen the lock. */
  readonly lost: AbortSignal;
  /** Releases the lock to the next tab in the queue. The browser releases the locks of a tab that is closed. */
  release(): void;
}

/** How a lock is requested: only if it is available, by waiting in a queue, or by stealing it from the tab that has it. */
export type LockMode = 'if-available' | 'queue' | 'steal';

/**
 * The connection between the tabs of one browser that use one service as one user. Passed to `shareAcrossTabs`; tests pass one that needs
 * no browser.
 */
export interface TabLink {
  /** Sends plain data to all other tabs: in order, at most once, without acknowledgement. */
  post(message: Json): void;
  /** Calls back with each message of another tab, until the returned function is called. Messages are not validated. */
  subscribe(listener: (message: unknown) => void): () => void;
  /** Requests the lock of this name; null when it is not available, the request was aborted, or the document may not use locks. */
  requestLock(name: string, mode: LockMode, signal: AbortSignal): Promise<TabLock | null>;
}

/** The platform APIs that are used; any of them may be missing. */
interface LinkPlatform {
  addEventListener?(type: string, listener: () => void, options: AddEventListenerOptions): void;
  readonly navigator?: { readonly locks?: LockManager };
  readonly BroadcastChannel?: typeof BroadcastChannel;
}

/** Version of {@link TabMessage}. Tabs with different versions share nothing. */
const PROTOCOL_VERSION = 3;

/**
 * Creates the link between the tabs of this browser, by Web Locks and a BroadcastChannel. Null if the platform lacks one of them, and for
 * an empty `userKey`. Links only tabs with the same service and user. The channel is open while there are subscriptions; without one, each
 * `post` opens it for its message.
 *
 * @param service identifies the service
 * @param userKey identifies the user
 */
export function createTabLink(
  service: string,
  userKey: string,
  platform: LinkPlatform = globalThis,
): TabLink | null {
  const { navigator, BroadcastChannel: Channel } = platform;
  const locks = navigator?.locks;
  // Without a user key, two tabs may belong to different users.
  if (!locks || !Channel || userKey === '') return null;
  const scope = ['ubik-elements', `${PROTOCOL_VERSION}`, service, userKey]
    .map(encodeComponent)
    .join('|');
  return new ChannelLink(scope, () => new Channel(scope), locks, platform);
}

class ChannelLink implements TabLink {
  readonly #scope: string;
  readonly #openChannel: () => BroadcastChannel;
  readonly #locks: LockManager;
  readonly #platform: LinkPlatform;
  readonly #listeners = new Set<(message: unknown) => void>();
  #channel: BroadcastChannel | null = null;
  /** Removes the listeners for `freeze` and `resume`. */
  #closing = new AbortController();
  /** Whether the tab is frozen. It then receives messages but must not reply, because its timers and streams are suspended. */
  #isFrozen = false;

  constructor(
    scope: string,
    openChannel: () => BroadcastChannel,
    locks: LockManager,
    platform: LinkPlatform,
  ) {
    this.#scope = scope;
    this.#openChannel = openChannel;
    this.#locks = locks;
    this.#platform = platform;
  }

  post(message: Json): void {
    if (this.#isFrozen) return;
    const channel = this.#channel ?? this.#openChannel();
    try {
      channel.postMessage(message);
    } finally {
      if (channel !== this.#channel) channel.close();
    }
  }

  subscribe(listener: (message: unknown) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#channel) this.#open();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    };
  }

  requestLock(name: string, mode: LockMode, signal: AbortSignal): Promise<TabLock | null> {
    return requestLock(this.#locks, `${this.#scope}|${name}`, mode, signal);
  }

  #open(): void {
    this.#channel = this.#openChannel();
    this.#channel.onmessage = ({ data }) => {
      if (!this.#isFrozen) for (const listener of this.#listeners) listener(data);
    };
    const options = { signal: this.#closing.signal, capture: true };
    this.#platform.addEventListener?.('freeze', () => (this.#isFrozen = true), options);
    this.#platform.addEventListener?.('resume', () => (this.#isFrozen = false), options);
  }

  #close(): void {
    this.#channel?.close();
    this.#channel = null;
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#isFrozen = false;
  }
}

function requestLock(
  locks: LockManager,
  name: string,
  mode: LockMode,
  signal: AbortSignal,
): Promise<TabLock | null> {
  // The platform accepts a signal only for a request that waits in the queue.
  const options = {
    'if-available': { ifAvailable: true },
    queue: { signal },
    steal: { steal: true },
  };
  return new Promise((resolve) => {
    const lost = new AbortController();
    /** The browser holds the lock until the returned promise resolves. */
    const onGranted = (lock: Lock | null): Promise<void> | null => {
      if (lock && !signal.aborted) {
        return new Promise((release) => resolve({ lost: lost.signal, release }));
      }
      resolve(null);
      return null;
    };
    // Rejects when the lock is stolen, when the request is aborted, and when the document may not use locks.
    locks.request(name, options[mode], onGranted).catch(() => {
      lost.abort();
      resolve(null);
    });
  });
}
