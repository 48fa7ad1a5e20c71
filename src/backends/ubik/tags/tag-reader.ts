import type { Json, Key } from '../../../model/json.js';
import type { ContentFields } from '../../../model/part.js';
import { createCodeState, endLine, type CodeState } from './code-state.js';
import type {
  ContentParser,
  ContentParserOptions,
  ContentParserSnapshot,
} from './content-parser-types.js';
import type { ChangingField } from './content-sink.js';
import {
  ContentWriter,
  createContainer,
  type Container,
  type WriterState,
} from './content-writer.js';
import {
  HEADER_REACH,
  isBlankText,
  messageOfDetails,
  parseCheckpoint,
  parseErrorMessage,
  parseRequest,
  parseStepHeader,
  trimBlanks,
} from './payload.js';
import {
  cloneState,
  createOpenBlock,
  createOpenStep,
  createReaderState,
  type OpenStep,
  type OpenTool,
  type ReaderState,
} from './reader-state.js';
import { createRawZone, type RawZone, type ZoneName } from './raw-zone.js';
import { isStructural, joinLabel, splitLabel, type Tag } from './tag.js';
import { TagSplitter, type TextHold } from './tag-splitter.js';

/** So many tools are open at a time: one more, and the oldest counts as incomplete. Bounds what a tag costs. */
const MAX_OPEN_TOOLS = 64;
const RESULT = 'TOOL_STEP_RESULT';
/** Longest text that is held between a temporary tag, or a construct in live text, and its end. */
export const MAX_HELD = 4096;

/**
 * Reads stored content. Tools stand side by side in their step or message, never in one another, so that blocks of parallel tools
 * may interleave. Errors may stand anywhere, also in a block, and are told at the end.
 */
export class TagReader extends TagSplitter<ReaderState> implements ContentParser {
  protected state: ReaderState;
  protected readonly options: ContentParserOptions;
  readonly #writer: ContentWriter;

  constructor(options: ContentParserOptions) {
    super();
    this.options = options;
    this.#writer = new ContentWriter(options.sink, options.keys);
    this.state = createReaderState(options.parent ?? null);
  }

  place(open: () => Key): void {
    this.flush(true);
    this.breakText();
    this.stand(open());
  }

  closeOpen(): void {
    this.flush();
    this.breakText();
    this.#closeTools();
    this.state.code = createCodeState();
  }

  end(): void {
    this.flush();
    const { step } = this.state;
    if (this.isOpen() && (!step || step.inside)) this.#writer.end(this.#target());
    this.#break();
    this.#closeBlock();
    this.#closeBlock();
    this.#closeStep(false);
    this.#closeThinking();
    this.#closeTools();
    // One and the same error may stand in a block and at the end, with and without its details: it is told once.
    const { errors } = this.state;
    const detailed = new Set(errors.map(({ message, details }) => details !== null && message));
    const told = errors.filter(
      ({ message, details }) => details !== null || !detailed.has(message),
    );
    const fields = told.map((error) => [error.message + '\n' + error.details, error] as const);
    for (const error of new Map(fields).values()) this.#open(error);
    this.state.errors = [];
  }

