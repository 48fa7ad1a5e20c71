import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import type { MessageRenderer } from '../message/host-content.js';
import type { RendererRule } from '../message/parts/renderer-types.js';
import type { RenderDiagram } from '../markdown/options.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { BaseElement } from './base/base-element.js';
import { ControllerConnection } from './base/controller-connection.js';
import { TranscriptView } from './transcript/transcript-view.js';
import type { ContentOptions } from './base/view-context.js';

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
 * @fires {UbikInputProvideEvent} ubik-input-provide - before an answer to a request is sent; cancelable
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service accepted the answer
 * @fires {UbikCheckpointRestoreEvent} ubik-checkpoint-restore - before a checkpoint is restored; cancelable
 * @fires {UbikCheckpointRestoredEvent} ubik-checkpoint-restored - a checkpoint was restored, the agent continues from it
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link in a message is followed; cancelable
 * @fires {UbikImageLoadEvent} ubik-image-load - before a remote image is loaded; cancelable
 * @fires {UbikPartAskEvent} ubik-part-ask - a renderer asks the host page
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem without effect for the user
 * @csspart base - container of all content
 * @csspart transcript - scroll container of the messages
 * @csspart message - a message; also `question` or `answer`
 * @csspart menu - menu of a message
 * @csspart tool-details - area with the details of a tool call
 * @csspart dialog - modal dialog, such as that for restoring a checkpoint
 */
export class UbikTranscript extends BaseElement implements ContentOptions {
  static override properties: PropertyDeclarations = {
    controller: { attribute: false },
    head: { attribute: false },
    assistive: { type: Boolean },
    pinQuestion: { attribute: 'pin-question', type: Boolean },
    imagePolicy: { attribute: 'image-policy' },
    linkBase: { attribute: 'link-base' },
    html: {},
    assetsUrl: { attribute: 'assets-url' },
    errorDetails: { attribute: 'error-details', type: Boolean },
    steps: {},
    renderDiagram: { attribute: false },
    messageLink: { attribute: false },
    messageAvatar: { attribute: false },
    messageActions: { attribute: false },
    renderers: { attribute: false },
  };

  /** The controller; by default that of the enclosing element. */
  controller: StreamController | null = null;
  /** Key of the newest message to show; by default the head of the thread. */
  head: Key | null = null;
  /** Whether all messages are rendered in full, for assistive technology. By default old messages outside the viewport are plain text. */
  assistive = false;
  /** Whether a sent message scrolls to the top and its answer fills the space below. By default the end is followed. */
  pinQuestion = false;
  /** Remote images: `link` (default), `data`, or `allow` and origins such as `https://files.example/pictures/`. */
  imagePolicy: 'link' | 'data' | `allow${string}` = 'link';
  /** Base URL of relative links in messages. Without it, they are not links. */
  linkBase = '';
  /** Raw HTML in messages: `text` (default) or `sanitized`. */
  html: 'text' | 'sanitized' = 'text';
  /** Folder of the lazy-loaded files of the bundle; by default that of the bundle. */
  assetsUrl = '';
  /** Whether technical details of errors are shown. */
  errorDetails = false;
  /** The steps before a finished answer: `summary` (default) folds them into one line, `list` shows each. Applies to messages that are rendered later. */
  steps: '' | 'summary' | 'list' = '';
  /** Renders closed code blocks in languages such as `mermaid`. */
  renderDiagram: RenderDiagram | undefined;
  /** Returns the URL of a message, which its menu offers to copy. Without it, or without a URL, the menu has no such item. */
  messageLink: ((message: Message) => string) | undefined;
  /** Renders an avatar beside each message, into the light DOM of the host page. Applies to messages that are rendered later. */
  messageAvatar: MessageRenderer | undefined;
  /** Renders additional actions below each message, into the light DOM of the host page. Applies to messages that are rendered later. */
  messageActions: MessageRenderer | undefined;
  /**
   * Renderers of the host page for tools and other parts in this element, in the order in which they are asked; before those of
   * `registerToolRenderer` and `registerPartRenderer`. Applies to parts that are rendered later.
   */
  renderers: readonly RendererRule[] | undefined;

  readonly #connection = new ControllerConnection(this, this.viewContext, {
    onConnect: (controller) => {
      this.#view.show(controller);
    },
    onChange: (change) => {
      this.#view.apply(change);
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
