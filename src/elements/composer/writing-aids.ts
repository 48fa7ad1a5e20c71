import type { ReactiveController } from 'lit';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { AttachmentController } from '../documents/attachment-controller.js';
import type { MessageField } from './message-field.js';
import type { WritingHost } from './writing-options.js';

/** What helps somebody who writes. */
export const deferredTools = createLazyModule(() => import('./tools/writing-tools.js'));

/** What helps somebody who writes, from the moment when the field has the focus, or the page wants any of it. */
export class WritingAids implements ReactiveController {
  readonly host: WritingHost;
  readonly field: MessageField;
  /** Where files are taken that are to go with the message. */
  readonly files: AttachmentController;
  #state: '' | 'asked' | 'there' = '';

  constructor(host: WritingHost, field: MessageField, files: AttachmentController) {
    this.host = host;
    this.field = field;
    this.files = files;
    host.element.addController(this);
  }

  /** Why a text cannot be sent, as a sentence; empty when it can. What helps replaces it. */
  refuse = (_text: string): string => '';

  /** Fetches what helps; a failure costs it until the next call. */
  readonly load = (): void => {
    if (this.#state === 'there') return;
    this.#state = 'asked';
    deferredTools.load().then(({ WritingTools }) => {
      if (this.#state === 'there') return;
      this.#state = 'there';
      this.host.element.addController(new WritingTools(this));
      this.host.requestUpdate();
    }, this.host.context.report);
  };

  hostUpdated(): void {
    const { maxLength, longPaste, speech, followUps } = this.host.element;
    if (!this.#state && (maxLength || longPaste || speech || followUps)) this.load();
  }
}
