import type { RunState } from '../../../model/thread.js';

/** How the run stands, as far as events told. The message's status is the run's state. */
export interface RunStanding {
  readonly state: RunState & ('streaming' | 'waiting' | 'complete' | 'stopped' | 'failed');
  /** Nothing changes any more. */
  readonly ended: boolean;
  readonly stopRequested: boolean;
  readonly taskId: string | null;
  readonly messageId: string | null;
  /** Why it failed. */
  readonly failure: { readonly code: string; readonly message: string } | null;
  /** Full contents that were taken in. */
  readonly fullContents: number;
}

/** A run of which nothing is known but that it is on. */
export const STARTED: RunStanding = {
  state: 'streaming',
  ended: false,
  stopRequested: false,
  taskId: null,
  messageId: null,
  failure: null,
  fullContents: 0,
};
