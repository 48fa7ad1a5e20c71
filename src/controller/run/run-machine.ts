import type { UbikError } from '../../errors.js';
import type { RunState } from '../../model/thread.js';
import type { PageState } from '../controller-types.js';
import { hasNothingToJoin, isRefusal } from './classify-error.js';

/*
 * The state machine of a run as a table: phase × event → next phase and effects. This file does no I/O; `run-session.ts` executes the
 * effects. The diagram and the transitions in `docs/run-states.md` are generated from the table (`npm run diagrams`).
 */

/** Whether the run is known to exist, and whether its start was emitted. */
export type Stage =
  /** The service has not confirmed that the run exists. */
  | 'unconfirmed'
  /** The run exists; `run-started` was not emitted since it was last suspended or interrupted. */
  | 'confirmed'
  /** `run-started` was emitted, and the run has not ended, been suspended or been interrupted since. */
  | 'announced';

/** Progress of a stop that the user requested. */
export type StopProgress =
  | 'none'
  /** Sent when the run is confirmed, because a stop request that arrives before the run has no effect. */
  | 'deferred'
  /** The request was sent. From now on the run counts as stopped when the stream reports its end, whatever end that is, or ends without an error. */
  | 'requested'
  | 'accepted';

/** The final state of a run that has ended. */
export type Outcome = Extract<RunState, 'complete' | 'stopped' | 'failed'>;

/** Data of all phases of a live run: one that has not ended, been suspended or been interrupted. */
interface Live {
  readonly stage: Stage;
  readonly stop: StopProgress;
  /**
   * Whether `stopping` is shown instead of the state of the phase: in the phase `streaming`, and in the phase in which the stop was
   * requested, until the run waits for an answer. If the connection is lost later, that is shown instead.
   */
  readonly showsStop: boolean;
}

/** The phase of a run, with its data. */
export type RunPhase =
  /** Created, not started. */
  | { readonly name: 'idle' }
  /** The thread is being created, or documents are being removed from it; the request that starts the run was not sent. */
  | ({ readonly name: 'preparing' } & Live)
  /** The request that starts the run was sent, once; its stream has delivered nothing yet that proves that the run exists. */
  | ({ readonly name: 'sending' } & Live)
  /** The stream of a run that was requested before, possibly by another client, is being opened. */
  | ({ readonly name: 'joining' } & Live)
  /** The stream is open and the agent works. */
  | ({ readonly name: 'streaming' } & Live)
  /** The stream is open and the run waits for the user. */
  | ({ readonly name: 'waiting' } & Live)
  /** There is no stream and no scheduled retry: after `hide`, or while the effect `planRetry` has not decided yet. */
  | ({ readonly name: 'disconnected'; readonly isStalled: boolean } & Live)
  /** A timer runs until the next attempt to join, at `retryAt` (ms since the epoch). */
  | ({ readonly name: 'backing-off'; readonly retryAt: number } & Live)
  /** A stop request was sent for a suspended run, which has no stream until the service accepts it. */
  | ({ readonly name: 'stopping' } & Live)
  /** The run waits for the user and has no stream. */
  | { readonly name: 'suspended'; readonly stage: Stage }
  /** Automatic rejoining has ended, the stream was detached, or the thread was deleted; the user can rejoin. */
  | { readonly name: 'interrupted'; readonly stage: Stage }
  | { readonly name: 'ended'; readonly as: Outcome }
  /** The service has not started the run; the optimistic changes were reverted. */
  | { readonly name: 'rejected' }
  /** Disposed with its thread or controller. */
  | { readonly name: 'closed' };

/** Name of a phase. */
export type PhaseName = RunPhase['name'];

