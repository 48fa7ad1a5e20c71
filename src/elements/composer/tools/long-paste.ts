import type { AttachmentController } from '../../documents/attachment-controller.js';
import type { ComposerContext } from './composer-context.js';

/** A long text that is pasted becomes a document that goes with the message; with Shift it stays a text. */
export class LongPaste {
  readonly #context: ComposerContext;
  readonly #files: AttachmentController;
  /** Whether the keys say that it is to stay a text. */
  #isPlain = false;
  #count = 0;

  constructor(context: ComposerContext, files: AttachmentController) {
    this.#context = context;
    this.#files = files;
  }

  /** Looks at the keys before a paste. */
  readonly handleKey = ({ key, shiftKey }: KeyboardEvent): void => {
    this.#isPlain = shiftKey && key.toLowerCase() === 'v';
  };

  /** Takes a paste into the field, when it is long. */
  readonly handlePaste = (event: ClipboardEvent): void => {
    const isPlain = this.#isPlain;
    this.#isPlain = false;
    const { host, say } = this.#context;
    const { longPaste } = host.element;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isAble = host.controller?.backend.capabilities.has('upload') ?? false;
    if (!(longPaste > 0) || text.length <= longPaste || !isAble || isPlain) return;
    event.preventDefault();
    const words = host.context.locale.text('pastedName');
    this.#count += 1;
    const name = this.#count > 1 ? `${words} ${this.#count}.txt` : `${words}.txt`;
    const file = new File([text], name, { type: 'text/plain' });
    void this.#files.attach([{ file, isFolder: false }]);
    say(host.context.locale.text('pasted'));
  };
}
