import { createCodeState, type CodeState } from './split/code-state.js';
import { withoutForgedMarks } from './read/citation.js';
import { cloneState } from './read/clone-state.js';
import type {
  ContentParser,
  ContentParserOptions,
  ContentParserSnapshot,
} from './content-parser-types.js';
import type { WriterState } from './read/content-writer.js';
import type { Key } from '../../../model/json.js';
import { flowTag, takeBlock } from './read/flow-tags.js';
import { constructPiece, liveTag } from './read/live-tags.js';
import { Reading, type ReadingState } from './read/reading.js';
import { endStructure, structuralTag, takeAnswer, takeDetails } from './read/structural-tags.js';
import { isStructural, type Tag } from './split/tag.js';
import type {
  ConstructHold,
  ConstructStep,
  SplitterHandler,
  SplitterState,
  TagAct,
  TagSplitter,
} from './split/splitter-types.js';
import { createTagSplitter } from './split/tag-splitter.js';
import { trimBlanks } from './split/blanks.js';

/**
 * A parser of UBIK message content (`ubik.md` section 7), for one text: stored content, the main text of a live message, or the text
 * of one live step. Stored content read whole, read in pieces, and `parseContent` are this one implementation.
 */
export function createContentParser(options: ContentParserOptions): ContentParser {
  return new Parser(options);
}

interface State {
  readonly splitter: SplitterState;
  readonly writer: WriterState;
  readonly reading: ReadingState;
}

class Parser implements ContentParser, SplitterHandler {
  readonly #reading: Reading;
  readonly #splitter: TagSplitter;

  constructor(options: ContentParserOptions) {
    this.#reading = new Reading(options);
    this.#splitter = createTagSplitter(this);
  }

  get work(): number {
    return this.#splitter.state.work;
  }

  push(text: string): void {
    this.#splitter.push(withoutForgedMarks(text));
  }

  place(open: () => Key): void {
    const reading = this.#reading;
    this.#splitter.flush(true);
    reading.break();
    reading.closeThinking();
    reading.stand(open());
  }

  closeOpen(): void {
    const reading = this.#reading;
    this.#splitter.flush(false);
    reading.break();
    reading.closeThinking();
    reading.abandonTools(() => true);
    reading.state.baseCode = createCodeState();
  }

  end(): void {
    const reading = this.#reading;
    this.#splitter.flush(false);
    if (reading.isOpen() && !reading.state.step?.search) reading.writer.end(reading.target());
    reading.break();
    endStructure(reading);
  }

  snapshot(): ContentParserSnapshot {
    return { state: cloneState(this.#state) };
  }

  restore(snapshot: ContentParserSnapshot): void {
    const { splitter, writer, reading } = cloneState(snapshot.state as State);
    this.#splitter.state = splitter;
    this.#reading.writer.state = writer;
    this.#reading.state = reading;
  }

  code(): CodeState | null {
    return this.#reading.code();
  }

  takesCitations(): boolean {
    return this.#reading.isOpen();
  }

  text(text: string, literal?: Tag): void {
    this.#reading.text(text, literal);
  }

  citation(source: string): void {
    this.#reading.citation(source);
  }

  tag(tag: Tag): TagAct {
    if (!isStructural(tag.kind)) return flowTag(this.#reading, tag);
    const stored = this.#reading.options.mode === 'stored';
    return stored ? structuralTag(this.#reading, tag) : liveTag(this.#reading, tag);
  }

  payload(text: string): void {
    const reading = this.#reading;
    const { zone } = reading.state;
    const raw = trimBlanks(text);
    reading.state.zone = null;
    if (zone && 'tool' in zone) takeBlock(reading, zone.block, zone.tool, raw);
    else if (zone?.block === 'answer') takeAnswer(reading, raw);
    else if (zone) takeDetails(reading, raw);
    reading.break();
  }

  construct(hold: ConstructHold, piece: string | Tag): ConstructStep {
    return constructPiece(this.#reading, hold, piece);
  }

  get #state(): State {
    return {
      splitter: this.#splitter.state,
      writer: this.#reading.writer.state,
      reading: this.#reading.state,
    };
  }
}
