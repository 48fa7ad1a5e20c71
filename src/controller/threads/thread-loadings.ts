import type { Thread } from '../../model/thread.js';
import type { StreamController } from '../controller-types.js';

/**
 * Resolves when a thread was loaded, to the thread that is then shown: null if there was none to open. Resolves to undefined if it has failed to
 * load, or another one was opened meanwhile.
 */
export type ThreadLoading = Promise<Thread | null | undefined>;

/** For each controller, returns the loading of the thread that is being opened; null when none is. */
export const threadLoadings = new WeakMap<StreamController, () => ThreadLoading | null>();

/** For each controller, returns the service's id of the thread that is being opened; null when none is, and until it is known. */
export const openingIds = new WeakMap<StreamController, () => string | null>();
