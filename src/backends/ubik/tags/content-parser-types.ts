import type { Key } from '../../../model/json.js';
import type { ContentSink, LiveConstructs } from './content-sink.js';
import type { KeyMaker } from './keys.js';

/** How tags are read: as stored content, or as live text, in which only tool and thinking tags act. */
export type ContentMode = 'stored' | 'live';

/** What a content parser needs. */
export interface ContentParserOptions {
  readonly mode: ContentMode;
  readonly sink: ContentSink;
  /** Shared by all parsers of one message, so that keys are unique in it. */
  readonly keys: KeyMaker;
  /** The part that everything of this text stands in; null (the default) for the message itself. */
  readonly parent?: Key | null;
  /** Answers for tags in live text. */
  readonly constructs?: LiveConstructs;
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
  place(open: () => Key): void;
  /** The step around this text is over: closes thoughts, tools (incomplete) and code fences. More text may come, late. */
  closeOpen(): void;
  /** The text is over: tells what is held, closes everything, tells the errors. Nothing may follow. */
  end(): void;
  /** The state now. Does not cover the sink and the key maker, which have their own. */
  snapshot(): ContentParserSnapshot;
  /** Goes back to a state of this parser or of one with the same options. */
  restore(snapshot: ContentParserSnapshot): void;
  /** What waits for more text and has not been told; null when nothing but blanks does. Costs its length. */
  readonly held: HeldText | null;
  /** Units looked at so far, those looked at twice counted twice: shows that cost is linear. */
  readonly work: number;
}
