import type { RunMethodName } from '../../backends/backend-methods.js';
import type { Backend, InputRequest, RunKeys, RunRef, RunStream } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange, type Batch, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { isPending, listPendingRequests } from '../../model/pending-requests.js';
import { IDLE_RUN, type Run, type RunState, type Thread } from '../../model/thread.js';
import type { Timer } from '../../transport/environment.js';
import { createWatchdog, type Watchdog } from '../../transport/watchdog.js';
import type { ControllerNotice } from '../controller-types.js';
import type { ControllerContext } from '../controller-context.js';
import { MIN_UPLOAD_RATE } from '../limits.js';
import { removeIncompleteText } from '../messages/message-text.js';
import { closeRequests } from '../requests/input-requests.js';
import { createDeferred, type Deferred } from '../deferred.js';
import { RunConnection, type ConnectionEnd } from './run-connection.js';
import { hasNothingToJoin, isRetryable, toUbikError } from './classify-error.js';
import { joinLostRun } from './locate-run.js';
import { RejoinPolicy } from './rejoin-policy.js';
import { changesContent, findReport, provesRun, replaceRunStates } from './run-batch.js';
import {
  isBusy,
  isLive,
  isStopSent,
  toRunState,
  transition,
  type Effect,
  type Outcome,
  type RunEvent,
  type RunPhase,
} from './run-machine.js';

/** How long an accepted stop waits for the end of the run while nothing new arrives, in ms. */
const STOP_TIMEOUT = 30_000;

/** The arguments of a method between the thread and the keys. */
type ArgumentsOf<M> = M extends (...args: [string, ...infer A, RunKeys, AbortSignal]) => unknown
  ? A
  : never;

/** A method of the backend that starts a run, with its arguments. */
export type StartCall = {
  [N in RunMethodName]: readonly [N, ...ArgumentsOf<NonNullable<Backend[N]>>];
}[RunMethodName];

/** The stored record of a run; `task` is its id. */
interface RunRecord {
  readonly task: string | null;
}

/** A run to start, or (without `call`) a run to join that this page has not started. */
export interface RunPlan {
  readonly thread: Thread;
  readonly keys: RunKeys;
  /** Committed at once. */
  readonly optimisticChanges: readonly Change[];
  /** Revert the optimistic changes when the run is rejected. {@link RunSession} restores `thread.run`. */
  readonly rollbackChanges: readonly Change[];
  /** The request, which is sent once. Without it the run is joined. */
  readonly call?: StartCall;
  /** The service's id of the run, if known. */
  readonly id?: string | null;
  /** Whether a message that is sent (`call` is `send`) answers a request of the agent. Not set for `provideInput`. */
  readonly answersRequest?: boolean;
  /** Called when the service has accepted the call. Returns further changes to commit. */
  onAccepted?(): readonly Change[];
  /** Called when the run was rejected by the service or before the request was sent. The changes were reverted before. */
  onRejected?(error: UbikError): void;
}

/**
 * Starts a run and commits its optimistic changes before it returns. A run of the same thread that waits for the user is superseded.
 * The request is sent after `ready` and the pending removals of documents; the run is rejected when one of them fails.
 *
 * @returns A promise that resolves when the service has accepted the run, and rejects when it has rejected the run or when that remains
 *   unknown.
 */
export function startRun(
  context: ControllerContext,
  plan: RunPlan,
  ready?: Promise<unknown>,
): Promise<void> {
  const { thread, call } = plan;
  if (call) context.requireMethod(call[0]);
  const state = context.stateOf(thread);
  const previous = state.run;
  const wasLive = previous?.isLive ?? false;
  previous?.supersede();
  const runSession = new RunSession(context, plan, previous && { runSession: previous, wasLive });
  state.run = runSession;
  return runSession.start(ready);
}

/** Adds a run that waits for the user, of which this page knows only the stored thread. Sends no request. */
export function addWaitingRun(context: ControllerContext, plan: RunPlan): void {
  const runSession = new RunSession(context, { ...plan, optimisticChanges: [] });
  context.stateOf(plan.thread).run = runSession;
  runSession.addWaiting();
}