/** An event of a run: an action of the user or the page, or a report of its connection. */
export type RunEvent =
  /** `start` requests a new run; `join` joins a run that this page has not started; `add-waiting` adds one that waits, without opening its stream. */
  | { readonly type: 'start' | 'join' | 'add-waiting' }
  /** The thread exists and its removed documents are gone (`ready`); the thread could not be created, or a removal has failed (`reject`). */
  | { readonly type: 'ready' }
  | { readonly type: 'reject'; readonly error: UbikError }
  /** The stream, or the search for a lost run, has delivered a batch; while the run is unconfirmed, one that proves that it exists. */
  | { readonly type: 'received'; readonly runId: string | null }
  /** The stream reports that the agent works (`proceed`), that it waits for the user (`wait`), or how the run has ended (`finish`). */
  | { readonly type: 'proceed'; readonly runId: string | null }
  | { readonly type: 'wait' }
  | { readonly type: 'finish'; readonly as: Outcome }
  /** New content was applied. */
  | { readonly type: 'progress' }
  /** The stream has ended without a reported end of the run. `isFinal`: rejoining cannot succeed. */
  | {
      readonly type: 'lost';
      readonly how: 'ended' | 'stalled' | 'failed';
      readonly error: UbikError;
      readonly isFinal: boolean;
    }
  | { readonly type: 'retry-scheduled'; readonly retryAt: number }
  | { readonly type: 'retries-exhausted'; readonly error: UbikError }
  | { readonly type: 'retry-due' }
  /** The page is visible, online or active again (`wake`), or is being unloaded or put into the back/forward cache (`hide`). */
  | { readonly type: 'wake'; readonly reason: WakeReason }
  | { readonly type: 'hide' }
  /** The user rejoins the run at once. */
  | { readonly type: 'rejoin' }
  /** The stream of a suspended run is opened once, to check whether the run continues; an interrupted run is rejoined. */
  | { readonly type: 'probe' }
  | { readonly type: 'stop' | 'stop-accepted' | 'stop-timeout' }
  | { readonly type: 'stop-rejected'; readonly error: UbikError }
  /** The stream is closed by the host page or the user. `as`: the end that the message already has, although the run has not reported it. */
  | { readonly type: 'detach'; readonly as?: Outcome | undefined; readonly error: UbikError | null }
  /** Another run replaces this one, or a loaded thread shows that its request was answered elsewhere or that another branch is active. */
  | { readonly type: 'supersede' }
  /** The stored thread shows how a suspended run has ended, or an interrupted one of which the service has no stream any more. */
  | { readonly type: 'ended-elsewhere'; readonly as: Outcome }
  /** The check of pending input requests finds that the thread was deleted elsewhere. */
  | { readonly type: 'thread-deleted'; readonly error: UbikError }
  | { readonly type: 'close' };

type WakeReason = Parameters<Parameters<PageState['onWake']>[0]>[0];

/** An effect that `run-session.ts` executes after a transition, in the order of the row. */
export type Effect =
  /** Commits the optimistic changes and the state of the new run. */
  | 'commitStart'
  /** Stores a record of the run, so that a reload joins it. */
  | 'storeRun'
  /** Sends the request that starts the run. */
  | 'sendStart'
  /** Opens the stream of a run that was requested before. */
  | 'openStream'
  /** Commits the state of a run that was suspended or interrupted and is joined again, and sets the status of its answer to `streaming`. */
  | 'commitResumed'
  /** Resets the number of attempts, so that all of them are available again. */
  | 'resetAttempts'
  /** Commits the state of the run. */
  | 'commitState'
  /**
   * Commits the state of the run, without the error of an earlier connection, and on the first confirmation of the run also the changes that
   * follow from it.
   */
  | 'commitConnected'
  /** Emits `run-started`, unless the run was announced before. */
  | 'announce'
  /** Rejoins at once, schedules the next attempt or gives up, as {@link RejoinPolicy} decides. */
  | 'planRetry'
  /**
   * Checks whether the open stream has stalled. Without a stream, rejoins at once if {@link RejoinPolicy} allows it, else schedules a retry;
   * gives up if the backend cannot rejoin.
   */
  | 'checkConnection'
  /** Records new content: resets the number of attempts and the idle timeout. */
  | 'recordProgress'
  | 'sendStop'
  /** Starts, or restarts, the timer that ends the run 30 s after the last content. */
  | 'startStopTimer'
  | 'rejectStop'
  /** Closes the stream and cancels the scheduled attempt. */
  | 'disconnect'
  /** Disconnects, and settles the pending calls that wait for the run. */
  | 'settle'
  /** Executes `settle`, commits the new state of messages and run, emits its notice and calls `onRunEnd`. */
  | 'end'
  /** Releases what the backend holds in memory for the run. */
  | 'releaseRun'
  /** Reverts the optimistic changes and restores the previous run. */
  | 'revert';

