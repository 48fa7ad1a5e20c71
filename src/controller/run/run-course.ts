import type { RunStream } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { createFieldChange, type Batch } from '../../model/change.js';
import { IDLE_RUN } from '../../model/thread.js';
import type { Conversation } from '../conversation.js';
import { findMethod } from '../find-method.js';
import { connect, type ConnectionEnd } from './connection.js';
import { createDeferred } from '../deferred.js';
import { isGone, isRefusal, isWorthRetrying, toUbikError } from './failure.js';
import { openRun } from './locate-run.js';
import {
  accept,
  answerReply,
  change,
  createSession,
  disconnect,
  endRun,
  forget,
  isBusy,
  note,
  rest,
  type RunPlan,
  type RunSession,
} from './run-session.js';
import { asStopped, findRunId, isContent, isNews } from './run-batch.js';
import { askToStop, expectStop } from './stop-request.js';

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
export function startRun(
  conversation: Conversation,
  plan: RunPlan,
  ready?: Promise<unknown>,
): Promise<void> {
  const { thread, keys, optimisticChanges: open, call: act, id = null } = plan;
  if (act) findMethod(conversation.backend, act[0]);
  const session = createSession(conversation, plan);
  const { promise } = (session.reply = createDeferred());
  conversation.runs.set(thread.key, session);
  const { user, answer } = keys;
  const state = act ? 'sending' : 'rejoining';
  change(session, { ...IDLE_RUN, state, id, user, answer, resumed: !act }, open);
  if (ready) {
    ready.then(
      () => ask(session),
      (error: unknown) => refuse(session, toUbikError(error)),
    );
  } else if (act) ask(session);
  else {
    // What the backend knows of an earlier run does not fit what was read since.
    if (session.previous) forget(session.previous);
    note(session, session);
    join(session);
  }
  return promise;
}

/** Joins a run again, with all tries before it. Resolves when connected. */
export function rejoinRun(session: RunSession): Promise<void> {
  if (session.connected) return Promise.resolve();
  const { promise } = (session.reply ??= createDeferred());
  if (!session.active) revive(session);
  if (isIdle(session)) {
    session.policy.restart();
    join(session);
  }
  return promise;
}

/** Goes on after it was given up. */
function revive(session: RunSession): void {
  const { answer } = session.keys;
  Object.assign(session, { active: true, told: false, stop: null, stopping: false });
  change(session, { resumed: true, error: null }, [
    createFieldChange(answer, null, 'status', 'streaming'),
    createFieldChange(answer, null, 'failure', null),
  ]);
  note(session, session);
}

/**
 * Opens the stream of a run that waits for the person, once: a break leaves the run as it was. Nothing changes and nobody is told
 * until the stream says that the run goes on.
 */
export function watchRun(session: RunSession): void {
  if (!session.conversation.backend.rejoin) return;
  Object.assign(session, { active: true, told: false, stop: null, stopping: false });
  session.policy.restart();
  follow(session, (signal) => openRun(session, signal));
}

/** The page can be seen, is online or is back. */
export function wakeRun(session: RunSession, reason: string): void {
  const { connection, conversation } = session;
  if (connection) connection.wake(reason === 'resume' ? conversation.limits.resumeGrace : null);
  else if (isIdle(session)) {
    if (session.policy.wake()) join(session);
    else if (!session.timer) joinLater(session, session.policy.wait());
  }
}

/** The page goes away, maybe to come back. */
export function parkRun(session: RunSession): void {
  if (!session.connection && !isIdle(session)) return;
  if (!isBusy(session)) return endRun(session, 'waiting');
  disconnect(session);
  change(session, { state: 'broken', retryAt: null });
}

/** Whether the next try to join is waited for. */
const isIdle = ({ active, connection, thread }: RunSession): boolean =>
  active && !connection && thread.run.state !== 'sending';

/** Makes the act, once. */
function ask(session: RunSession): void {
  const { call: act, active, conversation, keys, thread } = session;
  if (!act || !active) return;
  note(session, session);
  const [name, ...args] = act;
  const start = findMethod(conversation.backend, name) as (...all: unknown[]) => RunStream;
  follow(session, (signal) => start(thread.id, ...args, keys, signal));
}

function join(session: RunSession): void {
  disconnect(session);
  change(session, {
    state: 'rejoining',
    attempt: Math.max(1, session.policy.attempt),
    retryAt: null,
  });
  follow(session, (signal) => openRun(session, signal));
}

function follow(session: RunSession, open: (signal: AbortSignal) => RunStream): void {
  // A listener may have closed us.
  if (!session.active) return;
  const { conversation } = session;
  session.asked = true;
  session.policy.open();
  session.connection = connect(session, open, {
    onBatch: (batch) => {
      try {
        take(session, batch);
      } catch (cause) {
        // A fault of ours or of the service adapter would only be repeated on another connection.
        conversation.diagnose(new UbikError('malformed-event', { cause }));
      }
    },
    onEnd: (how) => settle(session, how),
  });
}

