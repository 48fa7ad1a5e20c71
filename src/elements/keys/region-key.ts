import { deferFile } from '../../parts/deferred.js';

/** What leads from part to part. */
export const deferredRegions = deferFile(() => import('./regions.js'));

/** F6 and Shift + F6 lead through the parts of all elements at a conversation, wherever in the page they stand. */
export function leadByKey(event: KeyboardEvent, members: ReadonlySet<EventTarget>): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey, isComposing, defaultPrevented } = event;
  if (key !== 'F6' || altKey || ctrlKey || metaKey || isComposing || defaultPrevented) return;
  const path = event.composedPath();
  const outermost = path.filter((node) => members.has(node)).at(-1);
  const inside = path.slice(0, outermost && path.indexOf(outermost));
  // What stands over the others is left by closing it.
  if (inside.some((node) => node instanceof Element && node.matches('dialog, [aria-modal=true]'))) {
    return;
  }
  event.preventDefault();
  const step = shiftKey ? -1 : 1;
  deferredRegions.load().then(
    ({ goToRegion }) => {
      goToRegion(members, path, step);
    },
    // The next press tries again.
    () => undefined,
  );
}
