import { findMethod } from '../find-method.js';
import { createDeferred } from './deferred.js';
import { toUbikError } from './failure.js';
import { change, endRun, refOf, type RunSession } from './run-session.js';

/**
 * Asks the service to end a run, once, however often this is called; resolves when the run is over. A stop that overtakes its run
 * on the way would stop nothing, so it waits for the first sign of it.
 */
export function stopRun(session: RunSession): Promise<void> {
  const { active, pending, conversation, thread } = session;
  if (!active && thread.run.state !== 'waiting') return Promise.resolve();
  findMethod(conversation.backend, 'stop');
  if (!session.stop) {
    session.stop = createDeferred();
    if (!active) void stopPaused(session);
    else if (!pending) void askToStop(session);
  }
  return session.stop.promise;
}

/** Stops a run that waits without a stream: nothing else would tell of its end. */
async function stopPaused(session: RunSession): Promise<void> {
  const { conversation, thread } = session;
  session.active = true;
  await askToStop(session);
  if (session.active && session.stopping) {
    change(session, { resumed: true });
    conversation.notify({ type: 'run-started', thread: thread.key, run: thread.run });
    endRun(session, 'stopped');
  } else if (thread.run.state === 'waiting') session.active = false;
}

/** Tells the service. A wish that failed is none. */
export async function askToStop(session: RunSession): Promise<void> {
  const { stop, conversation, thread } = session;
  const { state } = thread.run;
  session.stopping = true;
  change(session, { state: 'stopping' });
  try {
    await conversation.backend.stop?.(...refOf(session));
  } catch (error) {
    // When it has ended meanwhile, that is what was asked for.
    if (!session.active || session.stop !== stop) return;
    session.stopping = false;
    session.stop = null;
    if (thread.run.state === 'stopping') change(session, { state });
    stop?.reject(toUbikError(error));
  }
}
