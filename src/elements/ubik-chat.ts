import type { PropertyDeclarations, PropertyValues } from 'lit';
import type { ControllerNotice, StreamController } from '../controller/controller-types.js';
import { ServiceFrame } from './base/service-frame.js';
import { chatStyles } from './styles/chat-host.js';
import { checkChoices } from './views/check-choices.js';
import { LazyWindow } from './window/lazy-window.js';

/** An attribute that is not there when it says nothing. */
const REFLECTED = { reflect: true, useDefault: true };

/**
 * A whole conversation with an agent: what was said and done, requests for input, the state of the connection, and a field to
 * write in.
 *
 * Give it the address of the service and a way to get tokens; it starts one microtask after it is put into the page. Or give it a
 * `backend` or a `controller` of your own. It opens the thread of `thread-id`, else the newest one of `userKey` that was open
 * here, else it greets; a thread is made with the first message.
 *
 * @example
 * <ubik-chat base-url="/api/ubik" style="height: 100vh"></ubik-chat>
 * <script>
 *   document.querySelector('ubik-chat').getToken = () => fetch('/token', { method: 'POST' }).then((r) => r.text());
 * </script>
 *
 * @tagname ubik-chat
 * @fires {UbikMessageSendEvent} ubik-message-send - before a message is sent; cancelable
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service has taken the message
 * @fires {UbikMessageQueueEvent} ubik-message-queue - before a message is kept until the run is over; cancelable
 * @fires {UbikMessageQueuedEvent} ubik-message-queued - a message is kept until the run is over
 * @fires {UbikQueueEditEvent} ubik-queue-edit - before a message that waits is written anew; cancelable
 * @fires {UbikQueueEditedEvent} ubik-queue-edited - a message that waits has another text
 * @fires {UbikQueueRemoveEvent} ubik-queue-remove - before a message that waits is taken out; cancelable
 * @fires {UbikQueueRemovedEvent} ubik-queue-removed - a message does not wait any more, and is not sent
 * @fires {UbikMessageEditEvent} ubik-message-edit - before a sent message gets a new text; cancelable
 * @fires {UbikMessageEditedEvent} ubik-message-edited - a sent message has a new text
 * @fires {UbikMessageRegenerateEvent} ubik-message-regenerate - before an answer is asked for once more; cancelable
 * @fires {UbikMessageRegeneratedEvent} ubik-message-regenerated - an answer was asked for once more
 * @fires {UbikMessageFeedbackEvent} ubik-message-feedback - before a judgement of an answer is taken; cancelable
 * @fires {UbikMessageFeedbackGivenEvent} ubik-message-feedback-given - a person has judged an answer, or taken it back
 * @fires {UbikBranchNavigateEvent} ubik-branch-navigate - before another version is shown; cancelable
 * @fires {UbikBranchNavigatedEvent} ubik-branch-navigated - another version is shown
 * @fires {UbikSuggestionChooseEvent} ubik-suggestion-choose - before a chosen command or name is written into the message; cancelable
 * @fires {UbikSuggestionChosenEvent} ubik-suggestion-chosen - a command or a name was chosen
 * @fires {UbikRunStartedEvent} ubik-run-started - the agent has begun, or a run that was on was joined
 * @fires {UbikStepCompletedEvent} ubik-step-completed - a step is done
 * @fires {UbikRunEndedEvent} ubik-run-ended - the answer is complete
 * @fires {UbikRunPausedEvent} ubik-run-paused - the agent waits for an answer of the person
 * @fires {UbikRunRejoinEvent} ubik-run-rejoin - before a broken run is joined again because the person wants it; cancelable
 * @fires {UbikRunLeaveEvent} ubik-run-leave - before a run whose end does not come is left; cancelable
 * @fires {UbikRunStopEvent} ubik-run-stop - before the service is asked to end the run; cancelable
 * @fires {UbikRunStoppedEvent} ubik-run-stopped - the run was ended on request
 * @fires {UbikRunFailedEvent} ubik-run-failed - the agent failed, or the service refused
 * @fires {UbikRunInterruptedEvent} ubik-run-interrupted - the connection broke and could not be taken up again
 * @fires {UbikInputRequiredEvent} ubik-input-required - the agent or a tool asks for something; cancelable, the host may answer
 * @fires {UbikInputProvideEvent} ubik-input-provide - before an answer is sent; cancelable
 * @fires {UbikInputProvidedEvent} ubik-input-provided - the service has taken the answer
 * @fires {UbikCheckpointNavigateEvent} ubik-checkpoint-navigate - before going back to a checkpoint; cancelable, the hint can be changed
 * @fires {UbikCheckpointNavigatedEvent} ubik-checkpoint-navigated - the agent goes on from a checkpoint
 * @fires {UbikThreadOpenEvent} ubik-thread-open - before another thread is shown; cancelable
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread have been read
 * @fires {UbikThreadCreateEvent} ubik-thread-create - before the first message makes a thread; cancelable
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service has made a thread
 * @fires {UbikDocumentAddEvent} ubik-document-add - before a file is uploaded; cancelable
 * @fires {UbikDocumentAddedEvent} ubik-document-added - a file has arrived
 * @fires {UbikDocumentCancelEvent} ubik-document-cancel - before a file on its way is given up; cancelable
 * @fires {UbikDocumentCancelledEvent} ubik-document-cancelled - a file on its way was given up
 * @fires {UbikDocumentRetryEvent} ubik-document-retry - before a file is sent once more; cancelable
 * @fires {UbikDocumentRetriedEvent} ubik-document-retried - a file that was sent once more has arrived
 * @fires {UbikDocumentReadyEvent} ubik-document-ready - the service has read a document
 * @fires {UbikDocumentFailedEvent} ubik-document-failed - a file was not taken, did not arrive, or could not be read
 * @fires {UbikChatOpenEvent} ubik-chat-open - before the window of a bubble or panel is opened; cancelable
 * @fires {UbikChatOpenedEvent} ubik-chat-opened - the window is open
 * @fires {UbikChatCloseEvent} ubik-chat-close - before the window is closed; cancelable
 * @fires {UbikChatClosedEvent} ubik-chat-closed - the window is closed
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link of a message is followed; cancelable
 * @fires {UbikImageLoadEvent} ubik-image-load - before a remote picture is loaded; cancelable
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service wants to know who this is
 * @fires {UbikErrorEvent} ubik-error - something went wrong, and the person was told
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - something was odd and changed nothing
 * @slot start - what stands before the messages, such as `<ubik-thread-list slot="start">`; a drawer where the chat is narrow
 * @slot end - what stands behind them
 * @slot header - what stands above the messages; in a bubble or panel in the head of the window, in place of its name
 * @slot empty - what an empty conversation shows in place of greeting and questions
 * @slot footer - what stands below the composer
 * @csspart base - the whole
 * @csspart transcript - the box that scrolls
 * @csspart message - one message; also `question` or `answer`
 * @csspart question - a message of the person
 * @csspart answer - a message of the agent
 * @csspart avatar - what the page draws beside a message
 * @csspart actions - what the page draws below a message
 * @csspart text - what was said
 * @csspart thinking - what was thought
 * @csspart step - one step
 * @csspart tool - one call of a tool
 * @csspart checkpoint - a point to go back to
 * @csspart request - a request for input
 * @csspart error - an error of the agent
 * @csspart citation - a citation in a text
 * @csspart sources - the sources at the end of an answer
 * @csspart status - the line about connection and run
 * @csspart composer - the field with its button
 * @csspart input - the field
 * @csspart follow-up - a question that may follow an answer
 * @csspart suggestions - commands or names to choose from
 * @csspart suggestion - one of them
 * @csspart dictate - the button that listens
 * @csspart attach - the button that attaches files
 * @csspart document - a file that has not arrived
 * @csspart passage - what a citation points to
 * @csspart send - the button that sends or stops
 * @csspart launcher - the button that opens a bubble or panel
 * @csspart menu - what else can be done with a message
 * @csspart dialog - a question over the page, such as that of the way back
 * @cssprop [--ubik-accent] - focus, primary buttons, links; the page's accent colour by default
 * @cssprop [--ubik-text] - colour of text
 * @cssprop [--ubik-background] - colour behind everything
 * @cssprop [--ubik-danger] - colour of errors
 * @cssprop [--ubik-success] - colour of what is done
 * @cssprop [--ubik-on-accent] - text on the accent colour; black or white by default
 * @cssprop [--ubik-muted] - text that matters less
 * @cssprop [--ubik-line] - hairlines
 * @cssprop [--ubik-surface] - cards
 * @cssprop [--ubik-tint] - the person's messages
 * @cssprop [--ubik-radius=0.625rem] - corners of cards; the others follow
 * @cssprop [--ubik-radius-card] - corners of cards, code and tables alone
 * @cssprop [--ubik-radius-control] - corners of buttons and fields alone
 * @cssprop [--ubik-z-index=2147483000] - where a bubble or panel stands among what lies over the page
 * @cssprop [--ubik-font] - font; the page's by default
 * @cssprop [--ubik-font-size=0.9375em] - size of a message's text, as a length; all other sizes are in proportion. Nothing falls below 12 px
 */
