import { keyboardStrings } from '../../locales/en-keys.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { TranscriptView } from '../transcript/transcript-view.js';
import type { LazyAnnouncer } from '../announcements/lazy-announcer.js';
import { openShortcutsDialog } from './shortcuts-dialog.js';
import { MessageNavigation } from './message-navigation.js';

addDefaultStrings(keyboardStrings);

// This module is the entry of the lazy-loaded chunk, which the menu of a message uses, too.
export { openShortcutsDialog };

/** The chat to which keyboard shortcuts apply. */
export interface KeyboardContext {
  readonly host: ConnectedHost;
  readonly transcript: TranscriptView;
  readonly announcer: LazyAnnouncer;
}

/** Characters of the question mark key: Latin, Arabic, and full-width from input methods. */
const HELP_KEYS: ReadonlySet<string> = new Set(['?', '؟', '？']);

/** Keyboard shortcuts of a chat, which apply wherever the focus is in it. */
export class KeyboardShortcuts {
  readonly #context: KeyboardContext;
  readonly #messageNavigation: MessageNavigation;

  constructor(context: KeyboardContext) {
    this.#context = context;
    this.#messageNavigation = new MessageNavigation(context);
  }

  /** Handles a key. Returns false if it is not a shortcut. */
  handleKey(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, isComposing, target } = event;
    const inDialog = target instanceof Element && target.closest('dialog') !== null;
    if (altKey || ctrlKey || metaKey || isComposing || inDialog) return false;
    if (key === 'F8') return this.#messageNavigation.reread();
    if (!HELP_KEYS.has(key) || isTyping(event)) return this.#messageNavigation.handleKey(event);
    openShortcutsDialog(this.#context.host);
    return true;
  }
}

/** Whether the user is typing in a field, where `?` is a character. */
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'))
  );
}
