import { readable, type Readable } from 'svelte/store';
import { controller } from './chat';

/** A value of the current thread, for the app's own interface. */
function readThread<Value>(read: () => Value): Readable<Value> {
  return readable(read(), (set) => {
    set(read());
    return controller.subscribe({ thread: true }, () => set(read()));
  });
}

/** The state of the current run. */
export const runState: Readable<string> = readThread(() => controller.thread?.run.state ?? 'idle');

const threadId = readThread(() => controller.thread?.id ?? null);

/** Opens the thread of the URL (`#/threads/ID`). */
function openThreadOfUrl(): void {
  const [, id] = /^#\/threads\/(.+)$/.exec(location.hash) ?? [];
  if (id && id !== controller.thread?.id) void controller.openThread(id).catch(() => undefined);
}

/**
 * Opens the thread of the URL, now and whenever the URL changes, and writes the current thread into the URL. Returns the function that
 * ends this.
 */
export function followRoute(): () => void {
  openThreadOfUrl();
  window.addEventListener('hashchange', openThreadOfUrl);
  const unsubscribe = threadId.subscribe((id) => {
    if (id) history.replaceState(null, '', `#/threads/${id}`);
  });
  return () => {
    window.removeEventListener('hashchange', openThreadOfUrl);
    unsubscribe();
  };
}
