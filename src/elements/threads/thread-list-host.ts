import type { StreamController } from '../../conversation/controller-types.js';
import type { UbikError } from '../../errors.js';
import type { ElementContext } from '../views/view-context.js';

/** What the inside of the list takes of its element. */
export interface ThreadListHost extends HTMLElement {
  readonly context: ElementContext;
  readonly conversation: StreamController | null;
  /** How long a deletion can be taken back, in ms. */
  readonly undoTime: number;
  /** See `ConversationElement`. */
  act(before: readonly Event[], run: () => Promise<unknown>, after?: () => Event): Promise<boolean>;
  /** See `ConversationElement`. */
  attempt(act: Promise<unknown>, complain: (error: UbikError) => void): Promise<boolean>;
}
