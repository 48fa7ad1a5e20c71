import type { Draft } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import type { MessageSettings } from '../../model/message.js';

/** The settings of the next messages, by controller: elements that edit or regenerate a message have no composer. */
const settings = new WeakMap<StreamController, MessageSettings>();

/** Sets what the next messages of a controller are sent with. */
export function setMessageSettings(controller: StreamController, value: MessageSettings): void {
  settings.set(controller, value);
}

/** Returns what the next messages of a controller are sent with; empty when no composer has set it. */
export function getMessageSettings(controller: StreamController | null): MessageSettings {
  return (controller && settings.get(controller)) ?? {};
}

/**
 * Returns a text as a draft with the present settings: with the attachments of the stored draft when it is that text, else with none (a
 * starter question).
 */
export function createDraft(controller: StreamController | null, text: string): Draft {
  const stored = controller?.getDraft();
  const attachments = stored?.text === text ? stored.attachments : [];
  return { text, attachments, ...getMessageSettings(controller) };
}
