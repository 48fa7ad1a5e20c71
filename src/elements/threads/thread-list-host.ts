import type { ActingHost } from '../base/acting-host.js';

/** What the inside of the list takes of its element. */
export interface ThreadListHost extends ActingHost {
  /** How long a deletion can be taken back, in ms. */
  readonly undoTime: number;
}
