import type { PageState } from '../../controller/controller-types.js';

/** Visibility and network state of this browser page, for controllers. */
export const pageState: PageState = {
  get visible() {
    return !document.hidden;
  },
  get online() {
    return navigator.onLine;
  },
  onWake(listener) {
    return listen({
      visibilitychange: () => {
        if (pageState.visible) listener('visible');
      },
      resume: () => {
        listener('resume');
      },
      online: () => {
        listener('online');
      },
      // Only a page restored from the back/forward cache has a run to rejoin.
      pageshow: (event) => {
        if ((event as PageTransitionEvent).persisted) listener('pageshow');
      },
    });
  },
  onHide(listener) {
    return listen({ pagehide: listener });
  },
};

/** Listens on the window: all these events bubble to it, or fire there. */
function listen(listeners: Readonly<Record<string, (event: Event) => void>>): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  for (const [type, listener] of Object.entries(listeners)) {
    window.addEventListener(type, listener, { signal, capture: true });
  }
  return () => {
    abort.abort();
  };
}
