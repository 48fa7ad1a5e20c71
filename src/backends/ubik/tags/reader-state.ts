import type { Key } from '../../../model/json.js';
import type { ErrorFields } from '../../../model/part.js';
import { createCodeState, type CodeState } from './code-state.js';
import { createContainer, type Container } from './content-writer.js';
import type { StepHeader } from './payload.js';
import type { ZoneName } from './raw-zone.js';
import type { SplitterState } from './tag-splitter.js';

/** A tool whose end has not come. */
export interface OpenTool {
  readonly key: Key;
  readonly name: string;
  readonly toolId: string;
  /** Made by a block that had no tool: its result is its end. */
  readonly anonymous: boolean;
  /** It stands in the open step. */
  readonly inStep: boolean;
  /** What stands between its tags, outside of its blocks. */
  readonly inside: Container;
  /** Blocks that have come. */
  readonly blocks: ZoneName[];
}

/** A step whose end has not come. */
export interface OpenStep {
  readonly code: CodeState;
  header: StepHeader | null;
  single: boolean;
  /** What is in it; null while its header may still come. */
  inside: Container | null;
  /** The first line that is not blank, as far as it has come, and blanks before it. */
  line: string;
  lead: string;
}

/** A block whose text is read as a whole when it ends. */
export interface OpenBlock {
  readonly kind: 'CHECKPOINT' | 'INPUT_REQUIRED' | 'ERROR';
  /** Null but for a request: an error is no Markdown, and a checkpoint's name is printed first, wherever it stood, so no fence may reach over it. */
  readonly code: CodeState | null;
  /** What an error stands in. */
  readonly outer: OpenBlock | null;
  text: string;
  answer: string | null;
}

/** All that a reader keeps between two pieces, apart from its writer. Plain data. */
export interface ReaderState extends SplitterState {
  readonly base: Container;
  code: CodeState;
  step: OpenStep | null;
  /** Tools whose end has not come, the newest first. */
  tools: OpenTool[];
  block: OpenBlock | null;
  /** Errors so far: they are told at the end. */
  errors: ErrorFields[];
  /** Nothing but blanks has followed the last error block. */
  expectsDetails: boolean;
  request: Key | null;
  /** Steps in live text that were merged: so many end tags belong to them. */
  mergedSteps: number;
}

/** A text of which nothing has come. */
export function createReaderState(parent: Key | null): ReaderState {
  return {
    candidate: null,
    hold: null,
    base: createContainer(parent),
    code: createCodeState(),
    step: null,
    tools: [],
    block: null,
    errors: [],
    expectsDetails: false,
    request: null,
    mergedSteps: 0,
  };
}

/** A step that has just begun. */
export function createOpenStep(): OpenStep {
  const code = createCodeState();
  return { code, header: null, single: false, inside: null, line: '', lead: '' };
}

/** A block of which nothing has come. */
export function createOpenBlock(kind: OpenBlock['kind'], outer: OpenBlock | null): OpenBlock {
  const code = kind === 'INPUT_REQUIRED' ? createCodeState() : null;
  return { kind, code, outer, text: '', answer: null };
}

/**
 * A copy of plain data: objects and arrays are copied, all other values shared. Texts cost nothing, so a state costs what is open, not
 * what has been read. (`structuredClone` would copy the texts.)
 */
export function cloneState<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => cloneState(item)) as T;
  const fields = Object.entries(value).map(([name, field]) => [name, cloneState<unknown>(field)]);
  return Object.fromEntries(fields) as T;
}
