import { Leader, type TabRun } from '../../../src/backends/multi-tab/leader.js';
import type { TabMessage } from '../../../src/backends/multi-tab/messages.js';
import { RunMirror } from '../../../src/backends/multi-tab/run-mirror.js';
import type { Change } from '../../../src/model/change.js';
import type { RunState } from '../../../src/model/thread.js';

/** A state of the run, as this tab's backend emits it. */
export const runIs = (state: RunState): Change => ({
  type: 'thread',
  set: { run: { state, id: 'r' } },
});

/** A leader, and the messages that it posts. */
export function setupLeader(start: TabRun['start'] = null) {
  const keys = { thread: 't', user: 'u', answer: 'a' };
  const mirror = new RunMirror(keys);
  const { signal } = new AbortController();
  const ref = { id: null, otherRunIds: [] };
  const run: TabRun = { thread: 't', keys, signal, mirror, start, ref };
  const posted: TabMessage[] = [];
  const lock = { lost: signal, release: () => undefined };
  const leader = new Leader(lock, 1, run, (message) => posted.push(message));
  const publish = (...changes: Change[]) => leader.publish({ thread: 't', time: 0, changes });
  return { leader, posted, run, publish };
}
