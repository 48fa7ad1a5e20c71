import type { Part } from '../../model/part.js';
import { createLazyModule } from '../create-lazy-module.js';
import { setHostFormat } from '../message-formats.js';
import type { MessageScope, PartView } from '../part-view.js';
import { listRenderers } from './part-renderers.js';

/** The view of parts that the host page renders. Loaded with the first part in a page that has renderers. */
export const lazyHostPart = createLazyModule(() => import('./host-part-view.js'));

lazyHostPart.whenLoaded(({ formatPart }) => {
  setHostFormat(formatPart);
});

/**
 * Creates the view of a part for which the host page has a renderer; null without one. Until the code of that view is loaded, the part has
 * its built-in view.
 */
export function createHostPart(part: Part, scope: MessageScope): PartView | null {
  const { context } = scope;
  const rules = listRenderers(context.renderers);
  if (rules.length === 0) return null;
  const { value } = lazyHostPart;
  if (value) return value.createHostPartView(part, scope, rules);
  lazyHostPart.whenLoaded(() => {
    scope.replaceView?.(part.key);
  });
  lazyHostPart.load().catch(context.report);
  return null;
}
