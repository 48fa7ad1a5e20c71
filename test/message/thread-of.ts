import { apply } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { EMPTY_ANSWER, type MessageFields } from '../../src/model/message.js';
import { createStore } from '../../src/model/store.js';
import type { Thread } from '../../src/model/thread.js';

/** A thread of messages whose ids are their keys, created one after the other. */
export function threadOf(
  head: string,
  messages: Readonly<Record<string, Partial<MessageFields>>>,
  ...more: readonly Change[]
): Thread {
  const store = createStore();
  const changes = Object.entries(messages).map(([key, fields], at): Change => {
    const value = { ...EMPTY_ANSWER, id: key, createdAt: at, ...fields };
    return { type: 'message', message: key, value };
  });
  apply(store, {
    thread: 't',
    time: 0,
    changes: [...changes, { type: 'thread', set: { head } }, ...more],
  });
  const thread = store.threads.get('t');
  if (!thread) throw new Error('The thread is missing.');
  return thread;
}
