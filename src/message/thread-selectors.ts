import type { Key } from '../model/json.js';
import type { Message } from '../model/message.js';
import { pathTo, type RunState, type Thread } from '../model/thread.js';

// `src/elements` must not import values of `src/model`, so it gets these from here.
export { RUN_ACTIVITY } from '../model/part.js';
export { listPendingRequests } from '../model/pending-requests.js';
export { isShownRunOnlyStored } from '../model/thread.js';

/** States of a run in which no other run can be started. */
const RUNNING: ReadonlySet<RunState> = new Set([
  'sending',
  'streaming',
  'stopping',
  'stalled',
  'broken',
  'rejoining',
]);

/** Whether a run is in progress, so that no other one can be started. */
export function isRunning(thread: Thread | null | undefined): boolean {
  return !!thread && RUNNING.has(thread.run.state);
}

/** Returns the messages from the first one to `head`, without those of the system. */
export function shownBranch(thread: Thread, head: Key | null): readonly Message[] {
  return pathTo(thread, head).filter(({ role }) => role !== 'system');
}
