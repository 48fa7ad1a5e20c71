import type { UbikError } from '../../errors.js';
import type { RunState } from '../../model/thread.js';
import type { PageState } from '../controller-types.js';
import { isGone, isRefusal } from './failure.js';

/*
 * The state machine of a run as a table: phase × event → next phase and effects. This file does no I/O; `run-session.ts` executes the
 * effects. `docs/run-states.md` is generated from the table (`npm run diagrams`).
 */

/** Whether the run is known to exist, and whether its start was emitted. */
export type Stage =
  /** The service has not confirmed that the run exists. */
  | 'unconfirmed'
  /** The run exists; `run-started` was not emitted since its last pause or interruption. */
  | 'confirmed'
  /** `run-started` was emitted, and no end, pause or interruption since. */
  | 'announced';

/** Progress of a stop that the user requested. */
export type StopProgress =
  | 'none'
  /** Sent when the run is confirmed, because a stop request that arrives before the run has no effect. */
  | 'deferred'
  /** The request was sent. From now on the run counts as stopped, however it ends. */
  | 'requested'
  | 'accepted';

/** The final state of a run that has ended. */
export type Outcome = Extract<RunState, 'complete' | 'stopped' | 'failed'>;

/** Data of all phases of a run that has not ended, paused or been interrupted. */
interface Live {
  readonly stage: Stage;
  readonly stop: StopProgress;
  /**
   * Whether `stopping` is shown instead of the state of the phase: while the stream is open, and in the phase in which the stop was
   * requested. If the connection is lost later, that is shown instead.
   */
  readonly showsStop: boolean;
}

/** The phase of a run, with its data. */
export type RunPhase =
  /** Created, not started. */
  | { readonly name: 'idle' }
  /** The thread is being created; the request that starts the run was not sent. */
  | ({ readonly name: 'preparing' } & Live)
  /** The request that starts the run was sent, once; its stream has delivered nothing yet. */
  | ({ readonly name: 'sending' } & Live)
  /** The stream of a run that was requested before, possibly by another client, is being opened. */
  | ({ readonly name: 'joining' } & Live)
  /** The stream is open and the agent works. */
  | ({ readonly name: 'streaming' } & Live)
  /** The stream is open and the run waits for the user. */
  | ({ readonly name: 'watching' } & Live)
  /** There is no stream and no scheduled retry: the page is hidden, or the effect `planRetry` has not decided yet. */
  | ({ readonly name: 'disconnected'; readonly isStalled: boolean } & Live)
  /** A timer runs until the next attempt to join, at `retryAt` (ms since the epoch). */
  | ({ readonly name: 'backing-off'; readonly retryAt: number } & Live)
  /** A stop request was sent for a paused run, which has no stream until the service accepts it. */
  | ({ readonly name: 'stopping' } & Live)
  /** The run waits for the user and has no stream. */
  | { readonly name: 'paused'; readonly stage: Stage }
  /** Automatic rejoining has ended; the user can rejoin. */
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
  /** `start` requests a new run; `resume` joins a run that this page has not started. */
  | { readonly type: 'start' | 'resume' }
  /** The thread exists (`ready`), or could not be created (`reject`). */
  | { readonly type: 'ready' }
  | { readonly type: 'reject'; readonly error: UbikError }
  /** The stream has delivered a batch; while the run is unconfirmed, one that proves that it exists. */
  | { readonly type: 'received'; readonly runId: string | null }
  /** The stream reports that the agent works (`proceed`), that it waits for the user (`pause`), or how the run has ended (`finish`). */
  | { readonly type: 'proceed'; readonly runId: string | null }
  | { readonly type: 'pause' }
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
  /** The page is visible, online or active again (`wake`), or is being hidden or unloaded (`hide`). */
  | { readonly type: 'wake'; readonly reason: WakeReason }
  | { readonly type: 'hide' }
  /** The user rejoins the run at once. */
  | { readonly type: 'rejoin' }
  /** The stream of a paused run is opened once, to check whether the run continues. */
  | { readonly type: 'watch' }
  | { readonly type: 'stop' | 'stop-accepted' | 'stop-timeout' }
  | { readonly type: 'stop-rejected'; readonly error: UbikError }
  /** The stream is closed by the host page. `as`: the end that the message already has, although the run has not reported it. */
  | { readonly type: 'detach'; readonly as?: Outcome | undefined; readonly error: UbikError | null }
  /** Another run replaces this one, or the stored thread shows that its request was answered. */
  | { readonly type: 'supersede' }
  /** The stored thread shows that a paused run has ended. */
  | { readonly type: 'end-elsewhere' }
  /** The thread was deleted elsewhere. */
  | { readonly type: 'lose-thread'; readonly error: UbikError }
  | { readonly type: 'close' };

