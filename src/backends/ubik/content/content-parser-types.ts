import type { Json, Key } from '../../../model/json.js';
import type { ContentFields, Mark } from '../../../model/part.js';
import type { KeyGenerator } from './keys.js';

/** Fields of a part that change after it was opened. */
export type MutableField = 'state' | 'input' | 'result' | 'answer' | 'single';

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
  set(key: Key, field: MutableField, value: Json): void;
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
export type ConstructDecision = 'literal' | 'merged' | { readonly placed: Key };

/**
 * The door between tags in live text and events (rule R7). A parser in `live` mode asks here what to do with step, checkpoint, input
 * and error tags; without it they all stay text.
 *
 * An event that comes before its construct: `claim` answers `merged`. An event that comes after it was shown: look for the match among
 * what was claimed; if there is one, build the message again from a snapshot before it (or from the beginning), now with the answer
 * `{ placed }` (having opened the part there), and let one reconcile cut the text.
 */
export interface ConstructResolver {
  /** A construct is complete and not yet shown (its text is held for so long): what shall become of it. */
  resolve(construct: Construct): ConstructDecision;
}

/** How tags are read: as stored content, or as live text, in which only tool and thinking tags act. */
export type ContentMode = 'stored' | 'live';

/** What a content parser needs. */
export interface ContentParserOptions {
  readonly mode: ContentMode;
  readonly sink: ContentSink;
  /** Shared by all parsers of one message, so that keys are unique in it. */
  readonly keys: KeyGenerator;
  /** The part that everything of this text stands in; null (the default) for the message itself. */
  readonly parent?: Key | null;
  /** Answers for tags in live text. */
  readonly resolver?: ConstructResolver;
}

/** A state of a parser, to come back to. Opaque, and never changed by going on. */
export interface ContentParserSnapshot {
  readonly state: unknown;
}

/** The end of a text that could not be read yet, as it came. */
export interface HeldText {
  readonly text: string;
  /** Key of the tool part whose payload it is; null when it is none. */
  readonly tool: Key | null;
  readonly payload: 'input' | 'result' | null;
}

/** Reads one text, piece by piece. Costs what the pieces are long, wherever they are cut. */
export interface ContentParser {
  /** The next piece. */
  push(text: string): void;
  /**
   * An event makes a part at this place of the text. First what is held is told as text (a tool's block that is being read is left in
   * peace) and an open thought is closed, as a structural tag would do; then `open` is called, which opens the part as the last one
   * in this parser's parent and returns its key; what follows in the text stands behind it.
   */
  insertPart(open: () => Key): void;
  /** The step around this text is over: closes thoughts, tools (incomplete) and code fences. More text may come, late. */
  closeOpen(): void;
  /** The text is over: tells what is held, closes everything, tells the errors. Nothing may follow. */
  end(): void;
  /** The state now. Does not cover the sink and the key maker, which have their own. */
  snapshot(): ContentParserSnapshot;
  /** Goes back to a state of this parser or of one with the same options. */
  restore(snapshot: ContentParserSnapshot): void;
  /** What waits for more text and has not been told; null when nothing but blanks does. Costs its length. */
  readonly heldText: HeldText | null;
  /** Units looked at so far, those looked at twice counted twice: shows that cost is linear. */
  readonly work: number;
}
