import type { Json, Key } from '../../../model/json.js';
import type { ContentFields, ErrorFields, CitationMark } from '../../../model/part.js';
import type { KeyGenerator } from './keys.js';

/** Fields of a part that change after the part was added. */
export type MutableField = 'state' | 'input' | 'result' | 'answer' | 'single';

/**
 * Receives the parts and texts that a content parser reads. All of them are final: text that may still be read in another way is withheld, so
 * nothing is ever truncated or removed. The sink of the reducer records changes, that of `parseContent` builds a tree.
 */
export interface ContentSink {
  /** Adds a part at the end of `parent`; null stands for the `parent` of the parser. */
  open(key: Key, parent: Key | null, fields: ContentFields): void;
  /** Appends to the text of a part. */
  append(key: Key, text: string): void;
  /** Adds the data of an inline mark, before the text that contains the mark. */
  mark(key: Key, name: Key, mark: CitationMark): void;
  /** Sets a field of a part. */
  set(key: Key, field: MutableField, value: Json): void;
}

/** A construct that occurs as tags in live text, although the service also sends it as an event. */
export type Construct =
  | {
      /** `<<STEP_START>>`, an optional flag, and the header line. Does not include the text of the step. */
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
 * How a construct in live text is handled. `literal`: it stays text. `merged`: an event has already added it, and its tags are dropped.
 * `{ placed }`: the resolver has just added the part with this key here; the tags are dropped, and the text that follows comes after the part.
 */
export type ConstructDecision = 'literal' | 'merged' | { readonly placed: Key };

/**
 * Decides about step, checkpoint, input and error tags in live text (UBIK R7). Without a resolver they stay text.
 *
 * If the event comes before its construct, `resolve` returns `merged`. If the event comes after the construct was shown as text, the
 * message is rebuilt from its first event, and `resolve` adds the part and returns `{ placed }`; reconciliation then truncates the
 * text.
 */
export interface ConstructResolver {
  /** Called when a construct is complete. Its text is withheld until then. */
  resolve(construct: Construct): ConstructDecision;
}

/** How tags are read: as in stored content, or as in live text, where only tool and thinking tags take effect without an event (UBIK R7). */
export type ContentMode = 'stored' | 'live';

/** Options of a content parser. */
export interface ContentParserOptions {
  readonly mode: ContentMode;
  readonly sink: ContentSink;
  /** Shared by all parsers of one message, so that keys are unique in the message. */
  readonly keys: KeyGenerator;
  /** The part that contains all parts of this text; null, the default, for the message itself. */
  readonly parent?: Key | null;
  /** Decides about constructs in live text. */
  readonly resolver?: ConstructResolver;
}

/** Opaque snapshot of a parser. Does not change when the parser continues. */
export interface ContentParserSnapshot {
  readonly state: unknown;
}

/** Text at the end of the received text that cannot be interpreted yet. */
export interface WithheldText {
  readonly text: string;
  /** Key of the tool part whose payload it is; null when it is not a payload. */
  readonly tool: Key | null;
  readonly payload: 'input' | 'result' | null;
}

/** Parses one text in chunks. Takes time proportional to their total length, wherever the chunks end. */
export interface ContentParser {
  /** Parses the next chunk. */
  push(text: string): void;
  /**
   * Adds a part for an event at this position of the text. First emits withheld text, except an unfinished payload, and closes an open
   * thinking part, as a structural tag would. Then calls `open`, which adds the part at the end of the parser's parent and returns its key.
   * The text that follows comes after the part.
   */
  insertPart(open: () => Key): void;
  /** Closes thinking parts, tools (as incomplete) and code fences, because the step of this text has ended. Late text may follow. */
  closeOpen(): void;
  /** Emits withheld text, closes everything, and emits the errors. Nothing may follow. */
  end(): void;
  /** Returns a snapshot, without the sink and the key generator, which have their own snapshots. */
  snapshot(): ContentParserSnapshot;
  /** Restores a snapshot of this parser, or of one with the same options. */
  restore(snapshot: ContentParserSnapshot): void;
  /** Text that is withheld; null when it is blank. Takes time proportional to its length. */
  readonly withheldText: WithheldText | null;
  /** The payload of a tool that is unfinished: the key of its tool, and its length with the start tag; null when there is none. */
  readonly openPayload: { readonly tool: Key; readonly length: number } | null;
  /** Number of UTF-16 units that were scanned, counting repeated scans. Tests use it to prove linear cost. */
  readonly work: number;
}
