import type { StreamController } from '../../conversation/controller-types.js';

/** The last hint that was written and not sent, with its thread and checkpoint. */
const unsent = new WeakMap<StreamController, readonly [place: string, hint: string]>();

/** What was written for a checkpoint and not sent stands there when the question is asked again. */
export class UnsentHint {
  readonly #conversation: StreamController | null;
  readonly #place: string;

  constructor(conversation: StreamController | null, checkpoint: string) {
    this.#conversation = conversation;
    this.#place = JSON.stringify([conversation?.thread?.key, checkpoint]);
  }

  /** Empty when there is none. */
  get text(): string {
    const [place, hint = ''] = (this.#conversation && unsent.get(this.#conversation)) ?? [];
    return place === this.#place ? hint : '';
  }

  set text(hint: string) {
    if (this.#conversation) unsent.set(this.#conversation, [this.#place, hint]);
  }
}
