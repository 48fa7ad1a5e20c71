import type { LitElement } from 'lit';
import type { StreamController } from '../../controller/controller-types.js';
import type { UbikError } from '../../errors.js';
import type { ElementContext } from '../views/view-context.js';

/** An element at a conversation, as what stands in it uses it. See `ConversationElement`. */
export interface ActingHost<E extends LitElement = LitElement> {
  /** The element itself: what the page has set on it, where its nodes are, and where its events are fired. */
  readonly element: E;
  /** What the views in it share. */
  readonly context: ElementContext;
  /** The conversation that is shown. */
  readonly conversation: StreamController | null;
  /** Draws the element again. */
  readonly refresh: () => void;
  /**
   * An act of the person: fires the events before it, until the page cancels one; does it; fires the event after it. False when it
   * was cancelled. One that fails tells the page, and whoever asked for it.
   */
  act(before: readonly Event[], run: () => Promise<unknown>, after?: () => Event): Promise<boolean>;
  /** Waits for an act. False when it was cancelled, or failed: then `complain` is told, unless the person gave it up. */
  attempt(
    act: Promise<unknown> | undefined,
    complain?: (error: UbikError) => void,
  ): Promise<boolean>;
}
