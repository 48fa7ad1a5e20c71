import type { CheckpointInfo } from '../../backends/backend.js';
import { UbikError } from '../../errors.js';
import type { Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';
import { toUbikError } from '../run/classify-error.js';
import { planAnswer } from '../run/run-plans.js';
import { startRun } from '../run/run-session.js';
import { assertIdle, requireIdleThread } from '../threads/thread-actions.js';
import { findCheckpointMessage } from './checkpoint-timeline.js';
import { fetchCheckpoints, originsOf } from './restore-origins.js';

/** Loads the checkpoints of the current thread; see `StreamController`. */
export async function listCheckpoints(
  context: ControllerContext,
): Promise<readonly CheckpointInfo[]> {
  const { currentThread: thread } = context;
  if (thread?.id == null) return [];
  context.stateOf(thread).hasListedCheckpoints = true;
  return fetchCheckpoints(context, thread);
}

/** Loads the checkpoints of a thread again after a run. A failure is a diagnostic. */
export async function reloadCheckpoints(context: ControllerContext, thread: Thread): Promise<void> {
  try {
    await fetchCheckpoints(context, thread);
  } catch (thrown) {
    context.diagnose(toUbikError(thrown));
  }
}

/** Restores a checkpoint and starts a run from it; see `StreamController`. */
export async function restoreCheckpoint(
  context: ControllerContext,
  target: CheckpointInfo | string,
  hint: string | null,
): Promise<void> {
  const thread = requireIdleThread(context);
  const checkpoint =
    typeof target === 'string' ? await findByName(context, target) : findListed(thread, target);
  const { name } = checkpoint;
  if (!checkpoint.restorable) {
    throw new UbikError('misuse', 'A newer checkpoint has this name.', { offender: name });
  }
  await context.sequencer.scheduleRun(thread, () => {
    assertIdle(context, thread);
    const { parent } = findCheckpointMessage(thread, checkpoint) ?? { parent: thread.head };
    const restoredFrom = { checkpoint: name, hint };
    // Creates the restore origins if they do not exist yet: without them, the run would not store the origin of its answer.
    originsOf(context);
    const plan = planAnswer(context, thread, { parent, restoredFrom });
    return startRun(context, { ...plan, call: ['restoreCheckpoint', checkpoint, hint] });
  });
}

/** Loads the checkpoints and returns the restorable one with a name, else the first one with that name. */
async function findByName(context: ControllerContext, name: string): Promise<CheckpointInfo> {
  const named = (await listCheckpoints(context)).filter((listed) => listed.name === name);
  const checkpoint = named.find(({ restorable }) => restorable) ?? named[0];
  if (!checkpoint) throw new UbikError('not-found', { offender: name });
  return checkpoint;
}

/**
 * Returns a checkpoint, marked as not restorable if the list says so by now: the list may have been reloaded since the caller read it. A
 * checkpoint that is not listed is returned unchanged.
 */
function findListed(thread: Thread, checkpoint: CheckpointInfo): CheckpointInfo {
  const identity = identify(checkpoint);
  const listed = [...thread.list('checkpoints').values()].map(
    (value) => value as Partial<CheckpointInfo> | null,
  );
  const matches = listed.filter((entry) => entry !== null && identify(entry) === identity);
  const isOutdated = matches.length > 0 && matches.every((entry) => entry?.restorable === false);
  return isOutdated ? { ...checkpoint, restorable: false } : checkpoint;
}

function identify({ name, runId, createdAt, id }: Partial<CheckpointInfo>): string {
  return JSON.stringify([name, runId, createdAt, id]);
}
