import type { LockWish, TabLink, TabLock } from './link.js';

/** As much of the platform as is used; any of it is missing somewhere. */
interface TabPlatform {
  addEventListener?(type: string, hear: () => void, options: AddEventListenerOptions): void;
  readonly navigator?: { readonly locks?: LockManager };
  readonly BroadcastChannel?: typeof BroadcastChannel;
}

/** Tabs with another way to talk share nothing: this rises with it. */
const VERSION = 1;

/**
 * The link between the tabs of this browser, by Web Locks and a BroadcastChannel; null where the platform lacks one of them. Only
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
  if (!locks || !Channel) return null;
  const scope = ['ubik-elements', `${VERSION}`, service, userKey].map(encodeURIComponent).join('|');
  const hearers = new Set<(message: unknown) => void>();
  let open: BroadcastChannel | null = null;
  let waking = new AbortController();
  let isFrozen = false;
  /** Browsers bring messages to a frozen tab whose timers and streams stand still: it must not seem to be awake. */
  const watch = (): void => {
    isFrozen = false;
    const options = { signal: waking.signal, capture: true };
    platform.addEventListener?.('freeze', () => (isFrozen = true), options);
    platform.addEventListener?.('resume', () => (isFrozen = false), options);
  };
  return {
    post(message) {
      if (isFrozen) return;
      const channel = open ?? new Channel(scope);
      try {
        channel.postMessage(message);
      } finally {
        if (channel !== open) channel.close();
      }
    },
    listen(hear) {
      hearers.add(hear);
      if (!open) {
        open = new Channel(scope);
        open.onmessage = ({ data }) => {
          if (!isFrozen) hearers.forEach((each) => each(data));
        };
        watch();
      }
      return () => {
        hearers.delete(hear);
        if (hearers.size > 0) return;
        open?.close();
        open = null;
        waking.abort();
        waking = new AbortController();
        isFrozen = false;
      };
    },
    lock: (name, wish, signal) => request(locks, `${scope}|${name}`, wish, signal),
  };
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
