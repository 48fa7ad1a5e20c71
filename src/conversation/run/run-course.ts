import type { RunStream } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { setField, type Batch, type Change } from '../../model/change.js';
import { IDLE_RUN } from '../../model/thread.js';
import { planRetry } from '../../stream/backoff.js';
import type { PageState } from '../controller-types.js';
import type { Conversation } from '../conversation.js';
import { findMethod } from '../find-method.js';
import { connect, type ConnectionEnd } from './connection.js';
import { createDeferred } from './deferred.js';
import { isRefusal, isWorthRetrying, toUbikError } from './failure.js';
import {
  change,
  createSession,
  disconnect,
  endRun,
  forget,
  isOpen,
  note,
  refOf,
  rest,
  stateOf,
  type RunPlan,
  type RunSession,
} from './run-session.js';
import { asStopped, askToStop } from './stop-request.js';

/*
 * The course of a run:
 *
 *     idle → sending → streaming ⇄ stopping ─────────────────────────→ complete | waiting | stopped | failed
 *               │       ▲   └→ stalled | broken ─┐                          ▲
 *               ├───────┼──────────→ broken ─→ rejoining ─(connected)→ streaming
 *               ▼       │                        │ ▲└─ tries used up, or an answer that stays the same ─→ interrupted
 *            refused    └────── rejoin ──────────┼─┴──────────────────────────────────────────────────────────┘
 *        (taken back)                            └→ nothing runs there: taken back
 *
 * One connection at a time. The act itself is one connection and never made again: every later one is a rejoin.
 */

/**
 * Begins a run; one that waits for the person makes way. What it shows stands when this returns; `ready` may hold the asking back.
 * Resolves when the service has given a sign of it; rejects when it refused, or when that stays unknown.
 */
export function beginRun(
  conversation: Conversation,
  plan: RunPlan,
  ready?: Promise<unknown>,
): Promise<void> {
  const { keys, start } = plan;
  const session = createSession(conversation, plan);
  const { id, previous, reply } = session;
  const promise = reply?.promise ?? Promise.resolve();
  conversation.runs.set(keys.thread, session);
  const { user, answer } = keys;
  const state = start ? 'sending' : 'rejoining';
  change(session, { ...IDLE_RUN, state, id, user, answer, resumed: !start }, plan.open);
  if (!start) {
    // What the backend knows of an earlier run does not fit what was read since.
    if (previous) forget(previous);
    note(session);
    join(session);
  } else if (ready) {
    ready.then(
      () => ask(session),
      (error: unknown) => refuse(session, toUbikError(error)),
    );
  } else ask(session);
  return promise;
}

/** Joins a run again, with all tries before it. Resolves when connected. */
export function rejoinRun(session: RunSession): Promise<void> {
  if (session.connected) return Promise.resolve();
  session.reply ??= createDeferred();
  const { promise } = session.reply;
  if (!session.active) revive(session);
  if (isIdle(session)) {
    session.failed = 0;
    session.woken = false;
    join(session);
  }
  return promise;
}

/** The page can be seen, is online or is back. */
export function wakeRun(
  session: RunSession,
  reason: Parameters<Parameters<PageState['onWake']>[0]>[0],
): void {
  if (!session.active) return;
  const { connection, conversation } = session;
  if (connection) connection.wake(reason === 'resume' ? conversation.limits.resumeGrace : null);
  else if (isIdle(session)) {
    session.woken = true;
    join(session);
  }
}

/** The page goes away, maybe to come back. */
export function parkRun(session: RunSession): void {
  const { state } = stateOf(session);
  if (!session.active || (!session.connection && state === 'sending')) return;
  if (state === 'waiting') return endRun(session, 'waiting');
  disconnect(session);
  change(session, { state: 'broken', retryAt: null });
}

/** Whether the next try to join is waited for. */
function isIdle(session: RunSession): boolean {
  return session.active && !session.connection && stateOf(session).state !== 'sending';
}

/** Makes the act, once. */
function ask(session: RunSession): void {
  const { plan, active } = session;
  if (!active) return;
  note(session);
  const { start } = plan;
  const [threadId] = refOf(session);
  if (start) follow(session, (signal) => start(threadId, signal));
}

function join(session: RunSession): void {
  disconnect(session);
  const attempt = Math.max(1, session.failed);
  change(session, { state: 'rejoining', attempt, retryAt: null });
  const [threadId, ref] = refOf(session);
  follow(session, (signal) =>
    findMethod(session.conversation.backend, 'rejoin')(threadId, ref, signal),
  );
}

function follow(session: RunSession, open: (signal: AbortSignal) => RunStream): void {
  const { environment, options, limits } = session.conversation;
  session.connection = connect({
    environment,
    page: options.page,
    sliceBudget: limits.sliceBudget,
    patience: session.patience,
    open,
    onBatch: (batch) => take(session, batch),
    onEnd: (how) => settle(session, how),
  });
}

function take(session: RunSession, batch: Batch): void {
  const { conversation, plan } = session;
  // A stream that is alive but says nothing of a run may belong to none: only news take an act for accepted.
  if (session.pending && !batch.changes.some(isNews)) return;
  if (!session.connected) greet(session, batch);
  conversation.take(session.stopping ? asStopped(batch, plan.keys.answer) : batch);
  if (batch.changes.length > 0) progress(session);
  // A listener may have closed us.
  if (!session.active) return;
  const { id, state } = stateOf(session);
  if (id !== session.id) {
    session.id = id;
    note(session);
  }
  // A run that waits may go on by itself on the same stream, such as when the question expires.
  if (state === 'complete' || state === 'stopped' || state === 'failed') endRun(session, state);
}

