import { html, nothing, render } from 'lit';
import type { Message } from '../../model/message.js';
import { langOfContent } from '../../message/content-lang.js';
import { isRunning, listPendingRequests } from '../../message/thread-selectors.js';
import { describeMessage } from '../base/controller-events.js';
import { reportSourceError, type ComposerContext } from './composer-context.js';
import type { FollowUps } from './composer-options.js';

const MAX_QUESTIONS = 4;

/**
 * Renders follow-up questions for the last answer above the field. A click sends a question, or writes it into the field. Without a source
 * of the host page, the questions that the service has sent with the answer are shown.
 */
export class FollowUpList {
  readonly #context: ComposerContext;
  readonly #node: HTMLElement;
  /** The source that was read or called last. */
  #source: FollowUps | null = null;
  /** The parts of the answer for which the source was read or called. They identify the answer; its key is unique only in one controller. */
  #parts: Message['parts'] | undefined;
  #questions: readonly string[] = [];
  #pending = new AbortController();

  /** `node` is the container to render into. */
  constructor(context: ComposerContext, node: HTMLElement) {
    this.#context = context;
    this.#node = node;
  }

  /** Renders the questions. Calls the source again when the answer or the source has changed. */
  update(): void {
    const { host } = this.#context;
    const message = this.#findAnswer();
    const source = host.element.followUps ?? message?.followUps ?? null;
    if (message?.parts !== this.#parts || source !== this.#source) this.#request(message, source);
    // While the user is typing, the questions would take up the space that the keyboard of a phone leaves.
    const isHidden = this.#questions.length === 0 || this.#context.field.text !== '';
    render(
      isHidden
        ? nothing
        : html`<ul class="follow-ups" aria-label=${host.context.locale.text('followUps')}>
            ${this.#questions.map(
              (text) =>
                html`<li>
                  <button
                    class="quiet"
                    type="button"
                    part="follow-up"
                    dir="auto"
                    lang=${langOfContent(host.context.locale)}
                    @click=${() => {
                      this.#select(text);
                    }}
                  >
                    ${text}
                  </button>
                </li>`,
            )}
          </ul>`,
      this.#node,
    );
  }

  /** Aborts the pending request for questions. The next `update` requests them again. */
  stop(): void {
    this.#pending.abort();
    this.#source = null;
  }

  /** Returns the answer at the end of the shown branch; null unless it is complete and has no pending request, and while a run is in progress. */
  #findAnswer(): Message | null {
    const thread = this.#context.host.controller?.thread;
    const message = thread?.messages.get(thread.head ?? '');
    if (!message || isRunning(thread) || message.role !== 'assistant') return null;
    return message.status === 'complete' && listPendingRequests(message).length === 0
      ? message
      : null;
  }

  #request(answer: Message | null, source: FollowUps | null): void {
    this.#parts = answer?.parts;
    this.#source = source;
    this.#questions = [];
    this.#pending.abort();
    if (!answer || !source) return;
    if (typeof source === 'function') void this.#fetch(answer, source);
    else this.#setQuestions(source);
  }

  async #fetch({ key }: Message, load: Extract<FollowUps, (...args: never[]) => unknown>) {
    const { host } = this.#context;
    const { signal } = (this.#pending = new AbortController());
    try {
      const questions = await load(describeMessage(host.controller, key), signal);
      if (signal.aborted) return;
      this.#setQuestions(questions);
      this.update();
    } catch (error) {
      if (!signal.aborted) reportSourceError(host, 'followUps', error);
    }
  }

  /** Stores the valid questions, because the value comes from the host page. */
  #setQuestions(value: unknown): void {
    const texts = Array.isArray(value) ? (value as unknown[]) : [];
    this.#questions = texts.filter((text) => typeof text === 'string').slice(0, MAX_QUESTIONS);
  }

  #select(text: string): void {
    const { field, host } = this.#context;
    const { element } = host;
    if (element.prefill) {
      field.focus();
      field.write(text);
      return;
    }
    // The focused button is about to be removed. Focusing the field would open the virtual keyboard.
    element.renderRoot.querySelector<HTMLElement>('.send')?.focus({ preventScroll: true });
    void element.send(text);
  }
}
