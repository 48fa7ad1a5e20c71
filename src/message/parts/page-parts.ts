import type { Part } from '../../model/part.js';
import { createLazyModule } from '../create-lazy-module.js';
import { setPageFormat } from '../message-formats.js';
import type { MessageScope, PartView } from '../part-view.js';
import { listRenderers } from './part-renderers.js';

/** The view of parts that the host page renders. Loaded with the first part of a page that has renderers. */
export const lazyPagePart = createLazyModule(() => import('./page-part-view.js'));

lazyPagePart.whenLoaded(({ formatPart }) => {
  setPageFormat(formatPart);
});

/**
 * Creates the view of a part for which the host page has a renderer; null without one. Until the code of that view is loaded, the part has
 * its built-in view.
 */
export function createPagePart(part: Part, scope: MessageScope): PartView | null {
  const { context } = scope;
  const rules = listRenderers(context.renderers);
  if (rules.length === 0) return null;
  const { value } = lazyPagePart;
  if (value) return value.createPagePartView(part, scope, rules);
  lazyPagePart.whenLoaded(() => {
    scope.replaceView?.(part.key);
  });
  lazyPagePart.load().catch(context.report);
  return null;
}
