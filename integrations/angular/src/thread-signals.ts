import { DestroyRef, effect, inject, signal, type Signal } from '@angular/core';
import { controller } from './chat';

/** A value of the current thread, for the app's own interface. Call it in an injection context. */
function threadSignal<Value>(read: () => Value): Signal<Value> {
  const value = signal(read());
  const unsubscribe = controller.subscribe({ thread: true }, () => value.set(read()));
  inject(DestroyRef).onDestroy(unsubscribe);
  return value.asReadonly();
}

/** The state of the current run. */
export const runStateSignal = (): Signal<string> =>
  threadSignal<string>(() => controller.thread?.run.state ?? 'idle');

/** Opens the thread of the URL (`#/threads/ID`). */
function openThreadOfUrl(): void {
  const [, id] = /^#\/threads\/(.+)$/.exec(location.hash) ?? [];
  if (id && id !== controller.thread?.id) void controller.openThread(id).catch(() => undefined);
}

/** Opens the thread of the URL, now and whenever the URL changes, and writes the current thread into the URL. */
export function followRoute(): void {
  const threadId = threadSignal(() => controller.thread?.id ?? null);
  effect(() => {
    const id = threadId();
    if (id) history.replaceState(null, '', `#/threads/${id}`);
  });
  openThreadOfUrl();
  window.addEventListener('hashchange', openThreadOfUrl);
  inject(DestroyRef).onDestroy(() => window.removeEventListener('hashchange', openThreadOfUrl));
}
