import type { Draft } from '../../backends/backend.js';

/**
 * For a message that an element queues, the draft of its thread when the user pressed Enter: only that text is removed from the field, not what
 * was typed since. Without an entry, the draft at the time of the call is used.
 */
export const writtenDrafts = new WeakMap<Draft, Draft>();
