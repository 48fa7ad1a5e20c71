import type { MessageStatus } from '../../../model/message.js';
import type { RunState } from '../../../model/thread.js';

/** How the run stands, as far as events told. `ended`: nothing changes any more. */
export interface RunStanding {
  readonly state: RunState;
  readonly status: MessageStatus;
  readonly ended: boolean;
  readonly stopRequested: boolean;
  readonly taskId: string | null;
  readonly messageId: string | null;
  readonly failure: string | null;
  /** Full contents that were taken in. */
  readonly fullContents: number;
}

/** A run of which nothing is known but that it is on. */
export const STARTED: RunStanding = {
  state: 'streaming',
  status: 'streaming',
  ended: false,
  stopRequested: false,
  taskId: null,
  messageId: null,
  failure: null,
  fullContents: 0,
};
