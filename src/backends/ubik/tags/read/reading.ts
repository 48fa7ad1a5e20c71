import type { Key } from '../../../../model/json.js';
import type { ContentFields, ErrorFields } from '../../../../model/part.js';
import { isBlankText } from '../split/blanks.js';
import { createCodeState, endLine, type CodeState } from '../split/code-state.js';
import type { ContentParserOptions } from '../content-parser-types.js';
import { ContentWriter, createContainer, type Container } from './content-writer.js';
import { createLiveState, watchText, type LiveState } from './live-tags.js';
import type { OpenTool } from './open-tools.js';
import type { Tag } from '../split/tag.js';
import { searchCitation, searchText, settleHeaderLine, type OpenStep } from './step-header.js';

/** A block whose text is read as a whole when it ends. */
export interface OpenBlock {
  readonly kind: 'checkpoint' | 'request';
  /** Null for a checkpoint: its name is printed first, wherever it stood, so no fence may reach over it. */
  readonly code: CodeState | null;
  text: string;
  answer: string | null;
}

/** What the raw zone is for that is being read. */
export type ZoneUse =
  | { readonly block: 'input' | 'result'; readonly tool: Key }
  | { readonly block: 'answer' | 'details' };

/** All that a parser keeps between two pieces, apart from its splitter and its writer. Plain data. */
export interface ReadingState {
  readonly base: Container;
  baseCode: CodeState;
  step: OpenStep | null;
  /** Tools whose end has not come, the newest first. */
  tools: OpenTool[];
  block: OpenBlock | null;
  /** Text of the error block that is open. */
  error: string | null;
  /** Errors so far: they are told at the end. */
  errors: ErrorFields[];
  /** Nothing but blanks has followed the last error block. */
  expectsDetails: boolean;
  lastRequest: Key | null;
  zone: ZoneUse | null;
  live: LiveState;
}

/**
 * One text that is being read: where it stands (`state`), what it writes to, and what the rules for tags share. The rules themselves
 * stand in `flow-tags.ts`, `structural-tags.ts`, `step-header.ts` and `live-tags.ts`.
 */
export class Reading {
  state: ReadingState;
  readonly writer: ContentWriter;
  readonly options: ContentParserOptions;

  constructor(options: ContentParserOptions) {
    this.options = options;
    this.writer = new ContentWriter(options.sink, options.keys);
    this.state = {
      base: createContainer(options.parent ?? null),
      baseCode: createCodeState(),
      step: null,
      tools: [],
      block: null,
      error: null,
      errors: [],
      expectsDetails: false,
      lastRequest: null,
      zone: null,
      live: createLiveState(),
    };
  }

  /** Where this place stands as to code. The texts of errors and checkpoints are no Markdown. */
  code(): CodeState | null {
    const { error, block, step, baseCode } = this.state;
    return error === null ? (block ?? step ?? { code: baseCode }).code : null;
  }

  /** Whether parts can be made here: not in the text of a block. */
  isOpen(): boolean {
    return this.state.error === null && this.state.block === null;
  }

  /** What stands around this place: the open step or the base. A step that had no part so far comes into being. */
  container(): Container {
    return this.state.step ? this.insideOf(this.state.step) : this.state.base;
  }

  /**
   * Where text goes: into the tool that is the last part here and has no result yet, else beside the parts. So text behind a result
   * is never hidden in a card whose end tag is missing, and text always stands behind everything that came before it.
   */
  target(): Container {
    const around = this.container();
    if (around.count > 0) return around;
    const last = this.state.tools.find((tool) => tool.anchor === around.anchor && !tool.hasResult);
    return last ? last.inside : around;
  }

  /** Takes text; with `literal`, that of a tag which does not act. */
  text(text: string, literal?: Tag): void {
    const { error, block, step } = this.state;
    if (error !== null) {
      this.state.error = error + text;
      return;
    }
    if (this.state.expectsDetails && !isBlankText(text)) this.state.expectsDetails = false;
    if (block) block.text += text;
    else if (step?.search) searchText(this, step, text);
    else {
      const target = this.target();
      this.writer.text(target, text);
      watchText(this, target, text, literal);
    }
  }

  /** Takes a citation element. */
  citation(source: string): void {
    const { step } = this.state;
    this.state.expectsDetails = false;
    this.state.live.watch = null;
    if (step?.search && searchCitation(this, step, source)) return;
    this.writer.citation(this.target(), source);
  }

  /** A tag acts here: the line is over, and so is the text beside it. */
  break(): void {
    const { step, block } = this.state;
    if (step) settleHeaderLine(this, step);
    const code = this.code();
    if (code) endLine(code);
    this.writer.break();
    if (block && this.state.error === null) block.text += '\n';
    this.state.live.watch = null;
  }

  /** Ends the open thought, if there is one, with the code in it. */
  closeThinking(): boolean {
    const closed = this.writer.closeThinking();
    const code = this.code();
    if (closed && code) Object.assign(code, createCodeState());
    return closed;
  }

  /** Opens a part with a nature of its own here. */
  open(fields: ContentFields): Key {
    const around = this.container();
    this.#abandonFencedTools();
    return this.writer.open(around, fields);
  }

  /** A part that an event has made stands here. */
  stand(key: Key): void {
    this.#abandonFencedTools();
    this.writer.stand(this.container(), key);
  }

  /** What is in a step. A step that was still looking for its header has none. */
  insideOf(step: OpenStep): Container {
    if (step.inside) return step.inside;
    const { header, single } = step;
    this.#abandonFencedTools(this.state.baseCode, false);
    const key = this.writer.open(this.state.base, {
      kind: 'step',
      number: header?.number ?? null,
      title: header?.title ?? '',
      single,
      state: header?.completed ? 'completed' : 'running',
    });
    step.search = null;
    step.inside = createContainer(key);
    return step.inside;
  }

  /**
   * A part comes to stand behind the open tools while a code fence is open: the fence may have been opened in a tool's own text, and
   * then no tag can reach that tool any more, for behind its text all tags are code.
   */
  #abandonFencedTools(code = this.code(), inStep = this.state.step !== null): void {
    if (code && code.fence !== 0) this.abandonTools((tool) => tool.inStep === inStep);
  }

  /** A tool will not get its end any more. */
  abandonTools(which: (tool: OpenTool) => boolean): void {
    const { sink } = this.options;
    for (const tool of this.state.tools.filter(which)) sink.set(tool.key, 'state', 'incomplete');
    this.state.tools = this.state.tools.filter((tool) => !which(tool));
  }
}
