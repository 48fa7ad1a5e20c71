import type { LitElement } from 'lit';
import type { ActingHost } from '../base/acting-host.js';

/** What the inside of the list takes of its element. */
export type ThreadListHost = ActingHost<
  LitElement & {
    /** How long a deletion can be taken back, in ms. */
    readonly undoTime: number;
  }
>;
