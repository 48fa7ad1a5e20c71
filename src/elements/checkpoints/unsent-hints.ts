import type { StreamController } from '../../controller/controller-types.js';

/** The last hint that was written and not sent in a conversation, with its thread and checkpoint. */
const hintDrafts = new WeakMap<object, readonly [place: string, hint: string]>();

/** What was written for a checkpoint and not sent stands there when the question is asked again. */
export class HintDraft {
  readonly #owner: object;
  readonly #place: string;

  constructor(controller: StreamController | null, checkpoint: string) {
    this.#owner = controller ?? this;
    this.#place = JSON.stringify([controller?.thread?.key, checkpoint]);
  }

  /** Empty when there is none. */
  get text(): string {
    const [place, hint = ''] = hintDrafts.get(this.#owner) ?? [];
    return place === this.#place ? hint : '';
  }

  set text(hint: string) {
    hintDrafts.set(this.#owner, [this.#place, hint]);
  }
}
