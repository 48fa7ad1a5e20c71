import type { AttachmentController } from '../documents/attachment-controller.js';
import type { ComposerContext } from './composer-context.js';

/**
 * Attaches pasted text that is longer than `longPaste` as a document, except in the answer to a question of the agent. Text that is pasted with
 * the shortcut for plain text (Ctrl+Shift+V or Cmd+Shift+V) stays text.
 */
export class LongPaste {
  readonly #context: ComposerContext;
  readonly #files: AttachmentController;
  /** Whether the shortcut for "paste as plain text" was pressed. */
  #isPlain = false;
  /** Number of pasted texts that were attached. */
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
    const { field, host, announce } = this.#context;
    const { longPaste } = host.element;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const canUpload = host.controller?.backend.capabilities.has('upload') ?? false;
    // Written with `!`, because the property is NaN for an attribute that is not a number, and every comparison with NaN is false.
    if (!(longPaste > 0) || text.length <= longPaste || !canUpload || isPlain) return;
    // An answer has no attachments, and may be secret.
    if (field.findQuestion()) return;
    event.preventDefault();
    const base = host.context.locale.text('pastedName');
    this.#count += 1;
    const name = this.#count > 1 ? `${base} ${this.#count}.txt` : `${base}.txt`;
    const file = new File([text], name, { type: 'text/plain' });
    void this.#files.attach([{ file, isFolder: false }]);
    announce(host.context.locale.text('pasted'));
  };
}
