import type { RunMethodName } from '../../backends/backend-methods.js';
import type { Backend, InputRequest, RunKeys, RunRef, RunStream } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange, type Batch, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { IDLE_RUN, type Run, type RunState, type Thread } from '../../model/thread.js';
import type { Timer } from '../../transport/environment.js';
import { createWatchdog, type Watchdog } from '../../transport/watchdog.js';
import type { ControllerNotice } from '../controller-types.js';
import type { ControllerContext } from '../controller-context.js';
import { removeIncompleteText } from '../threads/merge-thread-content.js';
import { closeRequests, isPending, listPendingRequests } from '../requests/input-requests.js';
import { createDeferred, type Deferred } from '../deferred.js';
import { Connection, type ConnectionEnd } from './connection.js';
import { isGone, isWorthRetrying, toUbikError } from './failure.js';
import { joinLostRun } from './locate-run.js';
import { RejoinPolicy } from './rejoin-policy.js';
import { findReport, isContent, provesRun, replaceRunStates } from './run-batch.js';
import {
  isBusy,
  isLive,
  isStopSent,
  toRunState,
  transition,
  type Effect,
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

/** A run to start, or one to join that was on before this page knew of it. */
export interface RunPlan {
  readonly thread: Thread;
  readonly keys: RunKeys;
  /** Shown at once. */
  readonly optimisticChanges: readonly Change[];
  /** Revert them when the service has started nothing. The thread's `run` is restored by the session. */
  readonly rollbackChanges: readonly Change[];
  /** The request, which is made once. Without it the run is joined. */
  readonly call?: StartCall;
  /** The service's id of the run, when it is known. */
  readonly id?: string | null;
  /** The call answers a request of the agent. */
  readonly answersRequest?: boolean;
  /** Called when the service has accepted the call. Returns the changes that follow from that. */
  onAccepted?(): readonly Change[];
  /** Called when the service has rejected the call, after the changes were reverted. */
  onRejected?(error: UbikError): void;
}

/**
 * Starts a run and shows its optimistic changes before it returns. A run of the same thread that waits for the user is superseded.
 * `ready` delays the request until it resolves.
 *
 * @returns resolves when the service has accepted the run; rejects when it has rejected it or when that stays unknown
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
  const session = new RunSession(context, plan, previous && { session: previous, wasLive });
  state.run = session;
  return session.start(ready);
}

/**
 * One run of a thread over all its connections. `run-machine.ts` decides what happens in which phase; this class executes the effects
 * and is the only one that commits the state of the run.
 */
export class RunSession {
  readonly plan: RunPlan;
  /** The thread's `run` before this one; restored when this one is rejected. */
  readonly before: Run;
  readonly #context: ControllerContext;
  /** See {@link RunRef}. */
  readonly #finishedRuns: readonly string[];
  readonly #policy: RejoinPolicy;
  readonly #watchdog: Watchdog;
  #phase: RunPhase = { name: 'idle' };
  #id: string | null;
  /** The session before, until this one is confirmed; it is restored when this one is rejected, and joined again if it was live. */
  #previous: { readonly session: RunSession; readonly wasLive: boolean } | undefined;
  #connection: Connection | null = null;
  #retryTimer: Timer | null = null;
  #stopTimer: Timer | null = null;
  /** Settled when the service responds to the start, or when the run is joined. */
  #joined: Deferred | null = null;
  /** Settled when a run is over that the user has stopped. */
  #stopped: Deferred | null = null;

  constructor(
    context: ControllerContext,
    plan: RunPlan,
    previous?: { readonly session: RunSession; readonly wasLive: boolean },
  ) {
    const { thread, keys, id = null } = plan;
    const others = [...thread.messages.values()].filter(({ key }) => key !== keys.answer);
    const finished = new Set([thread.run.id, ...others.map(({ taskId }) => taskId)]);
    finished.delete(id);
    this.plan = plan;
    this.before = thread.run;
    this.#context = context;
    this.#finishedRuns = [...finished].flatMap((run) => run ?? []);
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

  /** Whether the run's end is still to come on this page, also while it waits for the user with an open stream. */
  get isLive(): boolean {
    return isLive(this.#phase);
  }

  /** Whether the thread can take no other action now. A run that waits for the user can be followed by another. */
  get isBusy(): boolean {
    return isBusy(this.#phase);
  }

  /** Whether the run waits for the user and has no stream. */
  get isPaused(): boolean {
    return this.#phase.name === 'paused';
  }

  /** Whether rejoining was given up. */
  get isInterrupted(): boolean {
    return this.#phase.name === 'interrupted';
  }

  /** Whether the service has shown that the run exists. */
  get isConfirmed(): boolean {
    return !('stage' in this.#phase) || this.#phase.stage !== 'unconfirmed';
  }

  /** See {@link startRun}. */
  start(ready?: Promise<unknown>): Promise<void> {
    const { promise } = (this.#joined = createDeferred());
    const isNew = this.plan.call !== undefined;
    this.#dispatch({ type: isNew ? 'start' : 'resume' });
    if (isNew && !ready) this.#dispatch({ type: 'ready' });
    ready?.then(
      () => this.#dispatch({ type: 'ready' }),
      (error: unknown) => this.#dispatch({ type: 'reject', error: toUbikError(error) }),
    );
    return promise;
  }

  /** Joins the run again at once, with all attempts available. Resolves when connected. */
  rejoin(): Promise<void> {
    const { name } = this.#phase;
    if (name === 'streaming' || name === 'watching') return Promise.resolve();
    const { promise } = (this.#joined ??= createDeferred());
    this.#dispatch({ type: 'rejoin' });
    return promise;
  }

  /**
   * Opens the stream of a paused run once, to see whether the run goes on. Nothing changes and no event is emitted until the stream
   * says so; if it breaks, the run stays paused.
   */
  watch(): void {
    if (this.#context.backend.rejoin) this.#dispatch({ type: 'watch' });
  }

  /**
   * Sends a stop request, once, however often this is called. Resolves when the run is over, or at once when it is over already. A run
   * that waits for an answer to the agent is over; one that waits for an answer to a tool is not.
   */
  stop(): Promise<void> {
    const isWaiting = toRunState(this.#phase) === 'waiting';
    if (isWaiting ? !this.#asksByTool() : !this.isLive) return Promise.resolve();
    this.#context.requireMethod('stop');
    if (this.#stopped) return this.#stopped.promise;
    const { promise } = (this.#stopped = createDeferred());
    this.#dispatch({ type: 'stop' });
    return promise;
  }

  /** Leaves the stream: the run continues on the service. One that was never requested is cancelled. */
  detach(): void {
    const { status, failure } = this.thread.messages.get(this.keys.answer) ?? {};
    // The stream may have brought the end of the message; only the ids of the messages are missing then, and are read with the thread.
    const as = status === 'complete' || status === 'failed' ? status : undefined;
    const error = as ? new UbikError('run-failed', failure?.message) : new UbikError('aborted');
    this.#dispatch({ type: 'detach', as, error });
  }

  /** Ends a run that waits for the user: another one follows it, or the stored thread has moved past its question. */
  supersede(): void {
    this.#dispatch({ type: 'supersede' });
  }

  /** The stored thread shows that the paused run is over. Emits no event: its pause was announced. */
  endElsewhere(): void {
    this.#dispatch({ type: 'end-elsewhere' });
  }

  /** The thread was deleted elsewhere: the run counts as interrupted. */
  loseThread(error: UbikError): void {
    this.#dispatch({ type: 'lose-thread', error });
  }

  /** The page is visible, online or active again. */
  wake(reason: Extract<RunEvent, { type: 'wake' }>['reason']): void {
    this.#dispatch({ type: 'wake', reason });
  }

  /** The page goes away and may come back: closes the stream. */
  hide(): void {
    this.#dispatch({ type: 'hide' });
  }

  /** Releases stream, timers and the backend's record of the run. Emits no event; pending calls reject with `aborted`. */
  close(): void {
    this.#dispatch({ type: 'close' });
  }

  /** Enters the next phase and executes the effects of the transition. */
  #dispatch(event: RunEvent): void {
    const from = this.#phase;
    const { phase, effects } = transition(from, event);
    this.#phase = phase;
    for (const effect of effects) {
      // A listener may have moved the run on meanwhile. The effects of an end are executed nevertheless: nothing repeats them.
      if (isLive(phase) && this.#phase.name !== phase.name) return;
      this.#effects[effect](event, from);
    }
  }

  readonly #effects: { readonly [E in Effect]: (event: RunEvent, from: RunPhase) => void } = {
    show: () => {
      const { call, keys, optimisticChanges } = this.plan;
      const { user, answer } = keys;
      const state = toRunState(this.#phase);
      const run = { ...IDLE_RUN, state, id: this.#id, user, answer, resumed: !call };
      this.#commitRun(run, optimisticChanges);
      // The backend's record of the run before does not fit the messages that were read since.
      if (!call && this.#previous) this.#previous.session.#forget();
    },
    save: () => this.#record({ task: this.#id }),
    send: () => {
      const { call, keys, thread } = this.plan;
      if (!call) return;
      const [name, ...args] = call;
      const start = this.#context.requireMethod(name) as (...all: unknown[]) => RunStream;
      this.#open((signal) => start(thread.id, ...args, keys, signal));
    },
    open: () => {
      const { keys, plan, thread } = this;
      const context = this.#context;
      const [id, ref] = this.#ref();
      const question = thread.messages.get(keys.user ?? '');
      const isLost = plan.call && !this.isConfirmed && ref.id === null;
      this.#open((signal) =>
        isLost && question
          ? joinLostRun(context, { thread, ref, question }, signal)
          : context.requireMethod('rejoin')(id, ref, signal),
      );
    },
    reopen: (event) => {
      const { answer } = this.keys;
      this.#commit(event, { resumed: true, error: null }, [
        createFieldChange(answer, null, 'status', 'streaming'),
        createFieldChange(answer, null, 'failure', null),
      ]);
    },
    restart: () => this.#policy.restart(),
    commit: (event) => this.#commit(event),
    connect: (event, from) => {
      const isFirst = 'stage' in from && from.stage === 'unconfirmed';
      this.#commit(event, { error: null }, isFirst ? this.#accept(from) : []);
      this.#context.restoreOrigins.update(this.thread);
    },
    announce: (event, from) => {
      if (isAnnounced(from)) return;
      const { key, run } = this.thread;
      // The batch that starts the run is applied after the event, but its id belongs to it.
      const id = ('runId' in event ? event.runId : null) ?? run.id;
      this.#context.notify({ type: 'run-started', thread: key, run: { ...run, id } });
    },
    planRetry: (event, from) => {
      const error = errorOf(event);
      const isAlive = from.name === 'streaming' || from.name === 'watching';
      // The stream had brought something: its silence may only mean that the service has nothing to send.
      if (isAlive && event.type === 'lost' && event.how === 'stalled') {
        this.#policy.stall();
        return this.#dispatch({ type: 'retry-due' });
      }
      const isOffline = this.#context.options.page?.online === false;
      const wait = isOffline ? this.#policy.nextOffline() : this.#policy.next(error?.retryAfter);
      if (wait !== null) return this.#scheduleRetry(wait);
      // The user can act on a wait that the service asked for: that error keeps its code.
      const isLimited = error?.retryAfter !== undefined;
      const cause = isLimited ? error : new UbikError('interrupted', { cause: error });
      this.#dispatch({ type: 'retries-exhausted', error: cause });
    },
    wake: (event) => {
      const isResumed = event.type === 'wake' && event.reason === 'resume';
      const { resumeGrace } = this.#context.limits;
      if (this.#connection) this.#connection.wake(isResumed ? resumeGrace : null);
      else if (this.#policy.wake()) this.#dispatch({ type: 'retry-due' });
      else if (!this.#retryTimer) this.#scheduleRetry(this.#policy.wait());
    },
    countProgress: () => {
      this.#policy.progress();
      this.#watchdog.resetLimit();
    },
    sendStop: () => void this.#sendStop(),
    armStopTimer: () => {
      const { environment } = this.#context;
      this.#clearTimer(this.#stopTimer);
      const end = (): void => this.#dispatch({ type: 'stop-timeout' });
      this.#stopTimer = environment.setTimer(end, STOP_TIMEOUT);
    },
    rejectStop: (event) => this.#rejectStop(errorOf(event)),
    disconnect: () => this.#disconnect(),
    leave: (event, from) => this.#leave(event, from),
    end: (event, from) => {
      // Records and pending calls come first: a listener may start the next run.
      this.#leave(event, from);
      const error = this.#endError(event);
      if (!this.isInterrupted || (error && isGone(error))) this.#record(null);
      this.#commitEnd(error, from);
      this.#emitEnd(error, from, event);
      this.#context.onRunEnd(this);
    },
    forget: () => this.#forget(),
    revert: (event, from) => {
      const context = this.#context;
      const previous = this.#previous;
      const { rollbackChanges, thread } = this.plan;
      const cause = errorOf(event);
      // Nothing can be joined: the request has not arrived, whatever the service calls it.
      const isLost = !cause || from.name === 'joining';
      const error = isLost ? new UbikError('not-sent', { cause }) : cause;
      this.#disconnect();
      this.#record(null);
      context.stateOf(thread).run = previous?.session;
      this.#commitRun(this.before, rollbackChanges);
      context.onRunRejected(this, error);
      this.plan.onRejected?.(error);
      this.#settle(error);
      if (previous?.wasLive) context.runInBackground(() => previous.session.rejoin());
    },
  };

  /** What a backend needs to find the run: the id of its thread, empty while there is none, and what is known of the run. */
  #ref(): [string, RunRef] {
    const { keys, thread } = this;
    return [thread.id ?? '', { id: this.#id, keys, finishedRuns: this.#finishedRuns }];
  }

  /** Stores a record of the run, so that a reload joins it; null removes it. */
  #record(record: { readonly task: string | null } | null): void {
    this.#context.storage.write('run', this.thread.id ?? '', record);
  }

  #open(open: (signal: AbortSignal) => RunStream): void {
    const context = this.#context;
    this.#disconnect();
    this.#policy.open();
    this.#connection = new Connection({
      context,
      watchdog: this.#watchdog,
      open,
      onBatch: (batch) => {
        try {
          this.#receive(batch);
        } catch (cause) {
          // Another connection would only repeat a fault of this library or of the backend.
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

  #receive(batch: Batch): void {
    // A stream that is alive may still belong to no run.
    if (!this.isConfirmed && !batch.changes.some(provesRun)) return;
    const context = this.#context;
    const { runId, state } = findReport(batch.changes);
    if (this.#policy.receive()) this.#watchdog.extendLimit();
    this.#dispatch({ type: 'received', runId });
    const report = toEvent(state, runId);
    // Listeners of the batch find the run in the phase that it reports; an end is entered when the whole batch was applied.
    if (report && report.type !== 'finish') this.#dispatch(report);
    // A listener may have ended the run.
    if (!this.#connection) return;
    const changes = context.applyBatch(
      state ? replaceRunStates(batch, (reported) => this.#preview(reported)) : batch,
    );
    this.#confirmCall();
    if (changes.some(isContent)) this.#dispatch({ type: 'progress' });
    const { id } = this.thread.run;
    if (this.isLive && id !== this.#id) {
      this.#id = id;
      this.#record({ task: id });
      context.restoreOrigins.update(this.thread);
    }
    if (report?.type === 'finish') this.#dispatch(report);
  }

  #handleEnd(end: ConnectionEnd): void {
    this.#connection = null;
    const how = end === null ? 'ended' : end === 'stalled' ? end : 'failed';
    const error = end && end !== 'stalled' ? end : new UbikError('interrupted');
    const isFinal = !this.#context.backend.rejoin || !isWorthRetrying(error);
    this.#dispatch({ type: 'lost', how, error, isFinal });
  }

  /** The state to show for one that the stream reports: a stop of the user prevails. */
  #preview(reported: RunState): RunState {
    const event = toEvent(reported, null);
    return event ? toRunState(transition(this.#phase, event).phase) : reported;
  }

  /** Commits the state of the run with that of its connection. */
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
        ...(error && { error: describe(error) }),
        ...fields,
      },
      changes,
    );
  }

  /** Commits changes, fields of the run last. */
  #commitRun(run: Partial<Run>, changes: readonly Change[] = []): void {
    this.#context.commit(this.thread.key, [...changes, { type: 'thread', set: { run } }]);
  }

  /** The changes that follow from the first sign of the run. */
  #accept({ name }: RunPhase): readonly Change[] {
    const { keys, plan, thread } = this;
    const { call } = plan;
    const { unstoredMessages } = this.#context.stateOf(thread);
    unstoredMessages.add(keys.answer);
    const arrived: Change[] = [];
    if (call && keys.user !== null) {
      unstoredMessages.add(keys.user);
      if (thread.messages.has(keys.user))
        arrived.push(createFieldChange(keys.user, null, 'status', 'complete'));
    }
    const previous = this.#previous?.session;
    this.#previous = undefined;
    // The answer to a tool continues in the same message, with the backend's record of it.
    if (call && previous && previous.keys.answer !== keys.answer) previous.#forget();
    // That a run was located in which a tool asks does not prove that it has received the answer: its events do.
    const isUnknown = this.#toolRequest() && name !== 'sending';
    return [...arrived, ...((isUnknown ? null : plan.onAccepted?.()) ?? [])];
  }

  /** The request of a tool that this run was started to answer. */
  #toolRequest(): InputRequest | null {
    const { call } = this.plan;
    return call?.[0] === 'provideInput' && call[1].level === 'tool' ? call[1] : null;
  }

  /**
   * Resolves the call that waits for the stream. If the answer to a tool was on its way when the network broke and the tool still asks,
   * the answer was not received; that is known when the run reports that it waits.
   */
  #confirmCall(): void {
    const asked = this.#toolRequest();
    const isAsked =
      asked && isPending(this.thread.messages.get(asked.message)?.parts.get(asked.key));
    if (isAsked && toRunState(this.#phase) !== 'waiting') return;
    const joined = this.#joined;
    this.#joined = null;
    if (isAsked) joined?.reject(new UbikError('not-sent'));
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

  #asksByTool(): boolean {
    const asking = this.thread.messages.get(this.keys.answer);
    return !!asking && listPendingRequests(asking).some(({ level }) => level === 'tool');
  }

  #clearTimer(timer: Timer | null): void {
    if (timer) this.#context.environment.clearTimer(timer);
  }

  #leave(event: RunEvent, from: RunPhase): void {
    const { isInterrupted } = this;
    const error = isInterrupted ? this.#endError(event) : null;
    const isClosed = this.#phase.name === 'closed' && isLive(from);
    this.#disconnect();
    // A stop that was never sent has stopped nothing.
    if (error && !isStopSent(from)) this.#rejectStop(error);
    this.#settle(isClosed ? new UbikError('aborted') : error);
  }

  /** Resolves or rejects the calls that wait for the run. An error that no call waits for may still ask the user to sign in. */
  #settle(error: UbikError | null): void {
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

  /** The error with which the run has failed or was interrupted; null for every other end. */
  #endError(event: RunEvent): UbikError | null {
    return ['failed', 'interrupted'].includes(toRunState(this.#phase)) ? errorOf(event) : null;
  }

  /** Brings messages and run to their end, as far as the backend has not. */
  #commitEnd(error: UbikError | null, from: RunPhase): void {
    const { keys, thread } = this;
    const state = toRunState(this.#phase);
    const failure = error && describe(error);
    const changes: Change[] = [];
    if (isOpen(thread, keys.answer) || isStopSent(from)) {
      changes.push(
        createFieldChange(keys.answer, null, 'status', state),
        createFieldChange(keys.answer, null, 'failure', failure),
      );
    }
    const asking = state === 'stopped' && thread.messages.get(keys.answer);
    if (asking) changes.push(...closeRequests(asking));
    changes.push(...this.#settleIncompleteText());
    if (isOpen(thread, keys.user)) {
      // The service has never responded: after an interruption it is not known whether the message has arrived.
      const status = this.isInterrupted ? state : 'complete';
      changes.push(createFieldChange(keys.user, null, 'status', status));
    }
    const run = { state, attempt: 0, retryAt: null, ...(failure && { error: failure }) };
    this.#commitRun(run, changes);
  }

  /**
   * The changes that bring the incomplete text of the answer in line with the end of the run: after an interruption it is what the
   * backend withholds, otherwise there is none. If the backend has no record of the run, the text stays as shown.
   */
  #settleIncompleteText(): readonly Change[] {
    const { backend, diagnose } = this.#context;
    const message = this.thread.messages.get(this.keys.answer);
    if (!message) return [];
    try {
      const incomplete = this.isInterrupted ? backend.getIncompleteText?.(...this.#ref()) : [];
      return incomplete ? [...removeIncompleteText(message), ...incomplete] : [];
    } catch (cause) {
      // A backend that throws must not prevent the end of the run.
      diagnose(new UbikError('malformed-event', { cause }));
      return [];
    }
  }

  #emitEnd(error: UbikError | null, from: RunPhase, event: RunEvent): void {
    const context = this.#context;
    const { key: thread, run } = this.thread;
    const state = toRunState(this.#phase);
    // An end that the stream reports was announced with it at the latest.
    if (isAnnounced(from) || event.type === 'finish') {
      const type = `run-${{ complete: 'completed', waiting: 'paused' }[state as string] ?? state}`;
      const isBad = state === 'interrupted' || state === 'failed';
      const why = isBad && { error: error ?? new UbikError('run-failed', run.error?.message) };
      context.notify({ type, thread, run, ...why } as ControllerNotice);
    } else if (error) context.notify({ type: 'error', error });
  }

  #forget(): void {
    this.#context.backend.releaseRun?.(...this.#ref());
  }
}

/** The event that a reported state of the run means; null when it means none. */
function toEvent(
  state: RunState | undefined,
  runId: string | null,
): Extract<RunEvent, { type: 'proceed' | 'pause' | 'finish' }> | null {
  switch (state) {
    case 'streaming':
      return { type: 'proceed', runId };
    case 'waiting':
      return { type: 'pause' };
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

function describe({ code, message }: UbikError): {
  readonly code: string;
  readonly message: string;
} {
  return { code, message };
}

function isAnnounced(phase: RunPhase): boolean {
  return 'stage' in phase && phase.stage === 'announced';
}

/** Whether a message has not ended. */
function isOpen({ messages }: Thread, message: Key | null): message is Key {
  const status = messages.get(message ?? '')?.status;
  return status === 'streaming' || status === 'waiting';
}
