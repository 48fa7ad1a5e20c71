import type { Thread } from '../../model/thread.js';
import type { StreamController } from '../controller-types.js';

/**
 * Resolves when a thread was loaded, to the thread that is then shown: null if there was none to open. Resolves to undefined if it has failed to
 * load, or another one was opened meanwhile.
 */
export type ThreadLoading = Promise<Thread | null | undefined>;

/** A call that opens a thread, creates one or closes the current one. */
export interface ThreadOpening {
  /** The service's id of the thread; null if none is opened, and until it is known. */
  id: string | null;
  /** The loading of the thread; null when it has ended, and if there is nothing to load. */
  loading: ThreadLoading | null;
}

/** For each controller, returns its latest opening, which may have ended; null before the first. */
export const threadOpenings = new WeakMap<StreamController, () => Readonly<ThreadOpening> | null>();

/** Returns the loading of the thread that is shown next; null when a thread is shown or none is loading. */
export function loadingThreadOf(controller: StreamController): ThreadLoading | null {
  return controller.thread ? null : (threadOpenings.get(controller)?.()?.loading ?? null);
}
