import { deferFile, deferredMarkdown } from '../../message/deferred.js';

const loadViews = () => import('./views-of-messages.js');

/** All that draws messages, with its looks: one file, fetched with the first of them, and Markdown with it as far as it comes. */
export const deferredViews = deferFile(async () => {
  const both = [loadViews(), deferredMarkdown.load().catch(() => undefined)] as const;
  const [views] = await Promise.all(both);
  return views;
});
