import { html, nothing, type TemplateResult } from 'lit';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { loadingThreadOf, type ThreadLoading } from '../../controller/threads/thread-openings.js';
import type { UbikError, UbikErrorCode } from '../../errors.js';
import type { StringName } from '../../locales/locale.js';
import {
  UbikMessageSendEvent,
  UbikMessageSentEvent,
  UbikRunStopEvent,
  UbikThreadCreateEvent,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { PartOf } from '../../model/part.js';
import type { RunState, Thread } from '../../model/thread.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import {
  isRunning,
  isShownRunOnlyStored,
  listPendingRequests,
} from '../../message/thread-selectors.js';
import { describeRun, describeThread } from '../base/controller-events.js';
import { AttachmentController } from '../documents/attachment-controller.js';
import { QueueController } from '../queue/queue-controller.js';
import type { ComposerHost } from './composer-options.js';
import { LazyComposerTools } from './lazy-composer-tools.js';
import { LazyMessageOptions } from './lazy-message-options.js';
import { createDraft } from './draft.js';
import { MessageField } from './message-field.js';

/** An input request that waits for an answer of the user. */
export interface PendingRequest {
  readonly message: Key;
  readonly request: PartOf<'request-activity'>;
}

/** A text that is being sent. Another one can be sent in another thread meanwhile. */
interface Sending {
  readonly text: string;
  readonly controller: StreamController;
  /** The thread in which the text is sent: null until a new one is created; undefined if it is still being loaded. */
  thread: Thread | null | undefined;
  /** The question that the text answers; undefined when it is sent as a message. */
  question: PartOf<'request-activity'> | undefined;
}

/** Codes of the errors of requests that get no response. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['network', 'not-sent']);

/**
 * A failed action, shown below the field until another action fails, the next message is sent or queued, or another thread is shown. Two
 * failures are removed earlier: `busy` (the service is busy with a run) when that run ends, and `offline` when the network is back.
 */
interface Failure {
  /** The code of the error; `offline` when no request got through because the browser is offline. */
  readonly code: UbikErrorCode | 'offline';
  /** The reason, as a sentence. */
  readonly message: string;
}

/** Callbacks of an element for its composer. */
export interface ComposerHooks {
  /** Called before a message, or the answer to a question, is sent. */
  readonly onSend?: () => void;
  /** The name of the agent; empty when it is not known. */
  readonly agentName?: () => string;
}

/**
 * The composer of an element: the message field with attachments, the queue above it, and one button that sends or stops. While a question
 * of the agent is pending, a text answers it.
 */
export class ComposerController {
  readonly #host: ComposerHost;
  readonly #hooks: ComposerHooks;
  /** The failure that is shown; null when there is none. */
  #failure: Failure | null = null;
  /**
   * Whether the user has tried to send an invalid text, or a text whose files are being uploaded. The reason is then shown until the text can be
   * sent. Not stored as the failure, which is only hidden meanwhile and is shown again afterwards.
   */
  #isRefused = false;
  /** The texts that are being sent, at most one in each thread. */
  readonly #sendings = new Set<Sending>();
  /**
   * Whether a message was sent from this composer, so that the user needs no hint about Enter. Not derived from the shown thread, because
   * the hint stays hidden in the next thread, too.
   */
  #hasSent = false;
  readonly #files: AttachmentController;
  readonly #queue: QueueController;
  readonly #field: MessageField;
  readonly #tools: LazyComposerTools;
  readonly #options: LazyMessageOptions;