/** One transition. Without `when` it always applies; without `to` the phase does not change; `set` changes its data. */
export interface Row {
  readonly when?: (facts: Facts) => boolean;
  readonly to?: PhaseName;
  readonly set?: Partial<Facts>;
  readonly do?: readonly Effect[];
}

/** The data of a phase and an event, merged. */
interface Facts extends Live {
  readonly isStalled?: boolean;
  readonly how?: 'ended' | 'stalled' | 'failed';
  readonly retryAt?: number;
  readonly as?: Outcome | undefined;
  readonly error?: UbikError | null;
  readonly isFinal?: boolean;
}

/** Events that a phase ignores. The type checker rejects a phase that neither has rows for an event nor ignores it. */
interface IgnoredEvents {
  readonly idle: Exclude<EventType, 'start' | 'join' | 'add-waiting'>;
  readonly preparing:
    | 'start'
    | 'join'
    | 'add-waiting'
    | StreamEvent
    | RetryEvent
    | StopResult
    | RevalidationEvent
    | 'wake'
    | 'hide'
    | 'rejoin'
    | 'supersede';
  readonly sending:
    | StartEvent
    | ReportEvent
    | RetryEvent
    | StopResult
    | RevalidationEvent
    | 'rejoin'
    | 'supersede';
  readonly joining: StartEvent | ReportEvent | RetryEvent | RevalidationEvent | 'rejoin';
  readonly streaming:
    | StartEvent
    | RetryEvent
    | RevalidationEvent
    | 'received'
    | 'proceed'
    | 'rejoin';
  readonly waiting: StartEvent | RetryEvent | RevalidationEvent | 'rejoin';
  readonly disconnected: StartEvent | StreamEvent | RevalidationEvent | 'hide';
  readonly 'backing-off':
    | StartEvent
    | StreamEvent
    | RevalidationEvent
    | Exclude<RetryEvent, 'retry-due'>;
  readonly stopping:
    | StartEvent
    | StreamEvent
    | RetryEvent
    | RevalidationEvent
    | 'wake'
    | 'hide'
    | 'stop'
    | 'stop-timeout';
  readonly suspended: LiveEvent;
  readonly interrupted: LiveEvent | 'stop';
  readonly ended: LiveEvent | 'stop' | 'rejoin' | 'probe' | 'ended-elsewhere';
  readonly rejected: EventType;
  readonly closed: EventType;
}

/** Name of an event. */
export type EventType = RunEvent['type'];
/** Events before the request that starts the run, and of joining or adding a run. */
type StartEvent = 'start' | 'join' | 'add-waiting' | 'ready' | 'reject';
/** Reports of the open stream. */
type ReportEvent = 'proceed' | 'wait' | 'finish' | 'progress';
type StreamEvent = ReportEvent | 'received' | 'lost';
type RetryEvent = 'retry-scheduled' | 'retries-exhausted' | 'retry-due';
type StopResult = 'stop-accepted' | 'stop-rejected' | 'stop-timeout';
/** Events that follow from reading the stored thread again. */
type RevalidationEvent = 'probe' | 'ended-elsewhere' | 'thread-deleted';
/** Events that a run ignores once it has ended, or was suspended or interrupted. */
type LiveEvent =
  | StartEvent
  | StreamEvent
  | RetryEvent
  | StopResult
  | 'wake'
  | 'hide'
  | 'detach'
  | 'supersede';

/** Rows by phase and event. */
type RunTable = {
  readonly [P in PhaseName]: {
    readonly [E in Exclude<EventType, IgnoredEvents[P]>]: readonly Row[];
  };
};

const isUnconfirmed = ({ stage }: Facts) => stage === 'unconfirmed';
const isConfirmed = ({ stage }: Facts) => stage === 'confirmed';
const hasNoStop = ({ stop }: Facts) => stop === 'none';
const isStopDeferred = ({ stop }: Facts) => stop === 'deferred';
const isStopRequested = ({ stop }: Facts) => stop === 'requested';
const isStopAccepted = ({ stop }: Facts) => stop === 'accepted';
const isStopHidden = ({ showsStop }: Facts) => !showsStop;
// In the phase `waiting`, the stage is `confirmed` only after `probe`: a run that this page follows is `announced`.
const isStopDuringProbe = (facts: Facts) => isConfirmed(facts) && facts.showsStop;
const isProbing = (facts: Facts) => isConfirmed(facts) && isStopHidden(facts);
const isRejected = ({ error }: Facts) => !!error && isRefusal(error);
const isAbsent = (facts: Facts) =>
  isUnconfirmed(facts) && !!facts.error && hasNothingToJoin(facts.error);
