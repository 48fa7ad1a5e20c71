import type { ReactiveController } from 'lit';
import type { UbikError } from '../../errors.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { AttachmentController } from '../documents/attachment-controller.js';
import type { ComposerHost } from './composer-options.js';
import type { MessageField } from './message-field.js';

/** The module with the tools of a composer. */
export const lazyTools = createLazyModule(() => import('./composer-tools.js'));

/** Loads the tools of a composer when its field gets the focus, or when the host page or the last message needs them. */
export class LazyComposerTools implements ReactiveController {
  readonly host: ComposerHost;
  readonly field: MessageField;
  /** Attaches files to the message. */
  readonly files: AttachmentController;
  #state: 'idle' | 'loading' | 'loaded' = 'idle';

  constructor(host: ComposerHost, field: MessageField, files: AttachmentController) {
    this.host = host;
    this.field = field;
    this.files = files;
    host.element.addController(this);
  }

  /** Returns the reason why a text cannot be sent, as a sentence; empty when it can. Replaced by the tools. */
  validate = (_text: string): string => '';

  /** Shows the service's details of the error that is shown as `reason`. Replaced by the tools. */
  describeError = (_error: UbikError, _reason: string): void => undefined;

  /** Loads the tools. After a failure the next call tries again. */
  readonly load = (): void => {
    if (this.#state === 'loaded') return;
    this.#state = 'loading';
    lazyTools.load().then(({ ComposerTools }) => {
      if (this.#state === 'loaded') return;
      this.#state = 'loaded';
      this.host.element.addController(new ComposerTools(this));
      this.host.requestUpdate();
    }, this.host.context.report);
  };

  hostUpdated(): void {
    if (this.#state !== 'idle') return;
    const { controller, element } = this.host;
    const { maxLength, longPaste, speech, followUps } = element;
    const thread = controller?.thread;
    const questions = followUps ?? thread?.messages.get(thread.head ?? '')?.followUps;
    if (maxLength || longPaste || speech || questions) this.load();
  }
}
