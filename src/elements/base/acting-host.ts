import type { StreamController } from '../../conversation/controller-types.js';
import type { UbikError } from '../../errors.js';
import type { ElementContext } from '../views/view-context.js';

/** An element at a conversation, as the files that are fetched for it see it. See `ConversationElement`. */
export interface ActingHost extends HTMLElement {
  readonly conversation: StreamController | null;
  readonly context: ElementContext;
  readonly refresh: () => void;
  act(before: readonly Event[], run: () => Promise<unknown>, after?: () => Event): Promise<boolean>;
  attempt(
    act: Promise<unknown> | undefined,
    complain?: (error: UbikError) => void,
  ): Promise<boolean>;
}
