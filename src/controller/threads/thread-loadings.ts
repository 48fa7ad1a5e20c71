import type { StreamController } from '../controller-types.js';

/**
 * For each controller, returns a promise that resolves when the thread that is being opened is shown, or has failed to load; null when none is
 * being opened.
 */
export const threadLoadings = new WeakMap<StreamController, () => Promise<void> | null>();
