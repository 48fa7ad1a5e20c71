import type { RunDetail, RunEndDetail, RunErrorDetail, StepDetail } from './details.js';
import { after, before } from './event.js';

/** The agent has begun, or this page has joined a run that was on. */
export class UbikRunStartedEvent extends after<RunDetail>('ubik-run-started') {}

/** The run came to its end: the message is complete. */
export class UbikRunEndedEvent extends after<RunEndDetail>('ubik-run-ended') {}

/** A step of the run is done. */
export class UbikStepCompletedEvent extends after<StepDetail>('ubik-step-completed') {}

/** The run waits for an answer of the person. */
export class UbikRunPausedEvent extends after<RunDetail>('ubik-run-paused') {}

/** Before the service is asked to end the run. */
export class UbikRunStopEvent extends before<RunDetail>('ubik-run-stop') {}

/** Before a run whose connection broke is joined again because the person wants it. `ubik-run-started` tells that it was. */
export class UbikRunRejoinEvent extends before<RunDetail>('ubik-run-rejoin') {}

/** Before a run whose end does not come is left, though it may go on. `ubik-run-interrupted` tells that it was. */
export class UbikRunLeaveEvent extends before<RunDetail>('ubik-run-leave') {}

/** The run was ended on request. */
export class UbikRunStoppedEvent extends after<RunDetail>('ubik-run-stopped') {}

/** The agent itself failed, or the service refused. */
export class UbikRunFailedEvent extends after<RunErrorDetail>('ubik-run-failed') {}

/** The connection broke and joining it again by itself was given up. */
export class UbikRunInterruptedEvent extends after<RunErrorDetail>('ubik-run-interrupted') {}