  constructor(host: ComposerHost, hooks: ComposerHooks = {}) {
    this.#host = host;
    this.#hooks = hooks;
    this.#files = new AttachmentController(host);
    this.#queue = new QueueController(
      host,
      (text) => this.#refuse(text),
      () => this.#options.prepare(),
    );
    this.#field = new MessageField(
      host,
      () => void this.submit(),
      () => this.#findQuestion(),
    );
    this.#tools = new LazyComposerTools(host, this.#field, this.#files);
    this.#options = new LazyMessageOptions(host);
  }

  /** The state of the run of the shown thread. */
  get runState(): RunState {
    return this.#host.controller?.thread?.run.state ?? 'idle';
  }

  /** Whether a run is active. */
  get isRunning(): boolean {
    return isRunning(this.#host.controller?.thread);
  }

  /** Focuses the field. */
  focus(): void {
    this.#field.focus();
  }

  /** Sends a message, or the answer to the pending question. Resolves to false when it was not sent. */
  async send(text: string): Promise<boolean> {
    const { controller, isRetained } = this.#host;
    if (!controller || !isRetained || this.#sending) return false;
    // A message that is sent while a thread is loading belongs to that thread.
    const loading = loadingThreadOf(controller);
    const thread = loading ? undefined : controller.thread;
    const sending: Sending = { text, controller, thread, question: undefined };
    this.#sendings.add(sending);
    this.#failure = null;
    try {
      if (loading && !(await this.#awaitThread(sending, loading))) return false;
      this.#hooks.onSend?.();
      const isSent = await this.#host.attempt(this.#answerOrSend(sending), (error) => {
        if (controller === this.#host.controller) this.showError(error, true);
      });
      this.#hasSent ||= isSent;
      return isSent;
    } finally {
      this.#sendings.delete(sending);
    }
  }

  /**
   * Resolves to false when the thread has failed to load, another one is shown by then, or its draft differs from the text that was in the
   * field.
   */
  async #awaitThread(sending: Sending, loading: ThreadLoading): Promise<boolean> {
    const { controller } = sending;
    const { text } = controller.getDraft();
    sending.thread = await loading;
    const isChanged = text === sending.text && text !== controller.getDraft().text;
    return sending.thread !== undefined && this.#isShown(sending) && !isChanged;
  }

  /** Uploads files and attaches them to the next message. Resolves when the uploads were added to the queue. */
  attach(files: Parameters<AttachmentController['attach']>[0]): Promise<void> {
    return this.#files.attach(files);
  }

  /** Writes a text into the field and focuses it. */
  write(text: string): void {
    this.focus();
    this.#field.write(text);
  }

  /** Asks the service to stop the run. */
  async stop(): Promise<void> {
    const { controller } = this.#host;
    if (!controller) return;
    const event = new UbikRunStopEvent(describeRun(controller));
    await this.#host.attempt(this.#host.performAction([event], () => controller.stop()));
  }

  /** Sends the text of the field as a message or as an answer, or queues it during a run. Resolves to false when it stays in the field. */
  async submit(): Promise<boolean> {
    const { text } = this.#field;
    if (!text.trim() || this.#refuse(text)) return false;
    // A secret answer must never be sent as a message: its question may be closed before the next render has replaced the text.
    if (this.#field.isMasked && !this.isRunning && !this.findPendingRequest('agent')) return false;
    // The run may have ended before the text was queued.
    if (this.#queue.isPending(text)) return false;
    if (!this.isRunning) return this.#host.element.send(text);
    if (!this.#canQueue(text)) return false;
    this.#failure = null;
    return this.#queue.enqueue(text);
  }

  /** Whether Send queues a text during a run. An answer stays in the field until the service has accepted it; a secret one is never queued. */
  #canQueue(text: string): boolean {
    return (
      this.#queue.sendMode !== 'draft' && !this.#field.isMasked && text !== this.#sending?.text
    );
  }

  /** Returns the reason why a text cannot be sent, as a sentence; empty when it can. */
  validate(text: string): string {
    return this.#tools.validate(text);
  }

  /**
   * Returns the oldest pending request of the last message of the shown branch, except those that the host page answers; with `level`, only
   * of that level.
   */
  findPendingRequest(level?: PendingRequest['request']['level']): PendingRequest | null {
    const { key = '' } = this.#lastMessage ?? {};
    const request = listPendingRequests(this.#lastMessage).find(
      (each) => (!level || each.level === level) && !this.#host.isHandledByPage(key, each.key),
    );
    return request ? { message: key, request } : null;
  }

  /** Returns the question of the agent that the text of the field answers, even while the answer is being sent. */
  #findQuestion(): PartOf<'request-activity'> | undefined {
    return this.#sending?.question ?? this.findPendingRequest('agent')?.request;
  }

  /** The text that is being sent in the shown thread. */
  get #sending(): Sending | undefined {
    return [...this.#sendings].find((each) => this.#isShown(each));
  }

  /** Whether a text is being sent in the shown thread, or in one that is being loaded. */
  #isShown({ controller, thread }: Sending): boolean {
    const shown = this.#host.controller;
    return controller === shown && (thread === undefined || thread === shown.thread);
  }

  /** The last message of the shown branch. */
  get #lastMessage(): Message | undefined {
    const thread = this.#host.controller?.thread;
    return thread?.messages.get(thread.head ?? '');
  }

  /** Called when another controller was connected, or when there is none any more: shows the draft of the controller. */
  handleConnect(): void {
    this.#failure = null;
    this.#showDraft();
    void this.#field.storeTyped();
  }

  /** Handles a notice of the controller. */
  handleNotice({ type }: ControllerNotice): void {
    const isRunOver = this.#failure?.code === 'busy' && type.startsWith('run-') && !this.isRunning;
    if (type === 'thread-changed' || isRunOver) this.#failure = null;
    if (type === 'thread-changed') this.#field.showDraft();
    if (type === 'draft-changed') this.#field.updateDraft();
  }

  /** Shows the reason of a failed action below the field. With `notSent`, the sentence also says that the text was not sent. */
  showError(error: UbikError, notSent = false): void {
    const { locale } = this.#host.context;
    const isOffline = !navigator.onLine && CONNECTION_ERRORS.has(error.code);
    const reason = isOffline ? locale.text('offline') : explainError(error, locale);
    const message = notSent ? locale.text('notSent', { reason }) : reason;
    this.#failure = { code: isOffline ? 'offline' : error.code, message };
    this.#host.requestUpdate();
    this.#tools.describeError(error, message);
  }

  /** Renders the composer. */
  render(): TemplateResult {
    return html`<div class="composer" part="composer">
      ${this.#queue.node}
      <div class="field" @focusin=${this.#tools.handleFocusIn} @keydown=${this.#tools.handleKey}>
        ${this.#files.node}${this.#files.renderButton()}
        ${this.#field.render(this.#placeholder)}${this.#renderButton()}
      </div>
      ${this.#renderBelow()}
    </div>`;
  }

  get #placeholder(): string {
    const { text } = this.#host.context.locale;
    const agent = this.#hooks.agentName?.();
    if (this.findPendingRequest('agent')) return text('placeholderWaiting');
    return agent ? text('placeholderAgent', { agent }) : text('placeholder');
  }

  #renderButton(): TemplateResult {
    const isStop = this.#isStopButton;
    const isStopping = this.runState === 'stopping';
    const { text } = this.#field;
    const isDisabled = isStop
      ? isStopping
      : !this.#host.controller ||
        this.#files.isUploading ||
        !text.trim() ||
        (this.isRunning && !this.#canQueue(text));
    const label = this.#host.context.locale.text(
      isStop ? (isStopping ? 'stopping' : 'stop') : 'send',
    );
    // `disabled` would remove the focus from a button that was just pressed.
    return html`<button
      class="send"
      type="button"
      part="send"
      data-act=${isStop ? 'stop' : 'send'}
      title=${label}
      aria-disabled=${isDisabled ? 'true' : 'false'}
      @click=${this.#handleClick}
    >
      ${renderIcon(isStop ? 'stop' : 'send')}
    </button>`;
  }

  /**
   * Renders the error and the hint. The class `keys` marks a hint about Enter, which the style sheet shows only while the composer has the
   * focus.
   */
  #renderBelow(): TemplateResult {
    const { locale } = this.#host.context;
    const isUploading = this.#files.isUploading;
    const reason = this.#isRefused ? this.#explainRefusal(this.#field.text) : '';
    this.#isRefused = reason !== '';
    const hint = this.#hint;
    if (this.#failure?.code === 'offline' && navigator.onLine) this.#failure = null;
    const error = reason || this.#failure?.message;
    return html`<div class="below" id="below">
      ${
        error
          ? html`<p class="error-text" role="alert">
              ${renderIcon('alert')}<span dir="auto">${error}</span>
            </p>`
          : nothing
      }
      <p class="meta ${isUploading ? '' : 'keys'}" dir="auto">${hint && locale.text(hint)}</p>
    </div>`;
  }

  /**
   * The hint below the field: why a message cannot be sent yet, or what Enter does. Without a run, the latter is empty in a thread with
   * messages, and after the user has sent a message.
   */
  get #hint(): StringName | '' {
    if (this.#files.isUploading) return this.#isRefused ? '' : 'uploadsPending';
    if (this.isRunning) return this.#queue.hint;
    return this.#hasSent || this.#host.controller?.thread?.head ? '' : 'hint';
  }

  /**
   * Whether the button stops the run. It also does so while a tool waits for an answer of the user or of the host page, because the service then
   * accepts no message; even after a reload, when this page knows the request, but not its run.
   */
  get #isStopButton(): boolean {
    const { runState } = this;
    const thread = this.#host.controller?.thread;
    const isToolWaiting =
      (runState === 'waiting' || (thread && isShownRunOnlyStored(thread))) &&
      !this.findPendingRequest('agent') &&
      listPendingRequests(this.#lastMessage).some(({ level }) => level === 'tool');
    return this.#queue.canStop && (isToolWaiting || (this.isRunning && runState !== 'sending'));
  }

  async #answerOrSend(sending: Sending): Promise<boolean> {
    const { controller, text } = sending;
    const pending = this.findPendingRequest('agent');
    if (pending) {
      const key = controller.thread?.key;
      const answer = { type: 'text', text } as const;
      sending.question = pending.request;
      try {
        if (!(await this.#host.provideInput(pending.message, pending.request.key, answer)))
          return false;
      } finally {
        sending.question = undefined;
      }
      // Clears only the sent text: a draft that the user has changed meanwhile stays, and so does one that a secret answer has hidden.
      const draft = controller.getDraft(key);
      if (draft.text === text) controller.setDraft({ ...draft, text: '' }, key);
      if (this.#isShown(sending)) this.#showDraft();
      return true;
    }
    // The user may open another thread while the options are loading.
    if (!(await this.#options.prepare()) || !this.#isShown(sending)) return false;
    const thread = describeThread(controller);
    const draft = createDraft(controller, text);
    return this.#host.performAction(
      [
        new UbikMessageSendEvent({ ...thread, ...draft }),
        ...(thread.threadId === null ? [new UbikThreadCreateEvent(thread)] : []),
      ],
      () => {
        this.#field.forgetTyped(text);
        const sent = controller.send(draft);
        sending.thread = controller.thread;
        return sent;
      },
      // Another thread may be shown when the service accepts the message.
      () =>
        new UbikMessageSentEvent({
          ...describeThread({ thread: sending.thread ?? null }),
          ...draft,
        }),
    );
  }

  #showDraft(): void {
    this.#field.showDraft();
    this.#host.requestUpdate();
  }

  /** Returns whether a text cannot be sent now, and shows the reason. */
  #refuse(text: string): boolean {
    this.#isRefused = this.#explainRefusal(text) !== '';
    if (this.#isRefused) this.#host.requestUpdate();
    return this.#isRefused;
  }

  #explainRefusal(text: string): string {
    if (this.#files.isUploading) return this.#host.context.locale.text('uploadsPending');
    return this.validate(text);
  }

  readonly #handleClick = (event: MouseEvent): void => {
    if (!this.#isStopButton) void this.submit();
    // The second click of a double click on Send must not stop the run.
    else if (event.detail < 2 && this.runState !== 'stopping') void this.stop();
  };
}
