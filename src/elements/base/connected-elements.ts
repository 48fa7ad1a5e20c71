import type { ControllerNotice, StreamController } from '../../controller/controller-types.js';
import type { Key } from '../../model/json.js';
import { dispatchNotice, dispatchInputRequired } from './controller-events.js';

const byController = new WeakMap<StreamController, ConnectedElements>();

const requestKey = (message: Key, request: Key): string => JSON.stringify([message, request]);

/** The elements at one conversation. */
export class ConnectedElements {
  readonly #controller: StreamController;
  /** In the order of their coming: the first tells the page what the agent does, so that the page hears it once. */
  readonly #elements = new Set<HTMLElement>();
  /** Requests that the page answers in its own way. */
  readonly #handledRequests = new Set<string>();

  private constructor(controller: StreamController) {
    this.#controller = controller;
  }

  /** Those at a conversation. */
  static of(controller: StreamController): ConnectedElements {
    const company = byController.get(controller) ?? new ConnectedElements(controller);
    byController.set(controller, company);
    return company;
  }

  /** Those that are there. */
  get elements(): ReadonlySet<HTMLElement> {
    return this.#elements;
  }

  /** Takes an element in; returns the way out. */
  add(host: HTMLElement): () => void {
    this.#elements.add(host);
    return () => void this.#elements.delete(host);
  }

  /** An element has heard something; `decline` gives our words for a refusal. */
  handleNotice(host: HTMLElement, notice: ControllerNotice, decline: () => string): void {
    const [first] = this.#elements;
    if (first !== host) return;
    if (notice.type !== 'input-required') dispatchNotice(host, this.#controller, notice);
    else if (dispatchInputRequired(host, this.#controller, notice, decline)) {
      this.#handledRequests.add(requestKey(notice.message, notice.request));
    }
  }

  /** Whether the page answers a request in its own way. */
  isHandledByPage(message: Key, request: Key): boolean {
    return this.#handledRequests.has(requestKey(message, request));
  }
}