/**
 * One run of a thread over all its connections. `run-machine.ts` defines the transitions; this class executes their effects. As long as it is
 * the run session of its thread, no other code commits the state of the run.
 */
export class RunSession {
  readonly plan: RunPlan;
  /** The value of `thread.run` before this run, which is restored when this run is rejected. */
  readonly previousRun: Run;
  readonly #context: ControllerContext;
  /** See {@link RunRef}. */
  readonly #otherRunIds: readonly string[];
  readonly #policy: RejoinPolicy;
  readonly #watchdog: Watchdog;
  #phase: RunPhase = { name: 'idle' };
  #id: string | null;
  /** The stored record of the run; null when none is stored. */
  #record: RunRecord | null = null;
  /** Whether the run was ended or interrupted on this page because the service has no stream of it. */
  #hasNothingToJoin = false;
  /** The error of the request that starts the run, unless the run was confirmed. */
  #requestError: UbikError | undefined;
  /** The previous run session, until this one is confirmed. If this one is rejected, the previous one is restored, and rejoined if it was live. */
  #previous: { readonly runSession: RunSession; readonly wasLive: boolean } | undefined;
  #connection: RunConnection | null = null;
  #retryTimer: Timer | null = null;
  #stopTimer: Timer | null = null;
  /** Settled when the service responds to the start request, or when the run is joined. */
  #joined: Deferred | null = null;
  /** Settled when a run that the user has stopped has ended. */
  #stopped: Deferred | null = null;

