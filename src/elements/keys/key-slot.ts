import type { ReactiveController } from 'lit';
import { deferFile } from '../../parts/deferred.js';
import type { KeyDesk, KeyPlace } from './key-desk.js';

/** What acts on keys. */
export const deferredKeys = deferFile(() => import('./key-desk.js'));

/** The keys of a whole chat. What acts on them is fetched when the focus first comes into it. */
export class KeySlot implements ReactiveController {
  readonly #place: KeyPlace;
  #desk: KeyDesk | undefined;

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
    void this.#load().then(() => this.#desk?.help());
  };

  readonly #prepare = (): void => void this.#load();

  readonly #load = async (): Promise<void> => {
    if (this.#desk) return;
    try {
      const { KeyDesk } = await deferredKeys.load();
      this.#desk ??= new KeyDesk(this.#place);
    } catch {
      // The keys of the browser do; the next focus tries again.
    }
  };

  readonly #handleKey = (event: Event): void => {
    if (!event.defaultPrevented && this.#desk?.takes(event as KeyboardEvent)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
}
