import type { Key } from '../../../model/json.js';
import type { ErrorFields } from '../../../model/part.js';
import { createCodeState, type CodeState } from './code-state.js';
import type { ContentParserOptions } from './content-parser-types.js';

/** A text part that may still grow. */
export interface OpenText {
  readonly key: Key;
  isEmpty: boolean;
  /** Number of inline marks in it. */
  marks: number;
}

/** A container of parts. */
export interface Container {
  /** Null for the message itself. */
  readonly key: Key | null;
  /** Prefix of the keys of texts: the key of the part before them and `+`, or that of the container and `/`. */
  anchor: string;
  /** Number of texts and thinking parts that already follow the anchor. */
  count: number;
  /** The text part at its end; null when the last part is another one. */
  text: OpenText | null;
}

/** The message or a step. */
export interface Frame extends Container {
  code: CodeState;
}

/** A step whose end tag was not read yet. */
export interface OpenStep extends Frame {
  readonly key: Key;
  /** Its state after its end tag or the start of the next step; null when the header has already set it. */
  readonly end: 'completed' | 'open-ended' | null;
}

/** A tool whose end tag was not read yet. Contains the texts and parts between its tags, outside of its payloads. */
export interface OpenTool extends Container {
  readonly key: Key;
  readonly name: string;
  readonly toolId: string;
  /** Key of the frame around it. */
  readonly frame: Key | null;
  /** Whether it was created for a payload without a tool. Its result ends it. */
  readonly isImplicit: boolean;
  /** Names of the payloads (input, result) that were begun. */
  readonly payloads: string[];
}

/** A tool that exceeds the limit of parts. Its payloads and its end tag belong to no other tool. */
export interface DroppedTool {
  readonly name: string;
  readonly toolId: string;
  /** Names of the payloads that were begun. */
  readonly payloads: string[];
}

/** A checkpoint, request or error, whose text is parsed when it ends. Its text is not Markdown, so it contains no code. */
interface OpenBlock {
  readonly name: string;
  /** For an error inside another block, that block; otherwise null. */
  readonly outer: OpenBlock | null;
  text: string;
  /** The payload of `USER_INPUT_PROVIDED` in a request; null while there is none. */
  answer: string | null;
}

/** A raw zone: everything in it is opaque up to its own end tag (UBIK 7.2). An end tag in a JSON string may be quoted text. */
export interface RawZone {
  /** Name of its tags. */
  readonly name: string;
  /** Key of its tool; empty when there is none. */
  readonly tool: Key;
  /** The end tag of the surrounding construct, where an undecided zone ends. */
  readonly outerEnd: string;
  text: string;
  /** Position of the first end tag while it is undecided whether that is quoted; otherwise 0. */
  firstEnd: number;
  /** State of the JSON scanner: `"` in a string, `\` after a backslash in a string, `!` when the text is no JSON. */
  json: '' | '"' | '\\' | '!';
}

/** The options of a parser, and its state between two chunks, as plain data. */
export interface ParserState {
  readonly options: ContentParserOptions;
  /** See `work` of the content parser. */
  work: number;
  /** Text that starts with a possible tag, while that depends on text that was not received yet. */
  pending: string;
  /** Length of `pending` at the last scan. */
  scannedLength: number;
  zone: RawZone | null;
  readonly base: Frame;
  step: OpenStep | null;
  /** Tools whose end tag was not read yet, newest first. */
  tools: OpenTool[];
  /** Dropped tools whose end tag was not read yet, newest first. All of them are newer than the open tools. */
  droppedTools: DroppedTool[];
  block: OpenBlock | null;
  thinking: OpenText | null;
  /** Whether a tag or text was written last. A line break after a tag is dropped. */
  lastWritten: 'nothing' | 'tag' | 'text';
  /** Blanks at the start, or a line break and blanks at the end, which may belong to the line of a tag. */
  withheldBlanks: string;
  /** Errors that are emitted at the end. */
  errors: ErrorFields[];
  /** Whether only blanks have followed the last error block. */
  expectsErrorDetails: boolean;
  /** The last request, to which an answer after its block belongs; null when there is none. */
  request: Key | null;
  /** Number of steps in live text whose start tag was dropped and whose end tag was not read yet. */
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
    withheldBlanks: '',
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
 * Copies objects and arrays, and shares all other values. The cost depends on the open parts, not on the text that was read;
 * `structuredClone` would copy the texts.
 */
export function cloneState<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneState) as T;
  return Object.fromEntries(Object.entries(value).map(cloneState) as [string, unknown][]) as T;
}
