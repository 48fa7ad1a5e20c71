import type { LockWish, TabLink, TabLock } from './link.js';

/** As much of the platform as is used; both are missing somewhere. */
interface TabPlatform {
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
  { navigator, BroadcastChannel: Channel }: TabPlatform = globalThis,
): TabLink | null {
  const locks = navigator?.locks;
  if (!locks || !Channel) return null;
  const scope = ['ubik-elements', `${VERSION}`, service, userKey].map(encodeURIComponent).join('|');
  const hearers = new Set<(message: unknown) => void>();
  let open: BroadcastChannel | null = null;
  return {
    post(message) {
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
        open.onmessage = ({ data }) => hearers.forEach((each) => each(data));
      }
      return () => {
        hearers.delete(hear);
        if (hearers.size > 0) return;
        open?.close();
        open = null;
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