  constructor(
    context: ControllerContext,
    plan: RunPlan,
    previous?: { readonly runSession: RunSession; readonly wasLive: boolean },
  ) {
    const { thread, keys, id = null } = plan;
    const otherMessages = [...thread.messages.values()].filter(({ key }) => key !== keys.answer);
    const otherIds = new Set([thread.run.id, ...otherMessages.map(({ runId }) => runId)]);
    otherIds.delete(id);
    this.plan = plan;
    this.previousRun = thread.run;
    this.#context = context;
    this.#otherRunIds = [...otherIds].flatMap((other) => other ?? []);
    this.#policy = new RejoinPolicy(context);
    this.#watchdog = createWatchdog({
      environment: context.environment,
      limit: context.limits.idleTimeout,
      maxLimit: context.limits.maxIdleTimeout,
      onStall: () => this.#connection?.stall(),
    });
    this.#id = id;
    this.#previous = previous;
  }

  get thread(): Thread {
    return this.plan.thread;
  }

  get keys(): RunKeys {
    return this.plan.keys;
  }

  /** Whether the run has not ended, been suspended or been interrupted on this page. True also while it waits for the user with an open stream. */
  get isLive(): boolean {
    return isLive(this.#phase);
  }

  /** Whether the run blocks other actions in its thread. One that waits for the user blocks them only while it is being stopped: another run can follow it. */
  get isBusy(): boolean {
    return isBusy(this.#phase);
  }

  /** Whether the run waits for the user and has no stream. */
  get isSuspended(): boolean {
    return this.#phase.name === 'suspended';
  }

  /** Whether the run was interrupted: automatic rejoining has ended without success, the stream was detached, or the thread was deleted. */
  get isInterrupted(): boolean {
    return this.#phase.name === 'interrupted';
  }

  /** Whether the run was interrupted because the service has no stream of it any more. */
  get isGone(): boolean {
    return this.isInterrupted && this.#hasNothingToJoin;
  }

  /** Whether the service has confirmed that the run exists (`confirmed` or `announced`). Also true before the start, and when the run has ended, was rejected or closed. */
  get isConfirmed(): boolean {
    return !('stage' in this.#phase) || this.#phase.stage !== 'unconfirmed';
  }

  /** See {@link startRun}. */
  start(ready?: Promise<unknown>): Promise<void> {
    const { promise } = (this.#joined = createDeferred());
    const isNew = this.plan.call !== undefined;
    this.#dispatch({ type: isNew ? 'start' : 'join' });
    // Listeners of the start may have removed documents.
    const removal = isNew && this.#context.sequencer.pendingRemoval(this.thread);
    if (isNew && !ready && !removal) this.#dispatch({ type: 'ready' });
    else if (isNew) {
      Promise.all([ready, removal]).then(
        () => this.#dispatch({ type: 'ready' }),
        (error: unknown) => this.#dispatch({ type: 'reject', error: toUbikError(error) }),
      );
    }
    return promise;
  }

  /** See {@link addWaitingRun}. */
  addWaiting(): void {
    this.#dispatch({ type: 'add-waiting' });
  }

  /**
   * Rejoins the run at once, with all attempts available. Resolves when connected.
   *
   * @throws {UbikError} `unsupported` when the backend cannot rejoin; the run then stays as it is.
   */
  rejoin(): Promise<void> {
    const { name } = this.#phase;
    if (name === 'streaming' || name === 'waiting') return Promise.resolve();
    this.#context.requireMethod('rejoin');
    const { promise } = (this.#joined ??= createDeferred());
    this.#dispatch({ type: 'rejoin' });
    return promise;
  }

  /**
   * Opens the stream of a suspended run once, to check whether the run continues. Commits and emits nothing until the stream reports it; if
   * the stream breaks, the run stays suspended. An interrupted run is rejoined instead.
   */
  probe(): void {
    if (this.#context.backend.rejoin) this.#dispatch({ type: 'probe' });
  }

  /**
   * Sends a stop request; further calls send no other. Resolves when the run has ended, at once if it has ended before. A run that waits
   * for the answer to a request of the agent counts as ended; one that waits for the answer to a request of a tool does not.
   */
  stop(): Promise<void> {
    const isWaiting = toRunState(this.#phase) === 'waiting';
    if (isWaiting ? !this.#isToolWaiting() : !this.isLive) return Promise.resolve();
    this.#context.requireMethod('stop');
    if (this.#stopped) return this.#stopped.promise;
    const { promise } = (this.#stopped = createDeferred());
    this.#dispatch({ type: 'stop' });
    this.#abortStoppedUpload();
    return promise;
  }

  /** Closes the stream; the run continues at the service. A run that was not requested yet is cancelled. */
  detach(): void {
    const { status, failure } = this.thread.messages.get(this.keys.answer) ?? {};
    // The stream may have delivered the end of the message. Then only the ids of the messages are missing; a reload sets them.
    const as = status === 'complete' || status === 'failed' ? status : undefined;
    const error = as ? new UbikError('run-failed', failure?.message) : new UbikError('aborted');
    this.#dispatch({ type: 'detach', as, error });
  }

  /**
   * Closes the stream, because another run follows, or because a loaded thread shows that the request was answered elsewhere or that another
   * branch is active. The run does not end: it is restored, and rejoined if it was live, when the next run is rejected.
   */
  supersede(): void {
    this.#dispatch({ type: 'supersede' });
  }

  /**
   * Ends a suspended or interrupted run, because the stored thread shows that it has ended. Emits no notice: `run-paused` or
   * `run-interrupted` was emitted before, or this page has only found the waiting run.
   */
  endElsewhere(as: Outcome): void {
    this.#dispatch({ type: 'ended-elsewhere', as });
  }

  /** Sets the run to interrupted, because the thread was deleted elsewhere. */
  handleThreadDeletion(error: UbikError): void {
    this.#dispatch({ type: 'thread-deleted', error });
  }

  /** Checks the connection, or rejoins, because the page is visible, online or active again. */
  wake(reason: Extract<RunEvent, { type: 'wake' }>['reason']): void {
    this.#dispatch({ type: 'wake', reason });
  }

  /** Closes the stream, because the page is unloaded or enters the back/forward cache. */
  hide(): void {
    this.#dispatch({ type: 'hide' });
  }

  /**
   * Releases the stream, the timers and the memory of the backend for the run. Emits no notice; a pending start or rejoin rejects with
   * `aborted`, a pending stop resolves.
   */
  close(): void {
    this.#dispatch({ type: 'close' });
  }

  /** Enters the next phase and executes the effects of the transition. */
  #dispatch(event: RunEvent): void {
    const from = this.#phase;
    const { phase, effects } = transition(from, event);
    this.#phase = phase;
    for (const effect of effects) {
      // A listener may have changed the phase. The effects of an end are executed nevertheless, because no later event repeats them.
      if (isLive(phase) && this.#phase.name !== phase.name) return;
      this.#effects[effect](event, from);
    }
  }

  readonly #effects: { readonly [E in Effect]: (event: RunEvent, from: RunPhase) => void } = {
    commitStart: () => {
      const { call, keys, optimisticChanges } = this.plan;
      const { user, answer } = keys;
      const state = toRunState(this.#phase);
      const run = { ...IDLE_RUN, state, id: this.#id, user, answer, resumed: !call };
      this.#commitRun(run, optimisticChanges);
      // The state that the backend holds in memory for the previous run does not match messages that were loaded since.
      if (!call && this.#previous) this.#previous.runSession.#release();
    },
    storeRun: () => this.#storeRun({ task: this.#id }),
    sendStart: () => {
      const { call, keys, thread } = this.plan;
      if (!call) return;
      const [name, ...args] = call;
      const start = this.#context.requireMethod(name) as (...all: unknown[]) => RunStream;
      this.#open((signal) => start(thread.id, ...args, keys, signal));
      const file = this.#answerFile;
      // The connection is silent while a file is sent.
      if (file) this.#watchdog.start(file.size / MIN_UPLOAD_RATE);
      this.#abortStoppedUpload();
    },
    openStream: () => {
      const { isConfirmed, keys, plan, thread } = this;
      const context = this.#context;
      const [id, ref] = this.#ref();
      const answer = thread.messages.get(keys.answer);
      const message = thread.messages.get(keys.user ?? '') ?? (answer?.id ? answer : null);
      // A confirmed run is searched by the id of its message only; before that, a message without an id is found by its text.
      const isSearchable = !isConfirmed || message?.id;
      // A run that this page has started, whose id it does not know, and that no tool request identifies.
      const isLost = plan.call && ref.id === null && isSearchable && !this.#toolRequest();
      // A deferred stop request contains the id of the run, so it is sent only when the stream has reported that id.
      const isStopDeferred = 'stop' in this.#phase && this.#phase.stop === 'deferred';
      this.#open((signal) =>
        isLost && message
          ? joinLostRun(context, { thread, ref, message, isConfirmed, isStopDeferred }, signal)
          : context.requireMethod('rejoin')(id, ref, signal),
      );
    },
    commitResumed: (event) => {
      const { answer } = this.keys;
      this.#commit(event, { resumed: true, error: null }, [
        createFieldChange(answer, null, 'status', 'streaming'),
        createFieldChange(answer, null, 'failure', null),
      ]);
    },
    resetAttempts: () => this.#policy.resetAttempts(),
    commitState: (event) => this.#commit(event),
    commitConnected: (event, from) => {
      const isFirst = 'stage' in from && from.stage === 'unconfirmed';
      this.#commit(event, { error: null }, isFirst ? this.#confirm(from) : []);
      this.#context.restoreOrigins?.update(this.thread);
    },
    announce: (event, from) => {
      if (isAnnounced(from)) return;
      const { key, run } = this.thread;
      // The batch that starts the run is applied after the notice, which must contain the run id of that batch.
      const id = ('runId' in event ? event.runId : null) ?? run.id;
      this.#context.notify({ type: 'run-started', thread: key, run: { ...run, id } });
    },
    planRetry: (event, from) => {
      const error = errorOf(event);
      const isAlive = from.name === 'streaming' || from.name === 'waiting';
      // The stream had delivered data; its silence may only mean that the service has nothing to send.
      if (isAlive && event.type === 'lost' && event.how === 'stalled') {
        this.#policy.stall();
        return this.#dispatch({ type: 'retry-due' });
      }
      const isOffline = this.#context.options.page?.online === false;
      const wait = isOffline ? this.#policy.nextOffline() : this.#policy.next(error?.retryAfter);
      if (wait !== null) return this.#scheduleRetry(wait);
      // An error with `Retry-After`, such as `rate-limited`, keeps its code, because the user can act on it.
      const isLimited = error?.retryAfter !== undefined;
      const cause = isLimited ? error : new UbikError('interrupted', { cause: error });
      this.#dispatch({ type: 'retries-exhausted', error: cause });
    },
    checkConnection: (event) => {
      const isResumed = event.type === 'wake' && event.reason === 'resume';
      const { backend, limits } = this.#context;
      if (this.#connection) this.#connection.wake(isResumed ? limits.resumeGrace : null);
      else if (!backend.rejoin)
        this.#dispatch({ type: 'retries-exhausted', error: new UbikError('interrupted') });
      else if (this.#policy.wake()) this.#dispatch({ type: 'retry-due' });
      else if (!this.#retryTimer) this.#scheduleRetry(this.#policy.wait());
    },
    recordProgress: () => {
      this.#policy.recordProgress();
      this.#watchdog.resetLimit();
      // A reload while the run waited may have removed the answer, because all of the text that it had then was stored.
      this.#context.stateOf(this.thread).unstoredMessages.add(this.keys.answer);
    },
    sendStop: () => void this.#sendStop(),
    startStopTimer: () => {
      const { environment } = this.#context;
      this.#clearTimer(this.#stopTimer);
      const end = (): void => this.#dispatch({ type: 'stop-timeout' });
      this.#stopTimer = environment.setTimer(end, STOP_TIMEOUT);
    },
    rejectStop: (event) => this.#rejectStop(errorOf(event)),
    disconnect: () => this.#disconnect(),
    settle: (event, from) => this.#settle(event, from),
    end: (event, from) => {
      // The stored record is removed and pending calls are settled first, because a listener may start the next run.
      this.#settle(event, from);
      const error = this.#endError(event);
      // An interrupted run stays stored, so that a reload joins it, unless the service has nothing to join.
      this.#hasNothingToJoin = !!error && hasNothingToJoin(error);
      if (!this.isInterrupted || this.#hasNothingToJoin) this.#storeRun(null);
      this.#commitEnd(error, from);
      this.#emitEnd(error, from, event);
      this.#context.onRunEnd(this);
    },
    releaseRun: () => this.#release(),
    revert: (event, from) => {
      const context = this.#context;
      const previous = this.#previous;
      const { rollbackChanges, thread } = this.plan;
      const cause = errorOf(event);
      // The service has no run to join, so it never received the request, whatever error it reports.
      const isLost = !cause || from.name === 'joining';
      const error = isLost ? new UbikError('not-sent', { cause: this.#requestError }) : cause;
      this.#disconnect();
      // A join that finds no run leaves nothing that a reload could join.
      this.#storeRun(this.plan.call && previous ? previous.runSession.#record : null);
      context.stateOf(thread).run = previous?.runSession;
      this.#commitRun(this.previousRun, rollbackChanges);
      context.onRunRejected(this, error);
      this.plan.onRejected?.(error);
      this.#settleCalls(error);
      if (previous?.wasLive) context.runInBackground(() => previous.runSession.rejoin());
    },
  };

  /** Returns the arguments with which a backend finds the run: the id of its thread (empty while there is none) and its {@link RunRef}. */
  #ref(): [string, RunRef] {
    const { keys, thread } = this;
    return [thread.id ?? '', { id: this.#id, keys, otherRunIds: this.#otherRunIds }];
  }

  /** Writes the id of the run to the storage, so that a reload joins the run; null removes it. */
  #storeRun(record: RunRecord | null): void {
    this.#record = record;
    this.#context.storage.write('run', this.thread.id ?? '', record);
  }

  #open(open: (signal: AbortSignal) => RunStream): void {
    const context = this.#context;
    this.#disconnect();
    this.#policy.open();
    this.#connection = new RunConnection({
      context,
      watchdog: this.#watchdog,
      open,
      // While joining, a batch must prove that the run exists, because a service may keep a stream open although it has no run. The request
      // that starts a run may be answered late, so in that phase any batch restarts the watchdog.
      isAlive: ({ changes }) => this.#phase.name !== 'joining' || this.#isProven(changes),
      onBatch: (batch) => {
        try {
          this.#receive(batch);
        } catch (cause) {
          // A fault of this library or of the backend; another connection would repeat it.
          context.diagnose(new UbikError('malformed-event', { cause }));
        }
      },
      onEnd: (end) => this.#handleEnd(end),
    });
  }

  #disconnect(): void {
    this.#connection?.close();
    this.#clearTimer(this.#retryTimer);
    this.#connection = this.#retryTimer = null;
  }

  /** Whether the run is confirmed, or changes prove that it exists, which an open stream does not. */
  #isProven(changes: readonly Change[]): boolean {
    return this.isConfirmed || changes.some(provesRun);
  }

  #receive(batch: Batch): void {
    if (!this.#isProven(batch.changes)) return;
    const context = this.#context;
    const { runId, state } = findReport(batch.changes);
    if (this.#policy.receive()) this.#watchdog.extendLimit();
    const knownId = this.#id;
    // The dispatch may send a deferred stop request, which contains the id of the run.
    this.#id ??= runId;
    this.#dispatch({ type: 'received', runId });
    const report = toEvent(state, runId);
    // Listeners of the batch see the run in the reported phase. Only an end is dispatched after the batch was applied.
    if (report && report.type !== 'finish') this.#dispatch(report);
    // A listener may have ended the run.
    if (!this.#connection) return;
    const changes = context.applyBatch(
      state ? replaceRunStates(batch, (reported) => this.#preview(reported)) : batch,
    );
    this.#confirmCall();
    if (changes.some(changesContent)) this.#dispatch({ type: 'progress' });
    const { id } = this.thread.run;
    if (this.isLive && id !== knownId) {
      this.#id = id;
      this.#storeRun({ task: id });
      context.restoreOrigins?.update(this.thread);
    }
    if (report?.type === 'finish') this.#dispatch(report);
  }

  #handleEnd(end: ConnectionEnd): void {
    this.#connection = null;
    const how = end === null ? 'ended' : end === 'stalled' ? end : 'failed';
    const error = end && end !== 'stalled' ? end : new UbikError('interrupted');
    // That the stream broke does not explain why the service has started no run.
    if (this.#phase.name === 'sending' && error.code !== 'interrupted') this.#requestError = error;
    const isFinal = !this.#context.backend.rejoin || !isRetryable(error);
    this.#dispatch({ type: 'lost', how, error, isFinal });
  }

  /** Returns the state to show for a state that the stream reports. A stop of the user takes precedence. */
  #preview(reported: RunState): RunState {
    const event = toEvent(reported, null);
    return event ? toRunState(transition(this.#phase, event).phase) : reported;
  }

  /** Commits the state of the run and of its connection: the attempt, the time of the next one, and the error. */
  #commit(event: RunEvent, fields?: Partial<Run>, changes?: readonly Change[]): void {
    const phase = this.#phase;
    const { name } = phase;
    const isJoining = name === 'joining' || name === 'backing-off';
    const attempt = isJoining ? Math.max(1, this.#policy.attempt) : 0;
    const error = event.type === 'stop-rejected' ? null : errorOf(event);
    this.#commitRun(
      {
        state: toRunState(phase),
        retryAt: name === 'backing-off' ? phase.retryAt : null,
        ...(name !== 'disconnected' && { attempt }),
        ...(error && { error: toFailure(error) }),
        ...fields,
      },
      changes,
    );
  }

  /** Commits changes, and after them fields of the run. */
  #commitRun(run: Partial<Run>, changes: readonly Change[] = []): void {
    this.#context.commit(this.thread.key, [...changes, { type: 'thread', set: { run } }]);
  }

  /** Returns the changes to commit when the run is confirmed for the first time. */
  #confirm({ name }: RunPhase): readonly Change[] {
    const { keys, plan, thread } = this;
    const { call } = plan;
    const { unstoredMessages } = this.#context.stateOf(thread);
    unstoredMessages.add(keys.answer);
    const delivered: Change[] = [];
    if (call && keys.user !== null) {
      unstoredMessages.add(keys.user);
      if (thread.messages.has(keys.user))
        delivered.push(createFieldChange(keys.user, null, 'status', 'complete'));
    }
    const previous = this.#previous?.runSession;
    this.#previous = undefined;
    // After an answer to a tool the run continues in the same message, with the same state of the backend.
    if (call && previous && previous.keys.answer !== keys.answer) previous.#release();
    // Rejoining a run in which a tool waits does not prove that the tool has received the answer; only its events do.
    const isUnknown = this.#toolRequest() && name !== 'sending';
    return [...delivered, ...((isUnknown ? null : plan.onAccepted?.()) ?? [])];
  }

  /**
   * Aborts the upload of a file, which can take long, if the user has stopped the run. If the service has received the answer nevertheless, its
   * run is joined and then stopped.
   */
  #abortStoppedUpload(): void {
    const phase = this.#phase;
    if (phase.name === 'sending' && phase.stop === 'deferred' && this.#answerFile)
      this.#connection?.abort();
  }

  /** The file with which this run answers a request. */
  get #answerFile(): File | undefined {
    const { call } = this.plan;
    return call?.[0] === 'provideInput' && call[2].type === 'file' ? call[2].file : undefined;
  }

  /** Returns the request of a tool that this run answers; null when it answers none. */
  #toolRequest(): InputRequest | null {
    const { call } = this.plan;
    return call?.[0] === 'provideInput' && call[1].level === 'tool' ? call[1] : null;
  }

  /**
   * Resolves the call that waits for the stream. If the connection broke while the answer to a tool was being sent, and its request is
   * still pending when the run reports that it waits, the answer was not received and the call rejects.
   */
  #confirmCall(): void {
    const request = this.#toolRequest();
    const isStillPending =
      request && isPending(this.thread.messages.get(request.message)?.parts.get(request.key));
    if (isStillPending && toRunState(this.#phase) !== 'waiting') return;
    const joined = this.#joined;
    this.#joined = null;
    if (isStillPending) joined?.reject(new UbikError('not-sent'));
    else joined?.resolve();
  }

  #scheduleRetry(wait: number): void {
    const { environment } = this.#context;
    this.#retryTimer = environment.setTimer(() => this.#dispatch({ type: 'retry-due' }), wait);
    this.#dispatch({ type: 'retry-scheduled', retryAt: environment.now() + wait });
  }

  async #sendStop(): Promise<void> {
    const stopped = this.#stopped;
    let event: RunEvent = { type: 'stop-accepted' };
    try {
      await this.#context.backend.stop?.(...this.#ref());
    } catch (error) {
      event = { type: 'stop-rejected', error: toUbikError(error) };
    }
    // The run may have ended meanwhile.
    if (this.#stopped === stopped) this.#dispatch(event);
  }

  #isToolWaiting(): boolean {
    const message = this.thread.messages.get(this.keys.answer);
    return listPendingRequests(message).some(({ level }) => level === 'tool');
  }

  #clearTimer(timer: Timer | null): void {
    if (timer) this.#context.environment.clearTimer(timer);
  }

  #settle(event: RunEvent, from: RunPhase): void {
    const { isInterrupted } = this;
    const error = isInterrupted ? this.#endError(event) : null;
    const isClosed = this.#phase.name === 'closed' && isLive(from);
    this.#disconnect();
    // The stop request was never sent.
    if (error && !isStopSent(from)) this.#rejectStop(error);
    this.#settleCalls(isClosed ? new UbikError('aborted') : error);
  }

  /** Settles the pending calls that wait for the run. Without a pending call, the error `unauthorized` still emits `auth-required`. */
  #settleCalls(error: UbikError | null): void {
    const joined = this.#joined;
    const stopped = this.#stopped;
    this.#joined = this.#stopped = null;
    this.#clearTimer(this.#stopTimer);
    this.#stopTimer = null;
    stopped?.resolve();
    if (!error) joined?.resolve();
    else if (joined) joined.reject(error);
    else this.#context.notifyIfUnauthorized(error);
  }

  #rejectStop(error: UbikError | null): void {
    this.#stopped?.reject(error);
    this.#stopped = null;
  }

  /** Returns the error of the event that made the run fail or interrupted it; null for any other end, and if the stream reported the failure. */
  #endError(event: RunEvent): UbikError | null {
    return ['failed', 'interrupted'].includes(toRunState(this.#phase)) ? errorOf(event) : null;
  }

  /** Commits the end of the run and of its unfinished messages; if a stop was sent, also of a finished answer. */
  #commitEnd(error: UbikError | null, from: RunPhase): void {
    const { keys, thread } = this;
    const state = toRunState(this.#phase);
    const failure = error && toFailure(error);
    const changes: Change[] = [];
    if (isUnfinished(thread, keys.answer) || isStopSent(from)) {
      changes.push(
        createFieldChange(keys.answer, null, 'status', state),
        createFieldChange(keys.answer, null, 'failure', failure),
      );
    }
    const stoppedMessage = state === 'stopped' && thread.messages.get(keys.answer);
    if (stoppedMessage) changes.push(...closeRequests(stoppedMessage));
    changes.push(...this.#updateIncompleteText());
    if (isUnfinished(thread, keys.user)) {
      // The run was never confirmed. A failure that was reported shows that the message has arrived; after an interruption, that is unknown.
      const status = this.isInterrupted ? state : 'complete';
      changes.push(createFieldChange(keys.user, null, 'status', status));
    }
    const run = { state, attempt: 0, retryAt: null, ...(failure && { error: failure }) };
    this.#commitRun(run, changes);
  }

  /**
   * Returns the changes that update the incomplete text of the answer at the end of the run: after an interruption it is set to the
   * text that the backend could not parse yet, otherwise it is removed. If the backend has no record of the run, it stays unchanged.
   */
  #updateIncompleteText(): readonly Change[] {
    const message = this.thread.messages.get(this.keys.answer);
    if (!message) return [];
    const { isInterrupted } = this;
    const { backend } = this.#context;
    const incomplete = isInterrupted
      ? this.#attempt(() => backend.getIncompleteText?.(...this.#ref()))
      : [];
    return incomplete ? [...removeIncompleteText(message), ...incomplete] : [];
  }

  #emitEnd(error: UbikError | null, from: RunPhase, event: RunEvent): void {
    const context = this.#context;
    const { key: thread, run } = this.thread;
    const state = toRunState(this.#phase);
    // An end that the stream reports was announced before, at the latest by the same event.
    const isReported = event.type === 'finish';
    // The user no longer waits for the stop of a run that was paused, and whose stream has not been joined again.
    const isDetachedDuringStop = event.type === 'detach' && isStopSent(from);
    if (isAnnounced(from) || isReported || isDetachedDuringStop) {
      const type = `run-${{ complete: 'completed', waiting: 'paused' }[state as string] ?? state}`;
      const hasError = state === 'interrupted' || state === 'failed';
      const failure = hasError && {
        error: error ?? new UbikError('run-failed', run.error?.message),
      };
      context.notify({ type, thread, run, ...failure } as ControllerNotice);
    } else if (error && error.code !== 'aborted') context.notify({ type: 'error', error });
  }

  #release(): void {
    const { backend } = this.#context;
    this.#attempt(() => backend.releaseRun?.(...this.#ref()));
  }

  /** Calls a method of the backend. An error that it throws becomes a diagnostic, so that the run can still end and the controller close. */
  #attempt<T>(call: () => T): T | null {
    try {
      return call();
    } catch (cause) {
      this.#context.diagnose(new UbikError('malformed-event', { cause }));
      return null;
    }
  }
}

/** Returns the event for a reported state of the run; null when there is none. */
function toEvent(
  state: RunState | undefined,
  runId: string | null,
): Extract<RunEvent, { type: 'proceed' | 'wait' | 'finish' }> | null {
  switch (state) {
    case 'streaming':
      return { type: 'proceed', runId };
    case 'waiting':
      return { type: 'wait' };
    case 'complete':
    case 'stopped':
    case 'failed':
      return { type: 'finish', as: state };
    default:
      return null;
  }
}

function errorOf(event: RunEvent): UbikError | null {
  return 'error' in event ? event.error : null;
}

function toFailure({ code, message }: UbikError): {
  readonly code: string;
  readonly message: string;
} {
  return { code, message };
}

function isAnnounced(phase: RunPhase): boolean {
  return 'stage' in phase && phase.stage === 'announced';
}

/** Whether a message has not ended. */
function isUnfinished({ messages }: Thread, message: Key | null): message is Key {
  const status = messages.get(message ?? '')?.status;
  return status === 'streaming' || status === 'waiting';
}
