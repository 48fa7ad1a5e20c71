import type { Batch, Change } from './change.js';
import { isSafePath, setIn, type Json, type Path } from './json.js';
import { reconcile } from './reconcile.js';
import { StoredThread, type Store } from './store.js';

/** What came of a batch. */
export interface ApplyResult {
  /** The changes that took effect, in order; a `content` stands here as what it was split into. */
  readonly applied: readonly Change[];
  /** Changes that do not fit the model, such as a text for a part that is not there. They had no effect. */
  readonly rejected: readonly Change[];
}

/**
 * Carries out a batch: the only code that changes a model. Never throws for a change that does not fit; it is refused and the
 * rest goes on.
 */
export function apply(store: Store, batch: Batch): ApplyResult {
  const changes: Change[] = [];
  const refused: Change[] = [];
  const applyChange = (change: Change): void => {
    if (change.type === 'item' && change.list === 'threads') {
      changes.push(change);
      return setItem(store.threadList, change.key, change.value);
    }
    const thread = store.threads.get(batch.thread) ?? new StoredThread(batch.thread);
    store.threads.set(thread.key, thread);
    const message = change.type === 'content' && thread.messages.get(change.message);
    if (message) return reconcile(message, change.parts).forEach(applyChange);
    const done = applyToThread(thread, change);
    if (done) thread.version += 1;
    (done ? changes : refused).push(change);
  };
  batch.changes.forEach(applyChange);
  return { applied: changes, rejected: refused };
}

function applyToThread(thread: StoredThread, change: Change): boolean {
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

/** Fields that decide what a record is or where it stands; they change by other verbs only. */
const FIXED_PART_FIELDS: readonly (string | number | undefined)[] = [
  'kind',
  'key',
  'parent',
  'text',
  'parts',
];
const FIXED_MESSAGE_FIELDS: typeof FIXED_PART_FIELDS = ['key', 'parts', 'role'];

function setField(thread: StoredThread, change: Extract<Change, { type: 'set' }>): boolean {
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
 * A change of one field keeps the rest of the record. That the new value has the field's type is the sender's duty, as with any
 * JSON; views read defensively.
 */
function setFieldIn<T>(record: T, path: Path, value: Json | undefined): T {
  return setIn(record as unknown as Json, path, value) as unknown as T;
}
