/**
 * Whether the scripts that a document was written with have run: classic, deferred and module scripts, all of which come before
 * `DOMContentLoaded`. `readyState` alone does not tell, since it is `interactive` on both sides of that event.
 */
export function haveScriptsRun(page: Document = document): boolean {
  if (page.readyState !== 'interactive') return page.readyState === 'complete';
  const [navigation] = page.defaultView?.performance.getEntriesByType('navigation') ?? [];
  const { domContentLoadedEventStart = 0 }: Partial<PerformanceNavigationTiming> = navigation ?? {};
  return domContentLoadedEventStart > 0;
}

/** Resolves when the scripts that a document was written with have run. */
export async function whenScriptsHaveRun(page: Document = document): Promise<void> {
  if (haveScriptsRun(page)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      resolve();
    };
    page.addEventListener('DOMContentLoaded', done, { once: true });
    // A browser that hides its timings does not say that the event is over.
    page.defaultView?.addEventListener('load', done, { once: true });
  });
}
