import { html, nothing, render } from 'lit';
import type { Key } from '../../../model/json.js';
import { langOfContent } from '../../../message/content-lang.js';
import { pendingRequests } from '../../../message/thread-selectors.js';
import { describeMessage } from '../../base/controller-events.js';
import type { ComposerContext } from './composer-context.js';
import { reportSource } from './report-source.js';
import type { FollowUps } from '../writing-options.js';

/** Questions that are shown at most. */
const SHOWN = 4;

/** Questions that may follow the answer that was given last, above the field; a press sends one. */
export class FollowUpList {
  readonly #context: ComposerContext;
  readonly #node: HTMLElement;
  /** What was asked of the page last, and for which answer. */
  #source: FollowUps | null = null;
  #answer: Key | null = null;
  #found: readonly string[] = [];
  #asking = new AbortController();

  /** `node` holds them. */
  constructor(context: ComposerContext, node: HTMLElement) {
    this.#context = context;
    this.#node = node;
  }

  /** Draws them as they are now. */
  update(): void {
    const { host } = this.#context;
    const answer = this.#findAnswer();
    const { followUps } = host.element;
    if (answer !== this.#answer || followUps !== this.#source) this.#ask(answer, followUps);
    // Who writes has a question of their own, and on a phone no room.
    const isHidden = this.#found.length === 0 || this.#context.field.text !== '';
    render(
      isHidden
        ? nothing
        : html`<ul class="follow-ups" aria-label=${host.context.locale.text('followUps')}>
            ${this.#found.map(
              (text) =>
                html`<li>
                  <button
                    class="quiet"
                    type="button"
                    part="follow-up"
                    dir="auto"
                    lang=${langOfContent(host.context.locale)}
                    @click=${() => {
                      this.#send(text);
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

  /** Nobody looks any more. */
  stop(): void {
    this.#asking.abort();
    this.#source = null;
  }

  /** The complete answer at the end of what is shown; null while there is none, or something else is to be done first. */
  #findAnswer(): Key | null {
    const thread = this.#context.host.controller?.thread;
    const message = thread?.messages.get(thread.head ?? '');
    const isOver = thread && ['idle', 'complete'].includes(thread.run.state);
    if (!message || !isOver || message.role !== 'assistant') return null;
    return message.status === 'complete' && pendingRequests(message).length === 0
      ? message.key
      : null;
  }

  #ask(answer: Key | null, source: FollowUps | null): void {
    this.#answer = answer;
    this.#source = source;
    this.#found = [];
    this.#asking.abort();
    if (answer === null || !source) return;
    if (typeof source === 'function') void this.#find(answer, source);
    else this.#take(source);
  }

  async #find(answer: Key, find: Extract<FollowUps, (...args: never[]) => unknown>) {
    const { host } = this.#context;
    const { signal } = (this.#asking = new AbortController());
    try {
      const found = await find(describeMessage(host.controller, answer), signal);
      if (signal.aborted) return;
      this.#take(found);
      this.update();
    } catch (error) {
      if (!signal.aborted) reportSource(host.element, 'followUps', error);
    }
  }

  /** It comes from the page, so it may be anything. */
  #take(found: unknown): void {
    const texts = Array.isArray(found) ? (found as unknown[]) : [];
    this.#found = texts.filter((text) => typeof text === 'string').slice(0, SHOWN);
  }

  #send(text: string): void {
    const { element } = this.#context.host;
    // The button is about to go, and the focus with it. The field would call up the keyboard of a phone.
    element.renderRoot.querySelector<HTMLElement>('.send')?.focus({ preventScroll: true });
    void element.send(text);
  }
}
