/**
 * Whether the scripts of a document have run: classic, deferred and module scripts, all of which run before
 * `DOMContentLoaded`. `readyState` is not enough, because it is `interactive` both before and after that event.
 */
export function haveScriptsRun(page: Document = document): boolean {
  if (page.readyState !== 'interactive') return page.readyState === 'complete';
  const [navigation] = page.defaultView?.performance.getEntriesByType('navigation') ?? [];
  const { domContentLoadedEventStart = 0 }: Partial<PerformanceNavigationTiming> = navigation ?? {};
  return domContentLoadedEventStart > 0;
}

/** Resolves when the scripts of a document have run. */
export async function whenScriptsHaveRun(page: Document = document): Promise<void> {
  if (haveScriptsRun(page)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      resolve();
    };
    page.addEventListener('DOMContentLoaded', done, { once: true });
    // Browsers that hide navigation timing do not show that the event has already fired, so also listen for `load`.
    page.defaultView?.addEventListener('load', done, { once: true });
  });
}
