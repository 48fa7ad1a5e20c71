import { isFromDialog } from '../../dom/event-target.js';
import { keyboardStrings } from '../../locales/en-keys.js';
import { addDefaultStrings } from '../../locales/locale.js';
import type { ConnectedHost } from '../base/connected-host.js';
import type { TranscriptView } from '../transcript/transcript-view.js';
import type { LazyAnnouncer } from '../announcements/lazy-announcer.js';
import { lazyShortcutsDialog } from './lazy-keyboard.js';
import { MessageNavigation } from './message-navigation.js';

addDefaultStrings(keyboardStrings);

/** The chat to which keyboard shortcuts apply. */
export interface KeyboardContext {
  readonly host: ConnectedHost;
  readonly transcript: TranscriptView;
  readonly announcer: LazyAnnouncer;
}

/** Characters of the question mark key: Latin, Arabic, and full-width from input methods. */
const HELP_KEYS: ReadonlySet<string> = new Set(['?', '؟', '？']);

/**
 * Keyboard shortcuts of a chat, except in dialogs: F8 everywhere, `?` outside of fields, and the keys of the messages while the focus is in
 * them.
 */
export class KeyboardShortcuts {
  readonly #context: KeyboardContext;
  readonly #messageNavigation: MessageNavigation;
  #isOpening = false;

  constructor(context: KeyboardContext) {
    this.#context = context;
    this.#messageNavigation = new MessageNavigation(context);
  }

  /** Handles a key. Returns false if it is not a shortcut. */
  handleKey(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, isComposing } = event;
    if (altKey || ctrlKey || metaKey || isComposing || isFromDialog(event)) return false;
    if (key === 'F8') return this.reread();
    if (!HELP_KEYS.has(key) || isTyping(event)) return this.#messageNavigation.handleKey(event);
    this.#openHelp();
    return true;
  }

  /** Handles a focus that the chat got before this code was loaded. */
  handleFocus(event: Pick<FocusEvent, 'target' | 'relatedTarget'>): void {
    this.#messageNavigation.handleFocusIn(event);
  }

  /** Announces the newest message again. Always returns true. */
  reread(): boolean {
    return this.#messageNavigation.reread();
  }

  /** Opens the list of shortcuts, synchronously once its code is loaded. */
  #openHelp(): void {
    const { host } = this.#context;
    if (lazyShortcutsDialog.value) lazyShortcutsDialog.value.openShortcutsDialog(host);
    // Another press while the code is loading opens no second dialog.
    else if (!this.#isOpening) {
      this.#isOpening = true;
      const opening = lazyShortcutsDialog.load().then(({ openShortcutsDialog }) => {
        if (host.element.isConnected) openShortcutsDialog(host);
      });
      void host.attempt(opening).finally(() => (this.#isOpening = false));
    }
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
