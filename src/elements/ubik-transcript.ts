import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { MessagesElement } from './base/messages-element.js';
import { ControllerConnection } from './base/controller-connection.js';
import { TranscriptView } from './transcript/transcript-view.js';

/**
 * The messages of a thread, in a scroll container that follows the end until the user scrolls up.
 *
 * It connects to its `controller`, else to that of the enclosing element. With `head` it shows any branch of the thread, so
 * two transcripts on one controller can compare two branches.
 *
 * @example
 * <ubik-transcript style="height: 30rem"></ubik-transcript>
 *
 * @tagname ubik-transcript
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service accepted a message
 * @fires {UbikMessageEditEvent} ubik-message-edit - before a sent message is edited; cancelable
 * @fires {UbikMessageEditedEvent} ubik-message-edited - a sent message was edited
 * @fires {UbikMessageRegenerateEvent} ubik-message-regenerate - before an answer is regenerated; cancelable
 * @fires {UbikMessageRegeneratedEvent} ubik-message-regenerated - an answer is being regenerated
 * @fires {UbikMessageFeedbackEvent} ubik-message-feedback - before feedback on an answer is given or withdrawn; cancelable
 * @fires {UbikMessageFeedbackGivenEvent} ubik-message-feedback-given - feedback on an answer was given or withdrawn
 * @fires {UbikBranchSwitchEvent} ubik-branch-switch - before another version is shown; cancelable
 * @fires {UbikBranchSwitchedEvent} ubik-branch-switched - another version is shown
 * @fires {UbikRunStartedEvent} ubik-run-started - a run has started, or this page joined a run in progress
 * @fires {UbikStepCompletedEvent} ubik-step-completed - a step was completed
 * @fires {UbikRunCompletedEvent} ubik-run-completed - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the run waits for an answer of the user
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was stopped on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the run failed
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - automatic rejoining was given up, or the user stopped waiting
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool requests input; cancelable: then the host page answers
 * @fires {UbikInputProvideEvent} ubik-input-provide - before an answer to a request is sent, except by `respond` and `decline`; cancelable
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service accepted the answer
 * @fires {UbikCheckpointRestoreEvent} ubik-checkpoint-restore - before a checkpoint is restored; cancelable
 * @fires {UbikCheckpointRestoredEvent} ubik-checkpoint-restored - a checkpoint was restored, the agent continues from it
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link in a message is followed; cancelable
 * @fires {UbikLinkOpenedEvent} ubik-link-opened - a link was clicked and the page has not cancelled it
 * @fires {UbikImageLoadEvent} ubik-image-load - before an image is loaded at the user's request; cancelable
 * @fires {UbikMessageCopiedEvent} ubik-message-copied - the user has copied a message
 * @fires {UbikBranchComparedEvent} ubik-branch-compared - the comparison of two branches was opened
 * @fires {UbikImageLoadedEvent} ubik-image-loaded - a remote image was loaded
 * @fires {UbikPartAskEvent} ubik-part-ask - a renderer asks the host page
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user, or a callback of the host page threw
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user
 * @csspart base - container of all content
 * @csspart transcript - scroll container of the messages
 * @csspart message - a message; also `question` or `answer`
 * @csspart menu - menu of a message
 * @csspart tool-details - area with the details of a tool call
 * @csspart dialog - modal dialog, such as that for restoring a checkpoint
 */
export class UbikTranscript extends MessagesElement {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    head: { attribute: false },
    assistive: { type: Boolean },
    pinQuestion: { attribute: 'pin-question', type: Boolean },
    messageLink: { attribute: false },
  };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;
  /** Key of the newest message to show; by default the head of the thread. */
  head: Key | null = null;
  /** Whether all messages are rendered in full, for assistive technology. By default old messages outside the viewport are plain text. */
  assistive = false;
  /** Whether a sent message scrolls to the top and its answer fills the space below. By default the end is followed. */
  pinQuestion = false;
  /** Returns the URL of a message, which its menu offers to copy. Without a function, or for an empty string, the menu has no such item. */
  messageLink: ((message: Message) => string) | undefined;

  readonly #connection = new ControllerConnection(this, this.viewContext, {
    onConnect: (controller) => {
      this.#view.show(controller);
    },
    onChange: (change) => {
      this.#view.apply(change);
    },
    onNotice: ({ type }) => {
      this.requestUpdate();
      if (type === 'thread-changed') this.#view.scrollToEnd();
    },
    focusMessage: (message) => {
      this.#view.focusMessage(message);
    },
  });
  readonly #view = new TranscriptView(this, this.#connection.context);

  /** Scrolls to the end and follows it. */
  scrollToEnd(): void {
    this.#view.scrollToEnd();
  }

  protected override invalidateContent(): void {
    super.invalidateContent();
    this.#view.redraw();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('head')) this.#view.head = this.head;
  }

  protected override renderContent(): Element {
    return this.#view.node;
  }
}
