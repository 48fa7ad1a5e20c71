/** What is counted in a page from its beginning, for tests to wait for. */

/** A DOM event that the page's chat fired. */
export interface SeenEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    /** All `ubik-` events since the page was loaded, in order. */
    seenEvents: SeenEvent[];
    /** Animation frames that were asked for and are still to come: what waits in them is not drawn. */
    framesToCome: Set<number>;
  }
}

/** Runs in the page before anything else. */
export function watchEvents(): void {
  window.seenEvents = [];
  const add = EventTarget.prototype.dispatchEvent;
  EventTarget.prototype.dispatchEvent = function dispatch(event: Event): boolean {
    const result = add.call(this, event);
    if (event.type.startsWith('ubik-') && event instanceof CustomEvent) {
      const detail: unknown = event.detail;
      window.seenEvents.push({
        type: event.type,
        detail: (detail ?? {}) as Readonly<Record<string, unknown>>,
      });
    }
    return result;
  };
}

/** Runs in the page before anything else. */
export function watchFrames(): void {
  window.framesToCome = new Set();
  const [ask, cancel] = [window.requestAnimationFrame, window.cancelAnimationFrame];
  window.requestAnimationFrame = (callback) => {
    const handle = ask((time) => {
      window.framesToCome.delete(handle);
      callback(time);
    });
    window.framesToCome.add(handle);
    return handle;
  };
  window.cancelAnimationFrame = (handle) => {
    window.framesToCome.delete(handle);
    cancel(handle);
  };
}
