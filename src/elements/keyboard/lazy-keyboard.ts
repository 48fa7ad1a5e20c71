import type { ReactiveController } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { KeyboardContext, KeyboardShortcuts } from './keyboard-shortcuts.js';

/** The field of a composer: all its keys but F6 and F8 are those of the browser or of the composer. */
const FIELD = '.field textarea';

/** Keyboard shortcuts, loaded with the first focus outside of the field, or with F6 or F8 in the field. */
export const lazyKeyboardShortcuts = createLazyModule(() => import('./keyboard-shortcuts.js'));

/** The list of shortcuts, loaded when it is opened. */
export const lazyShortcutsDialog = createLazyModule(() => import('./shortcuts-dialog.js'));

/**
 * Keyboard shortcuts of a chat. Their code is loaded when something other than the field first gets the focus, or with F6 or F8 in the
 * field.
 */
export class LazyKeyboard implements ReactiveController {
  readonly #context: KeyboardContext;
  #shortcuts: KeyboardShortcuts | undefined;
  /** The node that last got the focus before the code was loaded, and the node that had the focus before. */
  #focused: Pick<FocusEvent, 'target' | 'relatedTarget'> = { target: null, relatedTarget: null };

  constructor(context: KeyboardContext) {
    this.#context = context;
    context.host.element.addController(this);
  }

  hostUpdated(): void {
    const root = this.#root;
    // Added at the first update and therefore before other listeners of the root, so that Escape leaves a message before it closes the
    // drawer or window. Adding a listener again has no effect.
    root.addEventListener('focusin', this.#handleFocusIn as EventListener);
    root.addEventListener('keydown', this.#handleKey);
  }

  get #root(): ShadowRoot {
    return this.#context.host.element.renderRoot as ShadowRoot;
  }

  readonly #handleFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
    if (this.#shortcuts || isField(target)) return;
    // The browser clears the targets of the event after its dispatch.
    this.#focused = { target, relatedTarget };
    void this.#load();
  };

  async #load(): Promise<KeyboardShortcuts | null> {
    try {
      const { KeyboardShortcuts } = await lazyKeyboardShortcuts.load();
      if (!this.#shortcuts) {
        this.#shortcuts = new KeyboardShortcuts(this.#context);
        const { target } = this.#focused;
        if (target && this.#root.activeElement === target)
          this.#shortcuts.handleFocus(this.#focused);
      }
      return this.#shortcuts;
    } catch {
      // Without shortcuts, the browser's own keys still work. The next focus loads them again.
      return null;
    }
  }

  readonly #handleKey = (event: Event): void => {
    const key = event as KeyboardEvent;
    if (event.defaultPrevented) return;
    const isHandled = this.#shortcuts ? this.#shortcuts.handleKey(key) : this.#handleEarlyF8(key);
    if (!isHandled) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** Handles F8 in the field before the shortcuts are loaded. Returns false for any other key. */
  #handleEarlyF8({ key, target, altKey, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
    if (key !== 'F8' || altKey || ctrlKey || metaKey || isComposing || !isField(target))
      return false;
    void this.#load().then((shortcuts) => shortcuts?.reread());
    return true;
  }
}

function isField(target: EventTarget | null | undefined): boolean {
  return target instanceof Element && target.matches(FIELD);
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
  // The next key may be a shortcut of the region.
  const shortcuts = lazyKeyboardShortcuts.load().catch(() => undefined);
  Promise.all([lazyRegionNavigation.load(), shortcuts]).then(
    ([{ focusNextRegion }]) => {
      focusNextRegion(members, path, shiftKey ? -1 : 1);
    },
    // The next F6 loads it again.
    () => undefined,
  );
}

/** Loads the focus restorer with the first focus. It also restores the focus of a control that was removed in the meantime. */
function loadFocusRestorer(host: HTMLElement): void {
  const root = host.shadowRoot;
  if (!root || restoredHosts.has(host)) return;
  restoredHosts.add(host);
  let focused = root.activeElement;
  const track = (): void => {
    focused = root.activeElement;
  };
  root.addEventListener('focusin', track);
  lazyFocusRestorer
    .load()
    .then(
      ({ FocusRestorer }) => new FocusRestorer(root, focused),
      () => restoredHosts.delete(host),
    )
    .finally(() => {
      root.removeEventListener('focusin', track);
    });
}
