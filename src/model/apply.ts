import type { Batch, Change } from './change.js';
import { isSafePath, setIn, type Json, type Path } from './json.js';
import { reconcile } from './reconcile.js';
import { WritableThread, type Store } from './store.js';

/** The result of applying a batch. */
export interface ApplyResult {
  /** The changes that took effect, in order. A `content` change is listed as the changes that it was reduced to. */
  readonly applied: readonly Change[];
  /** The changes that were rejected because they do not fit the model, such as text for an unknown part. */
  readonly rejected: readonly Change[];
}

/**
 * Applies a batch to the store. No other code changes a thread. A change that does not fit the model is rejected, not thrown; the
 * remaining changes are applied.
 */
export function apply(store: Store, batch: Batch): ApplyResult {
  const applied: Change[] = [];
  const rejected: Change[] = [];
  const applyChange = (change: Change): void => {
    if (change.type === 'item' && change.list === 'threads') {
      applied.push(change);
      return setItem(store.threadList, change.key, change.value);
    }
    const thread = store.threads.get(batch.thread) ?? new WritableThread(batch.thread);
    store.threads.set(thread.key, thread);
    const message = change.type === 'content' && thread.messages.get(change.message);
    if (message) return reconcile(message, change.parts).forEach(applyChange);
    const hasChanged = applyToThread(thread, change);
    if (hasChanged) thread.revision += 1;
    (hasChanged ? applied : rejected).push(change);
  };
  batch.changes.forEach(applyChange);
  return { applied, rejected };
}

function applyToThread(thread: WritableThread, change: Change): boolean {
  const parts = 'message' in change ? thread.messages.get(change.message)?.parts : undefined;
  switch (change.type) {
    case 'thread':
      thread.setFields(change.set);
      return true;
    case 'message':
      thread.putMessage(change.message, change.value);
      return true;
    case 'item':
      setItem(thread.list(change.list), change.key, change.value);
      return true;
    case 'part':
      return parts?.put(change.part, change.parent, change.before, change.value) ?? false;
    case 'text':
      return parts?.writeText(change.part, change.at, change.text) ?? false;
    case 'set':
      return setField(thread, change);
    case 'remove':
      if (change.part === null) return thread.messages.delete(change.message);
      return parts?.remove(change.part) ?? false;
    case 'content':
      return false;
  }
}

function setItem(list: Map<string, Json>, key: string, value: Json | undefined): void {
  if (value === undefined) list.delete(key);
  else list.set(key, value);
}

/**
 * Fields that a `set` change cannot change: they define the identity or position of a part or message, or are contents that other
 * changes write.
 */
const FIXED_PART_FIELDS: readonly (string | number | undefined)[] = [
  'kind',
  'key',
  'parent',
  'text',
  'parts',
];
const FIXED_MESSAGE_FIELDS: typeof FIXED_PART_FIELDS = ['key', 'parts', 'role'];

function setField(thread: WritableThread, change: Extract<Change, { type: 'set' }>): boolean {
  const { part: key, path, value } = change;
  const message = thread.messages.get(change.message);
  const part = key === null ? null : message?.parts.get(key);
  const fixed = key === null ? FIXED_MESSAGE_FIELDS : FIXED_PART_FIELDS;
  const isField = typeof path[0] === 'string' && !fixed.includes(path[0]) && isSafePath(path);
  if (!message || part === undefined || !isField) return false;
  if (part) return message.parts.put(part.key, part.parent, null, setFieldIn(part, path, value));
  thread.putMessage(message.key, setFieldIn(message, path, value));
  return true;
}

/**
 * Returns a copy of a part or message with one field replaced. The type of the value is not checked: the sender is responsible for it,
 * and views tolerate wrong types.
 */
function setFieldIn<T>(record: T, path: Path, value: Json | undefined): T {
  return setIn(record as unknown as Json, path, value) as unknown as T;
}
