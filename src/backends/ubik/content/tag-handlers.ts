import type { Key } from '../../../model/json.js';
import { createCodeState } from './code-state.js';
import type { Construct } from './content-parser-types.js';
import {
  breakLine,
  closeThinking,
  closeTools,
  frameOf,
  openPart,
  openThinking,
  RESULT,
  setField,
} from './content-writer.js';
import { messageOfDetails, parseBlock } from './constructs.js';
import { createContainer, type DroppedTool, type OpenTool, type Reader } from './parser-state.js';
import { isStructural, joinLabel, splitLabel, type Tag } from './tag.js';

/** So many tools are open at a time: one more, and the oldest counts as incomplete. Bounds what a tag costs. */
const MAX_OPEN_TOOLS = 64;

/**
 * What a tag does that is not code. False when it is text. A tag that the service makes ends the open thought and the open error, and
 * one that ends what is not open is dropped; all others are text in a block.
 */
export function actTag(reader: Reader, tag: Tag, header?: Construct): boolean {
  const { name, starts, label } = tag;
  const { step } = reader;
  if (reader.block && !isStructural(tag)) return false;
  if (name !== 'ERROR_JSON' || !starts) reader.expectsDetails = false;
  if (reader.block?.name === 'ERROR') closeBlock(reader);
  breakLine(reader);
  const closed = name !== 'TOOL_EVENT' && closeThinking(reader);
  switch (name) {
    case 'thinking':
      // A second one closes the thought: the first published version of the format did so.
      if (!closed) openThinking(reader);
      break;
    case 'TOOL_STEP':
      if (starts) openTool(reader, label, false);
      else {
        const ended = findEnded(reader.tools, label);
        closeTools(reader, (tool) => tool === ended, 'done');
      }
      break;
    case 'STEP':
      if (step || starts) closeBlock(reader);
      closeStep(reader, false);
      if (starts) openStep(reader, header);
      break;
    case 'SINGLE_STEP_FLAG':
      if (step) setField(reader, step.key, 'single', true);
      break;
    case 'CHECKPOINT':
    case 'INPUT_REQUIRED':
    case 'ERROR':
      if (name !== 'ERROR' && (starts || reader.block?.name === name)) closeBlock(reader);
      if (starts) openBlock(reader, name);
      break;
    default:
      if (starts && name !== 'TOOL_EVENT') openZone(reader, name);
  }
  return true;
}

/**
 * Whether a tag would make a part for which the message has no room any more, or belongs to a tool that was dropped so. Such a tag is
 * dropped like a stray end tag, and what stands behind it goes where the text goes: no text is lost, and none is printed with a tag.
 */
export function lacksRoom(reader: Reader, tag: Tag): boolean {
  const { block, errors, options } = reader;
  const pending = errors.length + (block ? 1 : 0) + (block?.outer ? 1 : 0);
  return !options.keys.hasRoom(pending) && makesPart(reader, tag);
}

function makesPart(reader: Reader, tag: Tag): boolean {
  const { name, starts, label } = tag;
  const { block, thinking, tools, droppedTools, request, expectsDetails } = reader;
  if (block && !isStructural(tag)) return false;
  // An error ends with the next tag of the service.
  const isInError = block?.name === 'ERROR';
  const around = isInError ? block.outer : block;
  switch (name) {
    case 'thinking':
      return !thinking;
    case 'TOOL_STEP':
      return starts || isDropped(reader, findEnded([...droppedTools, ...tools], label));
    case 'TOOL_STEP_INPUT':
    case RESULT:
      return starts && isDropped(reader, findWithout([...droppedTools, ...tools], name));
    case 'USER_INPUT_PROVIDED':
      return starts && !around && request === null;
    case 'ERROR_JSON':
      return starts && !expectsDetails && !isInError;
    default:
      return starts && isStructural(tag);
  }
}

/** Whether a tool was dropped, or is none that is known. */
function isDropped({ tools }: Reader, tool: DroppedTool | undefined): boolean {
  return !tools.some((open) => open === tool);
}

/** A tag makes no part for lack of room. It ends a thought and an error, as it would with room. */
export function dropTag(reader: Reader, { name, starts, label }: Tag): void {
  const { droppedTools } = reader;
  reader.expectsDetails = false;
  if (reader.block?.name === 'ERROR') closeBlock(reader);
  breakText(reader);
  if (name === 'INPUT_REQUIRED') reader.request = null;
  else if (name !== 'TOOL_STEP') findWithout(droppedTools, name)?.blocks.push(name);
  else if (starts) {
    droppedTools.unshift({ ...splitLabel(label), blocks: [] });
    droppedTools.splice(MAX_OPEN_TOOLS);
  } else {
    const ended = findEnded(droppedTools, label);
    reader.droppedTools = droppedTools.filter((tool) => tool !== ended);
  }
}

/** A tag acts here that ends a thought. */
export function breakText(reader: Reader): void {
  breakLine(reader);
  closeThinking(reader);
}

