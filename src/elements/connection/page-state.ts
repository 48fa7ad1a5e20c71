import type { PageState } from '../../conversation/controller-types.js';

type WakeReason = Parameters<Parameters<PageState['onWake']>[0]>[0];

/** This browser page, as far as it matters to a connection. */
export const pageState: PageState = {
  get visible() {
    return document.visibilityState !== 'hidden';
  },
  get online() {
    return navigator.onLine;
  },
  onWake(listener) {
    const listening = new AbortController();
    const { signal } = listening;
    const wake = (reason: WakeReason) => (): void => {
      listener(reason);
    };
    const handleVisible = (): void => {
      if (pageState.visible) listener('visible');
    };
    const handleShow = (event: PageTransitionEvent): void => {
      // Only a page that comes back has anything to join again.
      if (event.persisted) listener('pageshow');
    };
    document.addEventListener('visibilitychange', handleVisible, { signal });
    document.addEventListener('resume', wake('resume'), { signal });
    window.addEventListener('online', wake('online'), { signal });
    window.addEventListener('pageshow', handleShow, { signal });
    return () => {
      listening.abort();
    };
  },
  onHide(listener) {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener(
      'pagehide',
      () => {
        listener();
      },
      { signal },
    );
    return () => {
      listening.abort();
    };
  },
};
