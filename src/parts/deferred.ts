import { UbikError } from '../errors.js';
import { Deferred } from '../internal/deferred.js';

/** What draws messages. */
export const deferredViews = new Deferred(() => import('./views.js').catch(complain));

/** What draws Markdown. */
export const deferredMarkdown = new Deferred(() =>
  import('../markdown/markdown-view.js').catch(complain),
);

function complain(cause: unknown): never {
  throw new UbikError('network', { cause });
}