type WakeReason = Parameters<Parameters<PageState['onWake']>[0]>[0];

/** An effect that `run-session.ts` executes after a transition, in the order of the row. */
export type Effect =
  /** Commits the optimistic changes and the new run. */
  | 'show'
  /** Stores a record of the run, so that a reload joins it. */
  | 'save'
  /** Sends the request that starts the run. */
  | 'send'
  /** Opens the stream of a run that was requested before. */
  | 'open'
  /** Commits the state of a run that was paused or interrupted, whose message streams again. */
  | 'reopen'
  /** Resets the number of attempts, so that all of them are available again. */
  | 'resetAttempts'
  /** Commits the state of the run. */
  | 'commit'
  /** Commits that the stream is connected, and on the first confirmation of the run also the changes that follow from it. */
  | 'connect'
  /** Emits `run-started`, unless the run was announced before. */
  | 'announce'
  /** Rejoins at once, schedules the next attempt or gives up, as {@link RejoinPolicy} decides. */
  | 'planRetry'
  /** Checks whether the stream has stalled, or rejoins before the retry is due. */
  | 'wake'
  /** Records new content: resets the number of attempts and the idle timeout. */
  | 'recordProgress'
  | 'sendStop'
  /** Starts, or restarts, the timer that ends the run 30 s after the last content. */
  | 'startStopTimer'
  | 'rejectStop'
  /** Closes the stream and cancels the scheduled attempt. */
  | 'disconnect'
  /** Disconnects, and settles the pending calls that wait for the run. */
  | 'leave'
  /** Executes `leave`, commits the end of messages and run, emits the notice of it and calls `onRunEnd`. */
  | 'end'
  /** Releases the backend's record of the run. */
  | 'forget'
  /** Reverts the optimistic changes and restores the previous run. */
  | 'revert';

/** One transition. Without `to` the phase does not change; `set` changes its data. */
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
  readonly idle: Exclude<EventType, 'start' | 'resume'>;
  readonly preparing:
    | 'start'
    | 'resume'
    | StreamEvent
    | RetryEvent
    | StopAnswer
    | PausedEvent
    | 'wake'
    | 'hide'
    | 'rejoin'
    | 'supersede';
  readonly sending:
    | StartEvent
    | ReportEvent
    | RetryEvent
    | StopAnswer
    | PausedEvent
    | 'rejoin'
    | 'supersede';
  readonly joining: StartEvent | ReportEvent | RetryEvent | PausedEvent | 'rejoin';
  readonly streaming: StartEvent | RetryEvent | PausedEvent | 'received' | 'proceed' | 'rejoin';
  readonly watching: StartEvent | RetryEvent | PausedEvent | 'rejoin';
  readonly disconnected: StartEvent | StreamEvent | PausedEvent | 'hide';
  readonly 'backing-off': StartEvent | StreamEvent | PausedEvent | Exclude<RetryEvent, 'retry-due'>;
  readonly stopping:
    | StartEvent
    | StreamEvent
    | RetryEvent
    | PausedEvent
    | 'wake'
    | 'hide'
    | 'stop'
    | 'stop-timeout';
  readonly paused: NotLiveEvent;
  readonly interrupted: NotLiveEvent | 'stop' | 'end-elsewhere';
  readonly ended: NotLiveEvent | 'stop' | 'rejoin' | 'watch' | 'end-elsewhere';
  readonly rejected: EventType;
  readonly closed: EventType;
}

