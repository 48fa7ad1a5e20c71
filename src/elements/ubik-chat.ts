import { html, render, type PropertyDeclarations, type PropertyValues } from 'lit';
import type { Backend, NewThread, UploadLimits } from '../backends/backend.js';
import type { ControllerNotice, StreamController } from '../controller/controller-types.js';
import type { GetToken } from '../controller/registry.js';
import { isUbikError } from '../errors.js';
import { langOfContent } from '../message/content-lang.js';
import { createLazyModule } from '../message/create-lazy-module.js';
import type { PartView } from '../message/part-view.js';
import type { ApplicationContext, Message } from '../model/message.js';
import { MessagesElement } from './base/messages-element.js';
import { ControllerConnection } from './base/controller-connection.js';
import { ServiceController } from './chat/service-controller.js';
import { ComposerController } from './composer/composer-controller.js';
import type { ComposeOptions } from './composer/compose.js';
import type { ComposerOptions, FollowUps, SuggestionSource } from './composer/composer-options.js';
import { LazyDebugPanel } from './debug/lazy-debug-panel.js';
import type { ChatGate } from './gate/gate-types.js';
import { LazyGate } from './gate/lazy-gate.js';
import { LazyKeyboard } from './keyboard/lazy-keyboard.js';
import { LazyPassageDetails } from './passage/lazy-passage-details.js';
import { LazySidePanels } from './sides/lazy-side-panels.js';
import { chatHostStyles } from './styles/chat.js';
import { lazyViews } from './transcript/lazy-views.js';
import { LazyDeepLinkNotice } from './transcript/lazy-deep-link-notice.js';
import { LazyAnnouncer } from './announcements/lazy-announcer.js';
import { LazyPageTools } from './tools/lazy-page-tools.js';
import type { PageTools } from './tools/page-tool-types.js';
import { RequestBar } from './transcript/request-bar.js';
import { explainLoadFailure, RunTimer, renderStatusLine } from './transcript/status-line.js';
import { TranscriptView } from './transcript/transcript-view.js';
import type { ChatMessage, ChatRun } from './transcript/chat-state.js';
import { EmptyState } from './transcript/empty-state.js';
import { LazyChatWindow } from './window/lazy-chat-window.js';

const lazyCompose = createLazyModule(() => import('./composer/compose.js'));

/** Options of a property that is reflected to its attribute. The attribute is absent for the default value. */
const REFLECTED = { reflect: true };

/** Default of {@link UbikChat.stopTimeout}, in ms. */
const STOP_TIMEOUT = 30_000;

