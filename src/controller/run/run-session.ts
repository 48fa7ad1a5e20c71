import type { Backend, RunKeys, RunRef } from '../../backends/backend.js';
import type { RunMethodName } from '../../backends/backend-methods.js';
import { UbikError } from '../../errors.js';
import { createFieldChange, type Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import type { Run, Thread } from '../../model/thread.js';
import type { Timer } from '../../transport/environment.js';
import type { ControllerNotice } from '../controller-types.js';
import type { Conversation } from '../conversation.js';
import { removeIncompleteText } from '../data/incomplete-text.js';
import { closeRequests, isArmed } from '../data/input-requests.js';
import type { Connection } from './connection.js';
import type { Deferred } from '../deferred.js';
import { isGone } from './failure.js';
import { RejoinPolicy } from './rejoin-policy.js';

/** The states in which a run is over, as far as this page is concerned. */
export type EndState = 'complete' | 'waiting' | 'stopped' | 'failed' | 'interrupted';

/** What a method takes between the thread and the keys. */
type ArgumentsOf<M> = M extends (...args: [string, ...infer A, RunKeys, AbortSignal]) => unknown
  ? A
  : never;

/** A method of the backend, and what it is asked with. */
export type StartCall = {
  [N in RunMethodName]: readonly [N, ...ArgumentsOf<NonNullable<Backend[N]>>];
}[RunMethodName];

/** A run to be begun: by an act, or one that was on before this page knew of it. */
export interface RunPlan {
  readonly thread: Thread;
  readonly keys: RunKeys;
  /** What is shown at once. */
  readonly optimisticChanges: readonly Change[];
  /** Takes back what is shown, when nothing was started. The thread's run is taken back by itself. */
  readonly rollbackChanges: readonly Change[];
  /** Asks the service, once. Without it the run is on already, and is joined. */
  readonly call?: StartCall;
  /** The service's id, as far as it is known. */
  readonly id?: string | null;
  /** It is the answer to a question that the agent has put. */
  readonly answersRequest?: boolean;
  /** The service has taken it. Returns what has changed by that. */
  onAccepted?(): readonly Change[];
  /** The service has refused it; what was shown is taken back. */
  onRejected?(error: UbikError): void;
}

/** One run of a thread, over all its connections. Its state stands in the thread; here is what only the controller knows. */
export interface RunSession extends RunPlan {
  readonly conversation: Conversation;
  /** The run that stood in the thread before: put back when this one is refused. */
  readonly before: Run;
  /** The session before, until this one is accepted; it goes on when this one is refused. */
  previous: RunSession | undefined;
  /** The session before was at work, and made way for an answer. */
  readonly isAside: boolean;
  /** See {@link RunRef}. */
  readonly finishedRuns: readonly string[];
  /** The service's id; null while it has not told one. */
  id: string | null;
  /** Its end is still to come. */
  active: boolean;
  /** No connection has ever told anything of it. */
  pending: boolean;
  /** The service was asked, for the act or for the stream. */
  asked?: boolean;
  /** `run-started` was told and nothing about its end yet. */
  told?: boolean;
  connection?: Connection | null;
  /** The present connection has told something of it. */
  connected?: boolean;
  /** The silence that counts as a stall at present, in ms. */
  patience: number;
  /** The connection before ended by silence. */
  afterSilence?: boolean | undefined;
  /** When it connects again. */
  readonly policy: RejoinPolicy;
  /** Runs until the next try. */
  timer?: Timer | null;
  /** Whoever waits for the next sign of life. */
  reply: Deferred | null;
  /** Whoever has asked for the end. */
  stop?: Deferred | null;
  /** The service was asked to stop: however the run ends now, it was stopped. */
  stopping?: boolean | undefined;
  /** Runs from an accepted stop to the latest time at which the run counts as stopped. */
  stopTimer?: Timer | null;
}

/** A session that has not begun. A run that waits for the person, or asks and is answered, makes way. */
export function createSession(conversation: Conversation, plan: RunPlan): RunSession {
  const { thread, keys, id = null } = plan;
  const previous = conversation.runs.get(thread.key);
  const isAside = previous?.active ?? false;
  if (previous) endRun(previous, 'waiting');
  const { messages, run: before } = thread;
  const others = [...messages.values()].filter(({ key }) => key !== keys.answer);
  const finished = new Set([before.id, ...others.map(({ taskId }) => taskId)]);
  finished.delete(id);
  return {
    ...plan,
    conversation,
    before,
    previous,
    isAside,
    finishedRuns: [...finished].flatMap((run) => run ?? []),
    id,
    active: true,
    pending: true,
    patience: conversation.limits.idleTimeout,
    policy: new RejoinPolicy(conversation),
    reply: null,
  };
}

/** What a backend needs to find the run: the server's id of its thread, empty while there is none, and the run's own. */
export function refOf({ thread, id, keys, finishedRuns }: RunSession): [string, RunRef] {
  return [thread.id ?? '', { id, keys, finishedRuns }];
}

/** Whether the thread can take no other act now. A run that waits for the person can be followed by another. */
export function isBusy(session: RunSession | undefined): boolean {
  return !!session?.active && session.thread.run.state !== 'waiting';
}

/** Makes changes, fields of the run last. */
export function change(
  { conversation, thread }: RunSession,
  run: Partial<Run>,
  changes: readonly Change[] = [],
): void {
  conversation.commit(thread.key, [...changes, { type: 'thread', set: { run } }]);
}

/** Lets the backend forget what it keeps of a run that nobody will join again. */
export function forget(session: RunSession): void {
  session.conversation.backend.releaseRun?.(...refOf(session));
}

/** Keeps a note of the run, so that a reload joins it; null: there is nothing to join any more. */
export function note(
  { conversation, thread }: RunSession,
  task: { readonly id: string | null } | null,
): void {
  conversation.notes.keep('run', thread.id ?? '', task && { task: task.id });
}

/** The service has given the first sign of the run. Returns what changes by that. */
export function accept(session: RunSession): Change[] {
  const { call: act, conversation, keys, previous, thread } = session;
  const unrecorded = conversation.unrecorded.get(thread.key) ?? new Set();
  conversation.unrecorded.set(thread.key, unrecorded.add(keys.answer));
  if (act && keys.user !== null) unrecorded.add(keys.user);
  const isAsked = act && keys.user !== null && thread.messages.has(keys.user);
  const arrived = isAsked ? [createFieldChange(keys.user, null, 'status', 'complete')] : [];
  // An answer to a tool goes on in the same message, with what the backend knows of it.
  if (act && previous && previous.keys.answer !== keys.answer) forget(previous);
  session.previous = undefined;
  // That a run was found in which a tool asks does not say that it has got the answer: its events do.
  const isOpen =
    act?.[0] === 'provideInput' && act[1].level === 'tool' && thread.run.state !== 'sending';
  return [...arrived, ...((isOpen ? null : session.onAccepted?.()) ?? [])];
}

/**
 * Tells whoever waits that the run is there. One in which a tool asks still, though its answer was under way when the network broke,
 * has not got it; that is known when the run says that it waits.
 */
export function answerReply(session: RunSession): void {
  const { call: act, reply, thread } = session;
  const asked = act?.[0] === 'provideInput' && act[1].level === 'tool' ? act[1] : null;
  const isAsked = asked && isArmed(thread.messages.get(asked.message)?.parts.get(asked.key));
  if (!reply || (isAsked && thread.run.state !== 'waiting')) return;
  session.reply = null;
  if (isAsked) reply.reject(new UbikError('not-sent'));
  else reply.resolve();
}

/** Leaves the stream, and waits for no other. */
export function disconnect(session: RunSession): void {
  const { connection, timer, conversation } = session;
  connection?.close();
  if (timer) conversation.environment.clearTimer(timer);
  Object.assign(session, { connection: null, connected: false, timer: null });
}

/** Nothing comes any more. Answers everybody who waits. */
export function rest(session: RunSession, error: UbikError | null): void {
  session.active = false;
  disconnect(session);
  const { reply, stop, stopTimer, conversation } = session;
  if (stopTimer) conversation.environment.clearTimer(stopTimer);
  session.stopTimer = null;
  session.reply = null;
  session.stop = null;
  if (!error) reply?.resolve();
  else if (reply) reply.reject(error);
  else conversation.tellUnauthorized(error);
  stop?.resolve();
}

/** Brings run and messages to an end and tells it, when the start was told. What the backend has set already stays. */
export function endRun(session: RunSession, state: EndState, error: UbikError | null = null): void {
  if (!session.active) return;
  const { conversation, thread, keys, told, stopping } = session;
  // The run was only watched: its pause was told before.
  if (!told && thread.run.state === 'waiting') return rest(session, null);
  const isGivenUp = state === 'interrupted';
  const failure = error && { code: error.code, message: error.message };
  session.active = false;
  disconnect(session);
  const changes: Change[] = [];
  if (isOpen(thread, keys.answer) || stopping) {
    changes.push(
      createFieldChange(keys.answer, null, 'status', state),
      createFieldChange(keys.answer, null, 'failure', failure),
    );
  }
  const asking = state === 'stopped' && thread.messages.get(keys.answer);
  if (asking) changes.push(...closeRequests(asking));
  changes.push(...settleIncompleteText(session, isGivenUp));
  if (isOpen(thread, keys.user)) {
    // Whether the question arrived is not known when nothing ever came back.
    changes.push(
      createFieldChange(keys.user, null, 'status', told || !isGivenUp ? 'complete' : state),
    );
  }
  change(
    session,
    { state, attempt: 0, retryAt: null, ...(failure && { error: failure }) },
    changes,
  );
  // What is not there any more cannot be joined.
  if (!isGivenUp || (error && isGone(error))) note(session, null);
  if (told) {
    const cause = error ?? new UbikError('run-failed', thread.run.error?.message);
    const type = `run-${{ complete: 'ended', waiting: 'paused' }[state as string] ?? state}`;
    const why = isGivenUp || state === 'failed' ? { error: cause } : {};
    conversation.notify({ type, thread: thread.key, run: thread.run, ...why } as ControllerNotice);
  } else if (error) conversation.notify({ type: 'error', error });
  // A stop that never came to be asked for has stopped nothing.
  if (isGivenUp && error && !stopping) session.stop?.reject(error);
  rest(session, isGivenUp ? error : null);
  if (!isGivenUp && state !== 'waiting') forget(session);
  conversation.onRunOver(session);
}

/**
 * The changes that bring the incomplete text of the message that a run writes in line with how the run ends: given up, it is what the
 * backend withholds; otherwise there is none. What the backend has no memory of stays as it is shown.
 */
function settleIncompleteText(session: RunSession, isGivenUp: boolean): readonly Change[] {
  const { conversation, keys, thread } = session;
  const message = thread.messages.get(keys.answer);
  if (!message) return [];
  try {
    const incomplete = isGivenUp ? conversation.backend.getIncompleteText?.(...refOf(session)) : [];
    return incomplete ? [...removeIncompleteText(message), ...incomplete] : [];
  } catch (cause) {
    // The end of a run must not depend on it.
    conversation.diagnose(new UbikError('malformed-event', { cause }));
    return [];
  }
}

/** Whether a message has not come to its end. */
export function isOpen({ messages }: Thread, message: Key | null): message is Key {
  const status = messages.get(message ?? '')?.status;
  return status === 'streaming' || status === 'waiting';
}

/** Gives everything back without a word. */
export function closeRun(session: RunSession): void {
  rest(session, session.active ? new UbikError('aborted') : null);
  forget(session);
}