/** A raw zone has ended; whole: by its own end tag. */
export function takePayload(
  reader: Reader,
  { name, tool, raw, isWhole }: { name: string; tool: Key; raw: string; isWhole: boolean },
): void {
  const { block, errors, request } = reader;
  if (name === 'ERROR_JSON') {
    // They belong to the error right before them, or are an error of their own.
    const message = (reader.expectsDetails && errors.pop()?.message) || messageOfDetails(raw);
    errors.push({ kind: 'error', message, details: raw });
    reader.expectsDetails = false;
  } else if (name === RESULT) {
    setField(reader, tool, 'result', raw);
    closeTools(reader, ({ key, anonymous }) => isWhole && anonymous && key === tool, 'done');
  } else if (tool) setField(reader, tool, 'input', raw);
  else if (block) block.answer = raw;
  else if (request !== null) setField(reader, request, 'answer', raw);
  else {
    openBlock(reader, 'INPUT_REQUIRED', raw);
    closeBlock(reader);
  }
  breakLine(reader);
}

/** The text is over: closes everything, and tells the errors. One and the same may stand in a block and at the end, with and without its details. */
export function closeAll(reader: Reader): void {
  breakText(reader);
  closeBlock(reader);
  closeBlock(reader);
  closeStep(reader, true);
  closeTools(reader);
  const { errors } = reader;
  const detailed = new Set(errors.map(({ message, details }) => details !== null && message));
  const unique = new Map(errors.map((error) => [JSON.stringify(error), error]));
  for (const error of unique.values()) {
    if (error.details !== null || !detailed.has(error.message)) openPart(reader, error);
  }
  reader.errors = [];
}

function openBlock(reader: Reader, name: string, answer: string | null = null): void {
  reader.block = { name, outer: reader.block, text: '', answer };
}

/** Ends the block that takes the text. An error stands in another block at most. */
function closeBlock(reader: Reader): void {
  const { block } = reader;
  if (!block) return;
  reader.block = block.outer;
  const construct = parseBlock(block.name, block.text);
  if (construct.kind === 'error') {
    reader.errors.push(construct);
    reader.expectsDetails = true;
  } else if (construct.kind === 'request') {
    const { answer } = block;
    reader.request = openPart(reader, { ...construct, kind: 'input-request', answer });
  } else {
    const key = openPart(reader, { kind: 'checkpoint', name: construct.name });
    if (construct.text) reader.options.sink.append(key, construct.text);
  }
}

function openStep(reader: Reader, header?: Construct): void {
  const none = { number: null, title: '', completed: false, single: false };
  const { number, title, completed, single } = header?.kind === 'step' ? header : none;
  const state = completed ? 'completed' : 'running';
  const key = openPart(reader, { kind: 'step', number, title, single, state });
  // A step that ends as it should is done, unless its header lacks the check mark.
  const end = completed ? null : number === null ? 'completed' : 'open-ended';
  reader.step = { ...createContainer(key), code: createCodeState(), end };
}

/** The open step ends as it should, or because another one begins, or with the text. */
function closeStep(reader: Reader, isOver: boolean): void {
  const { step } = reader;
  if (!step) return;
  const { key, end } = step;
  if (end) setField(reader, key, 'state', isOver ? 'open-ended' : end);
  closeTools(reader, ({ frame }) => frame === key);
  reader.droppedTools = [];
  reader.step = null;
}

function openZone(reader: Reader, name: string): void {
  let tool: OpenTool | undefined;
  if (name.startsWith('TOOL')) {
    tool = findWithout(reader.tools, name) ?? openTool(reader, '', true);
    tool.blocks.push(name);
  }
  const stop = tool ? `<<TOOL_STEP_END/${joinLabel(tool)}>>` : '<<INPUT_REQUIRED_END>>';
  reader.zone = { name, tool: tool?.key ?? '', stop, text: '', quoted: 0, json: '' };
}

function openTool(reader: Reader, label: string, anonymous: boolean): OpenTool {
  const names = splitLabel(label);
  const frame = frameOf(reader).key;
  const fields = { kind: 'tool', ...names, state: 'running', input: null, result: null } as const;
  const key = openPart(reader, fields);
  const oldest = reader.tools[MAX_OPEN_TOOLS - 1];
  closeTools(reader, (tool) => tool === oldest);
  const tool = { ...createContainer(key), ...names, frame, anonymous, blocks: [] };
  reader.tools.unshift(tool);
  return tool;
}

/** A block without an id belongs to the newest tool that has no such block yet. */
function findWithout<T extends DroppedTool>(tools: readonly T[], name: string): T | undefined {
  return tools.find(({ blocks }) => !blocks.includes(name));
}

/** What an end tag ends: the newest tool with that id, else the newest with that name, else the newest. */
function findEnded<T extends DroppedTool>(tools: readonly T[], label: string): T | undefined {
  const { name, toolId } = splitLabel(label);
  return (
    tools.find((tool) => toolId && tool.toolId === toolId) ??
    tools.find((tool) => tool.name === name) ??
    tools[0]
  );
}