/**
 * A chat with an agent: messages, input requests, the status of the connection, and a composer.
 *
 * Set `base-url` and `getToken`; it connects one microtask after it is added to the document. Or set a `backend` or a `controller` of
 * your own. It opens the thread of `thread-id`, else the one that the user opened last in this chat, else it shows a greeting;
 * the first message creates a thread.
 *
 * @example
 * <ubik-chat base-url="https://agents.example/api/v1" style="height: 100vh"></ubik-chat>
 * <script>
 *   document.querySelector('ubik-chat').getToken = async () => {
 *     const response = await fetch('/agent-token', { method: 'POST' });
 *     if (!response.ok) throw new Error(`No token: status ${response.status}`);
 *     return (await response.json()).access_token;
 *   };
 * </script>
 *
 * @tagname ubik-chat
 * @fires {UbikMessageSendEvent} ubik-message-send - before a message is sent; cancelable
 * @fires {UbikMessageSentEvent} ubik-message-sent - the service accepted the message
 * @fires {UbikMessageQueueEvent} ubik-message-queue - before a message is queued during a run; cancelable
 * @fires {UbikQueueEditEvent} ubik-queue-edit - before a queued message is edited; cancelable
 * @fires {UbikMessageEditEvent} ubik-message-edit - before a sent message is edited; cancelable
 * @fires {UbikMessageEditedEvent} ubik-message-edited - a sent message was edited
 * @fires {UbikMessageRegenerateEvent} ubik-message-regenerate - before an answer is regenerated; cancelable
 * @fires {UbikMessageRegeneratedEvent} ubik-message-regenerated - an answer is being regenerated
 * @fires {UbikMessageFeedbackEvent} ubik-message-feedback - before feedback on an answer is given or withdrawn; cancelable
 * @fires {UbikMessageFeedbackGivenEvent} ubik-message-feedback-given - feedback on an answer was given or withdrawn
 * @fires {UbikBranchSwitchEvent} ubik-branch-switch - before another version is shown; cancelable
 * @fires {UbikBranchSwitchedEvent} ubik-branch-switched - another version is shown
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
 * @fires {UbikCheckpointRestoreEvent} ubik-checkpoint-restore - before a checkpoint is restored; cancelable, the hint can be changed
 * @fires {UbikCheckpointRestoredEvent} ubik-checkpoint-restored - a checkpoint was restored, the agent continues from it
 * @fires {UbikThreadOpenEvent} ubik-thread-open - before another thread is shown; cancelable
 * @fires {UbikThreadOpenedEvent} ubik-thread-opened - the messages of a thread were loaded
 * @fires {UbikThreadCreateEvent} ubik-thread-create - before the first message or upload creates a thread; cancelable
 * @fires {UbikThreadCreatedEvent} ubik-thread-created - the service created a thread
 * @fires {UbikDocumentAddEvent} ubik-document-add - before a file is uploaded; cancelable
 * @fires {UbikDocumentAddedEvent} ubik-document-added - a file was uploaded
 * @fires {UbikDocumentCancelledEvent} ubik-document-cancelled - an upload was cancelled
 * @fires {UbikDocumentReadyEvent} ubik-document-ready - the service has processed a document
 * @fires {UbikDocumentFailedEvent} ubik-document-failed - a file was rejected, not uploaded, or could not be processed
 * @fires {UbikGatePassEvent} ubik-gate-pass - before the user passes the gate; cancelable
 * @fires {UbikGatePassedEvent} ubik-gate-passed - the user has passed the gate; the chat connects afterwards
 * @fires {UbikChatOpenEvent} ubik-chat-open - before the window of a bubble or panel opens; cancelable
 * @fires {UbikChatOpenedEvent} ubik-chat-opened - the window was opened
 * @fires {UbikChatCloseEvent} ubik-chat-close - before the window closes; cancelable
 * @fires {UbikChatClosedEvent} ubik-chat-closed - the window was closed
 * @fires {UbikLinkOpenEvent} ubik-link-open - before a link in a message is followed; cancelable
 * @fires {UbikLinkOpenedEvent} ubik-link-opened - a link was clicked and the page has not cancelled it
 * @fires {UbikImageLoadEvent} ubik-image-load - before an image is loaded at the user's request; cancelable
 * @fires {UbikPassageOpenedEvent} ubik-passage-opened - the passage of a citation was opened
 * @fires {UbikMessageCopiedEvent} ubik-message-copied - the user has copied a message
 * @fires {UbikBranchComparedEvent} ubik-branch-compared - the comparison of two branches was opened
 * @fires {UbikImageLoadedEvent} ubik-image-loaded - a remote image was loaded
 * @fires {UbikPartAskEvent} ubik-part-ask - a renderer asks the host page
 * @fires {UbikAuthRequiredEvent} ubik-auth-required - the service requires authentication
 * @fires {UbikErrorEvent} ubik-error - an error that is shown to the user, or a callback of the host page threw
 * @fires {UbikDiagnosticEvent} ubik-diagnostic - a problem that is not shown to the user
 * @slot start - panel before the messages, such as `<ubik-thread-list slot="start">`; a drawer in a narrow chat
 * @slot end - panel after the messages
 * @slot header - content above the messages, in a narrow chat between the buttons of the drawers; with the layout `bubble` or `panel`, title of the window
 * @slot logo - logo or avatar in the title bar of the window; only with the layout `bubble` or `panel`
 * @slot gate - content of the gate, with a form whose submission passes it
 * @slot empty - content of an empty thread in place of greeting and starters
 * @slot footer - content below the composer
 * @csspart base - container of all content
 * @csspart gate - what the user has to accept or fill in before the chat starts
 * @csspart transcript - scroll container of the messages
 * @csspart message - a message; also `question` or `answer`
 * @csspart question - a user message
 * @csspart answer - a message of the agent
 * @csspart avatar - avatar rendered by the host page
 * @csspart actions - actions rendered by the host page
 * @csspart text - text of a message
 * @csspart thinking - thinking of the agent
 * @csspart step - a step
 * @csspart tool - a tool call
 * @csspart found - results of a web search, or retrieved passages
 * @csspart checkpoint - a checkpoint
 * @csspart data - a table or other data in an answer
 * @csspart request - an input request
 * @csspart error - an error of the agent
 * @csspart citation - a citation in a text
 * @csspart sources - list of sources at the end of an answer
 * @csspart status - status line of connection and run
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
 * @csspart passage - area with a cited passage
 * @csspart tool-details - area with the details of a tool call
 * @csspart send - button that sends or stops
 * @csspart launcher - button that opens a bubble or panel
 * @csspart menu - menu of a message
 * @csspart dialog - modal dialog, such as that for restoring a checkpoint
 * @cssprop [--ubik-accent] - focus ring, primary buttons, links; by default the `accent-color` of the host page
 * @cssprop [--ubik-text] - text colour
 * @cssprop [--ubik-background] - background colour
 * @cssprop [--ubik-danger] - colour of errors
 * @cssprop [--ubik-success] - colour of success
 * @cssprop [--ubik-on-accent] - text on the accent colour; by default black or white
 * @cssprop [--ubik-muted] - secondary text
 * @cssprop [--ubik-line] - lines
 * @cssprop [--ubik-surface] - background of cards
 * @cssprop [--ubik-tint] - background of user messages
 * @cssprop [--ubik-radius=0.625rem] - corner radius of cards, from which the others are derived
 * @cssprop [--ubik-chart-1] - colour of series or slice 1 of a chart
 * @cssprop [--ubik-chart-2] - colour of series or slice 2 of a chart
 * @cssprop [--ubik-chart-3] - colour of series or slice 3 of a chart
 * @cssprop [--ubik-chart-4] - colour of series or slice 4 of a chart
 * @cssprop [--ubik-chart-5] - colour of series or slice 5 of a chart
 * @cssprop [--ubik-chart-6] - colour of series or slice 6 of a chart
 * @cssprop [--ubik-chart-7] - colour of series or slice 7 of a chart
 * @cssprop [--ubik-chart-8] - colour of series or slice 8 of a chart
 * @cssprop [--ubik-radius-card] - corner radius of cards, code and tables
 * @cssprop [--ubik-radius-control] - corner radius of buttons and fields
 * @cssprop [--ubik-z-index=2147483000] - `z-index` of a bubble or panel
 * @cssprop [--ubik-font] - font family; by default that of the host page
 * @cssprop [--ubik-font-size=0.9375em] - font size of messages, as a length; other sizes are proportional, none is below 12 px
 */
