import { useEffect, useSyncExternalStore } from 'react';
import { controller } from './chat';

const subscribe = (onChange: () => void): (() => void) =>
  controller.subscribe({ thread: true }, onChange);

/** The state of the current run, for the app's own interface. */
export function useRunState(): string {
  return useSyncExternalStore(subscribe, () => controller.thread?.run.state ?? 'idle');
}

/** The server's id of the current thread; null for a new one. */
export function useThreadId(): string | null {
  return useSyncExternalStore(subscribe, () => controller.thread?.id ?? null);
}

/** Opens the thread of the URL (`#/threads/ID`). */
function openThreadOfUrl(): void {
  const [, id] = /^#\/threads\/(.+)$/.exec(location.hash) ?? [];
  if (id && id !== controller.thread?.id) void controller.openThread(id).catch(() => undefined);
}

/** Opens the thread of the URL, now and whenever the URL changes, and writes the current thread into the URL. */
export function useThreadRoute(): void {
  const threadId = useThreadId();
  useEffect(() => {
    openThreadOfUrl();
    window.addEventListener('hashchange', openThreadOfUrl);
    return () => window.removeEventListener('hashchange', openThreadOfUrl);
  }, []);
  useEffect(() => {
    if (threadId) history.replaceState(null, '', `#/threads/${threadId}`);
  }, [threadId]);
}
