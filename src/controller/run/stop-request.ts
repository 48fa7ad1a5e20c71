import { listArmedRequests } from '../data/input-requests.js';
import { findMethod } from '../find-method.js';
import { createDeferred } from '../deferred.js';
import { toUbikError } from './failure.js';
import { change, endRun, refOf, type RunSession } from './run-session.js';

/** How long the service may say nothing new after it has accepted a stop, in ms. */
const STOP_PATIENCE = 30_000;

/**
 * Asks the service to end a run, once, however often this is called; resolves when the run is over. A stop that overtakes its run
 * on the way would stop nothing, so it waits for the first sign of it. A run that ended with a question of the agent is over; one
 * in which a tool asks is not.
 *
 * @param rejoin joins a run again
 */
export function stopRun(
  session: RunSession,
  rejoin: (session: RunSession) => unknown,
): Promise<void> {
  const { active, pending, conversation, thread } = session;
  const isPaused = thread.run.state === 'waiting';
  if (isPaused ? !asksByTool(session) : !active) return Promise.resolve();
  findMethod(conversation.backend, 'stop');
  if (!session.stop) {
    session.stop = createDeferred();
    if (!active) void stopPaused(session, rejoin);
    else if (!pending) void askToStop(session);
  }
  return session.stop.promise;
}

function asksByTool({ keys, thread }: RunSession): boolean {
  const asking = thread.messages.get(keys.answer);
  return !!asking && listArmedRequests(asking).some(({ level }) => level === 'tool');
}

/** Stops a run that waits without a stream: it is joined again for its end. */
async function stopPaused(
  session: RunSession,
  rejoin: (session: RunSession) => unknown,
): Promise<void> {
  const { stop, thread } = session;
  session.active = true;
  await askToStop(session);
  if (session.active && session.stopping) {
    session.active = false;
    rejoin(session);
    Object.assign(session, { stop, stopping: true });
  } else if (thread.run.state === 'waiting') session.active = false;
}

/** The service has accepted the stop: the run ends here when nothing new comes for half a minute, whether or not its stream does. */
export function expectStop(session: RunSession): void {
  const { environment } = session.conversation;
  if (session.stopTimer) environment.clearTimer(session.stopTimer);
  session.stopTimer = environment.setTimer(() => endRun(session, 'stopped'), STOP_PATIENCE);
}

/** Tells the service. A wish that failed is none. */
export async function askToStop(session: RunSession): Promise<void> {
  const { stop, conversation, thread } = session;
  const { state } = thread.run;
  session.stopping = true;
  change(session, { state: 'stopping' });
  try {
    await conversation.backend.stop?.(...refOf(session));
    if (session.active && session.stopping) expectStop(session);
  } catch (error) {
    // When it has ended meanwhile, that is what was asked for.
    if (!session.active || session.stop !== stop) return;
    session.stopping = false;
    session.stop = null;
    // It may have been joined meanwhile.
    const isJoined = session.connected && state !== 'waiting';
    if (thread.run.state === 'stopping') change(session, { state: isJoined ? 'streaming' : state });
    stop?.reject(toUbikError(error));
  }
}
