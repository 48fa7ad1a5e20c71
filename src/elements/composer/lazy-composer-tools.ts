import type { ReactiveController } from 'lit';
import { isUbikError, type UbikError } from '../../errors.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { AttachmentController } from '../documents/attachment-controller.js';
import type { ComposerHost } from './composer-options.js';
import type { ComposerTools } from './composer-tools.js';
import type { MessageField } from './message-field.js';

/** The module with the tools of a composer. */
export const lazyTools = createLazyModule(() => import('./composer-tools.js'));

/**
 * Loads the tools of a composer when an option of the host page, the last message, or an error with a code of the service needs them. Also loads
 * them when the field gets the focus, if the thread has messages (which the arrow keys recall), the page offers suggestions, or the device may
 * have a virtual keyboard.
 */
export class LazyComposerTools implements ReactiveController {
  readonly host: ComposerHost;
  readonly field: MessageField;
  /** Attaches files to the message. */
  readonly files: AttachmentController;
  /** Whether the tools were requested, even if they could not be loaded. */
  #isRequested = false;
  #tools: ComposerTools | undefined;

  constructor(host: ComposerHost, field: MessageField, files: AttachmentController) {
    this.host = host;
    this.field = field;
    this.files = files;
    host.element.addController(this);
  }

  /** Returns the reason why a text cannot be sent, as a sentence; empty when it can. Replaced by the tools. */
  validate = (_text: string): string => '';

  /** Shows the service's details of the error that is shown as `reason`. Replaced by the tools. */
  describeError = (error: UbikError, reason: string): void => {
    if (!error.serviceError?.code) return;
    void this.#load().then(() => {
      if (this.#tools) this.describeError(error, reason);
    });
  };

  readonly handleFocusIn = (): void => {
    const { commands, mentions } = this.host.element;
    const mayHaveKeyboard = matchMedia('(any-pointer: coarse)').matches;
    if ((commands ?? mentions) || mayHaveKeyboard || this.#hasMessages) void this.#load();
  };

  /**
   * Recalls the last message with ArrowUp while the tools are not loaded, and loads them. This is necessary when the field got the focus before
   * the thread had messages, because the focus has not loaded the tools then.
   */
  readonly handleKey = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, isComposing, defaultPrevented } = event;
    const isModified = altKey || ctrlKey || metaKey || shiftKey || isComposing;
    if (this.#tools || key !== 'ArrowUp' || isModified || defaultPrevented) return;
    if (this.field.text !== '' || event.target !== this.field.node || !this.#hasMessages) return;
    event.preventDefault();
    void this.#load().then(() => this.#tools?.recallMessage());
  };

  hostUpdated(): void {
    if (this.#isRequested) return;
    const { controller, element } = this.host;
    const { maxLength, longPaste, speech, followUps } = element;
    const thread = controller?.thread;
    const questions = followUps ?? thread?.messages.get(thread.head ?? '')?.followUps;
    if (maxLength || longPaste || speech || questions) void this.#load();
  }

  get #hasMessages(): boolean {
    return this.host.controller?.thread?.head != null;
  }

  /** Loads the tools. Reports a failure; the next call tries again. */
  async #load(): Promise<void> {
    if (this.#tools) return;
    this.#isRequested = true;
    try {
      const { ComposerTools } = await lazyTools.load();
      if (this.#tools) return;
      this.#tools = new ComposerTools(this);
      this.host.element.addController(this.#tools);
      this.host.requestUpdate();
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.host.context.report(error);
    }
  }
}
