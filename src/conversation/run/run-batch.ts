import type { Batch, Change } from '../../model/change.js';

/** Whether a change says more than that something streams. */
export function isNews(change: Change): boolean {
  if (change.do !== 'thread') return change.do !== 'set' || change.value !== 'streaming';
  const { run } = change.set;
  return run?.state !== 'streaming' || run.id != null;
}

/** The run's id, when changes tell one. */
export function findRunId(changes: readonly Change[]): string | undefined {
  const ids = changes.map((change) => (change.do === 'thread' ? change.set.run?.id : null));
  return ids.find((id) => id != null) ?? undefined;
}

/**
 * A batch of a run that was asked to stop: which end event follows a stop is the service's choice, so an end of it is `stopped`,
 * be it told as complete or as an error. The message follows when the run ends.
 */
export function asStopped(batch: Batch): Batch {
  const changes = batch.changes.map((change): Change => {
    if (change.do !== 'thread') return change;
    const { run } = change.set;
    if (run?.state !== 'complete' && run?.state !== 'failed') return change;
    return { ...change, set: { ...change.set, run: { ...run, state: 'stopped', error: null } } };
  });
  return { ...batch, changes };
}