/** Name of an event. */
export type EventType = RunEvent['type'];
type StartEvent = 'start' | 'resume' | 'ready' | 'reject';
type ReportEvent = 'proceed' | 'pause' | 'finish' | 'progress';
type StreamEvent = ReportEvent | 'received' | 'lost';
type RetryEvent = 'retry-scheduled' | 'retries-exhausted' | 'retry-due';
type StopAnswer = 'stop-accepted' | 'stop-rejected' | 'stop-timeout';
type PausedEvent = 'watch' | 'end-elsewhere' | 'lose-thread';
type NotLiveEvent =
  | StartEvent
  | StreamEvent
  | RetryEvent
  | StopAnswer
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
const isStopUnannounced = (facts: Facts) => isConfirmed(facts) && facts.showsStop;
const isOnlyWatched = (facts: Facts) => isConfirmed(facts) && isStopHidden(facts);
const isRefused = ({ error }: Facts) => !!error && isRefusal(error);
const isAbsent = (facts: Facts) => isUnconfirmed(facts) && !!facts.error && isGone(facts.error);
const hasAgentFailed = ({ error }: Facts) => error?.code === 'run-failed';
const isLastFailure = ({ isFinal }: Facts) => !!isFinal;
const hasEndedStopped = (facts: Facts) => isStopSent(facts) && facts.how === 'ended';
const isEndShown = ({ as }: Facts) => as !== undefined;

const REVERT: Row = { to: 'rejected', do: ['revert'] };
const END: Row = { to: 'ended', do: ['end', 'forget'] };
const END_STOPPED: Row = { ...END, when: isStopSent, set: { as: 'stopped' } };
const END_FAILED: Row = { ...END, when: hasAgentFailed, set: { as: 'failed' } };
const FINISH: readonly Row[] = [
  { ...END_STOPPED, do: ['announce', 'end', 'forget'] },
  { ...END, do: ['announce', 'end', 'forget'] },
];
const PAUSE: Row = { to: 'paused', do: ['end'] };
const INTERRUPT: Row = { to: 'interrupted', do: ['end'] };
const GIVE_UP: Row = { ...INTERRUPT, when: isLastFailure };
const LOST: readonly Row[] = [
  END_FAILED,
  GIVE_UP,
  { to: 'disconnected', do: ['commit', 'planRetry'] },
];
/** After a stop request, the end of the stream is the end of the run. */
const END_STOPPED_STREAM: Row = { ...END_STOPPED, when: hasEndedStopped };
const CONNECT: Row = { to: 'streaming', set: { stage: 'announced' }, do: ['connect', 'announce'] };
const CONNECT_AND_STOP: Row = {
  when: isStopDeferred,
  to: 'streaming',
  set: { stage: 'announced', stop: 'requested', showsStop: true },
  do: ['connect', 'sendStop', 'announce'],
};
const JOIN: Row = { to: 'joining', do: ['commit', 'open'] };
const REJOIN: Row = { to: 'joining', do: ['resetAttempts', 'commit', 'open'] };
const REOPEN: Row = { to: 'joining', do: ['resetAttempts', 'reopen', 'save', 'open'] };
const HIDE: Row = { to: 'disconnected', do: ['disconnect', 'commit'] };
const WAKE: Row = { do: ['wake'] };
const PROGRESS: readonly Row[] = [
  { when: isStopAccepted, do: ['recordProgress', 'startStopTimer'] },
  { do: ['recordProgress'] },
];
const REQUEST_STOP: Row = {
  when: hasNoStop,
  set: { stop: 'requested', showsStop: true },
  do: ['commit', 'sendStop'],
};
const DEFER_STOP: Row = { set: { stop: 'deferred' } };
const DETACH: readonly Row[] = [{ ...END, when: isEndShown }, INTERRUPT];
const CLOSE: readonly Row[] = [{ to: 'closed', do: ['leave', 'forget'] }];
/** A run that waits for the user needs no stream. If it was opened by `watch`, its pause was announced before. */
const UNWATCH: readonly Row[] = [
  { when: isOnlyWatched, to: 'paused', do: ['leave'] },
  { ...PAUSE, when: isStopHidden },
];
const LOSE_THREAD: readonly Row[] = [
  { to: 'interrupted', set: { stage: 'confirmed' }, do: ['commit'] },
];

