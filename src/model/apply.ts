import { UbikError } from '../errors.js';
import type { Batch, Change } from './change.js';
import { isSafePath, setIn, type Json, type Path } from './json.js';
import type { MessageFields } from './message.js';
import type { PartFields } from './part.js';
import { fieldsOf } from './part-tree.js';
import { reconcile } from './reconcile.js';
import { ModelStore, type ModelThread, type Store } from './store.js';

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
  if (!(store instanceof ModelStore)) {
    throw new UbikError(
      'misuse',
      'apply() works on a store made by createStore(). Make one and pass it.',
    );
  }
  const changes: Change[] = [];
  const refused: Change[] = [];
  for (const change of batch.changes) applyOne(store, batch.thread, change, changes, refused);
  return { changes, refused };
}

function applyOne(
  store: ModelStore,
  threadKey: string,
  change: Change,
  changes: Change[],
  refused: Change[],
): void {
  if (change.do === 'item' && change.list === 'threads') {
    setItem(store.threadList, change.key, change.value);
    changes.push(change);
    return;
  }
  const thread = store.thread(threadKey);
  if (change.do === 'content') {
    const message = thread.messages.get(change.message);
    if (!message) refused.push(change);
    else
      for (const part of reconcile(message, change.parts))
        applyOne(store, threadKey, part, changes, refused);
    return;
  }
  const done = carryOut(thread, change);
  if (done) thread.version += 1;
  (done ? changes : refused).push(change);
}

function carryOut(thread: ModelThread, change: Exclude<Change, { do: 'content' }>): boolean {
  switch (change.do) {
    case 'thread':
      thread.assign(change.set);
      return true;
    case 'message':
      thread.putMessage(change.message, change.value);
      return true;
    case 'part':
      return (
        thread
          .partsOf(change.message)
          ?.put(change.part, change.parent, change.before, change.value) ?? false
      );
    case 'text':
      return thread.partsOf(change.message)?.write(change.part, change.at, change.text) ?? false;
    case 'set':
      return setField(thread, change);
    case 'remove':
      return change.part === null
        ? thread.removeMessage(change.message)
        : (thread.partsOf(change.message)?.remove(change.part) ?? false);
    case 'item':
      setItem(thread.list(change.list), change.key, change.value);
      return true;
  }
}

function setItem(list: Map<string, Json>, key: string, value: Json | undefined): void {
  if (value === undefined) list.delete(key);
  else list.set(key, value);
}

/** Fields that decide what a record is or where it stands; they change by other verbs only. */
const FIXED = new Set<string | number>(['kind', 'key', 'parent', 'text', 'parts']);
const FIXED_OF_MESSAGE = new Set<string | number>(['key', 'parts', 'role']);

function setField(thread: ModelThread, change: Extract<Change, { do: 'set' }>): boolean {
  const message = thread.messages.get(change.message);
  const [name] = change.path;
  if (!message || typeof name !== 'string' || !isSafePath(change.path)) return false;
  if (change.part === null) {
    if (FIXED_OF_MESSAGE.has(name)) return false;
    const { key: _key, parts: _parts, ...fields } = message;
    thread.putMessage(change.message, edit<MessageFields>(fields, change.path, change.value));
    return true;
  }
  const part = message.parts.get(change.part);
  if (!part || FIXED.has(name)) return false;
  const fields = edit<PartFields>(fieldsOf(part), change.path, change.value);
  thread.partsOf(change.message)?.replace(change.part, fields);
  return true;
}

/**
 * A change of one field keeps the rest of the record. That the new value has the field's type is the sender's duty, as with any
 * JSON; views read defensively.
 */
function edit<T extends MessageFields | PartFields>(
  fields: T,
  path: Path,
  value: Json | undefined,
): T {
  return setIn(fields as unknown as Json, path, value) as unknown as T;
}
