import { createItemChange } from '../../model/change.js';
import { equalJson, type Json, type Key } from '../../model/json.js';
import type { ListName, Thread } from '../../model/thread.js';
import type { ControllerContext } from '../controller-context.js';

/** Brings entries into a list of a thread, as far as they are other ones. No value: it goes. */
export function mergeList(
  conversation: ControllerContext,
  thread: Thread,
  list: ListName,
  entries: readonly (readonly [Key, Json?])[],
): void {
  const held = thread.list(list);
  const changes = entries
    .filter(([key, value]) => !equalJson(held.get(key), value))
    .map(([key, value]) => createItemChange(list, key, value));
  conversation.commit(thread.key, changes);
}