/** Rows of all phases in which a stop request can be pending. */
const CONTROLS = {
  stop: [{ ...DEFER_STOP, when: isUnconfirmed }, REQUEST_STOP],
  'stop-accepted': [{ when: isStopRequested, set: { stop: 'accepted' }, do: ['startStopTimer'] }],
  'stop-rejected': [
    {
      when: isStopRequested,
      set: { stop: 'none', showsStop: false },
      do: ['commit', 'rejectStop'],
    },
  ],
  'stop-timeout': [{ ...END_STOPPED, when: isStopAccepted }],
  detach: DETACH,
  supersede: [PAUSE],
  close: CLOSE,
} as const satisfies { readonly [E in EventType]?: readonly Row[] };

/** The transitions. Of the rows of an event, the first one whose condition is true applies. */
export const RUN_TABLE: RunTable = {
  idle: {
    start: [{ to: 'preparing', do: ['show'] }],
    resume: [{ to: 'joining', do: ['show', 'save', 'commit', 'open'] }],
  },
  preparing: {
    ready: [{ to: 'sending', do: ['save', 'send'] }],
    reject: [REVERT],
    stop: [DEFER_STOP],
    detach: [REVERT],
    close: CLOSE,
  },
  sending: {
    received: [CONNECT_AND_STOP, CONNECT],
    lost: [{ ...REVERT, when: isRefused }, ...LOST],
    wake: [WAKE],
    hide: [HIDE],
    stop: [DEFER_STOP],
    detach: DETACH,
    close: CLOSE,
  },
  joining: {
    ...CONTROLS,
    received: [CONNECT_AND_STOP, CONNECT],
    lost: [{ ...REVERT, when: isAbsent }, END_STOPPED_STREAM, ...LOST],
    wake: [WAKE],
    hide: [HIDE],
  },
  streaming: {
    ...CONTROLS,
    stop: [REQUEST_STOP],
    pause: [{ to: 'watching' }],
    finish: FINISH,
    progress: PROGRESS,
    lost: [END_STOPPED_STREAM, ...LOST],
    wake: [WAKE],
    hide: [HIDE],
  },
  watching: {
    ...CONTROLS,
    stop: [REQUEST_STOP],
    received: [
      {
        when: isStopUnannounced,
        set: { stage: 'announced' },
        do: ['connect', 'save', 'announce'],
      },
    ],
    proceed: [
      { ...CONNECT, when: isConfirmed, do: ['commit', 'save', 'announce'] },
      { to: 'streaming' },
    ],
    pause: [{ set: { showsStop: false } }],
    finish: FINISH,
    progress: PROGRESS,
    lost: [...UNWATCH, END_STOPPED_STREAM, ...LOST],
    wake: [WAKE],
    hide: [...UNWATCH, HIDE],
    detach: [...UNWATCH, ...DETACH],
    supersede: [...UNWATCH, PAUSE],
  },
  disconnected: {
    ...CONTROLS,
    'retry-scheduled': [{ to: 'backing-off', do: ['commit'] }],
    'retries-exhausted': [INTERRUPT],
    'retry-due': [JOIN],
    rejoin: [REJOIN],
    wake: [WAKE],
  },
  'backing-off': {
    ...CONTROLS,
    'retry-due': [JOIN],
    rejoin: [REJOIN],
    wake: [WAKE],
    hide: [HIDE],
  },
  stopping: {
    'stop-accepted': [
      {
        to: 'joining',
        set: { stop: 'accepted' },
        do: ['startStopTimer', 'resetAttempts', 'reopen', 'save', 'open'],
      },
    ],
    'stop-rejected': [{ to: 'paused', do: ['commit', 'rejectStop'] }],
    rejoin: [REOPEN],
    detach: DETACH,
    supersede: [PAUSE],
    close: CLOSE,
  },
  paused: {
    rejoin: [REOPEN],
    watch: [{ when: isConfirmed, to: 'watching', do: ['resetAttempts', 'open'] }],
    stop: [{ ...REQUEST_STOP, when: isConfirmed, to: 'stopping' }],
    'end-elsewhere': [{ to: 'ended', set: { as: 'complete' }, do: ['commit', 'forget'] }],
    'lose-thread': LOSE_THREAD,
    close: CLOSE,
  },
  interrupted: { rejoin: [REOPEN], watch: [REOPEN], 'lose-thread': LOSE_THREAD, close: CLOSE },
  ended: { 'lose-thread': LOSE_THREAD, close: CLOSE },
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
  // A sent stop is shown while the stream is open; in other phases only if it was requested there.
  const showsStop = to === phase.name ? facts.showsStop : to === 'streaming' && isStopSent(facts);
  return { phase: enter(to, { ...facts, showsStop, ...set }), effects };
}

