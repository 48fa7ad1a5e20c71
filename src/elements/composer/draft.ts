import type { Draft } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { normalizeLineEnds } from '../../controller/messages/message-text.js';
import { UbikError } from '../../errors.js';
import { isRunning } from '../../message/thread-selectors.js';
import type { MessageSettings } from '../../model/message.js';

/** The settings of the next messages, by controller, because an element that edits or regenerates a message may have no composer. */
const settings = new WeakMap<StreamController, MessageSettings>();

/** Sets the settings of the next messages of a controller. */
export function setMessageSettings(controller: StreamController, value: MessageSettings): void {
  settings.set(controller, value);
}

/** The loading of the stored options of each controller whose composer loads them. Never rejects. */
export const optionLoadings = new WeakMap<StreamController, Promise<unknown>>();

/**
 * Returns the settings for another version of a message of the current thread, after the stored options were loaded.
 *
 * @throws {UbikError} `aborted` when another thread is shown by then, or a run is active.
 */
export async function loadMessageSettings(controller: StreamController): Promise<MessageSettings> {
  const { thread } = controller;
  const loading = optionLoadings.get(controller);
  await loading;
  if (loading && (thread !== controller.thread || isRunning(thread)))
    throw new UbikError('aborted');
  return getMessageSettings(controller);
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