const hasAgentFailed = ({ error }: Facts) => error?.code === 'run-failed';
const isFinalLoss = ({ isFinal }: Facts) => !!isFinal;
const isGoneAfterStop = (facts: Facts) =>
  isStopAccepted(facts) &&
  (facts.how === 'ended' || (isFinalLoss(facts) && facts.error?.code !== 'unauthorized'));
const hasEndedAfterStop = (facts: Facts) => isStopSent(facts) && facts.how === 'ended';
const hasMessageEnded = ({ as }: Facts) => as !== undefined;

const REVERT: Row = { to: 'rejected', do: ['revert'] };
const END: Row = { to: 'ended', do: ['end', 'releaseRun'] };
const END_STOPPED: Row = { ...END, when: isStopSent, set: { as: 'stopped' } };
const END_FAILED: Row = { ...END, when: hasAgentFailed, set: { as: 'failed' } };
const FINISH: readonly Row[] = [
  { ...END_STOPPED, do: ['announce', 'end', 'releaseRun'] },
  { ...END, do: ['announce', 'end', 'releaseRun'] },
];
const SUSPEND: Row = { to: 'suspended', do: ['end'] };
const INTERRUPT: Row = { to: 'interrupted', do: ['end'] };
const GIVE_UP: Row = { ...INTERRUPT, when: isFinalLoss };
const LOST: readonly Row[] = [
  END_FAILED,
  GIVE_UP,
  { to: 'disconnected', do: ['commitState', 'planRetry'] },
];
/** After a stop request, the end of the stream is the end of the run. */
const END_STOPPED_STREAM: Row = { ...END_STOPPED, when: hasEndedAfterStop };
/** After an accepted stop, the run has ended when its stream ends, also while the run waits, and when the stream cannot be joined again. */
const END_GONE: Row = { ...END_STOPPED, when: isGoneAfterStop };
const CONNECT: Row = {
  to: 'streaming',
  set: { stage: 'announced' },
  do: ['commitConnected', 'announce'],
};
const CONNECT_AND_STOP: Row = {
  when: isStopDeferred,
  to: 'streaming',
  set: { stage: 'announced', stop: 'requested', showsStop: true },
  do: ['commitConnected', 'sendStop', 'announce'],
};
const RETRY: Row = { to: 'joining', do: ['commitState', 'openStream'] };
const REJOIN: Row = { to: 'joining', do: ['resetAttempts', 'commitState', 'openStream'] };
const RESUME: Row = {
  to: 'joining',
  do: ['resetAttempts', 'commitResumed', 'storeRun', 'openStream'],
};
const HIDE: Row = { to: 'disconnected', do: ['disconnect', 'commitState'] };
const WAKE: Row = { do: ['checkConnection'] };
const PROGRESS: readonly Row[] = [
  { when: isStopAccepted, do: ['recordProgress', 'startStopTimer'] },
  { do: ['recordProgress'] },
];
const REQUEST_STOP: Row = {
  when: hasNoStop,
  set: { stop: 'requested', showsStop: true },
  do: ['commitState', 'sendStop'],
};
const DEFER_STOP: Row = { set: { stop: 'deferred' } };
const DETACH: readonly Row[] = [{ ...END, when: hasMessageEnded }, INTERRUPT];
const CLOSE: readonly Row[] = [{ to: 'closed', do: ['settle', 'releaseRun'] }];
/**
 * If the stream was opened by `probe`, `run-paused` was emitted before, or this page has only found the waiting run. So the effect is `settle`,
 * and not `end`, which emits a notice.
 */
