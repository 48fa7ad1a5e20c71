import type { HostAnswer, InputProvideDetail, InputRequiredDetail } from './details.js';
import { after, before, UbikEvent } from './event.js';

/**
 * The agent or a tool asks the person for something. Cancel it and the form stays away: the host asks in its own way and calls
 * {@link respond} or {@link decline}, at once or later.
 */
export class UbikInputRequiredEvent extends UbikEvent<InputRequiredDetail> {
  readonly #answer: (answer: HostAnswer | null, text?: string) => Promise<void>;

  constructor(
    detail: InputRequiredDetail,
    answer: (answer: HostAnswer | null, text?: string) => Promise<void>,
  ) {
    super('ubik-input-required', detail, true);
    this.#answer = answer;
  }

  /** Answers the question. A plain text stands for `{ type: 'text', text }`. Rejects when the service does not take it. */
  respond(answer: HostAnswer | string): Promise<void> {
    return this.#answer(typeof answer === 'string' ? { type: 'text', text: answer } : answer);
  }

  /** Says that the person does not want to answer, in the words given or our own. */
  decline(text?: string): Promise<void> {
    return this.#answer(null, text);
  }
}

/** Before an answer of the person goes to the service. */
export class UbikInputProvideEvent extends before<InputProvideDetail>('ubik-input-provide') {}

/** The service has taken the answer. */
export class UbikInputProvidedEvent extends after<InputProvideDetail>('ubik-input-provided') {}
