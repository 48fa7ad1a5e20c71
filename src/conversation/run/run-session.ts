import type { RunKeys, RunRef, RunStream } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Batch, Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Run } from '../../model/thread.js';
import { Connection, type ConnectionEnd } from './connection.js';
import { createDeferred, type Deferred } from './deferred.js';
import { createClosed, toFailure, toGiveUp, toUbikError } from './failure.js';
import { RejoinSchedule } from './rejoin-schedule.js';
import type { FoundRun, RunHost, RunPlan } from './run-plan.js';
import { RunRecord, toEndState, type EndState } from './run-record.js';
import { asStopped, StopRequest, type StoppableRun } from './stop-request.js';
import { judgeEnd } from './verdict.js';

/**
 * One run of a thread, over all its connections.
 *
 *     idle → sending → streaming ⇄ stopping ─────────────────────────→ complete | waiting | stopped | failed
 *               │       ▲   └→ stalled | broken ─┐                          ▲
 *               ├───────┼──────────→ broken ─→ rejoining ─(connected)→ streaming
 *               ▼       │                        │ ▲└─ tries used up, or an answer that stays the same ─→ interrupted
 *            refused    └────── rejoin() ────────┼─┴──────────────────────────────────────────────────────────┘
 *        (taken back)                            └→ nothing runs there: taken back
 *
 * One connection at a time; what an abandoned one still brings comes from a closed {@link Connection} and changes nothing. A
 * POST is made by `begin` alone and never again: every later connection is a rejoin.
 */
export class RunSession implements StoppableRun {
  readonly record: RunRecord;
  readonly #host: RunHost;
  readonly #plan: RunPlan | null;
  readonly #schedule: RejoinSchedule;
  /** The run that stood there before: put back when this one is refused. */
  readonly #before: Run;
  readonly #back: readonly Change[];
  #connection: Connection | null = null;
  readonly #accepted = createDeferred<undefined>();
  #over = createDeferred<undefined>();
  #ready: Deferred<undefined> | null = null;
  #active = true;
  /** The present connection has given a sign of life. */
  #connected = false;
  /** No connection of this run has ever told anything of it. */
  #pending = true;
  /** The present connection is the act itself. */
  #asking = false;
  #stop: StopRequest;
  /** The connection before ended by silence. */
  #afterSilence = false;
  #idleLimit: number;

  private constructor(host: RunHost, keys: RunKeys, plan: RunPlan | null, back: readonly Change[]) {
    this.#host = host;
    this.#plan = plan;
    this.#back = back;
    this.#idleLimit = host.limits.idleLimit;
    this.#stop = new StopRequest(host.backend);
    const { store, notes, notify } = host;
    this.record = new RunRecord({ store, notes, notify, keys });
    this.#before = this.record.run;
    const { environment, limits, page } = host;
    const onDue = (): void => {
      this.#join();
    };
    this.#schedule = new RejoinSchedule({ environment, limits, page, onDue });
  }

  /** A run that an act starts. What it shows stands when this returns; `ready` may hold the asking back. */
  static begin(host: RunHost, plan: RunPlan, ready: Promise<unknown> | null = null): RunSession {
    const session = new RunSession(host, plan.keys, plan, plan.back);
    session.record.open('sending', null, plan.open);
    if (ready) void session.#askWhen(ready);
    else session.#ask();
    return session;
  }

  /** A run that was on before this page knew of it. */
  static resume(host: RunHost, run: FoundRun): RunSession {
    const session = new RunSession(host, run.keys, null, run.back);
    session.record.open('rejoining', run.id, run.open);
    session.#join();
    return session;
  }

  /** The server's id of its thread. */
  get threadId(): string {
    return this.record.threadId;
  }

  /** What the service needs to find it. */
  get ref(): RunRef {
    return this.record.ref;
  }

  /** The thread it runs in. */
  get thread(): Key {
    return this.record.keys.thread;
  }

  /** Whether its end is still to come. */
  get active(): boolean {
    return this.#active;
  }

  /** Whether the thread can take no other act now. A run that waits for the person can be followed by another. */
  get busy(): boolean {
    return this.#active && this.record.run.state !== 'waiting';
  }

  /** Whether the service has ever given a sign of it. */
  get began(): boolean {
    return !this.#pending;
  }

  /** Resolves when the service has taken the act; rejects when it refused, or when that stays unknown. */
  get accepted(): Promise<unknown> {
    return this.#accepted.promise;
  }

