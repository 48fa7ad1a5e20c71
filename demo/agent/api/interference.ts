import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Meddler } from '../wire/connection.js';
import type { Lag } from './lagging-branch.js';
import type { ExecutorFault } from '../../data-agent/run.js';
import { PLAIN_DIALECT, type Dialect } from '../wire/dialect.js';

/** What tests and adopters may change about single requests. */
export interface Interference {
  /**
   * May answer a request instead of the API, or delay it.
   *
   * @returns whether it was answered.
   */
  before(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** How this request is to be answered. */
  dialectOf(request: IncomingMessage): Dialect;
  /** How far the list of messages that answers this request is behind; null when it is not. */
  lagOf(request: IncomingMessage): Lag | null;
  /** What breaks the stream that answers this request; null for nothing. */
  meddlerOf(request: IncomingMessage): Meddler | null;
  /** How the executor of a Data Agent run that this request starts fails; null when it does not. */
  executorFaultOf(request: IncomingMessage): ExecutorFault | null;
}

/** Leaves everything as it is. */
export const NO_INTERFERENCE: Interference = {
  before: () => Promise.resolve(false),
  dialectOf: () => PLAIN_DIALECT,
  lagOf: () => null,
  meddlerOf: () => null,
  executorFaultOf: () => null,
};
