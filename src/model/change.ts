import type { Json, Key, Path } from './json.js';
import type { MessageFields } from './message.js';
import type { PartFields, PartTree } from './part.js';
import type { ListName, Run, ThreadFields } from './thread.js';

/** The fields of a thread to set. Fields of the run that are not listed keep their values. */
export type ThreadChange = Partial<Omit<ThreadFields, 'run'>> & { readonly run?: Partial<Run> };

/**
 * A change of the model, as plain data. The model changes in no other way, so changes can be recorded, replayed, and sent to other
 * tabs.
 */
export type Change =
  /** Sets fields of the thread. Fields of its run are merged into the run. */
  | { readonly type: 'thread'; readonly set: ThreadChange }
  /** Adds a message, or replaces its fields. Keeps its parts. */
  | { readonly type: 'message'; readonly message: Key; readonly value: MessageFields }
  /**
   * Adds a part to `parent`, before the sibling `before` (null: at the end). An existing part gets the new fields and keeps its text and
   * position.
   */
  | {
      readonly type: 'part';
      readonly message: Key;
      readonly part: Key;
      readonly parent: Key | null;
      readonly before: Key | null;
      readonly value: PartFields;
    }
  /** Truncates the text of a part to `at` UTF-16 units, then appends `text`. For an append, `at` is the length of the text. */
  | {
      readonly type: 'text';
      readonly message: Key;
      readonly part: Key;
      readonly at: number;
      readonly text: string;
    }
  /** Sets the field at `path` of a part, or of the message itself (`part: null`). Without `value`, removes the field. */
  | {
      readonly type: 'set';
      readonly message: Key;
      readonly part: Key | null;
      readonly path: Path;
      readonly value?: Json;
    }
  /** Removes a part with its descendants, or the whole message (`part: null`). */
  | { readonly type: 'remove'; readonly message: Key; readonly part: Key | null }
  /** Replaces the content of a message, not its activity. `apply` reconciles it to the minimal changes. */
  | { readonly type: 'content'; readonly message: Key; readonly parts: readonly PartTree[] }
  /** Sets an entry of a list. Without `value`, removes it. */
  | { readonly type: 'item'; readonly list: ListName; readonly key: Key; readonly value?: Json };

/** Changes that are applied together, before any listener is called. */
export interface Batch {
  /** Key of the thread; empty for changes of the thread list. */
  readonly thread: Key;
  /** Creation time in ms since the epoch, by the clock of the environment. */
  readonly time: number;
  readonly changes: readonly Change[];
}

/** Creates the change that sets one field of a message (`part: null`) or of one of its parts. */
export function createFieldChange(
  message: Key,
  part: Key | null,
  field: string,
  value: Json,
): Change {
  return { type: 'set', message, part, path: [field], value };
}

/** Creates the change that sets one entry of a list, or removes it when `value` is undefined. */
export function createItemChange(list: ListName, key: Key, value: Json | undefined): Change {
  return value === undefined ? { type: 'item', list, key } : { type: 'item', list, key, value };
}
