import { onScopeDispose, readonly, ref, watch, type Ref } from 'vue';
import { controller } from './chat';

/** A value of the current thread, for the app's own interface. */
function useThreadValue<Value>(read: () => Value): Readonly<Ref<Value>> {
  const value = ref(read()) as Ref<Value>;
  onScopeDispose(
    controller.subscribe({ thread: true }, () => {
      value.value = read();
    }),
  );
  return readonly(value) as Readonly<Ref<Value>>;
}

/** The state of the current run. */
export const useRunState = (): Readonly<Ref<string>> =>
  useThreadValue(() => controller.thread?.run.state ?? 'idle');

/** Opens the thread of the URL (`#/threads/ID`). */
function openThreadOfUrl(): void {
  const [, id] = /^#\/threads\/(.+)$/.exec(location.hash) ?? [];
  if (id && id !== controller.thread?.id) void controller.openThread(id).catch(() => undefined);
}

/** Opens the thread of the URL, now and whenever the URL changes, and writes the current thread into the URL. */
export function useThreadRoute(): void {
  const threadId = useThreadValue(() => controller.thread?.id ?? null);
  watch(threadId, (id) => {
    if (id) history.replaceState(null, '', `#/threads/${id}`);
  });
  openThreadOfUrl();
  window.addEventListener('hashchange', openThreadOfUrl);
  onScopeDispose(() => window.removeEventListener('hashchange', openThreadOfUrl));
}
