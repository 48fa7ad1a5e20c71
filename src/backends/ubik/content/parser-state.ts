import type { Key } from '../../../model/json.js';
import type { ErrorFields } from '../../../model/part.js';
import { createCodeState, type CodeState } from './code-state.js';
import type { ContentParserOptions } from './content-parser-types.js';

/** A text part that may still grow. */
export interface OpenText {
  readonly key: Key;
  isEmpty: boolean;
  marks: number;
}

/** A container of parts. */
export interface Container {
  /** Null for the message itself. */
  readonly key: Key | null;
  /** Key of the part that a text follows, and how many texts and thinking parts follow it already. */
  anchor: string;
  count: number;
  /** The text part at its end; null when it ends with another part. */
  text: OpenText | null;
}

/** The message or a step. */
export interface Frame extends Container {
  code: CodeState;
}

/** A step whose end tag has not come. */
export interface OpenStep extends Frame {
  readonly key: Key;
  /** Its state after its end tag; null when the header has set it already. */
  readonly end: 'completed' | 'open-ended' | null;
}

/** A tool whose end tag has not come. Contains what is between its tags, outside of its blocks. */
export interface OpenTool extends Container {
  readonly key: Key;
  readonly name: string;
  readonly toolId: string;
  /** Key of the frame around it. */
  readonly frame: Key | null;
  /** Created for a block without a tool: its result ends it. */
  readonly isImplicit: boolean;
  /** Names of the blocks that were read. */
  readonly blocks: string[];
}

/** A tool that exceeds the limit of parts: its blocks and its end tag belong to no other tool. */
export interface DroppedTool {
  readonly name: string;
  readonly toolId: string;
  /** Blocks that were read. */
  readonly blocks: string[];
}

/** A checkpoint, request or error, whose text is parsed when it ends. Not Markdown, so it contains no code. */
interface OpenBlock {
  readonly name: string;
  /** The block around an error. */
  readonly outer: OpenBlock | null;
  text: string;
  answer: string | null;
}

/** A raw zone, in which everything is opaque up to its own end tag (7.2). An end tag inside a JSON string may be quoted. */
export interface RawZone {
  /** Name of its tags. */
  readonly name: string;
  /** Key of its tool; empty when it has none. */
  readonly tool: Key;
  /** The end tag of what is around it, where an undecided zone ends. */
  readonly outerEnd: string;
  text: string;
  /** Where the first end tag is, while it is undecided whether it is quoted; else 0. */
  firstEnd: number;
  /** State of the JSON scanner: `"` in a string, `\` after a backslash in it, `!` when the text is not JSON. */
  json: '' | '"' | '\\' | '!';
}

/** The options of a parser, and its state between two pieces, as plain data. */
export interface ParserState {
  readonly options: ContentParserOptions;
  work: number;
  /** Text that starts with what may be a tag, while that depends on text that has not come yet. */
  pending: string;
  /** Length of `pending` when it was scanned last. */
  scannedLength: number;
  zone: RawZone | null;
  readonly base: Frame;
  step: OpenStep | null;
  /** Tools whose end tag has not come, newest first. */
  tools: OpenTool[];
  /** Dropped tools whose end tag has not come, newest first. All are newer than the open ones. */
  droppedTools: DroppedTool[];
  block: OpenBlock | null;
  thinking: OpenText | null;
  /** What came last. A line break after a tag is dropped. */
  lastWritten: 'nothing' | 'tag' | 'text';
  /** Blanks at the start, or a line break and blanks at the end: they may belong to a tag. */
  heldBlanks: string;
  /** Errors, which are emitted at the end. */
  errors: ErrorFields[];
  /** Only blanks have followed the last error block. */
  expectsErrorDetails: boolean;
  request: Key | null;
  /** Number of steps in live text that were merged: that many end tags belong to them. */
  mergedSteps: number;
}

/** Creates the state at the start of a text. */
export function createParserState(options: ContentParserOptions): ParserState {
  return {
    options,
    work: 0,
    pending: '',
    scannedLength: 0,
    zone: null,
    base: { ...createContainer(options.parent ?? null), code: createCodeState() },
    step: null,
    tools: [],
    droppedTools: [],
    block: null,
    thinking: null,
    lastWritten: 'nothing',
    heldBlanks: '',
    errors: [],
    expectsErrorDetails: false,
    request: null,
    mergedSteps: 0,
  };
}

/** Creates an empty container. */
export function createContainer<K extends Key | null>(key: K): Container & { key: K } {
  return { key, anchor: `${key ?? ''}/`, count: 0, text: null };
}

/**
 * Copies objects and arrays, and shares all other values. The cost depends on the open parts, not on the text that was read: `structuredClone`
 * would copy the texts.
 */
export function cloneState<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneState) as T;
  return Object.fromEntries(Object.entries(value).map(cloneState) as [string, unknown][]) as T;
}
