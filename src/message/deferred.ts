import { UbikError } from '../errors.js';
import { Deferred } from '../dom/deferred.js';

/** A file of ours that is fetched when it is needed; a failure is a `UbikError`, `load-failed`. */
export function createLazyModule<T>(load: () => Promise<T>): Deferred<T> {
  return new Deferred(() =>
    load().catch((cause: unknown) => {
      throw new UbikError('load-failed', { cause });
    }),
  );
}

/** What edits messages and steps through their versions. */
export const lazyMessageActions = createLazyModule(() => import('./branches/message-actions.js'));

/** What draws Markdown. */
export const lazyMarkdown = createLazyModule(() => import('./markdown-renderer.js'));
