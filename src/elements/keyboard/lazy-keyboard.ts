import type { ReactiveController } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { KeyboardContext, KeyboardShortcuts } from './keyboard-shortcuts.js';

/** Keyboard shortcuts, loaded with the first focus. */
export const lazyKeyboardShortcuts = createLazyModule(() => import('./keyboard-shortcuts.js'));

/** Keyboard shortcuts of a chat. Their code is loaded when the focus first enters it. */
export class LazyKeyboard implements ReactiveController {
  readonly #context: KeyboardContext;
  #shortcuts: KeyboardShortcuts | undefined;

  constructor(context: KeyboardContext) {
    this.#context = context;
    context.host.element.addController(this);
  }

  hostUpdated(): void {
    const root = this.#context.host.element.renderRoot as ShadowRoot;
    // Added at the first update and therefore before other listeners of the root, so that Escape reaches the innermost control first.
    // Adding a listener again has no effect.
    root.addEventListener('focusin', this.#handleFocusIn);
    root.addEventListener('keydown', this.#handleKey);
  }

  readonly #handleFocusIn = (): void => void this.#load();

  readonly #load = async (): Promise<void> => {
    if (this.#shortcuts) return;
    try {
      const { KeyboardShortcuts } = await lazyKeyboardShortcuts.load();
      this.#shortcuts ??= new KeyboardShortcuts(this.#context);
    } catch {
      // Without shortcuts, the browser's own keys still work. The next focus loads them again.
    }
  };

  readonly #handleKey = (event: Event): void => {
    if (!event.defaultPrevented && this.#shortcuts?.handleKey(event as KeyboardEvent)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
}

/** Navigation between regions, loaded at the first F6. */
export const lazyRegionNavigation = createLazyModule(() => import('./region-navigation.js'));

/** Restores a lost focus; loaded with the first focus. */
export const lazyFocusRestorer = createLazyModule(() => import('./focus-restorer.js'));

/** Elements with a focus restorer. */
const restoredHosts = new WeakSet<HTMLElement>();

/**
 * Adds to `host` the keyboard behaviour that all connected elements have: until `signal` is aborted, F6 moves between the regions of all
 * elements of the same controller (`members`). The first focus loads the focus restorer, which stays as long as the element.
 */
export function addElementKeyboardBehaviour(
  host: HTMLElement,
  members: () => ReadonlySet<EventTarget>,
  signal: AbortSignal,
): void {
  const handleKey = (event: KeyboardEvent): void => {
    handleRegionKey(event, members());
  };
  const handleFocusIn = (): void => {
    loadFocusRestorer(host);
  };
  host.addEventListener('keydown', handleKey, { signal });
  host.addEventListener('focusin', handleFocusIn, { signal });
}

function handleRegionKey(event: KeyboardEvent, members: ReadonlySet<EventTarget>): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey, isComposing, defaultPrevented } = event;
  if (key !== 'F6' || altKey || ctrlKey || metaKey || isComposing || defaultPrevented) return;
  const path = event.composedPath();
  // Only dialogs inside the elements count: the chat itself may be in a dialog of the host page.
  const outermost = path.filter((node) => members.has(node)).at(-1);
  const inside = path.slice(0, outermost && path.indexOf(outermost));
  // Modal content can only be left by closing it.
  if (inside.some((node) => node instanceof Element && node.matches('dialog, [aria-modal=true]'))) {
    return;
  }
  event.preventDefault();
  lazyRegionNavigation.load().then(
    ({ focusNextRegion }) => {
      focusNextRegion(members, path, shiftKey ? -1 : 1);
    },
    // The next F6 loads it again.
    () => undefined,
  );
}

/** Loads the focus restorer with the first focus. */
function loadFocusRestorer(host: HTMLElement): void {
  const root = host.shadowRoot;
  if (!root || restoredHosts.has(host)) return;
  restoredHosts.add(host);
  lazyFocusRestorer.load().then(
    ({ FocusRestorer }) => new FocusRestorer(root),
    () => restoredHosts.delete(host),
  );
}
