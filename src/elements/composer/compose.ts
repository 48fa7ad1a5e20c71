import type { ReactiveControllerHost } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import type { Attachment } from '../../model/message.js';
import type { ComposerHost } from './composer-options.js';
import type { ComposerController } from './composer-controller.js';
import { appendParagraph } from './message-field.js';

/** The message that {@link UbikChat.compose} writes into the message field, and what happens with it. */
export interface ComposeOptions {
  /** Text of the message. */
  readonly text?: string;
  /** Files, which are uploaded, and documents that the service already has. */
  readonly attachments?: readonly (File | Attachment)[];
  /** Whether text and documents replace those in the field. By default they are added at the end, the text after an empty line. */
  readonly replace?: boolean;
  /** Whether the field gets the focus. Opens a closed window. */
  readonly focus?: boolean;
  /** Whether the message is sent, as if the user had pressed Enter: during a run, `whileRunning` applies. Opens a closed window. */
  readonly send?: boolean;
}

/** The members of a chat that `compose` uses. */
interface Chat {
  readonly layout: string;
  readonly open: boolean;
  readonly ready: Promise<void>;
  toggle(open: boolean): void;
  focus(): void;
}

/** The gate of a chat. */
interface Gate {
  readonly isClosed: boolean;
}

/**
 * Writes a message into the field of a chat. Resolves to false when the chat is not connected, and when the message was to be sent and was not.
 * Waits until the gate is open. A message that had to wait for the gate stays in the field, for the user to send.
 *
 * @param isGated Whether the gate was closed when the host page called `compose`.
 */
export async function compose(
  host: ComposerHost & { readonly element: Chat },
  composer: ComposerController,
  { text = '', attachments = [], replace = false, focus = false, send = false }: ComposeOptions,
  gate: Gate,
  isGated: boolean,
): Promise<boolean> {
  const { element } = host;
  const hasWindow = element.layout === 'bubble' || element.layout === 'panel';
  // A chat whose window was never opened is not connected.
  if (hasWindow && (focus || send)) element.toggle(true);
  // The page has cancelled the first opening. When the user opens the window later, nothing must be sent.
  if (send && hasWindow && !element.open && !host.controller) return false;
  if (isGated && focus) element.focus();
  await element.ready;
  // The page may have set the gate after the chat has connected.
  const wasGated = isGated || gate.isClosed;
  await whenGateOpen(element, gate);
  const { controller, requestUpdate } = host;
  if (!controller) return false;
  const draft = replace ? { text: '', attachments: [] } : controller.getDraft();
  const documents = attachments.flatMap((one) => (one instanceof File ? [] : [one]));
  controller.setDraft({
    ...draft,
    text: appendParagraph(draft.text, text),
    attachments: [...draft.attachments, ...documents],
  });
  const composed = controller.getDraft();
  const files = attachments.filter((attachment) => attachment instanceof File);
  if (files.length > 0) await composer.attach(files.map((file) => ({ file, isFolder: false })));
  requestUpdate();
  await element.updateComplete;
  if (focus && (element.open || !hasWindow)) element.focus();
  if (!send || wasGated) return !send;
  if (files.length > 0) {
    await whenUploaded(controller, files);
    // A file may not have been uploaded, and the user may have changed the message or opened another thread meanwhile.
    const { text: written, attachments: attached } = controller.getDraft();
    const count = composed.attachments.length + files.length;
    if (written !== composed.text || attached.length !== count) return false;
  }
  await element.updateComplete;
  // The field has the draft of another controller when that was connected meanwhile.
  return controller === host.controller && !gate.isClosed && composer.submit();
}

/** Waits for the update of a chat after which its gate is open. */
async function whenGateOpen(chat: ReactiveControllerHost, gate: Gate): Promise<void> {
  if (!gate.isClosed) return;
  await new Promise<void>((resolve) => {
    const observer = {
      hostUpdated: (): void => {
        if (gate.isClosed) return;
        chat.removeController(observer);
        resolve();
      },
    };
    chat.addController(observer);
  });
}

/** Waits for uploads that attach files to the next message. */
async function whenUploaded(controller: StreamController, files: readonly File[]): Promise<void> {
  const uploads = await controller.loadUploads();
  await new Promise<void>((resolve) => {
    const check = (): void => {
      const own = uploads.tasks.filter(({ file }) => files.includes(file));
      if (own.some(({ state }) => state === 'waiting' || state === 'sending')) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = uploads.subscribe(check);
    check();
  });
}
