import { createLazyModule } from '../../message/create-lazy-module.js';

/** What leads from part to part. */
export const deferredRegions = createLazyModule(() => import('./regions.js'));

/** What keeps the focus when its control goes. */
export const deferredKeeper = createLazyModule(() => import('./focus-keeper.js'));

/** Elements whose focus is kept. */
const kept = new WeakSet<HTMLElement>();

/**
 * What an element does with the keyboard, whatever it shows, until `signal` is aborted: F6 leads through the parts of all elements at
 * its conversation, and the focus is not lost when what has it goes. `members` are those elements.
 */
export function listenToKeys(
  host: HTMLElement,
  members: () => ReadonlySet<EventTarget>,
  signal: AbortSignal,
): void {
  const handleKey = (event: KeyboardEvent): void => {
    leadByKey(event, members());
  };
  const keep = (): void => {
    keepFocus(host);
  };
  host.addEventListener('keydown', handleKey, { signal });
  host.addEventListener('focusin', keep, { signal });
}

function leadByKey(event: KeyboardEvent, members: ReadonlySet<EventTarget>): void {
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
  deferredRegions.load().then(
    ({ goToRegion }) => {
      goToRegion(members, path, shiftKey ? -1 : 1);
    },
    // The next press tries again.
    () => undefined,
  );
}

/** What keeps it comes with the first control that has the focus. */
function keepFocus(host: HTMLElement): void {
  const root = host.shadowRoot;
  if (!root || kept.has(host)) return;
  kept.add(host);
  deferredKeeper.load().then(
    ({ FocusKeeper }) => new FocusKeeper(root),
    () => kept.delete(host),
  );
}
