import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import { notifiedRequests, requestId } from '../../controller/requests/notified-requests.js';
import { isRunning, listPendingRequests } from '../../message/thread-selectors.js';
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
  /** Requests whose event was dispatched. Cleared when all elements are removed, so that the event is dispatched again. */
  readonly #offeredRequests = new Set<string>();
  /** For each request whose event was dispatched, whether the host page has cancelled its last event. */
  readonly #cancellations = new Map<string, boolean>();
  /** Requests that a tool of the host page is answering. */
  readonly #toolRequests = new Set<string>();

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
    return () => {
      this.#elements.delete(element);
      // In a later task, because an element that is moved in the document is removed and added again in one task.
      this.#controller.environment.setTimer(() => {
        if (this.#elements.size === 0) this.#offeredRequests.clear();
      }, 0);
    };
  }

  /**
   * Dispatches `ubik-input-required` for the pending requests that arrived while no element was connected, and again after all elements were
   * removed, because the form of the host page may have been removed with them. Call this after each change of the run, too: while a run is
   * in progress, it dispatches no second event for a request, and first events only while the run streams.
   */
  offerRequests(element: HTMLElement, declineText: () => string): void {
    const { thread } = this.#controller;
    const [first] = this.#elements;
    if (!thread || first !== element) return;
    // An answered request stays pending until it is known that the service has accepted the answer. While a run is in progress, a pending
    // request may therefore be one that was answered. Which requests are open is known only from the events that arrive while the run streams.
    const mayBeAnswered = isRunning(thread);
    if (mayBeAnswered && thread.run.state !== 'streaming') return;
    const notified = notifiedRequests.get(this.#controller);
    for (const message of thread.messages.values()) {
      for (const { key: request } of listPendingRequests(message)) {
        const key = requestKey(message.key, request);
        if (this.#offeredRequests.has(key) || this.#toolRequests.has(key)) continue;
        if (mayBeAnswered && this.#cancellations.has(key)) continue;
        // For any other request, the controller has yet to emit the notice.
        if (!notified?.has(requestId(thread.key, message.key, request))) continue;
        const address = { thread: thread.key, message: message.key, request };
        this.handleNotice(element, { type: 'input-required', ...address }, declineText);
      }
    }
  }

  /**
   * Dispatches the DOM event for a notice. Each element forwards every notice; only the first element's call has an effect, so that the
   * host page gets each event once. `declineText` returns the text that declines a request.
   */
  handleNotice(element: HTMLElement, notice: ControllerNotice, declineText: () => string): void {
    const [first] = this.#elements;
    // When a handler of the host page removes the first element, the next element becomes the first one and gets the same notice.
    if (first !== element || this.#handled.has(notice)) return;
    this.#handled.add(notice);
    if (notice.type !== 'input-required') {
      dispatchNotice(element, this.#controller, notice);
      return;
    }
    // Replaces the result of an earlier event for the request, because the page may have cancelled only one of the two events.
    const isCancelled = dispatchInputRequired(element, this.#controller, notice, declineText);
    const key = requestKey(notice.message, notice.request);
    this.#offeredRequests.add(key);
    this.#cancellations.set(key, isCancelled);
  }

  /** Sets whether a tool of the host page is answering a request. */
  setAnsweredByTool(message: Key, request: Key, isAnswered: boolean): void {
    const key = requestKey(message, request);
    if (isAnswered) this.#toolRequests.add(key);
    else this.#toolRequests.delete(key);
  }

  /** Whether the host page answers a request. */
  isHandledByPage(message: Key, request: Key): boolean {
    const key = requestKey(message, request);
    return this.#cancellations.get(key) === true || this.#toolRequests.has(key);
  }
}