export class UbikChat extends ServiceFrame {
  static override styles = [ServiceFrame.styles, chatStyles];
  static override properties: PropertyDeclarations = {
    layout: REFLECTED,
    open: { type: Boolean, reflect: true },
    push: { type: Boolean, reflect: true },
    theme: REFLECTED,
    density: REFLECTED,
    lang: REFLECTED,
  };

  /**
   * How the chat stands in the page: `inline` (default), `page` (as high as the page), `bubble` (a button in the corner that opens a
   * window) or `panel` (a button that opens a panel at the side).
   */
  layout = '';
  /** Whether the window of a `bubble` or `panel` is open. */
  open = false;
  /** Whether an open `panel` moves a wide page aside instead of covering it. */
  push = false;
  /** `light`, `dark` or `auto` (as the system); by default as the page's `color-scheme` says. */
  theme = '';
  /** `comfortable` (default) or `compact`. */
  density = '';
  /** Language of the interface; by default that of the page. */
  override lang = '';
  readonly #window = new LazyWindow(this.host);

  /** Opens or closes the window of a `bubble` or `panel` as the person does: the page may object. */
  toggle(open = !this.open): void {
    this.#window.wish(open);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#window.rest();
  }

  protected override noticed(notice: ControllerNotice): void {
    super.noticed(notice);
    this.#window.noticed(notice);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has('lang')) this.relabel();
    checkChoices(this);
  }

  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (changed.has('theme')) this.readAccent();
    this.#window.update();
  }

  protected override find(changed: PropertyValues<this>): StreamController | null {
    // A closed window fetches nothing.
    return this.#window.isAsleep ? null : super.find(changed);
  }
}
