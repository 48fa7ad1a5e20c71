import type { StreamController, Uploads } from '../../controller/controller-types.js';
import type { Attachment } from '../../model/message.js';
import type { ComposerHost } from './composer-options.js';
import type { ComposerController } from './composer-controller.js';

/** What {@link UbikChat.compose} writes into the message field. */
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

/** The members of a chat that are needed to open its window. */
interface Chat {
  readonly layout: string;
  readonly open: boolean;
  readonly ready: Promise<void>;
  toggle(open: boolean): void;
}

/** Writes a message into the field of a chat. Resolves to false when it was to be sent and was not. */
export async function compose(
  host: ComposerHost & { readonly element: Chat },
  composer: ComposerController,
  { text = '', attachments = [], replace = false, focus = false, send = false }: ComposeOptions,
): Promise<boolean> {
  const { element } = host;
  const hasWindow = element.layout === 'bubble' || element.layout === 'panel';
  // A chat whose window was never opened is not connected.
  if (hasWindow && (focus || send)) element.toggle(true);
  await element.ready;
  const { controller, requestUpdate } = host;
  if (!controller) return false;
  const draft = replace ? { text: '', attachments: [] } : controller.getDraft();
  const documents = attachments.flatMap((one) => (one instanceof File ? [] : [one]));
  controller.setDraft({
    ...draft,
    text: text && draft.text ? `${draft.text.trimEnd()}\n\n${text}` : draft.text || text,
    attachments: [...draft.attachments, ...documents],
  });
  const files = attachments.filter((attachment) => attachment instanceof File);
  if (files.length > 0) await composer.attach(files.map((file) => ({ file, isFolder: false })));
  requestUpdate();
  await element.updateComplete;
  if (focus && (element.open || !hasWindow)) composer.focus();
  if (!send) return true;
  // A message without a file that was to be sent with it says something else.
  if (files.length > 0 && !(await areUploaded(controller, files))) return false;
  await element.updateComplete;
  return composer.submit();
}

/** Waits for uploads that attach files to the next message. Resolves to false when one of them was refused or has failed. */
async function areUploaded(controller: StreamController, files: readonly File[]): Promise<boolean> {
  const uploads = await controller.loadUploads();
  const own = (): Uploads['tasks'] => uploads.tasks.filter(({ file }) => files.includes(file));
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (own().some(({ state }) => state === 'waiting' || state === 'sending')) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = uploads.subscribe(check);
    check();
  });
  return own().length === 0;
}