function enter(name: PhaseName, facts: Facts): RunPhase {
  const { stage, stop, showsStop, how, isStalled = false, retryAt = 0, as = 'complete' } = facts;
  if (name === 'ended') return { name, as };
  // Entering one of these phases announces the pause or the interruption.
  if (name === 'paused' || name === 'interrupted')
    return { name, stage: stage === 'announced' ? 'confirmed' : stage };
  if (name === 'idle' || name === 'rejected' || name === 'closed') return { name };
  const live = { stage, stop, showsStop };
  if (name === 'disconnected')
    return { name, isStalled: how ? how === 'stalled' : isStalled, ...live };
  if (name === 'backing-off') return { name, retryAt, ...live };
  return { name, ...live };
}

/** Whether a stop request was sent. Then the run counts as stopped, however it ends. */
export function isStopSent(phase: RunPhase | Facts): boolean {
  return 'stop' in phase && (phase.stop === 'requested' || phase.stop === 'accepted');
}

/** Whether the run has not ended, paused or been interrupted on this page. */
export function isLive(phase: RunPhase): phase is RunPhase & Live {
  return 'stop' in phase;
}

/** Whether the run blocks other actions in its thread. A run that waits for the user does not: another run can follow it. */
export function isBusy(phase: RunPhase): boolean {
  return isLive(phase) && (phase.name !== 'watching' || phase.showsStop);
}

/** The run states of phases whose name is not a run state. */
const SHOWN_AS: { readonly [P in PhaseName]?: RunState } = {
  preparing: 'sending',
  joining: 'rejoining',
  'backing-off': 'rejoining',
  watching: 'waiting',
  paused: 'waiting',
};

/** Returns the state of {@link Run} for a phase. Not to be used for a run that was rejected or closed, whose state is never committed. */
export function toRunState(phase: RunPhase): RunState {
  const { name } = phase;
  if (isLive(phase) && phase.showsStop) return 'stopping';
  if (name === 'disconnected') return phase.isStalled ? 'stalled' : 'broken';
  if (name === 'ended') return phase.as;
  return SHOWN_AS[name] ?? (name as RunState);
}
