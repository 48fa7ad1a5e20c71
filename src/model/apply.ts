import type { Batch, Change } from './change.js';
import { isSafePath, setIn, type Json, type Path } from './json.js';
import { reconcile } from './reconcile.js';
import { ModelThread, type Store } from './store.js';

/** What came of a batch. */
export interface Applied {
  /** The changes that took effect, in order; a `content` stands here as what it was split into. */
  readonly changes: readonly Change[];
  /** Changes that do not fit the model, such as a text for a part that is not there. They had no effect. */
  readonly refused: readonly Change[];
}

/**
 * Carries out a batch: the only code that changes a model. Never throws for a change that does not fit; it is refused and the
 * rest goes on.
 */
export function apply(store: Store, batch: Batch): Applied {
  const changes: Change[] = [];
  const refused: Change[] = [];
  const act = (change: Change): void => {
    if (change.do === 'item' && change.list === 'threads') {
      changes.push(change);
      return setItem(store.threadList, change.key, change.value);
    }
    const thread = store.threads.get(batch.thread) ?? new ModelThread(batch.thread);
    store.threads.set(thread.key, thread);
    const message = change.do === 'content' && thread.messages.get(change.message);
    if (message) return reconcile(message, change.parts).forEach(act);
    const done = carryOut(thread, change);
    if (done) thread.version += 1;
    (done ? changes : refused).push(change);
  };
  batch.changes.forEach(act);
  return { changes, refused };
}

function carryOut(thread: ModelThread, change: Change): boolean {
  const parts = 'message' in change ? thread.messages.get(change.message)?.parts : undefined;
  switch (change.do) {
    case 'thread':
      thread.assign(change.set);
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
      return parts?.write(change.part, change.at, change.text) ?? false;
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
const FIXED: readonly (string | number | undefined)[] = ['kind', 'key', 'parent', 'text', 'parts'];
const FIXED_OF_MESSAGE: typeof FIXED = ['key', 'parts', 'role'];

function setField(thread: ModelThread, change: Extract<Change, { do: 'set' }>): boolean {
  const { part: key, path, value } = change;
  const message = thread.messages.get(change.message);
  const part = key === null ? null : message?.parts.get(key);
  const fixed = key === null ? FIXED_OF_MESSAGE : FIXED;
  const isField = typeof path[0] === 'string' && !fixed.includes(path[0]) && isSafePath(path);
  if (!message || part === undefined || !isField) return false;
  if (part) return message.parts.put(part.key, part.parent, null, edit(part, path, value));
  thread.putMessage(message.key, edit(message, path, value));
  return true;
}

/**
 * A change of one field keeps the rest of the record. That the new value has the field's type is the sender's duty, as with any
 * JSON; views read defensively.
 */
function edit<T>(record: T, path: Path, value: Json | undefined): T {
  return setIn(record as unknown as Json, path, value) as unknown as T;
}
