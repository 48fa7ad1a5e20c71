import type { RunRef } from '../../backends/backend.js';
import type { Change } from '../../model/change.js';
import type { Key } from '../../model/json.js';
import { EMPTY_ANSWER, type MessageFields } from '../../model/message.js';
import { pathTo, type Thread } from '../../model/thread.js';
import { setStatus } from './run-record.js';
import type { FoundRun } from './run-plan.js';

/**
 * The run that a thread was left with: the service says that one may be on, or this browser kept a note of one that never came to
 * its end. Null when there is none. A note about an older message than the newest is outdated.
 */
export function findUnfinished(
  thread: Thread,
  unfinished: RunRef | null,
  note: unknown,
  createKey: () => Key,
): FoundRun | null {
  const last = pathTo(thread).at(-1);
  const noted = readTask(note);
  if (!last || (!unfinished && noted === undefined)) return null;
  const id = unfinished?.id ?? noted ?? null;
  if (last.role === 'user') {
    const answer = createKey();
    const value: MessageFields = { ...EMPTY_ANSWER, parent: last.key };
    return {
      keys: { thread: thread.key, user: last.key, answer },
      id,
      open: [
        { do: 'message', message: answer, value },
        { do: 'thread', set: { head: answer } },
      ],
      back: [
        { do: 'thread', set: { head: last.key } },
        { do: 'remove', message: answer, part: null },
      ],
    };
  }
  const theirs = last.taskId === null || last.taskId === id;
  if (!unfinished && (noted == null || !theirs)) return null;
  const back: Change = setStatus(last.key, last.status);
  return {
    keys: { thread: thread.key, user: last.parent, answer: last.key },
    id,
    open: [setStatus(last.key, 'streaming')],
    back: [back],
  };
}

/** The task of a note, null while none was known; undefined when there is no note. */
function readTask(note: unknown): string | null | undefined {
  if (typeof note !== 'object' || note === null || !('task' in note)) return undefined;
  return typeof note.task === 'string' ? note.task : null;
}
