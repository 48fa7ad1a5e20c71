import type { Json, Key, Path } from './json.js';
import type { MessageFields } from './message.js';
import type { PartFields, PartTree } from './part.js';
import type { ListName, Run, ThreadFields } from './thread.js';

/** The fields of a thread that change; those of the run that are not named stay. */
export type ThreadChange = Partial<Omit<ThreadFields, 'run'>> & { readonly run?: Partial<Run> };

/**
 * The only way a model changes, whoever acts: plain data, so that a recorder, a mirror in another tab, a host without elements
 * and a test are all the same kind of consumer.
 */
export type Change =
  /** Fields of the thread. Fields of its run are merged into the run. */
  | { readonly type: 'thread'; readonly set: ThreadChange }
  /** A message exists, with these fields; its `parent` places it. Its parts are left alone. */
  | { readonly type: 'message'; readonly message: Key; readonly value: MessageFields }
  /** A part exists in `parent`, before the sibling `before` (null: at the end). A part that is already there takes the new fields and keeps its text and place. */
  | {
      readonly type: 'part';
      readonly message: Key;
      readonly part: Key;
      readonly parent: Key | null;
      readonly before: Key | null;
      readonly value: PartFields;
    }
  /** The part's text is cut to `at` units, then `text` is added. An append says `at` = length. */
  | {
      readonly type: 'text';
      readonly message: Key;
      readonly part: Key;
      readonly at: number;
      readonly text: string;
    }
  /** One field of a part, or of the message itself (`part: null`), however deep. No `value`: the field is gone. */
  | {
      readonly type: 'set';
      readonly message: Key;
      readonly part: Key | null;
      readonly path: Path;
      readonly value?: Json;
    }
  /** A part, or a message (`part: null`), is gone with all that is in it. */
  | { readonly type: 'remove'; readonly message: Key; readonly part: Key | null }
  /** This is all the content of the message. Activity is left alone. `apply` splits it into the changes that are needed. */
  | { readonly type: 'content'; readonly message: Key; readonly parts: readonly PartTree[] }
  /** An entry of a list. No `value`: it is gone. */
  | { readonly type: 'item'; readonly list: ListName; readonly key: Key; readonly value?: Json };

/** Changes that belong together: applied whole, then told. */
export interface Batch {
  /** The thread; an empty key for the list of threads. */
  readonly thread: Key;
  /** When they were made, ms since the epoch, by the injected clock. */
  readonly time: number;
  readonly changes: readonly Change[];
}

/** The change of one field of a message, or of one of its parts. */
export function createFieldChange(
  message: Key,
  part: Key | null,
  field: string,
  value: Json,
): Change {
  return { type: 'set', message, part, path: [field], value };
}

/** The change of one entry of a list; undefined: it is gone. */
export function createItemChange(list: ListName, key: Key, value: Json | undefined): Change {
  return value === undefined ? { type: 'item', list, key } : { type: 'item', list, key, value };
}
