import type { LitElement } from 'lit';
import type { ConnectedHost } from '../base/connected-host.js';

/** What the inside of the list takes of its element. */
export type ThreadListHost = ConnectedHost<
  LitElement & {
    /** How long a deletion can be taken back, in ms. */
    readonly undoTime: number;
  }
>;
