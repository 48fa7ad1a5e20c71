import type { ControllerNotice } from '../../conversation/controller-types.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { explainError } from '../../parts/explain-error.js';
import type { SteeringHost } from '../base/conversation-acts.js';
import { Announcer } from './announcer.js';

/** What a conversation says to people who do not see the screen: the answer as it grows, questions, and how runs end. */
export class Voice {
  readonly #host: SteeringHost;
  readonly #announcer = new Announcer();
  /** The part of the answer that grew last. */
  #growing: Key | undefined;

  constructor(host: SteeringHost) {
    this.#host = host;
  }

  /** Where it is written. */
  get node(): Element {
    return this.#announcer.node;
  }

  /** The shown thread has changed. */
  changed(change: Change): void {
    if (change.do !== 'text' || change.message !== this.#host.conversation?.thread?.run.answer) {
      return;
    }
    this.#growing = change.part;
    this.#host.context.frames.schedule(this.#speak);
  }

  /** The conversation has told something. */
  noticed(notice: ControllerNotice): void {
    const { locale } = this.#host.context;
    switch (notice.type) {
      case 'run-ended':
        this.#speakText(true);
        this.#announcer.say(locale.text('finished'));
        break;
      case 'input-required':
        this.#speakRequest(notice.message, notice.request);
        break;
      case 'run-stopped':
        this.#announcer.say(locale.text('stopped'));
        break;
      case 'run-failed':
      case 'run-interrupted':
        this.#announcer.say(explainError(notice.error, locale));
        break;
      default:
    }
  }

  /** Says what has been finished of the text that grew last. */
  readonly #speak = (): void => {
    this.#speakText(false);
  };

  #speakText(ended: boolean): void {
    const thread = this.#host.conversation?.thread;
    const part = thread?.messages.get(thread.run.answer ?? '')?.parts.get(this.#growing ?? '');
    if (part?.kind === 'text' && part.text) this.#announcer.follow(part.text, ended);
  }

  /** Says a question, when it is asked here. */
  #speakRequest(message: Key, request: Key): void {
    const { context, conversation } = this.#host;
    const part = conversation?.thread?.messages.get(message)?.parts.get(request);
    if (part?.kind !== 'request-activity' || this.#host.isTaken(message, request)) return;
    this.#announcer.say(`${context.locale.text('waitingForYou')} ${part.prompt}`);
  }
}
