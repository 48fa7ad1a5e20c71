import { createLazyModule } from '../../message/create-lazy-module.js';
import { lazyMarkdown } from '../../message/lazy-markdown.js';

const importViews = () => import('./views.js');

/**
 * Everything that renders messages, with its styles, in one lazy-loaded chunk. Also loads Markdown and waits for it; a failure to load
 * Markdown is ignored here.
 */
export const lazyViews = createLazyModule(async () => {
  const markdown = lazyMarkdown.load().catch(() => undefined);
  const [views] = await Promise.all([importViews(), markdown]);
  return views;
});