  snapshot(): ContentParserSnapshot {
    return { state: cloneState([this.state, this.#writer.state]) };
  }

  restore(snapshot: ContentParserSnapshot): void {
    const states = cloneState(snapshot.state as readonly [ReaderState, WriterState]);
    [this.state, this.#writer.state] = states;
  }

  protected code(): CodeState | null {
    const { block, step, code } = this.state;
    return (block ?? step ?? { code }).code;
  }

  protected isOpen(): boolean {
    return this.state.block === null;
  }

  protected text(text: string): void {
    const { state } = this;
    const { block, step } = state;
    if (!isBlankText(text)) state.expectsDetails = false;
    if (block) block.text += text;
    else if (step && !step.inside) this.#search(step, text);
    else this.#writer.text(this.#target(), text);
  }

  protected citation(source: string): void {
    const { step } = this.state;
    this.state.expectsDetails = false;
    if (step && !step.inside) {
      // A citation in a header is part of its title.
      if (parseStepHeader(step.line)) {
        step.line += source;
        return;
      }
      this.#settleLine(step);
    }
    this.#writer.citation(this.#target(), source);
  }

  /**
   * A tag that the service makes ends the open thought and the open error; one that ends what is not open is dropped. All others are
   * text in a block.
   */
  protected tag(tag: Tag): boolean {
    const { state } = this;
    const { step, block } = state;
    const { kind, label } = tag;
    const starts = kind.endsWith('START');
    const name = kind.replace(/_(START|END)$/, '');
    if (block && !isStructural(tag)) return false;
    if (kind !== 'ERROR_JSON_START') state.expectsDetails = false;
    if (block?.kind === 'ERROR') this.#closeBlock();
    this.#break();
    // A second one closes the thought: the first published version of the format did so.
    const closes = name !== 'TOOL_EVENT' && this.#closeThinking();
    switch (name) {
      case 'thinking':
        if (!closes) this.#writer.openThinking(this.#target());
        break;
      case 'TOOL_EVENT':
        if (starts) this.holdText(tag);
        break;
      case 'TOOL_STEP':
        if (starts) this.#openTool(label, false);
        else this.#endTool(label);
        break;
      case 'STEP':
        if (step || starts) this.#closeBlock();
        this.#closeStep(true);
        if (starts) state.step = createOpenStep();
        break;
      case 'SINGLE_STEP_FLAG':
        if (step?.inside?.key && !step.single) this.#set(step.inside.key, 'single', true);
        if (step) step.single = true;
        break;
      case 'CHECKPOINT':
      case 'INPUT_REQUIRED':
      case 'ERROR':
        if (name !== 'ERROR' && (starts || name === state.block?.kind)) this.#closeBlock();
        if (starts) state.block = createOpenBlock(name, state.block);
        break;
      default:
        if (starts) this.#openZone(name as ZoneName);
    }
    return true;
  }

  protected payload({ name, tool: key }: RawZone, text: string): void {
    const { state } = this;
    const raw = trimBlanks(text);
    const tool = state.tools.find((open) => open.key === key);
    if (name === 'ERROR_JSON') {
      // They belong to the error right before them, or are an error of their own.
      const message =
        (state.expectsDetails && state.errors.pop()?.message) || messageOfDetails(raw);
      state.errors.push({ kind: 'error', message, details: raw });
      state.expectsDetails = false;
    } else if (name === 'TOOL_STEP_INPUT') this.#set(key, 'input', raw);
    else if (name === RESULT) {
      this.#set(key, 'result', raw);
      if (tool?.anonymous) this.#closeTools((open) => open === tool, 'done');
    } else if (state.block) state.block.answer = raw;
    else if (state.request !== null) this.#set(state.request, 'answer', raw);
    else this.#openRequest('', raw);
    this.#break();
  }

  /** The next piece of what follows a temporary tag. */
  protected follow(hold: TextHold, raw: string, tag?: Tag): void {
    if (tag?.kind === 'TOOL_EVENT_END') this.state.hold = null;
    // One that was open and has no end of its own.
    else if (tag?.kind === 'TOOL_EVENT_START') this.release(hold, raw);
    else if ((hold.text += raw).length > MAX_HELD) this.release(hold);
  }

  /** Holds what follows a tag. */
  protected holdText(start: Tag): void {
    this.state.hold = { kind: 'text', start, text: '', flagEnd: 0 };
  }

  /** A part that an event has made stands here. */
  protected stand(key: Key): void {
    this.#abandonFenced();
    this.#writer.stand(this.#around(), key);
  }

  /** A tag acts here that ends a thought. */
  protected breakText(): void {
    this.#break();
    this.#closeThinking();
  }

  /** A tag acts here: the line is over, and so is the text beside it. */
  #break(): void {
    const { step, block } = this.state;
    if (step && !step.inside) {
      // Before any line, the search for the header goes on behind the tag.
      if (step.line) this.#settleLine(step);
      else step.lead = '';
    }
    const code = this.code();
    if (code) endLine(code);
    this.#writer.break();
    if (block) block.text += '\n';
  }

  /** Ends the open thought, if there is one, with the code in it. */
  #closeThinking(): boolean {
    const closed = this.#writer.closeThinking();
    const code = this.code();
    if (closed && code) Object.assign(code, createCodeState());
    return closed;
  }

  /** What stands around this place: the open step or the base. A step that had no part so far comes into being. */
  #around(): Container {
    return this.state.step ? this.#insideOf(this.state.step) : this.state.base;
  }

  /**
   * Where text goes: into the tool that is the last part here and has no result yet, else beside the parts. So text behind a result
   * is never hidden in a card whose end tag is missing, and text always stands behind everything that came before it.
   */
  #target(): Container {
    const around = this.#around();
    const tool = this.state.tools.find((open) => open.key === around.last);
    return tool && around.count === 0 && !tool.blocks.includes(RESULT) ? tool.inside : around;
  }

