import type { Batch, Change } from '../../model/change.js';
import type { RunState } from '../../model/thread.js';

/** Whether a change says more than that something streams. */
export function isNews(change: Change): boolean {
  if (change.type !== 'thread') return change.type !== 'set' || change.value !== 'streaming';
  const { run } = change.set;
  return run?.state !== 'streaming' || run.id != null;
}

/**
 * Whether a change that took effect is new content of the service. How a run or a message stands is none: each connection tells it
 * again.
 */
export function isContent(change: Change): boolean {
  return change.type === 'set' || change.type === 'remove'
    ? change.part !== null
    : change.type === 'part' || change.type === 'text';
}

/** The run's id, when changes tell one. */
export function findRunId(changes: readonly Change[]): string | undefined {
  const ids = changes.map((change) => (change.type === 'thread' ? change.set.run?.id : null));
  return ids.find((id) => id != null) ?? undefined;
}

/** What the states that a service tells mean for a run that was asked to stop: which end follows a stop is the service's choice. */
const STOPPING: Partial<Record<RunState, RunState>> = {
  streaming: 'stopping',
  complete: 'stopped',
  failed: 'stopped',
};

/** A batch of a run that was asked to stop. The message follows when the run ends. */
export function asStopped(batch: Batch): Batch {
  const changes = batch.changes.map((change): Change => {
    const run = change.type === 'thread' && change.set.run;
    const state = run && run.state && STOPPING[run.state];
    return state
      ? { ...change, set: { ...change.set, run: { ...run, state, error: null } } }
      : change;
  });
  return { ...batch, changes };
}
