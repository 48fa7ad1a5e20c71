import type { Json, Key } from '../../../model/json.js';
import type { ContentFields, ErrorFields, Mark } from '../../../model/part.js';
import type { KeyGenerator } from './keys.js';

/** Fields of a part that change after it was added. */
export type MutableField = 'state' | 'input' | 'result' | 'answer' | 'single';

/**
 * Receives what a content parser reads. All of it is final: text that the grammar may still interpret otherwise is held
 * back, so nothing is ever cut or removed. The reducer records changes for it, `parseContent` builds a tree.
 */
export interface ContentSink {
  /** Adds a part as the last one in `parent`; null means the `parent` of the parser. */
  open(key: Key, parent: Key | null, fields: ContentFields): void;
  /** Appends to the text of a part. */
  append(key: Key, text: string): void;
  /** Adds the data of an inline mark, before the text that contains the mark. */
  mark(key: Key, name: Key, mark: Mark): void;
  /** Sets a field of a part. */
  set(key: Key, field: MutableField, value: Json): void;
}

/** A construct that live text contains as tags, although the service sends such constructs as events. */
export type Construct =
  | {
      /** `<<STEP_START>>`, an optional flag, and the header line. The text of the step is not part of it. */
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
  | ErrorFields;

/**
 * How a construct in live text is treated. `literal`: it stays text. `merged`: an event has added it already, and its
 * tags are dropped. `{ placed }`: the resolver has just added the part with this key here; its tags are dropped, and what
 * follows comes after the part.
 */
export type ConstructDecision = 'literal' | 'merged' | { readonly placed: Key };

/**
 * Decides about step, checkpoint, input and error tags in live text (R7). Without a resolver they stay text.
 *
 * When the event comes before its construct, `resolve` returns `merged`. When it comes after the construct was shown as
 * text, the message is rebuilt from a snapshot before it, and `resolve` adds the part and returns `{ placed }`;
 * reconciling then cuts the text.
 */
export interface ConstructResolver {
  /** Called when a construct is complete. Its text is held back until then. */
  resolve(construct: Construct): ConstructDecision;
}

/** How tags are read: as in stored content, or as in live text, where only tool and thinking tags take effect (R7). */
export type ContentMode = 'stored' | 'live';

/** Options of a content parser. */
export interface ContentParserOptions {
  readonly mode: ContentMode;
  readonly sink: ContentSink;
  /** Shared by all parsers of one message, so that keys are unique in it. */
  readonly keys: KeyGenerator;
  /** The part that contains all parts of this text; null, the default, for the message itself. */
  readonly parent?: Key | null;
  /** Decides about constructs in live text. */
  readonly resolver?: ConstructResolver;
}

/** Opaque snapshot of a parser. Not changed when the parser continues. */
export interface ContentParserSnapshot {
  readonly state: unknown;
}

/** The end of a text that cannot be read yet. */
export interface HeldText {
  readonly text: string;
  /** Key of the tool part whose payload it is; null when it is not a payload. */
  readonly tool: Key | null;
  readonly payload: 'input' | 'result' | null;
}

/** Parses one text in pieces. Costs the length of the pieces, wherever the text is cut. */
export interface ContentParser {
  /** Reads the next piece. */
  push(text: string): void;
  /**
   * Adds a part for an event at this place of the text. First emits held text, except a payload that is being read, and
   * closes an open thinking part, as a structural tag would. Then calls `open`, which adds the part as the last one in the
   * parent of this parser and returns its key. What follows in the text comes after it.
   */
  insertPart(open: () => Key): void;
  /** Closes thinking parts, tools (as incomplete) and code fences, because the step of this text has ended. Late text may follow. */
  closeOpen(): void;
  /** Emits held text, closes everything, and emits the errors. Nothing may follow. */
  end(): void;
  /** A snapshot, without the sink and the key generator, which have their own. */
  snapshot(): ContentParserSnapshot;
  /** Restores a snapshot of this parser, or of one with the same options. */
  restore(snapshot: ContentParserSnapshot): void;
  /** Text that is held back; null when there are only blanks. Costs its length. */
  readonly heldText: HeldText | null;
  /** UTF-16 units that were looked at, repeatedly or not. Tests use it to show that the cost is linear. */
  readonly work: number;
}
