import type { PageState } from '../../controller/controller-types.js';

/** This browser page, as far as it matters to a connection. */
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
      // Only a page that comes back has anything to join again.
      pageshow: (event) => {
        if ((event as PageTransitionEvent).persisted) listener('pageshow');
      },
    });
  },
  onHide(listener) {
    return listen({ pagehide: listener });
  },
};

/** All these bubble to the window, or happen there. */
function listen(listeners: Readonly<Record<string, (event: Event) => void>>): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  for (const [type, listener] of Object.entries(listeners)) {
    window.addEventListener(type, listener, { signal, capture: true });
  }
  return () => {
    listening.abort();
  };
}
