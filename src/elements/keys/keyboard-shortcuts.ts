import { keyboardStrings } from '../../locales/en-keys.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { TranscriptView } from '../views/transcript-view.js';
import type { LiveRegion } from '../views/live-region.js';
import { openKeyMap } from './key-map.js';
import { MessageKeys } from './message-keys.js';

addDefaultStrings(keyboardStrings);

/** A chat whose keys are listened to. */
export interface KeyPlace {
  readonly host: ConnectedHost;
  readonly transcript: TranscriptView;
  readonly liveRegion: LiveRegion;
}

/** What the key of the question mark writes: on an Arabic keyboard, in a method of writing with wide signs, on all others. */
const HELP: ReadonlySet<string> = new Set(['?', '؟', '？']);

/** What the keys of a whole chat do, wherever in it the focus is. */
export class KeyboardShortcuts {
  readonly #place: KeyPlace;
  readonly #messages: MessageKeys;
  #isHelping = false;

  constructor(place: KeyPlace) {
    this.#place = place;
    this.#messages = new MessageKeys(place);
  }

  /** Does what a key means here; false when it means nothing. */
  takes(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, isComposing, target } = event;
    const inDialog = target instanceof Element && target.closest('dialog') !== null;
    if (altKey || ctrlKey || metaKey || isComposing || inDialog) return false;
    if (key === 'F8') return this.#messages.readAgain();
    if (!HELP.has(key) || writes(event)) return this.#messages.takes(event);
    this.help();
    return true;
  }

  /** Shows what each key does. */
  readonly help = (): void => {
    if (this.#isHelping) return;
    this.#isHelping = true;
    openKeyMap(this.#place.host, () => (this.#isHelping = false));
  };
}

/** Whether somebody writes: a sign is a sign then. */
function writes(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'))
  );
}
