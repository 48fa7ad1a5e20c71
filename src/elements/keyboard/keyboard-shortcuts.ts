import { keyboardStrings } from '../../locales/en-keys.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { TranscriptView } from '../transcript/transcript-view.js';
import type { LazyAnnouncer } from '../announcements/lazy-announcer.js';
import { openShortcutsDialog } from './shortcuts-dialog.js';
import { MessageNavigation } from './message-navigation.js';

addDefaultStrings(keyboardStrings);

/** A chat whose keys are listened to. */
export interface KeyboardContext {
  readonly host: ConnectedHost;
  readonly transcript: TranscriptView;
  readonly announcer: LazyAnnouncer;
}

/** What the key of the question mark writes: on an Arabic keyboard, in a method of writing with wide signs, on all others. */
const HELP_KEYS: ReadonlySet<string> = new Set(['?', '؟', '？']);

/** What the keys of a whole chat do, wherever in it the focus is. */
export class KeyboardShortcuts {
  readonly #context: KeyboardContext;
  readonly #messageNavigation: MessageNavigation;
  #isDialogOpen = false;

  constructor(place: KeyboardContext) {
    this.#context = place;
    this.#messageNavigation = new MessageNavigation(place);
  }

  /** Does what a key means here; false when it means nothing. */
  handleKey(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, isComposing, target } = event;
    const inDialog = target instanceof Element && target.closest('dialog') !== null;
    if (altKey || ctrlKey || metaKey || isComposing || inDialog) return false;
    if (key === 'F8') return this.#messageNavigation.reread();
    if (!HELP_KEYS.has(key) || isTyping(event)) return this.#messageNavigation.handleKey(event);
    this.openHelp();
    return true;
  }

  /** Shows what each key does. */
  readonly openHelp = (): void => {
    if (this.#isDialogOpen) return;
    this.#isDialogOpen = true;
    openShortcutsDialog(this.#context.host, () => (this.#isDialogOpen = false));
  };
}

/** Whether somebody writes: a sign is a sign then. */
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'))
  );
}
