import type { Json } from '../model/json.js';
import type { PartKind } from '../model/part.js';
import { UbikEvent, type MessageRefDetail } from './event.js';

/** What a renderer of the host page asks the page. */
export interface PartAskDetail extends Pick<MessageRefDetail, 'messageId'> {
  /** Identifies what is asked; renderers and page agree on the names. */
  readonly name: string;
  readonly data: Json;
  /** The kind of the part that the renderer shows. */
  readonly kind: PartKind;
  /** The name of its tool; null for parts other than tool calls. */
  readonly tool: string | null;
}

/** Dispatched when a renderer of the host page asks the page, which answers with {@link respondWith}. */
export class UbikPartAskEvent extends UbikEvent<PartAskDetail> {
  #answer: unknown;

  /** Creates the event. */
  constructor(detail: PartAskDetail) {
    super('ubik-part-ask', detail);
  }

  /** Answers the renderer with a value or a promise. Must be called while the event is dispatched; the last call counts. */
  respondWith(answer: unknown): void {
    this.#answer = answer;
  }

  /** The answer of the page; undefined while it has given none. */
  get answer(): unknown {
    return this.#answer;
  }
}