export class UbikChat extends MessagesElement implements ComposerOptions {
  static override styles = [MessagesElement.styles, chatHostStyles];
  static override properties: PropertyDeclarations = {
    // Service and thread
    service: {},
    baseUrl: { attribute: 'base-url' },
    agentId: { attribute: 'agent-id' },
    threadId: { attribute: 'thread-id' },
    messageId: { attribute: 'message-id' },
    userKey: { attribute: false },
    storageKey: { attribute: 'storage-key' },
    getToken: { attribute: false },
    newThread: { attribute: false },
    backend: { attribute: false },
    controller: { attribute: false },
    drafts: {},
    gate: {},
    // Layout
    layout: REFLECTED,
    open: { type: Boolean, reflect: true },
    push: { type: Boolean, reflect: true },
    theme: REFLECTED,
    density: REFLECTED,
    lang: REFLECTED,
    // Messages
    greeting: {},
    starters: { attribute: false },
    assistive: { type: Boolean },
    pinQuestion: { attribute: 'pin-question', type: Boolean },
    announce: {},
    stopTimeout: { attribute: false },
    messageLink: { attribute: false },
    tools: { attribute: false },
    debug: { type: Boolean },
    // Composer
    whileRunning: { attribute: 'while-running' },
    maxLength: { attribute: 'max-length', type: Number },
    longPaste: { attribute: 'long-paste', type: Number },
    uploadLimits: { attribute: false },
    speech: { type: Boolean },
    commands: { attribute: false },
    mentions: { attribute: false },
    followUps: { attribute: false },
    context: { attribute: false },
    prefill: { type: Boolean },
  };