const SUSPEND_PROBE: Row = { when: isProbing, to: 'suspended', do: ['settle'] };
/** A run that waits for the user needs no stream. */
const SUSPEND_UNLESS_STOPPING: readonly Row[] = [SUSPEND_PROBE, { ...SUSPEND, when: isStopHidden }];
const END_ELSEWHERE: readonly Row[] = [{ to: 'ended', do: ['commitConnected', 'releaseRun'] }];
const THREAD_DELETED: readonly Row[] = [
  { to: 'interrupted', set: { stage: 'confirmed' }, do: ['commitState'] },
];

/** Rows shared by the phases in which a stop can be requested, or its request can be pending. */
const STOPPABLE = {
  stop: [{ ...DEFER_STOP, when: isUnconfirmed }, REQUEST_STOP],
  'stop-accepted': [{ when: isStopRequested, set: { stop: 'accepted' }, do: ['startStopTimer'] }],
  'stop-rejected': [
    {
      when: isStopRequested,
      set: { stop: 'none', showsStop: false },
      do: ['commitState', 'rejectStop'],
    },
  ],
  'stop-timeout': [{ ...END_STOPPED, when: isStopAccepted }],
  detach: DETACH,
  supersede: [SUSPEND],
  close: CLOSE,
} as const satisfies { readonly [E in EventType]?: readonly Row[] };

/** The transitions. Of the rows of an event, the first one whose condition is true applies. */
export const RUN_TABLE: RunTable = {
  idle: {
    start: [{ to: 'preparing', do: ['commitStart'] }],
    join: [{ to: 'joining', do: ['commitStart', 'storeRun', 'commitState', 'openStream'] }],
    'add-waiting': [{ to: 'suspended', set: { stage: 'confirmed' }, do: ['commitStart'] }],
  },
  preparing: {
    ready: [{ to: 'sending', do: ['storeRun', 'sendStart'] }],
    reject: [REVERT],
    stop: [DEFER_STOP],
    detach: [REVERT],
    close: CLOSE,
  },
  sending: {
    received: [CONNECT_AND_STOP, CONNECT],
    lost: [{ ...REVERT, when: isRejected }, ...LOST],
    wake: [WAKE],
    hide: [HIDE],
    stop: [DEFER_STOP],
    detach: DETACH,
    close: CLOSE,
  },
  joining: {
    ...STOPPABLE,
    received: [CONNECT_AND_STOP, CONNECT],
    lost: [{ ...REVERT, when: isAbsent }, END_STOPPED_STREAM, END_GONE, ...LOST],
    wake: [WAKE],
    hide: [HIDE],
  },
  streaming: {
    ...STOPPABLE,
    stop: [REQUEST_STOP],
    wait: [{ to: 'waiting' }],
    finish: FINISH,
    progress: PROGRESS,
    lost: [END_STOPPED_STREAM, END_GONE, ...LOST],
    wake: [WAKE],
    hide: [HIDE],
  },
  waiting: {
    ...STOPPABLE,
    stop: [REQUEST_STOP],
    received: [
      {
        when: isStopDuringProbe,
        set: { stage: 'announced' },
        do: ['commitConnected', 'storeRun', 'announce'],
      },
    ],
    proceed: [
      { ...CONNECT, when: isConfirmed, do: ['commitState', 'storeRun', 'announce'] },
      { to: 'streaming' },
    ],
    wait: [{ set: { showsStop: false } }],
    finish: FINISH,
    progress: PROGRESS,
    lost: [END_GONE, ...SUSPEND_UNLESS_STOPPING, END_STOPPED_STREAM, ...LOST],
    wake: [WAKE],
    hide: [...SUSPEND_UNLESS_STOPPING, HIDE],
    detach: [...SUSPEND_UNLESS_STOPPING, ...DETACH],
    supersede: [SUSPEND_PROBE, SUSPEND],
  },
  disconnected: {
    ...STOPPABLE,
    'retry-scheduled': [{ to: 'backing-off', do: ['commitState'] }],
    'retries-exhausted': [INTERRUPT],
    'retry-due': [RETRY],
    rejoin: [REJOIN],
    wake: [WAKE],
  },
  'backing-off': {
    ...STOPPABLE,
    'retry-due': [RETRY],
    rejoin: [REJOIN],
    wake: [WAKE],
    hide: [HIDE],
  },
  stopping: {
    'stop-accepted': [
      {
        to: 'joining',
        set: { stop: 'accepted' },
        do: ['startStopTimer', 'resetAttempts', 'commitResumed', 'storeRun', 'openStream'],
      },
    ],
    'stop-rejected': [{ to: 'suspended', do: ['commitState', 'rejectStop'] }],
    rejoin: [RESUME],
    detach: DETACH,
    supersede: [SUSPEND],
    close: CLOSE,
  },
  suspended: {
    rejoin: [RESUME],
    probe: [{ when: isConfirmed, to: 'waiting', do: ['resetAttempts', 'openStream'] }],
    stop: [{ ...REQUEST_STOP, when: isConfirmed, to: 'stopping' }],
    'ended-elsewhere': END_ELSEWHERE,
    'thread-deleted': THREAD_DELETED,
    close: CLOSE,
  },
  interrupted: {
    rejoin: [RESUME],
    probe: [RESUME],
    'ended-elsewhere': END_ELSEWHERE,
    'thread-deleted': THREAD_DELETED,
    close: CLOSE,
  },
  ended: { 'thread-deleted': THREAD_DELETED, close: CLOSE },
  rejected: {},
  closed: {},
};

