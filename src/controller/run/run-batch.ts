import type { Batch, Change } from '../../model/change.js';
import type { RunState } from '../../model/thread.js';

/** Whether a change proves that the run exists. A status `streaming` alone does not, because it only reports the connection. */
export function provesRun(change: Change): boolean {
  if (change.type !== 'thread') return change.type !== 'set' || change.value !== 'streaming';
  const { run } = change.set;
  return run?.state !== 'streaming' || run.id != null;
}

/**
 * Whether a change that `apply` has returned changes the content. The status of a run or message is not content, because each connection
 * reports it again. A change of the type `content` does not occur: `apply` returns the changes that it was reduced to.
 */
export function changesContent(change: Change): boolean {
  return change.type === 'set' || change.type === 'remove'
    ? change.part !== null
    : change.type === 'part' || change.type === 'text';
}

/** Returns what a batch reports about its run: the first id and the last state. */
export function findReport(changes: readonly Change[]): {
  readonly runId: string | null;
  readonly state: RunState | undefined;
} {
  let runId: string | null = null;
  let state: RunState | undefined;
  for (const change of changes) {
    if (change.type !== 'thread' || !change.set.run) continue;
    const { run } = change.set;
    runId ??= run.id ?? null;
    state = run.state ?? state;
  }
  return { runId, state };
}

/**
 * Replaces each run state of a batch with `show(state)`. The error of a replaced state is removed, because a run that was stopped has
 * not failed.
 */
export function replaceRunStates(batch: Batch, show: (reported: RunState) => RunState): Batch {
  const changes = batch.changes.map((change): Change => {
    const run = change.type === 'thread' && change.set.run;
    if (!run || run.state === undefined) return change;
    const state = show(run.state);
    if (state === run.state) return change;
    return { ...change, set: { ...change.set, run: { ...run, state, error: null } } };
  });
  return { ...batch, changes };
}
