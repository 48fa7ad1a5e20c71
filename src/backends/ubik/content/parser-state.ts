import type { Key } from '../../../model/json.js';
import type { ErrorFields } from '../../../model/part.js';
import { createCodeState, type CodeState } from './code-state.js';
import type { ContentParserOptions } from './content-parser-types.js';

/** A text that may still grow. */
export interface OpenText {
  readonly key: Key;
  isEmpty: boolean;
  marks: number;
}

/** What holds parts. */
export interface Container {
  /** Null for the message itself. */
  readonly key: Key | null;
  /** What a part without a name follows, and how many such follow it already. */
  anchor: string;
  count: number;
  /** The text at its end, if it ends with one. */
  text: OpenText | null;
}

/** The message, or a step. */
export interface Frame extends Container {
  code: CodeState;
}

/** A step whose end has not come. */
export interface OpenStep extends Frame {
  readonly key: Key;
  /** Its state when it ends as it should; null when its header has told that already. */
  readonly end: 'completed' | 'open-ended' | null;
}

/** A tool whose end has not come, and what stands between its tags, outside of its blocks. */
export interface OpenTool extends Container {
  readonly key: Key;
  readonly name: string;
  readonly toolId: string;
  /** What it stands in. */
  readonly frame: Key | null;
  /** Made by a block that had no tool: its result is its end. */
  readonly isImplicit: boolean;
  /** Blocks that have come. */
  readonly blocks: string[];
}

/** A tool for which the message had no room: its blocks and its end belong to no other tool. */
export interface DroppedTool {
  readonly name: string;
  readonly toolId: string;
  /** Blocks that have come. */
  readonly blocks: string[];
}

/** A checkpoint, request or error: its text is read as a whole when it ends. No Markdown, so it holds no code. */
interface OpenBlock {
  readonly name: string;
  /** The block that an error stands in. */
  readonly outer: OpenBlock | null;
  text: string;
  answer: string | null;
}

/**
 * A raw zone (rule 4 of `ubik.md` 7.2), in which everything is opaque up to its own end tag. When the first end tag comes inside a JSON
 * string, it may be quoted.
 */
export interface RawZone {
  /** What its tags are called. */
  readonly name: string;
  /** The tool that it belongs to; empty when there is none. */
  readonly tool: Key;
  /** The end tag of what is around it: there it has to be decided. */
  readonly outerEnd: string;
  text: string;
  /** Where in the text the first end tag stands, when that is undecided; else 0. */
  firstEnd: number;
  /** Where in JSON the text is: `"` in a string, `\` behind a backslash in it, `!` where no JSON can be. */
  json: '' | '"' | '\\' | '!';
}

/** A parser's options, and all that it keeps between two pieces, as plain data. */
export interface ParserState {
  readonly options: ContentParserOptions;
  work: number;
  /** Text from a tag or from what may become one, as long as only more text can tell what it is. */
  pending: string;
  /** How long that was when it was last looked at. */
  scannedLength: number;
  zone: RawZone | null;
  readonly base: Frame;
  step: OpenStep | null;
  /** Tools whose end has not come, the newest first. */
  tools: OpenTool[];
  /** Dropped tools whose end has not come, the newest first. All are newer than the open ones. */
  droppedTools: DroppedTool[];
  block: OpenBlock | null;
  thinking: OpenText | null;
  /** What was told last stands before: a tag, whose line break goes. */
  lastWritten: 'nothing' | 'tag' | 'text';
  /** Blanks at the beginning, or a line break and blanks at the end: they may belong to a tag. */
  heldBlanks: string;
  /** Errors so far: they are told at the end. */
  errors: ErrorFields[];
  /** Nothing but blanks has followed the last error block. */
  expectsDetails: boolean;
  request: Key | null;
  /** Steps in live text that were merged: so many end tags belong to them. */
  mergedSteps: number;
}

/** A reader of a text of which nothing has come. */
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
    expectsDetails: false,
    request: null,
    mergedSteps: 0,
  };
}

/** What holds parts, without parts. */
export function createContainer<K extends Key | null>(key: K): Container & { key: K } {
  return { key, anchor: `${key ?? ''}/`, count: 0, text: null };
}

/**
 * A copy of plain data: objects and arrays are copied, all other values shared. Texts cost nothing, so a state costs what is open, not
 * what has been read. (`structuredClone` would copy the texts.)
 */
export function cloneState<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneState) as T;
  return Object.fromEntries(Object.entries(value).map(cloneState) as [string, unknown][]) as T;
}