  #set(key: Key, field: ChangingField, value: Json): void {
    this.options.sink.set(key, field, value);
  }

  #open(fields: ContentFields): Key {
    const around = this.#around();
    this.#abandonFenced();
    return this.#writer.open(around, fields);
  }

  /** Takes text while the header of a step may still come. */
  #search(step: OpenStep, text: string): void {
    const from = step.line ? 0 : text.search(/[^ \t\r\n]|$/);
    const end = text.indexOf('\n', from);
    step.lead += text.slice(0, from);
    step.line += text.slice(from, end < 0 ? text.length : end);
    if (end >= 0) {
      this.#settleLine(step);
      this.text(text.slice(end));
    } else if (step.line.length >= HEADER_REACH && !parseStepHeader(step.line)) {
      this.#settleLine(step);
    }
  }

  /** The line is complete: the header, which ends like a tag, or else text. */
  #settleLine(step: OpenStep): void {
    step.header = parseStepHeader(step.line);
    const inside = this.#insideOf(step);
    if (step.header) this.#writer.break();
    else this.#writer.text(inside, step.lead + step.line);
  }

  /** What is in a step. A step that was still looking for its header has none. */
  #insideOf(step: OpenStep): Container {
    if (!step.inside) {
      const { number = null, title = '', completed = false } = step.header ?? {};
      const state = completed ? 'completed' : 'running';
      this.#abandonFenced(this.state.code, false);
      const fields = { kind: 'step', number, title, single: step.single, state } as const;
      step.inside = createContainer(this.#writer.open(this.state.base, fields));
    }
    return step.inside;
  }

  /** A step that ends as it should, or because another one begins, is done unless its header lacks the check mark. */
  #closeStep(ended: boolean): void {
    const { step } = this.state;
    if (!step) return;
    const { key } = this.#insideOf(step);
    if (key && !step.header?.completed) {
      this.#set(key, 'state', ended && !step.header ? 'completed' : 'open-ended');
    }
    this.#closeTools((tool) => tool.inStep);
    this.state.step = null;
  }

  #closeBlock(): void {
    const { block, errors } = this.state;
    if (!block) return;
    const { kind, text, answer, outer } = block;
    this.state.block = outer;
    if (kind === 'ERROR') {
      errors.push({ kind: 'error', message: parseErrorMessage(text), details: null });
      this.state.expectsDetails = true;
    } else if (kind === 'CHECKPOINT') {
      const checkpoint = parseCheckpoint(text);
      const key = this.#open({ kind: 'checkpoint', name: checkpoint.name });
      if (checkpoint.text) this.options.sink.append(key, checkpoint.text);
    } else this.#openRequest(text, answer);
  }

  #openRequest(text: string, answer: string | null): void {
    this.state.request = this.#open({ kind: 'input-request', ...parseRequest(text), answer });
  }

  #openZone(name: ZoneName): void {
    let key = '';
    let stop = 'INPUT_REQUIRED_END';
    if (name.startsWith('TOOL')) {
      // A block without an id belongs to the newest tool that has no such block yet.
      const tool =
        this.state.tools.find((open) => !open.blocks.includes(name)) ?? this.#openTool('', true);
      tool.blocks.push(name);
      key = tool.key;
      stop = `TOOL_STEP_END${joinLabel(tool)}`;
    }
    this.state.hold = createRawZone(name, key, stop);
  }

  #openTool(label: string, anonymous: boolean): OpenTool {
    const names = splitLabel(label);
    const key = this.#open({ kind: 'tool', ...names, state: 'running', input: null, result: null });
    const { tools, step } = this.state;
    const oldest = tools[MAX_OPEN_TOOLS - 1];
    if (oldest) this.#closeTools((open) => open === oldest);
    const place = { inStep: step !== null, inside: createContainer(key) };
    const tool = { key, ...names, anonymous, ...place, blocks: [] };
    this.state.tools.unshift(tool);
    return tool;
  }

  /** The newest tool with that id ends, else the newest with that name, else the newest. */
  #endTool(label: string): void {
    const { tools } = this.state;
    const { name, toolId } = splitLabel(label);
    const tool =
      tools.find((open) => toolId && open.toolId === toolId) ??
      tools.find((open) => open.name === name) ??
      tools[0];
    this.#closeTools((open) => open === tool, 'done');
  }

  /** These tools have got their end, or will not get it any more. */
  #closeTools(
    which: (tool: OpenTool) => boolean = () => true,
    state: 'done' | 'incomplete' = 'incomplete',
  ): void {
    const { tools } = this.state;
    for (const tool of tools.filter(which)) this.#set(tool.key, 'state', state);
    this.state.tools = tools.filter((tool) => !which(tool));
  }

  /**
   * A part comes to stand behind the open tools while a code fence is open: the fence may have been opened in a tool's own text, and
   * then no tag can reach that tool any more, for behind its text all tags are code.
   */
  #abandonFenced(code = this.code(), inStep = this.state.step !== null): void {
    if (code?.fence) this.#closeTools((tool) => tool.inStep === inStep);
  }
}
