import type { PropertyDeclarations, TemplateResult } from 'lit';
import type { UploadLimits } from '../backends/backend.js';
import type { StreamController } from '../controller/controller-types.js';
import { BaseElement } from './base/base-element.js';
import { ControllerConnection } from './base/controller-connection.js';
import { ComposerController } from './composer/composer-controller.js';
import type { ComposerOptions, FollowUps, SuggestionSource } from './composer/composer-options.js';

/**
 * The field in which a message is written, with the button that sends it, and stops the answer.
 *
 * It takes the conversation of its `controller`, else of the element around it. Enter sends, Shift and Enter break the line;
 * a composition never sends. What is unsent is kept by the conversation.
 *
 * @example
 * <ubik-composer></ubik-composer>
 *
 * @tagname ubik-composer
 * @fires {UbikMessageSendEvent} ubik-message-send - before a message is sent; cancelable
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service has taken the message
 * @fires {UbikMessageQueueEvent} ubik-message-queue - before a message is kept until the run is over; cancelable
 * @fires {UbikMessageQueuedEvent} ubik-message-queued - a message is kept until the run is over
 * @fires {UbikQueueEditEvent} ubik-queue-edit - before a message that waits is written anew; cancelable
 * @fires {UbikQueueEditedEvent} ubik-queue-edited - a message that waits has another text
 * @fires {UbikQueueRemoveEvent} ubik-queue-remove - before a message that waits is taken out; cancelable
 * @fires {UbikQueueRemovedEvent} ubik-queue-removed - a message does not wait any more, and is not sent
 * @fires {UbikSuggestionChooseEvent} ubik-suggestion-choose - before a chosen command or name is written into the message; cancelable
 * @fires {UbikSuggestionChosenEvent} ubik-suggestion-chosen - a command or a name was chosen
 * @fires {UbikRunStopEvent} ubik-run-stop - before the service is asked to end the run; cancelable
 * @fires {UbikDocumentAddEvent} ubik-document-add - before a file is uploaded; cancelable
 * @fires {UbikDocumentAddedEvent} ubik-document-added - a file has arrived
 * @fires {UbikDocumentFailedEvent} ubik-document-failed - a file was not taken, or did not arrive
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a list of the page failed; nothing is offered
 * @csspart base - the whole
 * @csspart composer - the field with its button
 * @csspart input - the field
 * @csspart follow-up - a question that may follow an answer
 * @csspart suggestions - commands or names to choose from
 * @csspart suggestion - one of them
 * @csspart dictate - the button that listens
 * @csspart attach - the button that attaches files
 * @csspart document - a file that has not arrived
 * @csspart send - the button that sends or stops
 */
export class UbikComposer extends BaseElement implements ComposerOptions {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    uploadLimits: { attribute: false },
    maxLength: { attribute: 'max-length', type: Number },
    longPaste: { attribute: 'long-paste', type: Number },
    whileRunning: { attribute: 'while-running' },
    commands: { attribute: false },
    mentions: { attribute: false },
    followUps: { attribute: false },
    speech: { type: Boolean },
  };

  /** The controller; by default that of the element around. */
  controller: StreamController | null = null;
  /** Limits for uploads; by default those of the service, else the service decides about each file. */
  uploadLimits: UploadLimits | null = null;
  /** Longest message that can be sent, in characters; 0 (default): any. A longer one is not cut, it stays in the field. */
  maxLength = 0;
  /** Pasted text longer than this, in characters, is attached as a document; 0 (default): never. */
  longPaste = 0;
  /** What Enter does during a run: `queue` (default) sends afterwards, `stop` stops the run and sends, `draft` keeps the text. */
  whileRunning = '';
  /** Suggestions after `/` at the beginning of a message. */
  commands: SuggestionSource | null = null;
  /** Suggestions after `@`. */
  mentions: SuggestionSource | null = null;
  /** Up to four questions that are offered after a complete answer. */
  followUps: FollowUps | null = null;
  /** Whether messages can be dictated, where the browser supports speech recognition. Most browsers send the audio to a service. */
  speech = false;

  readonly #connection = new ControllerConnection(this, this.context, {
    onConnect: () => {
      this.#composer.connected();
    },
    onNotice: (notice) => {
      this.requestUpdate();
      this.#composer.noticed(notice);
    },
    onError: (error) => {
      this.#composer.showError(error);
    },
    validateMessage: (text) => this.#composer.validate(text),
  });
  readonly #composer = new ComposerController(this.#connection);

  /** Focuses the message field. */
  override focus(): void {
    this.#composer.focus();
  }

  /** Sends a message as if the user had written it. Resolves to false when it was not sent. */
  send(text: string): Promise<boolean> {
    return this.#composer.send(text);
  }

  /** Asks the service to stop the run. */
  stop(): Promise<void> {
    return this.#composer.stop();
  }

  protected override renderContent(): TemplateResult {
    return this.#composer.render();
  }
}
