import type { StreamController } from '../../controller/controller-types.js';

/** Key of the context in which elements provide their controller. */
const CONTEXT = 'ubik-controller';

/** Called with a controller, and with the function that ends the subscription. */
export type ControllerCallback = (controller: StreamController, unsubscribe?: () => void) => void;

/** An event of the community protocol for contexts (webcomponents-cg), so that providers of other libraries can respond too. */
interface ContextEvent extends Event {
  readonly context?: unknown;
  readonly callback?: ControllerCallback;
  readonly subscribe?: boolean;
}

/**
 * Requests the controller of the enclosing element, and each one that replaces it.
 *
 * @returns whether a provider responds, now or as soon as it has a controller
 */
export function requestController(host: HTMLElement, callback: ControllerCallback): boolean {
  return !dispatchContextEvent(host, 'context-request', { callback, subscribe: true });
}

/** Calls back whenever an element in the document provides another controller, until the signal is aborted. */
export function onProvider(callback: () => void, signal: AbortSignal): void {
  const handleProvider = ({ context }: ContextEvent): void => {
    if (context === CONTEXT) callback();
  };
  document.addEventListener('context-provider', handleProvider, { signal });
}

/** Provides the elements inside a host with the controller that was passed to the returned function last. */
export function provideController(host: HTMLElement): (controller: StreamController) => void {
  const subscribers = new Set<ControllerCallback>();
  let provided: StreamController | null = null;
  const deliver = (callback: ControllerCallback): void => {
    if (provided) callback(provided, () => void subscribers.delete(callback));
  };
  host.addEventListener('context-request', (event: ContextEvent) => {
    const { context, callback, subscribe } = event;
    if (context !== CONTEXT || !callback) return;
    event.stopImmediatePropagation();
    // Makes `dispatchEvent` return false, so that `requestController` knows that a provider responds.
    event.preventDefault();
    if (subscribe) subscribers.add(callback);
    deliver(callback);
  });
  return (controller) => {
    provided = controller;
    for (const callback of [...subscribers]) deliver(callback);
    dispatchContextEvent(host, 'context-provider', {});
  };
}

/** Dispatches an event of the protocol. Returns false when a provider has responded. */
function dispatchContextEvent(host: HTMLElement, type: string, fields: object): boolean {
  const event = new Event(type, { bubbles: true, composed: true, cancelable: true });
  return host.dispatchEvent(
    Object.assign(event, { context: CONTEXT, contextTarget: host, ...fields }),
  );
}