  /** Whether the messages have to be read again after it. */
  get rereads(): boolean {
    return this.#plan?.rereads ?? false;
  }

  /** Asks the service to end the run; resolves when it is over. */
  stop(): Promise<void> {
    if (!this.#active) return Promise.resolve();
    return this.#stop.ask(this);
  }

  /** Resolves when the service has taken the act, or when the run is over without that. */
  get begun(): Promise<unknown> {
    if (!this.#pending) return Promise.resolve();
    return Promise.race([this.#accepted.promise, this.#over.promise]).catch(ignore);
  }

  /** Resolves when the run is over. */
  get over(): Promise<unknown> {
    return this.#over.promise;
  }

  /** Shows that the end is awaited, or no longer. */
  showStopping(stopping: boolean): void {
    const [from, to] = stopping
      ? (['streaming', 'stopping'] as const)
      : (['stopping', 'streaming'] as const);
    if (this.record.run.state === from) this.record.change([], { state: to });
  }

  /** Leaves the stream. The run goes on where it is. */
  detach(): void {
    if (!this.#active) return;
    if (this.record.run.state === 'waiting') this.#end('waiting', null);
    else
      this.#end('interrupted', new UbikError('aborted', 'The stream was left; the run goes on.'));
  }

  /** Makes way for the next run: the person has answered. */
  giveWay(): void {
    if (this.#active) this.#end('waiting', null);
  }

  /** Joins again, with all tries before it. Resolves when connected. */
  rejoin(): Promise<void> {
    if (this.#connected) return Promise.resolve();
    this.#ready ??= createDeferred();
    const ready = this.#ready.promise;
    if (!this.#active) this.#revive();
    if (this.#connection === null) {
      this.#schedule.reset();
      this.#join();
    }
    return ready;
  }

  /** Nobody will join it again: the backend can let go of it. */
  forget(): void {
    this.#host.backend.forget?.(this.threadId, this.ref);
  }

  /** The page can be seen, is online or is back. */
  wake(reason: 'visible' | 'online' | 'pageshow' | 'resume'): void {
    if (!this.#active) return;
    if (this.#connection === null) this.#schedule.wake();
    else if (reason === 'resume') this.#connection.expect(this.#host.limits.resumeGrace);
    else this.#connection.wake();
  }

  /** The page goes away, maybe to come back. */
  park(): void {
    const asked = this.#connection !== null || this.#schedule.waiting;
    if (!this.#active || !asked) return;
    if (this.record.run.state === 'waiting') {
      this.#end('waiting', null);
      return;
    }
    this.#asking = false;
    this.#disconnect();
    this.#schedule.await();
    this.record.change([], { state: 'broken', retryAt: null });
  }

  /** Gives everything back without a word. */
  close(): void {
    const { active } = this;
    this.#rest();
    this.forget();
    if (active) this.#settle(createClosed());
  }

  async #askWhen(ready: Promise<unknown>): Promise<void> {
    try {
      await ready;
    } catch (error) {
      if (this.#active) this.#refuse(toUbikError(error));
      return;
    }
    if (!this.#active) return;
    this.record.note();
    this.#ask();
  }

  #ask(): void {
    const plan = this.#plan;
    if (!plan) return;
    this.#asking = true;
    this.#connect((signal) => plan.start(this.record.threadId, signal));
  }

  #join(): void {
    const { backend } = this.#host;
    this.record.change([], { state: 'rejoining', attempt: this.#schedule.attempt, retryAt: null });
    const { threadId, ref } = this.record;
    this.#connect((signal) => {
      if (backend.rejoin) return backend.rejoin(threadId, ref, signal);
      throw new UbikError('unsupported', 'This service cannot join a run again.');
    });
  }

  #connect(open: (signal: AbortSignal) => RunStream): void {
    const { environment, limits, page } = this.#host;
    const connection = new Connection({
      environment,
      sliceBudget: limits.sliceBudget,
      idleLimit: this.#idleLimit,
      longestIdleLimit: limits.longestIdleLimit,
      isVisible: () => page.visible,
      open,
      onBatch: (batch) => {
        this.#take(batch);
      },
      onEnd: (end) => {
        this.#settleConnection(end, connection.heard);
      },
    });
    this.#connection = connection;
    connection.start();
  }

  #disconnect(): void {
    this.#connection?.close();
    this.#connection = null;
    this.#connected = false;
  }

  #take(batch: Batch): void {
    // A stream that is alive but says nothing of a run may belong to none: only news take an act for accepted.
    if (this.#pending && !batch.changes.some(isNews)) return;
    if (!this.#connected) this.#greet();
    this.record.tellStart(batch);
    this.#host.store.take(this.#stop.told ? asStopped(batch, this.record.keys) : batch);
    if (batch.changes.length > 0) this.#progress();
    // A listener may have closed us.
    if (!this.#active) return;
    this.record.note();
    const state = toEndState(this.record.run.state);
    // A run that waits may go on by itself on the same stream, such as when the question expires.
    if (state !== null && state !== 'waiting') this.#end(state, null);
  }

  /** The first sign of life of a connection. */
  #greet(): void {
    this.#connected = true;
    if (this.#afterSilence && this.#connection) {
      this.#connection.provedAlive();
      this.#idleLimit = this.#connection.idleLimit;
    }
    this.#afterSilence = false;
    const changes = this.#pending ? this.record.arrive(this.#plan?.accepted?.() ?? []) : [];
    this.#pending = false;
    const state = this.#stop.told ? 'stopping' : 'streaming';
    this.record.change(changes, { state, attempt: 0, retryAt: null, error: null });
    this.#accepted.resolve(undefined);
    this.#ready?.resolve(undefined);
    this.#ready = null;
  }

  #progress(): void {
    this.#schedule.progressed();
    const { idleLimit } = this.#host.limits;
    if (this.#idleLimit === idleLimit) return;
    this.#idleLimit = idleLimit;
    this.#connection?.limitIdle(idleLimit);
  }

  #settleConnection(end: ConnectionEnd, heard: boolean): void {
    const verdict = judgeEnd({
      end,
      heard,
      pending: this.#pending,
      asked: this.#asking,
      stopping: this.#stop.told,
      waiting: this.record.run.state === 'waiting',
      canRejoin: this.#host.backend.rejoin !== undefined,
    });
    this.#asking = false;
    this.#disconnect();
    if (verdict.next === 'refuse') this.#refuse(verdict.error);
    else if (verdict.next === 'end') this.#end(verdict.state, verdict.error);
    else {
      const state = end.how === 'stalled' ? 'stalled' : 'broken';
      this.record.change([], { state, error: toFailure(verdict.error) });
      this.#afterSilence = verdict.next === 'join';
      if (verdict.next === 'join') this.#join();
      else this.#retry(verdict.error);
    }
  }

  #retry(error: UbikError): void {
    if (this.#schedule.plan(error.retryAfter)) {
      const { attempt, dueAt: retryAt } = this.#schedule;
      this.record.change([], { state: 'rejoining', attempt, retryAt });
    } else this.#end('interrupted', toGiveUp(error));
  }

  #end(state: EndState, error: UbikError | null): void {
    if (!this.#active) return;
    this.#rest();
    this.record.end(state, error);
    this.#settle(state === 'interrupted' ? error : null);
    if (state !== 'interrupted' && state !== 'waiting') this.forget();
    this.#host.onOver(this, state);
  }

  #refuse(error: UbikError): void {
    this.#rest();
    this.record.dropNote();
    this.record.change(this.#back, this.#before);
    this.#plan?.refused?.();
    this.#settle(error);
    this.#host.onOver(this, null);
  }

  #rest(): void {
    this.#active = false;
    this.#disconnect();
    this.#schedule.cancel();
  }

  /** Answers everybody who waits. */
  #settle(error: UbikError | null): void {
    if (error) this.#accepted.reject(error);
    else this.#accepted.resolve(undefined);
    if (error) this.#ready?.reject(error);
    else this.#ready?.resolve(undefined);
    this.#ready = null;
    this.#over.resolve(undefined);
    if (error) this.#host.tellUnauthorized(error);
  }

  #revive(): void {
    this.#active = true;
    this.#over = createDeferred();
    this.#stop = new StopRequest(this.#host.backend);
    this.record.reopen();
  }
}

/** More than that something streams. */
function isNews(change: Change): boolean {
  if (change.do === 'thread')
    return change.set.run?.state !== 'streaming' || change.set.run.id != null;
  return change.do !== 'set' || change.part !== null || change.value !== 'streaming';
}

function ignore(): void {
  // Whoever began the run is told why it did not come to be.
}
