import type { Draft } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { normalizeLineEnds } from '../../controller/messages/message-text.js';
import type { MessageSettings } from '../../model/message.js';

/** The settings of the next messages, by controller, because an element that edits or regenerates a message may have no composer. */
const settings = new WeakMap<StreamController, MessageSettings>();

/** Sets the settings of the next messages of a controller. */
export function setMessageSettings(controller: StreamController, value: MessageSettings): void {
  settings.set(controller, value);
}

/** Returns the settings of the next messages of a controller; empty when no composer has set them. */
export function getMessageSettings(controller: StreamController | null): MessageSettings {
  return (controller && settings.get(controller)) ?? {};
}

/**
 * Creates a draft from a text and the current settings, with the attachments of the stored draft if its text is the same. Another text, such
 * as a starter question, is sent without attachments.
 */
export function createDraft(controller: StreamController | null, text: string): Draft {
  const stored = controller?.getDraft();
  const attachments = stored?.text === normalizeLineEnds(text) ? stored.attachments : [];
  return { text, attachments, ...getMessageSettings(controller) };
}
