import { html, nothing, type TemplateResult } from 'lit';
import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import type { UbikError } from '../../errors.js';
import {
  UbikMessageSendEvent,
  UbikMessageSentEvent,
  UbikRunStopEvent,
  UbikThreadCreateEvent,
} from '../../events/index.js';
import type { Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import type { RunState } from '../../model/thread.js';
import { explainError } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { pendingRequests, isRunning } from '../../message/thread-selectors.js';
import { describeRun, describeThread } from './controller-events.js';
import { isSecret } from '../composer/is-secret.js';
import { draftOf, MessageField } from '../composer/message-field.js';
import { AttachmentController } from '../documents/attachment-controller.js';
import { WritingAids } from '../composer/writing-aids.js';
import { WaitingMessages } from '../queue/waiting-messages.js';
import { WritingElement } from './writing-element.js';

/** A request that waits for an answer of the person. */
export interface Armed {
  readonly message: Key;
  readonly request: PartOf<'request-activity'>;
}

/** An element with a field for messages, whose one button sends or stops. Keeps what is unsent; answers the agent's open question. */
export abstract class ComposingElement extends WritingElement {
  /** Why the last act failed; empty when it did not. */
  #complaint = '';
  /** The complaint is about a run, and not true any more when that is over. */
  #isAboutRun = false;
  /** Whether the person was told that the text cannot be sent as it is. */
  #isRefused = false;
  /** What is being sent; null when nothing is. */
  #sending: string | null = null;
  readonly #files = new AttachmentController(this.host);
  readonly #waiting = new WaitingMessages(this.host, (text) => this.#refuses(text));
  readonly #field = new MessageField(
    this.host,
    () => {
      this.#sendField();
    },
    () => isSecret(this.findArmed('agent')?.request.schema),
  );
  readonly #aids = new WritingAids(this.host, this.#field, this.#files);

  /** Puts the focus into the field. */
  override focus(): void {
    this.#field.focus();
  }

  /** Sends a message as if the person had written it. False when it was not sent. */
  async send(text: string): Promise<boolean> {
    const { conversation } = this;
    if (!conversation || !this.isHeld || this.#sending !== null) return false;
    this.#sending = text;
    this.#complaint = '';
    this.sends();
    const sent = await this.attempt(this.#answerOrSend(text));
    this.#sending = null;
    return sent;
  }

  /** Asks the agent to stop. */
  async stop(): Promise<void> {
    const { conversation } = this;
    if (!conversation) return;
    const event = new UbikRunStopEvent(describeRun(conversation));
    await this.attempt(this.act([event], () => conversation.stop()));
  }

  /** Something is about to be sent. */
  protected sends(): void {
    // Nothing by default.
  }

  protected override refuse(text: string): string {
    return this.#aids.refuse(text);
  }

  /** How the run of the shown thread stands. */
  protected get runState(): RunState {
    return this.conversation?.thread?.run.state ?? 'idle';
  }

  /** Whether a run is on. */
  protected get isRunning(): boolean {
    return isRunning(this.conversation?.thread);
  }

  /** The oldest request of the newest message that waits for an answer here, at one level or at any. */
  protected findArmed(level?: Armed['request']['level']): Armed | null {
    const thread = this.conversation?.thread;
    const message = thread?.messages.get(thread.head ?? '');
    if (!message) return null;
    const request = pendingRequests(message).find(
      (one) => (!level || one.level === level) && !this.isTaken(message.key, one.key),
    );
    return request ? { message: message.key, request } : null;
  }

  protected override connected(_conversation: StreamController): void {
    this.#field.showDraft();
    this.refresh();
  }

  protected override noticed(notice: ControllerNotice): void {
    super.noticed(notice);
    const { type } = notice;
    const isOver = this.#isAboutRun && type.startsWith('run-') && !this.isRunning;
    if (type === 'thread-changed' || isOver) this.#complaint = '';
    if (type === 'thread-changed' || type === 'draft-changed') this.#field.showDraft();
  }

  protected override complain(error: UbikError): void {
    const { locale } = this.context;
    const reason = explainError(error, locale);
    this.#complaint = this.#sending !== null ? locale.text('notSent', { reason }) : reason;
    this.#isAboutRun = error.code === 'busy';
    this.refresh();
  }

  /** The field with its button, and what is to be said about them. */
  protected renderComposer(): TemplateResult {
    const { locale } = this.context;
    const placeholder = locale.text(this.#question() ? 'placeholderWaiting' : 'placeholder');
    return html`<div class="composer" part="composer">
      ${this.#waiting.node}
      <div class="field" @focusin=${this.#aids.load}>
        ${this.#files.node}${this.#files.renderButton()}
        ${this.#field.render(placeholder)}${this.#renderButton()}
      </div>
      ${this.#renderBelow()}
    </div>`;
  }

  #renderButton(): TemplateResult {
    const stops = this.#stops;
    const stopping = this.runState === 'stopping';
    const idle = stops
      ? stopping
      : !this.conversation || this.isRunning || this.#files.isUploading || !this.#field.text.trim();
    const words = this.context.locale.text(stops ? (stopping ? 'stopping' : 'stop') : 'send');
    // Not `disabled`: the button would lose the focus of someone who has just pressed it.
    return html`<button
      class="send"
      type="button"
      part="send"
      data-act=${stops ? 'stop' : 'send'}
      title=${words}
      aria-disabled=${idle ? 'true' : 'false'}
      @click=${this.#handleClick}
    >
      ${renderIcon(stops ? 'stop' : 'send')}
    </button>`;
  }

  /** What stands beside the words about the keys. */
  protected renderBeside(): unknown {
    return nothing;
  }

  /** What went wrong, and what Enter does. */
  #renderBelow(): TemplateResult {
    const { locale } = this.context;
    const coming = this.#files.isUploading;
    const question = this.#question();
    const refusal = this.#isRefused ? this.refuse(this.#field.text) : '';
    this.#isRefused = refusal !== '';
    const complaint = refusal || this.#complaint;
    return html`<div class="below" id="below">
      ${
        complaint
          ? html`<p class="complaint" role="alert">
              ${renderIcon('alert')}<span dir="auto">${complaint}</span>
            </p>`
          : nothing
      }
      <p class="meta ${question || coming ? '' : 'keys'}" dir="auto">
        ${
          question
            ? locale.text('answersRequest', { question })
            : locale.text(coming ? 'uploadsPending' : this.isRunning ? this.#waiting.hint : 'hint')
        }
      </p>
      ${this.renderBeside()}
    </div>`;
  }

  /** Whether the button stops the run: also one in which a tool waits for an answer, for the service takes no message then. */
  get #stops(): boolean {
    const { conversation, runState } = this;
    const can = conversation?.backend.capabilities.has('stop') ?? false;
    const asks = runState === 'waiting' && !this.#question() && this.findArmed() !== null;
    return can && (asks || (this.isRunning && runState !== 'sending'));
  }

  /** The question that a text would answer; empty when there is none. */
  #question(): string {
    return this.findArmed('agent')?.request.prompt ?? '';
  }

  async #answerOrSend(text: string): Promise<boolean> {
    const { conversation } = this;
    const armed = this.findArmed('agent');
    if (armed) {
      await this.provideInput(armed.message, armed.request.key, { type: 'text', text });
      this.#field.keep('');
      return true;
    }
    const thread = describeThread(conversation);
    const draft = draftOf(conversation, text);
    return this.act(
      [
        new UbikMessageSendEvent({ ...thread, ...draft }),
        ...(thread.threadId === null ? [new UbikThreadCreateEvent(thread)] : []),
      ],
      async () => conversation?.send(draft),
      () => new UbikMessageSentEvent({ ...describeThread(conversation), ...draft }),
    );
  }

  /** Whether a text cannot be sent; then the person is told why. */
  #refuses(text: string): boolean {
    this.#isRefused = this.refuse(text) !== '';
    if (this.#isRefused) this.refresh();
    return this.#isRefused;
  }

  #handleClick(event: MouseEvent): void {
    if (!this.#stops) this.#sendField();
    // The second click of a double click on "send" is not meant for "stop".
    else if (event.detail < 2 && this.runState !== 'stopping') void this.stop();
  }

  #sendField(): void {
    const { text } = this.#field;
    if (this.#files.isUploading || !text.trim() || this.#refuses(text)) return;
    if (!this.isRunning) void this.send(text);
    else if (this.#waiting.way !== 'draft' && text !== this.#sending) {
      // The answer to a question stays in the field until it is taken: it is none to be kept.
      this.#complaint = '';
      void this.#waiting.keep(text);
    }
  }
}
