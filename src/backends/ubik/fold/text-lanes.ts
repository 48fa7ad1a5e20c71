import type { Key } from '../../../model/json.js';
import { createContentParser } from '../tags/content-parser.js';
import type { ContentParser, ContentParserSnapshot } from '../tags/content-parser-types.js';
import type { ContentSink, LiveConstructs } from '../tags/content-sink.js';
import type { KeyMaker } from '../tags/keys.js';

/** Where the text of one container goes on. */
export interface TextLanesOptions {
  readonly keys: KeyMaker;
  /** Makes the sink for the text of a container (null: the message itself). */
  readonly createSink: (parent: Key | null) => ContentSink;
  /** Makes the door to events for the text of a container. */
  readonly createConstructs: (parent: Key | null) => LiveConstructs;
}

/** A state of all texts. */
export type TextLanesState = ReadonlyMap<Key | null, ContentParserSnapshot>;

interface Lane {
  readonly parser: ContentParser;
  /** The state, when nothing has come since it was taken. */
  saved: ContentParserSnapshot | null;
}

/** The texts of a message: its main text and that of each step, each with a parser of its own, so that no tag spans two. */
export class TextLanes {
  readonly #options: TextLanesOptions;
  #lanes = new Map<Key | null, Lane>();

  constructor(options: TextLanesOptions) {
    this.#options = options;
  }

  /** Text for a container. */
  push(parent: Key | null, text: string): void {
    this.#change(parent).push(text);
  }

  /** Opens a part at this place of the main text; see {@link ContentParser.place}. */
  place(open: () => Key): void {
    this.#change(null).place(open);
  }

  /** The step is over: what is open in its text is closed. More may come, late. */
  closeOpen(parent: Key): void {
    if (this.#lanes.has(parent)) this.#change(parent).closeOpen();
  }

  /** Lets a parser for `parent` take up text that stands there already; see `resumeContent`. */
  use(parent: Key | null, parser: ContentParser): void {
    this.#lanes.set(parent, { parser, saved: null });
  }

  /** Forgets all parsers: the content was replaced. */
  clear(): void {
    this.#lanes = new Map();
  }

  /** No more text comes: everything is closed, steps first, so that errors of the main text come last. */
  end(): void {
    const main = this.#lanes.get(null);
    for (const [parent, lane] of this.#lanes) if (parent !== null) lane.parser.end();
    main?.parser.end();
    this.clear();
  }

  snapshot(): TextLanesState {
    const state = new Map<Key | null, ContentParserSnapshot>();
    for (const [parent, lane] of this.#lanes) {
      lane.saved ??= lane.parser.snapshot();
      state.set(parent, lane.saved);
    }
    return state;
  }

  restore(state: TextLanesState): void {
    const before = this.#lanes;
    this.#lanes = new Map();
    for (const [parent, saved] of state) {
      const parser = before.get(parent)?.parser ?? this.#create(parent);
      parser.restore(saved);
      this.#lanes.set(parent, { parser, saved });
    }
  }

  #change(parent: Key | null): ContentParser {
    const known = this.#lanes.get(parent);
    const lane = known ?? { parser: this.#create(parent), saved: null };
    if (!known) this.#lanes.set(parent, lane);
    lane.saved = null;
    return lane.parser;
  }

  #create(parent: Key | null): ContentParser {
    const { keys, createSink, createConstructs } = this.#options;
    return createContentParser({
      mode: 'live',
      keys,
      parent,
      sink: createSink(parent),
      constructs: createConstructs(parent),
    });
  }
}