  /** Name of a registered service. */
  service = 'ubik';
  /** Base URL of the service; empty for the default of the service. */
  baseUrl = '';
  /** The agent to talk to, for services with several agents. */
  agentId = '';
  /**
   * The thread to open, by the service's id; empty for the one that was opened last. A chat with a `controller`
   * of the host page opens a thread only when this changes.
   */
  threadId = '';
  /** The message to scroll to in the opened thread, by the service's id. */
  messageId = '';
  /**
   * Identifies the user; must differ between the users of the app. Without it, nothing is stored beyond the browser tab. All chats with one
   * `userKey` and base URL belong to the same user, whichever functions return their tokens.
   */
  userKey: string | null = null;
  /**
   * Identifies this chat among several chats of a page: it stores its open thread and its drafts under this key. By default the element's
   * `id`, else its number among the unnamed chats of the page.
   */
  storageKey = '';
  /**
   * Returns a token for the user. Called before the first request, or when the user begins to write, and again when the token was rejected
   * or its claim `exp` is less than 30 s ahead. Setting another function drops the token, unless a `userKey` says that the user is the same;
   * setting null drops it in any case. Without a function, no request is sent before the scripts of the host page have run, because one of
   * them may still set the function. A request fails after 20 s without a token; the next request calls the function again.
   */
  getToken: GetToken | null = null;
  /** Options of the service for threads that the first message creates. */
  newThread: NewThread | null = null;
  /** The service, created by the host page. */
  backend: Backend | null = null;
  /** The controller, created by the host page; by default one is created for the service. */
  controller: StreamController | null = null;
  /** `off`: drafts are not stored and are lost with the page. Read before the chat connects. */
  drafts: '' | 'on' | 'off' = '';
  /**
   * What the user has to accept or fill in before the chat starts; null (default) for nothing. Until then, the chat sends no request and asks
   * for no token. A string is the version of a gate whose content is in the slot `gate`.
   */
  gate: ChatGate | string | null = null;

  /**
   * Layout of the chat: `inline` (default), `page` (as high as the viewport), `bubble` (a button in the corner that opens a window) or
   * `panel` (a button that opens a panel at the side).
   */
  layout: '' | 'inline' | 'page' | 'bubble' | 'panel' = '';
  /** Whether the window of a `bubble` or `panel` is open. */
  open = false;
  /** Whether an open `panel` moves the content of a wide page aside instead of covering it. */
  push = false;
  /** `light`, `dark` or `auto` (as the system); by default the `color-scheme` of the host page. */
  theme: '' | 'light' | 'dark' | 'auto' = '';
  /** `comfortable` (default) or `compact`. */
  density: '' | 'comfortable' | 'compact' = '';
  /** Language of the interface; by default that of the host page. */
  override lang = '';

  /** Markdown text that is shown in an empty thread; by default that of the service. */
  greeting = '';
  /** Up to four questions that are offered in an empty thread; by default those of the service. */
  starters: readonly string[] = [];
  /** Whether all messages are rendered in full, for assistive technology. By default old messages outside the viewport are plain text. */
  assistive = false;
  /** Whether a sent message scrolls to the top and its answer fills the space below. By default the end is followed. */
  pinQuestion = false;
  /** What is announced to screen readers during an answer: `all` (default), `brief` (status, requests, errors) or `off`. */
  announce: '' | 'all' | 'brief' | 'off' = '';
  /** How long a requested stop may take, in ms, until a button offers to stop waiting for the run. */
  stopTimeout = STOP_TIMEOUT;
  /** Returns the URL of a message, which its menu offers to copy. Without a function, or for an empty string, the menu has no such item. */
  messageLink: ((message: Message) => string) | undefined;
  /**
   * Tools of the host page, by the name under which the agent calls them. A call that waits for input is answered by its tool, after the user
   * has allowed it; see {@link PageTool}.
   */
  tools: PageTools | null = null;
  /**
   * Whether a panel below the composer shows version, service, state of the token, findings about the Content-Security-Policy and CORS, and
   * the last errors, for the developer of the host page. It never shows a token.
   */
  debug = false;

