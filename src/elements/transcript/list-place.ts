import type { Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { ViewContext } from '../../message/part-view.js';

/** Where a list of messages stands. */
export interface ListPlace {
  readonly context: ViewContext;
  /** What its groups are put into. */
  readonly column: HTMLElement;
  /** The box that scrolls. */
  readonly scroller: HTMLElement;
  /** The record of a message as it is now. */
  find(key: Key): Message | undefined;
}
