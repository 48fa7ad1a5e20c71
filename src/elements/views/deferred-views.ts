import { deferFile, deferredMarkdown } from '../../parts/deferred.js';

/** All that draws messages, with its looks: one file, fetched with the first of them, and Markdown with it as far as it comes. */
export const deferredViews = deferFile(async () => {
  const markdown = deferredMarkdown.load().catch(() => undefined);
  const views = await import('./views-of-messages.js');
  await markdown;
  return views;
});