/** More than that something streams. */
function isNews(change: Change): boolean {
  if (change.do !== 'thread') return change.do !== 'set' || change.value !== 'streaming';
  const { run } = change.set;
  return run?.state !== 'streaming' || run.id != null;
}

/** The first sign of life of a connection. */
function greet(session: RunSession, { changes: news }: Batch): void {
  const { conversation, plan, previous, pending, reply } = session;
  const { thread, user, answer } = plan.keys;
  session.connected = true;
  if (session.afterSilence) {
    // The silence was none: the service had nothing to say.
    const { longestIdleLimit, idleLimit } = conversation.limits;
    listen(session, Math.min(session.patience * 2, Math.max(longestIdleLimit, idleLimit)));
  }
  const changes: Change[] = [];
  if (pending) {
    if (isOpen(session, user)) changes.push(setField(user, null, 'status', 'complete'));
    changes.push(...(plan.accepted?.() ?? []));
    // An answer to a tool goes on in the same message, with what the backend knows of it.
    if (plan.start && previous && previous.plan.keys.answer !== answer) forget(previous);
  }
  session.afterSilence = false;
  session.pending = false;
  session.previous = null;
  const state = session.stopping ? 'stopping' : 'streaming';
  change(session, { state, attempt: 0, retryAt: null, error: null }, changes);
  session.reply = null;
  reply?.resolve();
  if (session.stop && !session.stopping) void askToStop(session);
  if (session.told) return;
  session.told = true;
  // What the batch brings comes after the start, but its id belongs to it.
  const named = news.find((change) => change.do === 'thread' && change.set.run?.id != null);
  const run = {
    ...stateOf(session),
    ...(named?.do === 'thread' && { id: named.set.run?.id ?? null }),
  };
  conversation.notify({ type: 'run-started', thread, run });
}

/** Something new came. */
function progress(session: RunSession): void {
  const { idleLimit } = session.conversation.limits;
  session.failed = 0;
  session.woken = false;
  if (session.patience !== idleLimit) listen(session, idleLimit);
}

function listen(session: RunSession, patience: number): void {
  session.patience = patience;
  session.connection?.listen(patience);
}

/** What the end of a connection means for its run. */
function settle(session: RunSession, how: ConnectionEnd): void {
  const { connected, pending, stopping, conversation } = session;
  const { state } = stateOf(session);
  const isAct = state === 'sending';
  disconnect(session);
  if (stopping && how === null) return endRun(session, 'stopped');
  // Whoever waits for the person need not be connected.
  if (state === 'waiting') return endRun(session, 'waiting');
  const isStalled = how === 'stalled';
  const error = how === null || isStalled ? new UbikError('interrupted') : how;
  // A look for a run that finds none says that there is none, whatever the service calls it.
  const isNone = error.code === 'not-sent' || error.code === 'not-found';
  if (pending && isAct && isRefusal(error)) return refuse(session, error);
  if (pending && !isAct && isNone)
    return refuse(session, new UbikError('not-sent', { cause: error }));
  if (error.code === 'run-failed') return endRun(session, 'failed', error);
  if (!conversation.backend.rejoin || !isWorthRetrying(error)) {
    return endRun(session, 'interrupted', error);
  }
  const { code, message } = error;
  change(session, { state: isStalled ? 'stalled' : 'broken', error: { code, message } });
  // Silence after a sign of life may mean that there is nothing to say; silence from the first moment on is a try that failed.
  session.afterSilence = isStalled && connected;
  if (session.afterSilence) join(session);
  else retry(session, error);
}

/**
 * Plans the next try: full jitter; the count goes back with progress, not with a connection; none while the page is offline, one at
 * once when it wakes. A try that the page's waking brought about does not count when it fails.
 */
function retry(session: RunSession, error: UbikError): void {
  const { environment, limits, options } = session.conversation;
  if (!session.woken || session.failed === 0) session.failed += 1;
  session.woken = false;
  const plan = planRetry({
    failed: session.failed,
    random: environment.random(),
    retryAfter: error.retryAfter,
    base: limits.backoffBase,
    cap: limits.backoffCap,
    tries: limits.rejoinTries,
    longestWish: limits.longestRetryAfter,
  });
  if (!plan.retry) {
    // What a person can act on keeps its own code.
    const isWish = error.retryAfter !== undefined;
    return endRun(
      session,
      'interrupted',
      isWish ? error : new UbikError('interrupted', { cause: error }),
    );
  }
  const dueAt = options.page?.online === false ? null : environment.now() + plan.wait;
  if (dueAt !== null) session.timer = environment.setTimer(() => join(session), plan.wait);
  change(session, { state: 'rejoining', attempt: session.failed, retryAt: dueAt });
}

/** Nothing was started: takes back what was shown, and goes on with what made way. */
function refuse(session: RunSession, error: UbikError): void {
  const { conversation, plan, before, previous, isAside, active } = session;
  if (!active) return;
  const { thread } = plan.keys;
  session.active = false;
  conversation.notes.keep('run', conversation.idOf(thread), null);
  if (previous) conversation.runs.set(thread, previous);
  else conversation.runs.delete(thread);
  change(session, before, plan.back);
  plan.refused?.();
  rest(session, error);
  if (previous && isAside) void conversation.quietly(() => rejoinRun(previous));
}

/** Goes on after it was given up. */
function revive(session: RunSession): void {
  const { user, answer } = session.plan.keys;
  const changes = [
    setField(answer, null, 'status', 'streaming'),
    setField(answer, null, 'failure', null),
  ];
  const messages = session.conversation.store.threads.get(session.plan.keys.thread)?.messages;
  if (user !== null && messages?.get(user)?.status === 'interrupted') {
    changes.push(setField(user, null, 'status', 'streaming'));
  }
  Object.assign(session, { active: true, stop: null, stopping: false });
  change(session, { resumed: true, error: null }, changes);
  note(session);
}
