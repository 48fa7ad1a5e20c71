import type { Json, Key } from '../../../model/json.js';
import type { ContentFields, Mark } from '../../../model/part.js';

/** Fields of a part that change after it was opened. */
export type ChangingField = 'state' | 'input' | 'result' | 'answer' | 'single';

/**
 * What a content parser tells while it reads. Everything told is final: what the grammar could still take back is held and not yet
 * told, so nothing is ever cut or removed. One sink serves both readings: the live reducer makes Changes of it, `parseContent` a tree.
 */
export interface ContentSink {
  /** A part exists, as the last one in `parent` (null: the message, or whatever the parser's own base parent is). */
  open(key: Key, parent: Key | null, fields: ContentFields): void;
  /** The text of a part grows. */
  append(key: Key, text: string): void;
  /** Data of an inline mark. Told before the text that holds the mark. */
  mark(key: Key, name: Key, mark: Mark): void;
  /** A field of a part has a new value. */
  set(key: Key, field: ChangingField, value: Json): void;
}

/** A construct that live text spells out in tags, though constructs of its kind come as events. */
export type Construct =
  | {
      /** `<<STEP_START>>`, an optional flag, and the header line. What follows in the text is not part of it. */
      readonly kind: 'step';
      readonly number: number;
      readonly title: string;
      readonly completed: boolean;
      readonly single: boolean;
    }
  | { readonly kind: 'checkpoint'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'request';
      readonly prompt: string;
      readonly inputTypes: readonly string[];
      readonly checkpointName: string | null;
    }
  | { readonly kind: 'error'; readonly message: string; readonly details: string | null };

/**
 * What becomes of a construct in live text. `literal`: it is text. `merged`: it is what an event has made already; its tags are not
 * shown. `{ placed }`: the part of that key has just been opened by the answering side at this very place; its tags are not shown and
 * what follows stands behind that part.
 */
export type ConstructFate = 'literal' | 'merged' | { readonly placed: Key };

/**
 * The door between tags in live text and events (rule R7). A parser in `live` mode asks here what to do with step, checkpoint, input
 * and error tags; without it they all stay text.
 *
 * An event that comes before its construct: `claim` answers `merged`. An event that comes after it was shown: look for the match among
 * what was claimed; if there is one, build the message again from a snapshot before it (or from the beginning), now with the answer
 * `{ placed }` (having opened the part there), and let one reconcile cut the text.
 */
export interface LiveConstructs {
  /** A construct is complete and not yet shown (its text is held for so long): what shall become of it. */
  claim(construct: Construct): ConstructFate;
}
