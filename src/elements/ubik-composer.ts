import type { PropertyDeclarations, TemplateResult } from 'lit';
import type { UploadLimits } from '../backends/backend.js';
import type { StreamController } from '../controller/controller-types.js';
import type { ApplicationContext } from '../model/message.js';
import { BaseElement } from './base/base-element.js';
import { ControllerConnection } from './base/controller-connection.js';
import { ComposerController } from './composer/composer-controller.js';
import type { ComposerOptions, FollowUps, SuggestionSource } from './composer/composer-options.js';

/**
 * A message field with a button that sends the message or stops the run.
 *
 * It connects to its `controller`, else to that of the enclosing element. Enter sends, Shift+Enter inserts a
 * line break; Enter in an IME composition does not send. The controller stores the draft.
 *
 * @example
 * <ubik-composer></ubik-composer>
 *
 * @tagname ubik-composer
 * @fires {UbikMessageSendEvent} ubik-message-send - before a message is sent; cancelable
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service accepted the message
 * @fires {UbikMessageQueueEvent} ubik-message-queue - before a message is queued during a run; cancelable
 * @fires {UbikQueueEditEvent} ubik-queue-edit - before a queued message is edited; cancelable
 * @fires {UbikSuggestionChosenEvent} ubik-suggestion-chosen - a suggestion was inserted
 * @fires {UbikContextRemovedEvent} ubik-context-removed - the user removed the context
 * @fires {UbikRunStartedEvent} ubik-run-started - a run has started, or this page joined a run in progress
 * @fires {UbikStepCompletedEvent} ubik-step-completed - a step was completed
 * @fires {UbikRunCompletedEvent} ubik-run-completed - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the run waits for an answer of the user
 * @fires {UbikRunStopEvent} ubik-run-stop - before a stop request is sent; cancelable
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was stopped on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the run failed
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - automatic rejoining was given up, or the user stopped waiting
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool requests input; cancelable: then the host page answers
 * @fires {UbikInputProvideEvent} ubik-input-provide - before an answer to a request is sent, except by `respond` and `decline`; cancelable
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service accepted the answer
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreateEvent} ubik-thread-create - before the first message or upload creates a thread; cancelable
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikDocumentAddEvent} ubik-document-add - before a file is uploaded; cancelable
 * @fires {UbikDocumentAddedEvent} ubik-document-added - a file was uploaded
 * @fires {UbikDocumentCancelledEvent} ubik-document-cancelled - an upload was cancelled
 * @fires {UbikDocumentReadyEvent} ubik-document-ready - the service has processed a document
 * @fires {UbikDocumentFailedEvent} ubik-document-failed - a file was rejected, not uploaded, or could not be processed
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user, such as a suggestion source of the host page that failed
 * @csspart base - container of all content
 * @csspart composer - the message field with its buttons
 * @csspart input - the text field
 * @csspart follow-up - a follow-up question
 * @csspart context - the context of the host page, with its button
 * @csspart option - an option of the service, such as deep thinking or the model
 * @csspart inputs - the form for the inputs of the agent
 * @csspart suggestions - list of suggestions
 * @csspart suggestion - a suggestion
 * @csspart dictate - dictation button
 * @csspart attach - button that attaches files
 * @csspart document - an attachment that is being uploaded
 * @csspart send - button that sends or stops
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
    context: { attribute: false },
    prefill: { type: Boolean },
    speech: { type: Boolean },
  };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;
  /** Limits for uploads; by default those of the service. Without any, the service decides about each file. */
  uploadLimits: UploadLimits | null = null;
  /**
   * Longest message that can be sent, except by `send()`, in characters; 0 (default) for no limit. A longer message is not truncated; it stays
   * in the field.
   */
  maxLength = 0;
  /** Pasted text longer than this, in UTF-16 code units, is attached as a document; 0 (default) for never. */
  longPaste = 0;
  /** Effect of Enter during a run: `queue` (default) sends afterwards, `stop` stops the run and sends, `draft` keeps the text. */
  whileRunning: '' | 'queue' | 'stop' | 'draft' = '';
  /** Suggestions after `/` at the beginning of a message. */
  commands: SuggestionSource | null = null;
  /** Suggestions after `@`. */
  mentions: SuggestionSource | null = null;
  /** Up to four questions that are offered after a complete answer. */
  followUps: FollowUps | null = null;
  /**
   * Data of the host page that messages are about, shown in the composer. When the user removes it, messages are sent without it until
   * another one is set. Only for services that accept a context; with others, `ubik-diagnostic` is dispatched.
   */
  context: ApplicationContext | null = null;
  /** Whether a click on a follow-up question writes it into the field; by default it is sent. */
  prefill = false;
  /** Whether messages can be dictated, in browsers with speech recognition. Most browsers send the audio to an external service. */
  speech = false;

  readonly #connection = new ControllerConnection(this, this.viewContext, {
    onConnect: () => {
      this.#composer.handleConnect();
    },
    onNotice: (notice) => {
      this.requestUpdate();
      this.#composer.handleNotice(notice);
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
