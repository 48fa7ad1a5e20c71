import { createLazyModule } from '../../message/create-lazy-module.js';
import { lazyMarkdown } from '../../message/lazy-markdown.js';

const loadViews = () => import('./views-of-messages.js');

/** All that draws messages, with its looks: one file, fetched with the first of them, and Markdown with it as far as it comes. */
export const deferredViews = createLazyModule(async () => {
  const both = [loadViews(), lazyMarkdown.load().catch(() => undefined)] as const;
  const [views] = await Promise.all(both);
  return views;
});
