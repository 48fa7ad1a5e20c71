import type { Batch, Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { findMethod } from '../find-method.js';
import { createDeferred } from './deferred.js';
import { toUbikError } from './failure.js';
import { change, refOf, stateOf, type RunSession } from './run-session.js';

/**
 * Asks the service to end a run, once, however often this is called; resolves when the run is over. A stop that overtakes its run
 * on the way would stop nothing, so it waits for the first sign of it.
 */
export function stopRun(session: RunSession): Promise<void> {
  const { active, pending, conversation } = session;
  if (!active) return Promise.resolve();
  findMethod(conversation.backend, 'stop');
  if (!session.stop) {
    session.stop = createDeferred();
    if (!pending) void askToStop(session);
  }
  return session.stop.promise;
}

/** Tells the service. A wish that failed is none. */
export async function askToStop(session: RunSession): Promise<void> {
  const { stop, conversation } = session;
  session.stopping = true;
  if (stateOf(session).state === 'streaming') change(session, { state: 'stopping' });
  try {
    await conversation.backend.stop?.(...refOf(session));
  } catch (error) {
    // When it has ended meanwhile, that is what was asked for.
    if (!session.active || session.stop !== stop) return;
    session.stopping = false;
    session.stop = null;
    if (stateOf(session).state === 'stopping') change(session, { state: 'streaming' });
    stop?.reject(toUbikError(error));
  }
}

/**
 * A batch of a run that was asked to stop: which end event follows a stop is the service's choice, so an end of it is `stopped`,
 * be it told as complete or as an error.
 */
export function asStopped(batch: Batch, answer: Key): Batch {
  return { ...batch, changes: batch.changes.map((change) => toStopped(change, answer)) };
}

function toStopped(change: Change, answer: Key): Change {
  if (change.do === 'thread') {
    const { run } = change.set;
    if (!isOtherEnd(run?.state)) return change;
    return { ...change, set: { ...change.set, run: { ...run, state: 'stopped', error: null } } };
  }
  if (change.do !== 'set' || change.message !== answer || change.part !== null) return change;
  if (change.path[0] === 'failure') return { ...change, value: null };
  return change.path[0] === 'status' && isOtherEnd(change.value)
    ? { ...change, value: 'stopped' }
    : change;
}

function isOtherEnd(state: unknown): boolean {
  return state === 'complete' || state === 'failed';
}
