import type { StreamController } from '../../controller/controller-types.js';

/** Name of the context under which elements ask for the conversation around them. */
const CONTEXT = 'ubik-controller';

/** Takes a controller, and the way to hear of no other. */
export type ControllerCallback = (controller: StreamController, forget?: () => void) => void;

/** The events of the community protocol for contexts, so that providers of other libraries can answer too. */
interface ContextEvent extends Event {
  readonly context?: unknown;
  readonly callback?: ControllerCallback;
  readonly subscribe?: boolean;
}

/**
 * Asks the elements around for their conversation, and for those that come after it.
 *
 * @returns whether one of them answers, now or as soon as it has a conversation
 */
export function requestController(host: HTMLElement, callback: ControllerCallback): boolean {
  return !dispatchContextEvent(host, 'context-request', { callback, subscribe: true });
}

/** Calls back whenever a provider appears somewhere in the page, until the signal is aborted. */
export function onProvider(callback: () => void, signal: AbortSignal): void {
  const handleProvider = ({ context }: ContextEvent): void => {
    if (context === CONTEXT) callback();
  };
  document.addEventListener('context-provider', handleProvider, { signal });
}

/** Answers the elements inside a host with the controller that the returned function was given last. */
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

/** Dispatches an event of the protocol; returns false when a provider has taken it. */
function dispatchContextEvent(host: HTMLElement, type: string, fields: object): boolean {
  const event = new Event(type, { bubbles: true, composed: true, cancelable: true });
  return host.dispatchEvent(
    Object.assign(event, { context: CONTEXT, contextTarget: host, ...fields }),
  );
}
