import type { Json } from '../../model/json.js';
import { encodeComponent } from '../../transport/encode-component.js';

/** Something that one tab has at a time. */
export interface TabLock {
  /** Aborted when another tab has taken it away. */
  readonly lost: AbortSignal;
  /** Gives it to whoever waits for it. A tab that is closed gives it back without a word. */
  release(): void;
}

/** How a lock is asked for: at once or not at all, in its turn, or away from whoever has it. */
export type LockWish = 'if-free' | 'in-turn' | 'steal';

/**
 * What joins the tabs of one browser in which one person uses one service. Handed to `shareAcrossTabs`, so that tests have tabs
 * without a browser.
 */
export interface TabLink {
  /** Tells all other tabs something; in order, to each that is there, without an answer. Plain data. */
  post(message: Json): void;
  /** Hears what the others tell, until the returned function is called. What comes may have any shape. */
  listen(hear: (message: unknown) => void): () => void;
  /** A lock of this name; null when it cannot be had, or when the wait for it was given up. */
  lock(name: string, wish: LockWish, signal: AbortSignal): Promise<TabLock | null>;
}

/** As much of the platform as is used; any of it is missing somewhere. */
interface TabPlatform {
  addEventListener?(type: string, hear: () => void, options: AddEventListenerOptions): void;
  readonly navigator?: { readonly locks?: LockManager };
  readonly BroadcastChannel?: typeof BroadcastChannel;
}

/** Tabs with another way to talk share nothing: this rises with it. */
const VERSION = 1;

/**
 * The link between the tabs of this browser, by Web Locks and a BroadcastChannel; null where the platform lacks one of them, and for an empty `userKey`. Only
 * tabs with the same service and person are joined. Nothing is open while nobody listens.
 *
 * @param service address of the service
 * @param userKey whose data this is
 */
export function createTabLink(
  service: string,
  userKey: string,
  platform: TabPlatform = globalThis,
): TabLink | null {
  const { navigator, BroadcastChannel: Channel } = platform;
  const locks = navigator?.locks;
  // Nobody in particular has no tabs: they may be different people's.
  if (!locks || !Channel || userKey === '') return null;
  const scope = ['ubik-elements', `${VERSION}`, service, userKey].map(encodeComponent).join('|');
  return new ChannelLink(scope, () => new Channel(scope), locks, platform);
}

class ChannelLink implements TabLink {
  readonly #scope: string;
  readonly #openChannel: () => BroadcastChannel;
  readonly #locks: LockManager;
  readonly #platform: TabPlatform;
  readonly #hearers = new Set<(message: unknown) => void>();
  #channel: BroadcastChannel | null = null;
  #waking = new AbortController();
  /** Browsers bring messages to a frozen tab whose timers and streams stand still: it must not seem to be awake. */
  #isFrozen = false;

  constructor(
    scope: string,
    openChannel: () => BroadcastChannel,
    locks: LockManager,
    platform: TabPlatform,
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

  listen(hear: (message: unknown) => void): () => void {
    this.#hearers.add(hear);
    if (!this.#channel) this.#open();
    return () => {
      this.#hearers.delete(hear);
      if (this.#hearers.size === 0) this.#close();
    };
  }

  lock(name: string, wish: LockWish, signal: AbortSignal): Promise<TabLock | null> {
    return request(this.#locks, `${this.#scope}|${name}`, wish, signal);
  }

  #open(): void {
    this.#channel = this.#openChannel();
    this.#channel.onmessage = ({ data }) => {
      if (!this.#isFrozen) for (const hear of this.#hearers) hear(data);
    };
    const options = { signal: this.#waking.signal, capture: true };
    this.#platform.addEventListener?.('freeze', () => (this.#isFrozen = true), options);
    this.#platform.addEventListener?.('resume', () => (this.#isFrozen = false), options);
  }

  #close(): void {
    this.#channel?.close();
    this.#channel = null;
    this.#waking.abort();
    this.#waking = new AbortController();
    this.#isFrozen = false;
  }
}

function request(
  locks: LockManager,
  name: string,
  wish: LockWish,
  signal: AbortSignal,
): Promise<TabLock | null> {
  const options = {
    'if-free': { ifAvailable: true },
    'in-turn': { signal },
    steal: { steal: true },
  };
  return new Promise((resolve) => {
    const lost = new AbortController();
    const hold = (lock: Lock | null): Promise<void> | null => {
      if (lock && !signal.aborted) {
        return new Promise((release) => resolve({ lost: lost.signal, release }));
      }
      resolve(null);
      return null;
    };
    // Rejects when it was stolen, when the wait was given up, and where a page may have no locks.
    locks.request(name, options[wish], hold).catch(() => {
      lost.abort();
      resolve(null);
    });
  });
}
