import type { StreamController } from '../../conversation/controller-types.js';

/** Name of the context under which elements ask for the conversation around them. */
const CONTEXT = 'ubik-controller';

type Callback = (controller: StreamController, unsubscribe?: () => void) => void;

/**
 * The question of an element for what some element around it provides, as the community protocol for contexts has it, so that
 * providers of other libraries can answer too.
 */
export class ContextRequestEvent extends Event {
  readonly context: unknown;
  readonly contextTarget: Element;
  readonly callback: Callback;
  readonly subscribe: boolean;

  constructor(contextTarget: Element, callback: Callback) {
    super('context-request', { bubbles: true, composed: true });
    this.context = CONTEXT;
    this.contextTarget = contextTarget;
    this.callback = callback;
    this.subscribe = true;
  }
}

/** Answers the questions of the elements inside a host. */
export class ControllerProvider {
  readonly #host: HTMLElement;
  readonly #subscribers = new Set<Callback>();
  #controller: StreamController | null = null;

  constructor(host: HTMLElement) {
    this.#host = host;
    host.addEventListener('context-request', (event) => {
      this.#answer(event as ContextRequestEvent);
    });
  }

  /** Gives a controller to those who have asked, and calls on those who have asked in vain to ask again. */
  provide(controller: StreamController | null): void {
    this.#controller = controller;
    if (!controller) return;
    for (const callback of [...this.#subscribers]) {
      callback(controller, () => void this.#subscribers.delete(callback));
    }
    const event = new Event('context-provider', { bubbles: true, composed: true });
    this.#host.dispatchEvent(Object.assign(event, { context: CONTEXT, contextTarget: this.#host }));
  }

  #answer(event: ContextRequestEvent): void {
    if (event.context !== CONTEXT || event.contextTarget === this.#host) return;
    event.stopImmediatePropagation();
    const { callback } = event;
    if (event.subscribe) this.#subscribers.add(callback);
    if (this.#controller) callback(this.#controller, () => void this.#subscribers.delete(callback));
  }
}

/** Asks for a controller, and again when a provider appears. Returns the way to stop. */
export function requestController(
  host: HTMLElement,
  listener: (controller: StreamController) => void,
): () => void {
  const listening = new AbortController();
  let leave: (() => void) | undefined;
  const callback: Callback = (controller, unsubscribe) => {
    if (listening.signal.aborted) {
      unsubscribe?.();
      return;
    }
    leave = unsubscribe;
    listener(controller);
  };
  const ask = (): void => {
    host.dispatchEvent(new ContextRequestEvent(host, callback));
  };
  document.addEventListener(
    'context-provider',
    (event) => {
      if (!leave && 'context' in event && event.context === CONTEXT) ask();
    },
    { signal: listening.signal },
  );
  ask();
  return () => {
    listening.abort();
    leave?.();
  };
}