const NEW: Live = { stage: 'unconfirmed', stop: 'none', showsStop: false };

/** Returns the phase after an event, and the effects to execute in order. For an ignored event, returns the given phase. */
export function transition(
  phase: RunPhase,
  event: RunEvent,
): { readonly phase: RunPhase; readonly effects: readonly Effect[] } {
  const rows: { readonly [E in EventType]?: readonly Row[] } = RUN_TABLE[phase.name];
  const found = rows[event.type];
  const facts: Facts = found ? { ...NEW, ...phase, ...event } : NEW;
  const row = found?.find(({ when }) => !when || when(facts));
  const effects = row?.do ?? [];
  if (!row?.to && !row?.set) return { phase, effects };
  const { to = phase.name, set } = row;
  // A sent stop is shown in the phase `streaming`; in other phases only if it was requested there.
  const showsStop = to === phase.name ? facts.showsStop : to === 'streaming' && isStopSent(facts);
  return { phase: enter(to, { ...facts, showsStop, ...set }), effects };
}

function enter(name: PhaseName, facts: Facts): RunPhase {
  const { stage, stop, showsStop, how, isStalled = false, retryAt = 0, as = 'complete' } = facts;
  if (name === 'ended') return { name, as };
  // Entering one of these phases emits `run-paused` or `run-interrupted`, so a rejoined run emits `run-started` again.
  if (name === 'suspended' || name === 'interrupted')
    return { name, stage: stage === 'announced' ? 'confirmed' : stage };
  if (name === 'idle' || name === 'rejected' || name === 'closed') return { name };
  const live = { stage, stop, showsStop };
  if (name === 'disconnected')
    return { name, isStalled: how ? how === 'stalled' : isStalled, ...live };
  if (name === 'backing-off') return { name, retryAt, ...live };
  return { name, ...live };
}

/** Whether a stop request was sent. */
export function isStopSent(phase: RunPhase | Facts): boolean {
  return 'stop' in phase && (phase.stop === 'requested' || phase.stop === 'accepted');
}

/** Whether the run has not ended, been suspended or been interrupted on this page. */
export function isLive(phase: RunPhase): phase is RunPhase & Live {
  return 'stop' in phase;
}

/** Whether the run blocks other actions in its thread. A run that waits for the user blocks them only while it is being stopped: another run can follow it. */
export function isBusy(phase: RunPhase): boolean {
  return isLive(phase) && (phase.name !== 'waiting' || phase.showsStop);
}

/** The run states of phases whose name is not a run state. */
const SHOWN_AS: { readonly [P in PhaseName]?: RunState } = {
  preparing: 'sending',
  joining: 'rejoining',
  'backing-off': 'rejoining',
  suspended: 'waiting',
};

/** Returns the state of {@link Run} for a phase. Must not be called for a run that was rejected or closed, whose state is never committed. */
export function toRunState(phase: RunPhase): RunState {
  const { name } = phase;
  if (isLive(phase) && phase.showsStop) return 'stopping';
  if (name === 'disconnected') return phase.isStalled ? 'stalled' : 'broken';
  if (name === 'ended') return phase.as;
  return SHOWN_AS[name] ?? (name as RunState);
}
