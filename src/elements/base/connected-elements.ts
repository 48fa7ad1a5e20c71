import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import type { Key } from '../../model/json.js';
import { dispatchInputRequired, dispatchNotice } from './controller-events.js';

const byController = new WeakMap<StreamController, ConnectedElements>();

const requestKey = (message: Key, request: Key): string => JSON.stringify([message, request]);

/** The elements that are connected to one controller. The first one dispatches the events of the controller. */
export class ConnectedElements {
  readonly #controller: StreamController;
  /** In the order of their connection. */
  readonly #elements = new Set<HTMLElement>();
  /** The notices that were handled. Not only the last one, because the handler of an event can cause further notices. */
  readonly #handled = new WeakSet<ControllerNotice>();
  /** Requests that the host page answers. */
  readonly #handledRequests = new Set<string>();

  private constructor(controller: StreamController) {
    this.#controller = controller;
  }

  /** Returns the elements of a controller. */
  static of(controller: StreamController): ConnectedElements {
    const elements = byController.get(controller) ?? new ConnectedElements(controller);
    byController.set(controller, elements);
    return elements;
  }

  /** The currently connected elements. */
  get elements(): ReadonlySet<HTMLElement> {
    return this.#elements;
  }

  /** Adds an element. Returns the function that removes it. */
  add(element: HTMLElement): () => void {
    this.#elements.add(element);
    return () => void this.#elements.delete(element);
  }

  /**
   * Dispatches the DOM event for a notice. Each element forwards every notice; only the first element's call has an effect, so that the
   * host page gets each event once. `declineText` returns the text that declines a request.
   */
  handleNotice(element: HTMLElement, notice: ControllerNotice, declineText: () => string): void {
    const [first] = this.#elements;
    // A handler of the host page may have removed the element that was the first one.
    if (first !== element || this.#handled.has(notice)) return;
    this.#handled.add(notice);
    if (notice.type !== 'input-required') {
      dispatchNotice(element, this.#controller, notice);
      return;
    }
    // The page may answer a request only the first time it is pending.
    const isHandled = dispatchInputRequired(element, this.#controller, notice, declineText);
    this.setHandled(notice.message, notice.request, isHandled);
  }

  /** Sets whether the host page answers a request. */
  setHandled(message: Key, request: Key, isHandled: boolean): void {
    const key = requestKey(message, request);
    if (isHandled) this.#handledRequests.add(key);
    else this.#handledRequests.delete(key);
  }

  /** Whether the host page answers a request. */
  isHandledByPage(message: Key, request: Key): boolean {
    return this.#handledRequests.has(requestKey(message, request));
  }
}
