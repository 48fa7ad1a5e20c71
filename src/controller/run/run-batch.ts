import type { Batch, Change } from '../../model/change.js';
import type { RunState } from '../../model/thread.js';

/** Whether a change proves that the run exists: it does more than report a stream or a message as streaming. */
export function provesRun(change: Change): boolean {
  if (change.type !== 'thread') return change.type !== 'set' || change.value !== 'streaming';
  const { run } = change.set;
  return run?.state !== 'streaming' || run.id != null;
}

/** Whether a change adds or changes content. The status of a run or a message is none: each connection reports it again. */
export function isContent(change: Change): boolean {
  return change.type === 'set' || change.type === 'remove'
    ? change.part !== null
    : change.type === 'part' || change.type === 'text';
}

/** What changes report of their run: its first id and its last state. */
export function findReport(changes: readonly Change[]): {
  readonly runId: string | null;
  readonly state: RunState | undefined;
} {
  const runs = changes.flatMap((change) => (change.type === 'thread' && change.set.run) || []);
  return {
    runId: runs.find(({ id }) => id != null)?.id ?? null,
    state: runs.flatMap(({ state }) => state ?? []).at(-1),
  };
}

/**
 * Replaces the states that a batch reports by those that `show` returns for them. The error that comes with a replaced state is
 * removed: a run that was stopped has not failed.
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
