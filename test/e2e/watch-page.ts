/** Records the events and the pending frames of a page from its start, so that tests can wait for them. */

/** A `ubik-` event that was dispatched in the page. */
export interface SeenEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    /** All `ubik-` events since the page was loaded, in order. */
    seenEvents: SeenEvent[];
    /** Handles of the animation frames that were requested and have not run yet: their changes are not rendered. */
    pendingFrames: Set<number>;
  }
}

/** Runs in the page before its scripts: records each `ubik-` event after its listeners. */
export function watchEvents(): void {
  window.seenEvents = [];
  const dispatchEvent = EventTarget.prototype.dispatchEvent;
  EventTarget.prototype.dispatchEvent = function dispatch(event: Event): boolean {
    const result = dispatchEvent.call(this, event);
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

/** Runs in the page before its scripts: records which animation frames are pending. */
export function watchFrames(): void {
  window.pendingFrames = new Set();
  const [request, cancel] = [window.requestAnimationFrame, window.cancelAnimationFrame];
  window.requestAnimationFrame = (callback) => {
    const handle = request((time) => {
      window.pendingFrames.delete(handle);
      callback(time);
    });
    window.pendingFrames.add(handle);
    return handle;
  };
  window.cancelAnimationFrame = (handle) => {
    window.pendingFrames.delete(handle);
    cancel(handle);
  };
}
