import type { Backend, RunKeys, RunStream } from '../../backends/backend.js';
import type { UbikError } from '../../errors.js';
import type { Change } from '../../model/change.js';
import type { Environment } from '../../stream/environment.js';
import type { PageState } from '../controller-types.js';
import type { FullLimits } from './rejoin-schedule.js';
import type { EndState, RunRecordOptions } from './run-record.js';
import type { RunSession } from './run-session.js';

/** An act that starts a run. */
export interface RunPlan {
  readonly keys: RunKeys;
  /** What is shown at once. */
  readonly open: readonly Change[];
  /** Takes back what is shown, when the service refuses. The thread's run is taken back by itself. */
  readonly back: readonly Change[];
  /** Whether the messages have to be read again after the run. */
  readonly rereads: boolean;
  /** Asks the service, once. */
  start(threadId: string, signal: AbortSignal): RunStream;
  /** The service has taken it. Returns what has changed by that. */
  accepted?(): readonly Change[];
  /** The service has refused it; what was shown is taken back. */
  refused?(): void;
}

/** A run that was on before this page knew of it. */
export interface FoundRun {
  readonly keys: RunKeys;
  /** The service's id; null when nobody knows it. */
  readonly id: string | null;
  /** What is shown at once. */
  readonly open: readonly Change[];
  /** Takes that back when nothing runs there. */
  readonly back: readonly Change[];
}

/** What a session needs of its controller. */
export interface RunHost extends Omit<RunRecordOptions, 'keys'> {
  readonly backend: Backend;
  readonly environment: Environment;
  readonly limits: FullLimits;
  readonly page: PageState;
  /** The service wants a (new) token, if that is what an error says. */
  tellUnauthorized(error: UbikError): void;
  /** A run is over, or given up. `state` null: it never was. */
  onOver(session: RunSession, state: EndState | null): void;
}