  /** Effect of Enter during a run: `queue` (default) sends afterwards, `stop` stops the run and sends, `draft` keeps the text. */
  whileRunning: '' | 'queue' | 'stop' | 'draft' = '';
  /**
   * Longest message that can be sent, except by `send()`, in characters; 0 (default) for no limit. A longer message is not truncated; it stays
   * in the field.
   */
  maxLength = 0;
  /** Pasted text longer than this, in UTF-16 code units, is attached as a document; 0 (default) for never. */
  longPaste = 0;
  /** Limits for uploads; by default those of the service. Without any, the service decides about each file. */
  uploadLimits: UploadLimits | null = null;
  /** Whether messages can be dictated, in browsers with speech recognition. Most browsers send the audio to an external service. */
  speech = false;
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
  /** Whether a click on a starter or follow-up question writes it into the field; by default it is sent. */
  prefill = false;

  readonly #connection = new ControllerConnection(this, this.viewContext, {
    // The chat connects, and so sends its first request, only after its window was opened and its gate passed, and after the debug panel,
    // which observes the result, has loaded.
    find: () =>
      this.#window.isNeverOpened || this.#debugPanel.isLoading || this.#gate.isClosed
        ? null
        : this.#service.find(),
    onConnect: (controller) => {
      this.#announcer.clear();
      this.#composer.handleConnect();
      this.#transcript.show(controller);
      this.#sides.handleConnect();
    },
    onChange: (change) => {
      this.#connection.scheduleUpdate(change);
      this.#transcript.apply(change);
      this.#announcer.handleChange(change);
    },
    onNotice: (notice) => {
      this.#handleNotice(notice);
    },
    onError: (error) => {
      this.#composer.showError(error);
    },
    wrapInput: (provide) => this.#provideInput(provide),
    validateMessage: (text) => this.#composer.validate(text),
    focusMessage: (message) => {
      this.#sides.close();
      this.#transcript.focusMessage(message);
    },
  });
  readonly #composer = new ComposerController(this.#connection, {
    onSend: () => {
      this.#transcript.prepareForSend();
    },
    agentName: () => this.#service.onboarding?.agentName ?? '',
  });
  readonly #transcript = new TranscriptView(this, this.#connection.context);
  readonly #emptyState = new EmptyState(this.viewContext);
  readonly #service = new ServiceController(this.#connection, () => {
    this.#transcript.reveal(this.messageId);
  });
  readonly #gate = new LazyGate(this.#connection, this.#service.acquireStorageKey, () => {
    this.#sides.close();
    this.#announcer.clear();
  });
  readonly #announcer = new LazyAnnouncer(this.#connection, () =>
    this.#gate.isClosed ? 'off' : this.announce,
  );
  readonly #requestBar = new RequestBar(this.#connection, this.#transcript.scroller, () =>
    this.#findRequestView(),
  );
  readonly #sides = new LazySidePanels(this.#connection);
  readonly #deepLinkNotice = new LazyDeepLinkNotice(this.#connection, this.#transcript);
  readonly #passageDetails = new LazyPassageDetails(this.#connection);
  readonly #runTimer = new RunTimer(this.#connection);
  readonly #window = new LazyChatWindow(this.#connection);
  readonly #debugPanel = new LazyDebugPanel(this.#connection);
  /** Why the conversation could not be loaded, as it was announced last; empty when nothing has failed. */
  #failure = '';

  constructor() {
    super();
    new LazyPageTools(this.#connection);
    new LazyKeyboard({
      host: this.#connection,
      transcript: this.#transcript,
      announcer: this.#announcer,
    });
  }

  /** The service's id of the shown thread; null while there is none. */
  get currentThreadId(): string | null {
    return this.#connection.controller?.thread?.id ?? null;
  }

  /** The service's id of the message at the top of the visible area; null when there is none. */
  get currentMessageId(): string | null {
    return this.#transcript.firstVisible?.id ?? null;
  }

  /**
   * Resolves when the chat is connected and has loaded the thread to open. Also resolves when the thread could not be loaded, which `ubik-error`
   * reports.
   */
  get ready(): Promise<void> {
    return this.#service.whenReady();
  }

  /** The messages of the shown branch, oldest first, as a copy; empty until they are shown. */
  get messages(): readonly ChatMessage[] {
    if (this.#gate.isClosed) return [];
    return lazyViews.value?.describeMessages(this.#transcript.path, this.renderers) ?? [];
  }

  /** The run of the shown thread, as a copy. */
  get run(): ChatRun {
    const { state, id, error } = this.#connection.controller?.thread?.run ?? NO_RUN;
    this.#runTimer.update(state);
    return { state, id, error, since: this.#runTimer.since };
  }

  /** Focuses the message field, or the gate before it. Closes the drawer or the details that cover it. */
  override focus(): void {
    this.#sides.close();
    if (!this.#gate.focus()) this.#composer.focus();
  }

  /** Sends a message as if the user had written it. Resolves to false when it was not sent. */
  async send(text: string): Promise<boolean> {
    await this.#service.waitForToken();
    return !this.#gate.isClosed && this.#composer.send(text);
  }

  /**
   * Writes a text and attachments into the message field, and sends them if `send` is set. Waits until the chat is ready. Resolves to false
   * when the message was to be sent and was not: the page has cancelled it, the user had to pass the gate first, it is invalid, a file could
   * not be uploaded, or the user has changed it or opened another thread in the meantime; it then stays in the field of its thread. When the
   * page cancels `ubik-chat-open` of a window that was never opened, a message to be sent is not written either.
   */
  async compose(options: ComposeOptions): Promise<boolean> {
    const isGated = this.#gate.isClosed;
    const loaded = await lazyCompose.load();
    return loaded.compose(this.#connection, this.#composer, options, this.#gate, isGated);
  }

  /** Focuses the message field when the chat is ready. Opens the window of a `bubble` or `panel`, unless the page cancels that. */
  async focusComposer(): Promise<void> {
    await this.compose({ focus: true });
  }

  /** Asks the service to stop the run. */
  stop(): Promise<void> {
    return this.#composer.stop();
  }

  /** Shows another thread, by the service's id. */
  openThread(id: string): Promise<void> {
    return this.#service.openThread(id);
  }

  /** Closes the thread; the next message creates a new one. */
  startThread(): void {
    this.#connection.controller?.switchToNewThread();
  }

  /**
   * Scrolls to a message of the thread and focuses it, by the service's id. For a message on another branch, shows a notice that offers to
   * switch to that branch.
   */
  showMessage(id: string): void {
    const messages = this.#connection.controller?.thread?.messages.values() ?? [];
    const found = [...messages].find((message) => message.id === id);
    this.#transcript.reveal(id);
    if (found) this.#connection.focusMessage(found.key);
  }

  /** Opens or closes the window of a `bubble` or `panel` as the user does, so that the host page can cancel it. */
  toggle(open = !this.open): void {
    this.#window.toggle(open);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('online', this.#connection.requestUpdate);
    window.addEventListener('offline', this.#handleOffline);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('online', this.#connection.requestUpdate);
    window.removeEventListener('offline', this.#handleOffline);
    this.#window.handleDisconnect();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    this.#runTimer.update(this.#composer.runState);
    if (changed.has('lang')) this.invalidateContent();
    this.#service.willUpdate(changed);
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    this.renderRoot
      .querySelector('.ubik')
      ?.addEventListener('click', this.#passageDetails.handleClick);
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.#requestBar.observe();
    this.#deepLinkNotice.redraw();
    this.#service.updated(changed);
    if (changed.has('theme')) this.updateAccent();
    this.#window.update();
  }

  protected override invalidateContent(): void {
    super.invalidateContent();
    this.#sides.redraw();
    this.#transcript.redraw();
    this.#emptyState.redraw();
    this.#gate.redraw();
  }

  protected override renderContent(): unknown {
    const { locale } = this.viewContext;
    const isGated = this.#gate.isClosed;
    this.#renderEmpty();
    return html`${this.#sides.render('start', isGated)}
      <div class="main" ?data-gated=${isGated}>
        ${this.#sides.renderBar()}${isGated ? this.#renderGate() : ''}${this.#transcript.node}
        <div class="status-bar" part="status">
          ${this.#deepLinkNotice.node} ${this.#requestBar.render()} ${this.#renderStatus()}
        </div>
        ${this.#composer.render()} ${this.#debugPanel.render()}
        <slot name="footer" lang=${langOfContent(locale)}></slot>
      </div>
      ${this.#sides.render('end', isGated)}${this.#announcer.node}`;
  }

  /** Renders the gate in place of the messages. A window that was never opened needs no gate yet. */
  #renderGate(): unknown {
    return this.#window.isNeverOpened ? '' : this.#gate.render();
  }

  /**
   * Renders greeting and starters into the empty transcript. They are hidden while a thread is loading, after it could not be loaded, and
   * while authentication is required.
   */
  #renderEmpty(): void {
    const { emptyState: empty, scroller } = this.#transcript;
    const { loadState, isAuthRequired, onboarding } = this.#service;
    empty.classList.toggle('blank', loadState !== '' || isAuthRequired);
    const greeting = this.greeting || (onboarding?.greeting ?? '');
    const starters = this.starters?.length ? this.starters : (onboarding?.starters ?? []);
    render(
      this.#emptyState.render(greeting, starters, (text) => {
        if (this.prefill) return this.#composer.write(text);
        // The focused button is about to be removed.
        scroller.focus({ preventScroll: true });
        void this.send(text);
      }),
      empty,
    );
  }

  #renderStatus(): unknown {
    const { viewContext: context } = this;
    const host = this.#connection;
    const transcript = this.#transcript;
    const status = {
      run: host.controller?.thread?.run,
      isRunning: this.#composer.isRunning,
      canRejoin: this.#service.canRejoin,
      needsSignIn: this.#service.isAuthRequired,
      loadState:
        this.#service.loadState ||
        (transcript.loadFailed || this.#gate.hasFailed ? 'load-failed' : ''),
      isStopOverdue:
        this.#runTimer.stoppingFor >=
        (typeof this.stopTimeout === 'number' ? this.stopTimeout : STOP_TIMEOUT),
      now: context.clock.now(),
    };
    const failure = explainLoadFailure(status, context.locale);
    if (failure !== this.#failure && this.announce !== 'off') this.#announcer.announce(failure);
    this.#failure = failure;
    return renderStatusLine(
      status,
      {
        rejoin: () => {
          void this.#service.rejoin();
        },
        detach: () => {
          host.controller?.detach();
        },
        reload: () => {
          // So that the next failure is announced even if it has the same reason.
          this.#failure = '';
          if (this.#gate.hasFailed) void this.#gate.load();
          else if (transcript.loadFailed) void transcript.loadViews();
          else void this.#service.retry();
        },
      },
      context.locale,
    );
  }

  /** Returns the view of the pending request if it can be focused. The view of a renderer of the host page can be if the renderer has `focus`. */
  #findRequestView(): PartView | undefined {
    const { message = '', request } = this.#composer.findPendingRequest() ?? {};
    const view = this.#transcript.viewOf(message);
    // Until the message has a content part that shows the request, the activity part of the request has a view.
    const part = view?.viewOf(request?.part ?? '') ?? view?.viewOf(request?.key ?? '');
    return part?.focus && part;
  }

  /** Sends an answer. Its form is then removed, so the focus moves to the next pending request, else to the message field. */
  async #provideInput(provide: () => Promise<boolean>): Promise<boolean> {
    const hadFocus = this.shadowRoot?.activeElement?.closest('.request');
    let isProvided;
    try {
      isProvided = await provide();
    } catch (error) {
      // The form is removed with the request, so it cannot show this error.
      if (isUbikError(error) && error.code === 'not-open') this.#composer.showError(error);
      throw error;
    }
    if (isProvided && hadFocus && !this.#requestBar.focusRequest()) this.focus();
    return isProvided;
  }

  #handleNotice(notice: ControllerNotice): void {
    this.requestUpdate();
    this.#composer.handleNotice(notice);
    this.#announcer.handleNotice(notice);
    this.#service.handleNotice(notice);
    this.#window.handleNotice(notice);
    if (notice.type === 'thread-changed') this.#transcript.scrollToEnd();
    // The user is typing, so load what sends the message and renders the answer.
    else if (notice.type === 'draft-changed') void this.#transcript.prefetchViews();
  }

  readonly #handleOffline = (): void => {
    this.requestUpdate();
    const name = this.#composer.isRunning ? 'offlineRun' : 'offline';
    this.#announcer.announceStatus(this.viewContext.locale.text(name));
  };
}

/** The run of a chat without a thread. */
const NO_RUN = { state: 'idle', id: null, error: null } as const;
