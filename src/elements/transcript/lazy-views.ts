import { createLazyModule } from '../../message/create-lazy-module.js';
import { lazyMarkdown } from '../../message/lazy-markdown.js';

const importViews = () => import('./views.js');

/** All that draws messages, with its looks: one file, fetched with the first of them, and Markdown with it as far as it comes. */
export const lazyViews = createLazyModule(async () => {
  const both = [importViews(), lazyMarkdown.load().catch(() => undefined)] as const;
  const [views] = await Promise.all(both);
  return views;
});
