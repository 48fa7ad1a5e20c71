/** The code that the buttons of a message need when they are pressed. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Key } from '../../model/json.js';
import { findContent } from '../export/message-content.js';
import type { MessageScope } from '../part-view.js';
import { readAloud, stopReading } from '../read-aloud.js';
import { shownBranch } from '../thread-selectors.js';

export { renderEditForm } from './edit-form.js';
export { isReading, stopReading } from '../read-aloud.js';

/**
 * Reads the texts of a message aloud, see `readAloud`. Stops when the element is removed, or shows another thread or branch, because then
 * there is no button to stop it. Continues when the view of the message is replaced, or is removed because the message is far from the viewport.
 */
export function readMessageAloud(scope: MessageScope, node: Element, onEnd: () => void): void {
  const { message, context } = scope;
  const { parts } = message;
  // An element of this library, except in tests.
  const element = context.host as Partial<ReactiveControllerHost> & { readonly head?: Key | null };
  const observer: ReactiveController = {
    hostDisconnected: stopReading,
    hostUpdated: () => {
      const { thread } = context.actions;
      const path = thread ? shownBranch(thread, element.head ?? thread.head) : [];
      const isShown = path.some((shown) => shown.parts === parts);
      if (!isShown) stopReading();
    },
  };
  element.addController?.(observer);
  readAloud(parts, findContent(scope, node), context.locale.lang, () => {
    element.removeController?.(observer);
    onEnd();
  });
}
