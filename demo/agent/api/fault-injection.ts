import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../json.js';
import type { StreamFault } from '../wire/connection.js';
import type { Staleness } from './stale-branch.js';
import type { ExecutorFault } from '../../data-agent/run.js';
import { PLAIN_DIALECT, type Dialect } from '../wire/dialect.js';

/** Creates the error body of an API for a status. */
export type CreateErrorBody = (status: number, message: string) => JsonObject;

/** Fault injection: the changes that tests and developers can make to individual requests. */
export interface FaultInjection {
  /**
   * Intercepts a request: may respond in place of the API, or delay it. An error has the body that the API would send.
   *
   * @returns Whether a response was sent.
   */
  interceptRequest(
    request: IncomingMessage,
    response: ServerResponse,
    createErrorBody: CreateErrorBody,
  ): Promise<boolean>;
  /** The protocol dialect of the response. */
  dialectOf(request: IncomingMessage): Dialect;
  /** How stale the returned list of messages is; null if it is current. */
  stalenessOf(request: IncomingMessage): Staleness | null;
  /** The fault of the stream that this request opens; null for none. */
  streamFaultOf(request: IncomingMessage): StreamFault | null;
  /** The fault of the executor of the Data Agent run that this request starts; null for none. */
  executorFaultOf(request: IncomingMessage): ExecutorFault | null;
}

/** Injects no faults. */
export const NO_FAULTS: FaultInjection = {
  interceptRequest: () => Promise.resolve(false),
  dialectOf: () => PLAIN_DIALECT,
  stalenessOf: () => null,
  streamFaultOf: () => null,
  executorFaultOf: () => null,
};