function take(session: RunSession, batch: Batch): void {
  const { conversation, thread } = session;
  // A stream that is alive but says nothing of a run may belong to none: only news take an act for accepted.
  if (session.pending && !batch.changes.some(isNews)) return;
  if (!session.connected) greet(session, batch);
  const changes = conversation.take(session.stopping ? asStopped(batch) : batch);
  if (!session.told && isBusy(session)) {
    note(session, session);
    tellStart(session, batch);
  }
  answerReply(session);
  if (changes.some(isContent)) {
    session.policy.progress();
    if (session.stopTimer) expectStop(session);
    listen(session, conversation.limits.idleTimeout);
  }
  if (!session.active) return;
  const { id, state } = thread.run;
  if (id !== session.id) {
    session.id = id;
    note(session, session);
    conversation.origins.settle(thread);
  }
  // A run that waits may go on by itself on the same stream, such as when the question expires.
  if (state === 'complete' || state === 'stopped' || state === 'failed') endRun(session, state);
}

/** The first sign of life of a connection. */
function greet(session: RunSession, batch: Batch): void {
  const { conversation, thread, pending, patience, stopping } = session;
  const longest = Math.max(conversation.limits.maxIdleTimeout, conversation.limits.idleTimeout);
  // The silence before was none: the service had nothing to say.
  if (session.afterSilence) listen(session, Math.min(patience * 2, longest));
  const changes = pending ? accept(session) : [];
  Object.assign(session, { connected: true, afterSilence: false, pending: false });
  // A run that is only watched still waits, unless the batch says otherwise.
  if (!isBusy(session)) return;
  const state = stopping ? 'stopping' : 'streaming';
  change(session, { state, attempt: 0, retryAt: null, error: null }, changes);
  if (session.stop && !stopping) void askToStop(session);
  conversation.origins.settle(thread);
  if (!session.told) tellStart(session, batch);
}

function tellStart(session: RunSession, { changes: news }: Batch): void {
  const { conversation, thread } = session;
  session.told = true;
  // What the batch brings comes after the start, but its id belongs to it.
  const id = findRunId(news) ?? thread.run.id;
  conversation.notify({ type: 'run-started', thread: thread.key, run: { ...thread.run, id } });
}

function listen(session: RunSession, patience: number): void {
  if (session.patience !== patience) session.connection?.listen(patience);
  session.patience = patience;
}

/** What the end of a connection means for its run. */
function settle(session: RunSession, how: ConnectionEnd): void {
  const { connected, pending, stopping, conversation, thread } = session;
  const isAct = thread.run.state === 'sending';
  const isStalled = how === 'stalled';
  disconnect(session);
  // Whoever waits for the person need not be connected; a stop that came later has stopped nothing.
  if (!isBusy(session)) return endRun(session, 'waiting');
  if (stopping && how === null) return endRun(session, 'stopped');
  const error = how === null || isStalled ? new UbikError('interrupted') : how;
  const { code, message } = error;
  if (pending && isAct && isRefusal(error)) return refuse(session, error);
  // A look for a run that finds none says that there is none, whatever the service calls it.
  if (pending && !isAct && isGone(error)) {
    return refuse(session, new UbikError('not-sent', { cause: error }));
  }
  if (code === 'run-failed') return endRun(session, 'failed', error);
  if (!conversation.backend.rejoin || !isWorthRetrying(error)) {
    return endRun(session, 'interrupted', error);
  }
  change(session, { state: isStalled ? 'stalled' : 'broken', error: { code, message } });
  // Silence after a sign of life may mean that there is nothing to say; silence from the first moment on is a try that failed.
  session.afterSilence = isStalled && connected;
  if (session.afterSilence) join(session);
  else retry(session, error);
}

function retry(session: RunSession, error: UbikError): void {
  const { conversation, policy: rejoining } = session;
  const isOffline = conversation.options.page?.online === false;
  const wait = isOffline ? rejoining.nextOffline() : rejoining.next(error.retryAfter);
  if (wait === null) {
    // What a person can act on keeps its own code.
    const isWish = error.retryAfter !== undefined;
    const cause = isWish ? error : new UbikError('interrupted', { cause: error });
    return endRun(session, 'interrupted', cause);
  }
  joinLater(session, wait);
}

function joinLater(session: RunSession, wait: number): void {
  const { conversation, policy: rejoining } = session;
  const { environment } = conversation;
  session.timer = environment.setTimer(() => join(session), wait);
  const retryAt = environment.now() + wait;
  change(session, { state: 'rejoining', attempt: Math.max(1, rejoining.attempt), retryAt });
}

/** Nothing was started: takes back what was shown, and goes on with what made way. */
export function refuse(session: RunSession, error: UbikError): void {
  const { conversation, thread, before, previous, isAside, active } = session;
  if (!active) return;
  session.active = false;
  note(session, null);
  if (previous) conversation.runs.set(thread.key, previous);
  else conversation.runs.delete(thread.key);
  change(session, before, session.rollbackChanges);
  conversation.onRefused(session, error);
  session.onRejected?.(error);
  rest(session, error);
  if (previous && isAside) conversation.quietly(() => rejoinRun(previous));
}
