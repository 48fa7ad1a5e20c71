import { createLazyModule } from '../../message/create-lazy-module.js';
import type { KeyboardContext, KeyboardShortcuts } from './keyboard-shortcuts.js';
import type { ReactiveController } from 'lit';

/** What acts on keys. */
export const lazyKeyboardShortcuts = createLazyModule(() => import('./keyboard-shortcuts.js'));

/** The keys of a whole chat. What acts on them is fetched when the focus first comes into it. */
export class LazyKeyboard implements ReactiveController {
  readonly #context: KeyboardContext;
  #shortcuts: KeyboardShortcuts | undefined;

  constructor(place: KeyboardContext) {
    this.#context = place;
    place.host.element.addController(this);
  }

  hostUpdated(): void {
    const root = this.#context.host.element.renderRoot as ShadowRoot;
    // Once, and before all others that wait at the root: the innermost thing that a key can close is known here.
    root.addEventListener('focusin', this.#handleFocusIn);
    root.addEventListener('keydown', this.#handleKey);
  }

  /** Shows what each key does. */
  readonly openHelp = (): void => {
    void this.#load().then(() => this.#shortcuts?.openHelp());
  };

  readonly #handleFocusIn = (): void => void this.#load();

  readonly #load = async (): Promise<void> => {
    if (this.#shortcuts) return;
    try {
      const { KeyboardShortcuts } = await lazyKeyboardShortcuts.load();
      this.#shortcuts ??= new KeyboardShortcuts(this.#context);
    } catch {
      // The keys of the browser do; the next focus tries again.
    }
  };

  readonly #handleKey = (event: Event): void => {
    if (!event.defaultPrevented && this.#shortcuts?.handleKey(event as KeyboardEvent)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
}

/** What leads from part to part. */
export const lazyRegionNavigation = createLazyModule(() => import('./region-navigation.js'));

/** What keeps the focus when its control goes. */
export const lazyFocusRestorer = createLazyModule(() => import('./focus-restorer.js'));

/** Elements whose focus is kept. */
const restoredHosts = new WeakSet<HTMLElement>();

/**
 * What an element does with the keyboard, whatever it shows, until `signal` is aborted: F6 leads through the parts of all elements at
 * its conversation, and the focus is not lost when what has it goes. `members` are those elements.
 */
export function addElementKeyListeners(
  host: HTMLElement,
  members: () => ReadonlySet<EventTarget>,
  signal: AbortSignal,
): void {
  const handleKey = (event: KeyboardEvent): void => {
    handleRegionKey(event, members());
  };
  const keep = (): void => {
    loadFocusRestorer(host);
  };
  host.addEventListener('keydown', handleKey, { signal });
  host.addEventListener('focusin', keep, { signal });
}

function handleRegionKey(event: KeyboardEvent, members: ReadonlySet<EventTarget>): void {
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
  lazyRegionNavigation.load().then(
    ({ focusNextRegion: goToRegion }) => {
      goToRegion(members, path, shiftKey ? -1 : 1);
    },
    // The next press tries again.
    () => undefined,
  );
}

/** What keeps it comes with the first control that has the focus. */
function loadFocusRestorer(host: HTMLElement): void {
  const root = host.shadowRoot;
  if (!root || restoredHosts.has(host)) return;
  restoredHosts.add(host);
  lazyFocusRestorer.load().then(
    ({ FocusRestorer }) => new FocusRestorer(root),
    () => restoredHosts.delete(host),
  );
}
