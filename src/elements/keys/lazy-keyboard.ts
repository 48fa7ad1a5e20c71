import type { ReactiveController } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { KeyboardShortcuts, KeyPlace } from './keyboard-shortcuts.js';

/** What acts on keys. */
export const deferredKeys = createLazyModule(() => import('./keyboard-shortcuts.js'));

/** The keys of a whole chat. What acts on them is fetched when the focus first comes into it. */
export class LazyKeyboard implements ReactiveController {
  readonly #place: KeyPlace;
  #shortcuts: KeyboardShortcuts | undefined;

  constructor(place: KeyPlace) {
    this.#place = place;
    place.host.element.addController(this);
  }

  hostUpdated(): void {
    const root = this.#place.host.element.renderRoot as ShadowRoot;
    // Once, and before all others that wait at the root: the innermost thing that a key can close is known here.
    root.addEventListener('focusin', this.#prepare);
    root.addEventListener('keydown', this.#handleKey);
  }

  /** Shows what each key does. */
  readonly help = (): void => {
    void this.#load().then(() => this.#shortcuts?.help());
  };

  readonly #prepare = (): void => void this.#load();

  readonly #load = async (): Promise<void> => {
    if (this.#shortcuts) return;
    try {
      const { KeyboardShortcuts } = await deferredKeys.load();
      this.#shortcuts ??= new KeyboardShortcuts(this.#place);
    } catch {
      // The keys of the browser do; the next focus tries again.
    }
  };

  readonly #handleKey = (event: Event): void => {
    if (!event.defaultPrevented && this.#shortcuts?.takes(event as KeyboardEvent)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
}
