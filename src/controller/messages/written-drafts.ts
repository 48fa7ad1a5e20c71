import type { Draft } from '../../backends/backend.js';

/**
 * For a message that is queued, the draft of its thread when the user has requested that. Without an entry, it is the draft at the time of
 * the call.
 */
export const writtenDrafts = new WeakMap<Draft, Draft>();
