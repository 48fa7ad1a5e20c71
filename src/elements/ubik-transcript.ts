import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { StreamController } from '../controller/controller-types.js';
import type { Change } from '../model/change.js';
import type { Key } from '../model/json.js';
import { ConversationElement } from './base/conversation-element.js';
import { TranscriptView } from './views/transcript-view.js';

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
export class UbikTranscript extends ConversationElement {
  static override properties: PropertyDeclarations = {
    head: { attribute: false },
    assistive: { type: Boolean },
    pinQuestion: { attribute: 'pin-question', type: Boolean },
  };

  /** Our key of the newest message to show; by default the thread's own. */
  head: Key | null = null;
  /** Whether all messages are rich at all times, for assistive technology; by default old ones far away are their plain text. */
  assistive = false;
  /** Whether a new question goes to the upper edge and its answer is read downwards; by default the end is followed. */
  pinQuestion = false;

  readonly #view = new TranscriptView(this, this.context);

  /** Goes to the end and follows it. */
  scrollToEnd(): void {
    this.#view.jump();
  }

  protected override leadTo(message: Key): void {
    this.#view.leadTo(message);
  }

  protected override connected(conversation: StreamController): void {
    this.#view.show(conversation);
  }

  protected override changed(change: Change): void {
    this.#view.apply(change);
  }

  protected override relabel(): void {
    super.relabel();
    this.#view.redraw();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has('head')) this.#view.head = this.head;
  }

  protected override renderContent(): Element {
    return this.#view.node;
  }
}
