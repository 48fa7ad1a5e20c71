import { loadedQueues } from '../../controller/documents/loaded-queues.js';
import type { StreamController } from '../../controller/controller-types.js';
import { threadOpenings } from '../../controller/threads/thread-openings.js';
import type { AttachmentController } from '../documents/attachment-controller.js';
import { ConversationTarget } from '../documents/conversation-target.js';
import type { ComposerContext } from './composer-context.js';
import { appendParagraph } from './message-field.js';

/**
 * Attaches pasted text that is longer than `longPaste` as a document, except in the answer to a question of the agent. Text that is pasted with
 * the shortcut for plain text (Ctrl+Shift+V or Cmd+Shift+V) stays text.
 */
export class LongPaste {
  readonly #context: ComposerContext;
  readonly #files: AttachmentController;
  /** Whether the shortcut for "paste as plain text" was pressed. */
  #isPlain = false;
  /** Number of pasted texts that were made into a file. */
  #count = 0;

  constructor(context: ComposerContext, files: AttachmentController) {
    this.#context = context;
    this.#files = files;
  }

  /** Reads the shortcut of the paste that follows, because the paste event does not contain it. */
  readonly handleKey = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): void => {
    this.#isPlain = shiftKey && (ctrlKey || metaKey) && key.toLowerCase() === 'v';
  };

  /** Attaches a long paste. */
  readonly handlePaste = (event: ClipboardEvent): void => {
    const isPlain = this.#isPlain;
    this.#isPlain = false;
    const { field, host } = this.#context;
    const { controller, element } = host;
    const { longPaste } = element;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // The property is NaN for an attribute that is not a number, and every comparison with NaN is false.
    const isLong = longPaste > 0 && text.length > longPaste;
    if (!isLong || isPlain || !controller?.backend.capabilities.has('upload')) return;
    // An answer has no attachments, and may be secret.
    if (field.findQuestion()) return;
    event.preventDefault();
    const base = host.context.locale.text('pastedName');
    this.#count += 1;
    const name = this.#count > 1 ? `${base} ${this.#count}.txt` : `${base}.txt`;
    const file = new File([text], name, { type: 'text/plain' });
    void this.#attach(file, text, controller);
  };

  /**
   * Attaches a pasted text. If its file is refused, by the page, too, or the code for uploads cannot be loaded, inserts it into the field
   * instead, or appends it to the draft of the conversation in which it was pasted when another one is shown.
   */
  async #attach(file: File, text: string, controller: StreamController): Promise<void> {
    const { field, host, announce } = this.#context;
    const target = new ConversationTarget(controller);
    await this.#files.attach([{ file, isFolder: false }], target);
    await target.loaded;
    // If the thread could not be created, the conversation is a new one again.
    const thread = target.thread?.id === null && !controller.thread ? null : target.thread;
    const isOpening = !!threadOpenings.get(controller)?.()?.loading;
    const queue = loadedQueues.get(controller);
    const task = queue?.taskOf(file);
    const isAdded = queue?.isUploaded(file) || (task && task.state !== 'refused');
    if (isAdded) return announce(host.context.locale.text('pasted'));
    if (task) queue?.cancel(task.key);
    if (controller === host.controller && thread === controller.thread && !isOpening) {
      const { node } = field;
      node?.setRangeText(text, node.selectionStart, node.selectionEnd, 'end');
      return field.write(field.text);
    }
    if (!thread) await whenNew(controller);
    // The thread was deleted.
    else if (!controller.getThread(thread.key)) return;
    const draft = controller.getDraft(thread?.key);
    controller.setDraft({ ...draft, text: appendParagraph(draft.text, text) }, thread?.key);
  }
}

/** Resolves when a new conversation is shown and no other one is being opened: before, its draft cannot be changed. */
async function whenNew(controller: StreamController): Promise<void> {
  for (;;) {
    const loading = threadOpenings.get(controller)?.()?.loading;
    if (!controller.thread && !loading) return;
    await (loading ?? nextNotice(controller));
  }
}

function nextNotice(controller: StreamController): Promise<void> {
  return new Promise((resolve) => {
    const stop = controller.onNotice(() => {
      stop();
      resolve();
    });
  });
}
