import type { RunKeys, RunRef, RunStream } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import { setField, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { IDLE_RUN, type Run, type RunState } from '../../model/thread.js';
import type { Timer } from '../../stream/environment.js';
import type { ControllerNotice } from '../controller-types.js';
import type { Conversation } from '../conversation.js';
import type { Connection } from './connection.js';
import { createDeferred, type Deferred } from './deferred.js';

/** The states in which a run is over, as far as this page is concerned, and what is told of each. */
const ENDS = {
  complete: 'run-ended',
  waiting: 'run-paused',
  stopped: 'run-stopped',
  failed: 'run-failed',
  interrupted: 'run-interrupted',
} as const satisfies Partial<Record<RunState, ControllerNotice['type']>>;

/** See {@link ENDS}. */
export type EndState = keyof typeof ENDS;

/** A run to be begun: by an act, or one that was on before this page knew of it. */
export interface RunPlan {
  readonly keys: RunKeys;
  /** What is shown at once. */
  readonly open: readonly Change[];
  /** Takes back what is shown, when nothing was started. The thread's run is taken back by itself. */
  readonly back: readonly Change[];
  /** The service's id, as far as it is known. */
  readonly id?: string | null;
  /** Whether the messages have to be read again after it. */
  readonly rereads?: boolean;
  /** Asks the service, once. Without it the run is on already, and is joined. */
  start?(threadId: string, signal: AbortSignal): RunStream;
  /** The service has taken it. Returns what has changed by that. */
  accepted?(): readonly Change[];
  /** The service has refused it; what was shown is taken back. */
  refused?(): void;
}

/** One run of a thread, over all its connections. Its state stands in the thread; here is what only the controller knows. */
export interface RunSession {
  readonly conversation: Conversation;
  readonly plan: RunPlan;
  /** The run that stood in the thread before: put back when this one is refused. */
  readonly before: Run;
  /** See {@link RunRef}. */
  readonly finishedRuns: readonly string[];
  /** The session before, until this one is accepted; it goes on when this one is refused. */
  previous: RunSession | null;
  /** The session before was at work, and made way for an answer. */
  readonly isAside: boolean;
  /** The service's id; null while it has not told one. */
  id: string | null;
  /** Its end is still to come. */
  active: boolean;
  /** No connection has ever told anything of it. */
  pending: boolean;
  /** `run-started` was told and nothing about its end yet. */
  told: boolean;
  connection: Connection | null;
  /** The present connection has told something of it. */
  connected: boolean;
  /** The silence that counts as a stall at present, in ms. */
  patience: number;
  /** The connection before ended by silence. */
  afterSilence: boolean;
  /** Tries to join that failed since something new came. */
  failed: number;
  /** The page's waking has brought about the present try: it does not count when it fails. */
  woken: boolean;
  /** Runs until the next try. */
  timer: Timer | null;
  /** Whoever waits for the next sign of life. */
  reply: Deferred | null;
  /** Whoever has asked for the end. */
  stop: Deferred | null;
  /** The service was asked to stop: however the run ends now, it was stopped. */
  stopping: boolean;
}

/** A session that has not begun. A run that waits for the person, or asks and is answered, makes way. */
export function createSession(conversation: Conversation, plan: RunPlan): RunSession {
  const { keys, id = null } = plan;
  const previous = conversation.runs.get(keys.thread) ?? null;
  const isAside = isBusy(previous);
  if (previous) endRun(previous, 'waiting');
  const { messages, run: before = IDLE_RUN } = conversation.store.threads.get(keys.thread) ?? {};
  const others = [...(messages?.values() ?? [])].filter(({ key }) => key !== keys.answer);
  const finishedRuns = new Set([...others.map(({ taskId }) => taskId), before.id]);
  return {
    conversation,
    plan,
    before,
    finishedRuns: [...finishedRuns].flatMap((run) => (run === null || run === id ? [] : [run])),
    previous,
    isAside,
    id,
    active: true,
    pending: true,
    told: false,
    connection: null,
    connected: false,
    patience: conversation.limits.idleLimit,
    afterSilence: false,
    failed: 0,
    woken: false,
    timer: null,
    reply: createDeferred(),
    stop: null,
    stopping: false,
  };
}

/** The run as it stands in its thread. */
export function stateOf({ conversation, plan }: RunSession): Run {
  return conversation.store.threads.get(plan.keys.thread)?.run ?? IDLE_RUN;
}

/** What a backend needs to find the run: the server's id of its thread, empty while there is none, and the run's own. */
export function refOf({ conversation, plan, id, finishedRuns }: RunSession): [string, RunRef] {
  return [conversation.idOf(plan.keys.thread), { id, keys: plan.keys, finishedRuns }];
}

/** Whether the thread can take no other act now. A run that waits for the person can be followed by another. */
export function isBusy(session: RunSession | null | undefined): session is RunSession {
  return !!session?.active && stateOf(session).state !== 'waiting';
}

/** Makes changes, fields of the run last. */
export function change(
  { conversation, plan }: RunSession,
  run: Partial<Run>,
  changes: readonly Change[] = [],
): void {
  conversation.commit(plan.keys.thread, [...changes, { do: 'thread', set: { run } }]);
}

/** Keeps a note of the run, so that a reload joins it. */
export function note({ conversation, plan, id }: RunSession): void {
  conversation.notes.keep('run', conversation.idOf(plan.keys.thread), { task: id });
}

/** Whether a message of the run has not come to an end. */
export function isOpen({ conversation, plan }: RunSession, message: Key | null): message is Key {
  const messages = conversation.store.threads.get(plan.keys.thread)?.messages;
  const status = message === null ? undefined : messages?.get(message)?.status;
  return status === 'streaming' || status === 'waiting';
}

/** Lets the backend forget what it keeps of a run that nobody will join again. */
export function forget(session: RunSession): void {
  session.conversation.backend.forget?.(...refOf(session));
}

/** Leaves the stream. */
export function disconnect(session: RunSession): void {
  session.connection?.close();
  session.connection = null;
  session.connected = false;
  const { timer, conversation } = session;
  if (timer) conversation.environment.clearTimer(timer);
  session.timer = null;
}

/** Nothing comes any more: answers everybody who waits. */
export function rest(session: RunSession, error: UbikError | null): void {
  session.active = false;
  disconnect(session);
  const { reply, stop, conversation } = session;
  session.reply = null;
  if (!error) reply?.resolve();
  else if (reply) reply.reject(error);
  else conversation.tellUnauthorized(error);
  stop?.resolve();
}

/** Brings run and messages to an end and tells it, when the start was told. What the backend has set already stays. */
export function endRun(session: RunSession, state: EndState, error: UbikError | null = null): void {
  if (!session.active) return;
  const { conversation, plan, told } = session;
  const { thread, user, answer } = plan.keys;
  const isGivenUp = state === 'interrupted';
  const failure = error && { code: error.code, message: error.message };
  const changes: Change[] = [];
  if (isOpen(session, answer)) {
    changes.push(setField(answer, null, 'status', state));
    if (failure) changes.push(setField(answer, null, 'failure', failure));
  }
  if (isOpen(session, user)) {
    // Whether the question arrived is not known when nothing ever came back.
    changes.push(setField(user, null, 'status', told || !isGivenUp ? 'complete' : state));
  }
  session.active = false;
  session.told = false;
  disconnect(session);
  change(
    session,
    { state, attempt: 0, retryAt: null, ...(failure && { error: failure }) },
    changes,
  );
  if (!isGivenUp) conversation.notes.keep('run', conversation.idOf(thread), null);
  const run = stateOf(session);
  if (told) {
    const cause = error ?? new UbikError('run-failed', run.error?.message);
    const why = isGivenUp || state === 'failed' ? { error: cause } : {};
    conversation.notify({ type: ENDS[state], thread, run, ...why } as ControllerNotice);
  } else if (error) conversation.notify({ type: 'error', error });
  rest(session, isGivenUp ? error : null);
  if (!isGivenUp && state !== 'waiting') forget(session);
  conversation.onRunOver(session);
}

/** Gives everything back without a word. */
export function closeRun(session: RunSession): void {
  rest(session, session.active ? new UbikError('aborted') : null);
  forget(session);
}
