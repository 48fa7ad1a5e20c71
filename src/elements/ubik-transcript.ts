import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import type { MessageRenderer } from '../message/host-slot.js';
import type { RenderDiagram } from '../markdown/options.js';
import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { BaseElement } from './base/base-element.js';
import { ControllerConnection } from './base/controller-connection.js';
import { TranscriptView } from './transcript/transcript-view.js';
import type { ContentOptions } from './base/view-context.js';

/**
 * The messages of a conversation, in a box that follows its end until the person reads.
 *
 * It takes the conversation of its `controller`, else of the element around it. With `head` it shows any way through the thread,
 * so two transcripts on one controller compare two outcomes.
 *
 * @example
 * <ubik-transcript style="height: 30rem"></ubik-transcript>
 *
 * @tagname ubik-transcript
 * @fires {UbikMessageEditEvent} ubik-message-edit - before a sent message gets a new text; cancelable
 * @fires {UbikMessageEditedEvent} ubik-message-edited - a sent message has a new text
 * @fires {UbikMessageRegenerateEvent} ubik-message-regenerate - before an answer is asked for once more; cancelable
 * @fires {UbikMessageRegeneratedEvent} ubik-message-regenerated - an answer was asked for once more
 * @fires {UbikMessageFeedbackEvent} ubik-message-feedback - before a judgement of an answer is taken; cancelable
 * @fires {UbikMessageFeedbackGivenEvent} ubik-message-feedback-given - a person has judged an answer, or taken it back
 * @fires {UbikBranchNavigateEvent} ubik-branch-navigate - before another version is shown; cancelable
 * @fires {UbikBranchNavigatedEvent} ubik-branch-navigated - another version is shown
 * @fires {UbikRunStartedEvent} ubik-run-started - the agent has begun, or a run that was on was joined
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool asks for something; cancelable
 * @fires {UbikCheckpointNavigateEvent} ubik-checkpoint-navigate - before going back to a checkpoint; cancelable
 * @fires {UbikCheckpointNavigatedEvent} ubik-checkpoint-navigated - the agent goes on from a checkpoint
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link of a message is followed; cancelable
 * @fires {UbikErrorEvent} ubik-error - something went wrong
 * @csspart base - the whole
 * @csspart transcript - the box that scrolls
 * @csspart message - one message; also `question` or `answer`
 * @csspart menu - what else can be done with a message
 * @csspart dialog - a question over the page, such as that of the way back
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
    renderDiagram: { attribute: false },
    messageLink: { attribute: false },
    messageAvatar: { attribute: false },
    messageActions: { attribute: false },
  };

  /** The controller; by default that of the element around. */
  controller: StreamController | null = null;
  /** Key of the newest message to show; by default the head of the thread. */
  head: Key | null = null;
  /** Whether all messages are rendered in full, for assistive technology; by default old messages out of view are plain text. */
  assistive = false;
  /** Whether a sent message scrolls to the top and its answer fills the space below; by default the end is followed. */
  pinQuestion = false;
  /** Remote images: `link` (default), `data`, or `allow` and origins such as `https://files.example/pictures/`. */
  imagePolicy = 'link';
  /** Base URL of relative links in messages; empty: they are not links. */
  linkBase = '';
  /** Raw HTML in messages: `text` (default) or `sanitized`. */
  html = 'text';
  /** Folder of the optional parts of the bundle; by default beside the bundle. */
  assetsUrl = '';
  /** Whether technical details of errors are shown. */
  errorDetails = false;
  /** Renders closed code blocks in languages such as `mermaid`. */
  renderDiagram: RenderDiagram | undefined;
  /** Returns the URL of a message, which its menu offers to copy; without it, or when it returns none, the menu does not. */
  messageLink: ((message: Message) => string) | undefined;
  /** Renders an avatar beside each message, into the light DOM of the host page. Applies to messages rendered from now on. */
  messageAvatar: MessageRenderer | undefined;
  /** Renders more actions below each message, into the light DOM of the host page. Applies to messages rendered from now on. */
  messageActions: MessageRenderer | undefined;

  readonly #connection = new ControllerConnection(this, this.context, {
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
