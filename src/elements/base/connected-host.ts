import type { LitElement } from 'lit';
import type { InputAnswer } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import type { UbikError } from '../../errors.js';
import type { Key } from '../../model/json.js';
import type { ElementContext } from './view-context.js';

/** A connected element, as its reactive controllers, panels and dialogs see it. */
export interface ConnectedHost<E extends LitElement = LitElement> {
  /** The custom element. Has the properties that the host page sets, and dispatches the events. */
  readonly element: E;
  /** The context that all views of the element share. */
  readonly context: ElementContext;
  /** The connected controller; null until one is found. It may be closed while the element is disconnected. */
  readonly controller: StreamController | null;
  /** Whether the controller is retained, which is the case while the element is in the document. */
  readonly isRetained: boolean;
  /** Requests an update of the element. Bound, so that it can be passed as a callback. */
  readonly requestUpdate: () => void;
  /**
   * Performs an action of the user: dispatches the cancelable events before it, runs it, and dispatches the event after it. Resolves to
   * false when the host page cancelled it. When it fails, rejects, and for a `UbikError` other than `aborted` dispatches `ubik-error`.
   */
  performAction(
    before: readonly Event[],
    run: () => Promise<unknown>,
    after?: () => Event,
  ): Promise<boolean>;
  /**
   * Awaits an action. Resolves to false when it was cancelled or failed. A `UbikError` other than `aborted` is passed to `onError`, by default
   * to that of the element. Rejects with any other error.
   */
  attempt(
    action: Promise<unknown> | undefined,
    onError?: (error: UbikError) => void,
  ): Promise<boolean>;
  /**
   * Sends the answer to a request, with its events. Resolves to false when the host page cancels it, and rejects when the service does not
   * accept it. `controller` has the request; by default the connected controller.
   */
  provideInput(
    message: Key,
    request: Key,
    answer: InputAnswer,
    controller?: StreamController | null,
  ): Promise<boolean>;
  /** Whether the host page answers a request: it has cancelled `ubik-input-required`, or one of its tools answers. */
  isHandledByPage(message: Key, request: Key): boolean;
  /** Returns the reason why a text cannot be sent as a message, as a sentence; empty when it can. */
  validateMessage(text: string): string;
  /** Scrolls a message of the shown branch into view and focuses it. */
  focusMessage(message: Key): void;
}
