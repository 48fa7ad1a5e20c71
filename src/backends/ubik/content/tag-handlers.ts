import type { Key } from '../../../model/json.js';
import { createCodeState } from './code-state.js';
import type { Construct } from './content-parser-types.js';
import {
  breakLine,
  closeThinking,
  closeTools,
  getFrame,
  openPart,
  openThinking,
  RESULT,
  setField,
} from './content-writer.js';
import { parseErrorDetails, parseBlock } from './constructs.js';
import {
  createContainer,
  type DroppedTool,
  type OpenTool,
  type ParserState,
} from './parser-state.js';
import { isStructural, joinLabel, splitLabel, type Tag } from './tag.js';

/** Maximum number of open tools. When there are more, the oldest becomes incomplete. Bounds the cost of a tag. */
const MAX_OPEN_TOOLS = 64;

/**
 * Applies a tag outside code. Returns false when the tag is text: a non-structural tag in a block. A tag that is applied ends the open
 * thinking part, unless it is `TOOL_EVENT`; a structural one also ends the open error. An end tag without a start tag is dropped.
 */
export function applyTag(parser: ParserState, tag: Tag, header?: Construct): boolean {
  const { name, starts, label } = tag;
  const { step } = parser;
  if (parser.block && !isStructural(tag)) return false;
  if (name !== 'ERROR_JSON' || !starts) parser.expectsErrorDetails = false;
  if (parser.block?.name === 'ERROR') closeBlock(parser);
  breakLine(parser);
  const closed = name !== 'TOOL_EVENT' && closeThinking(parser);
  switch (name) {
    case 'thinking':
      // The first version of the format closed a thinking part by a second start tag (UBIK 7.2).
      if (!closed) openThinking(parser);
      break;
    case 'TOOL_STEP':
      if (starts) openTool(parser, label, false);
      else {
        const ended = findToolEndedBy(parser.tools, label);
        closeTools(parser, (tool) => tool === ended, 'done');
      }
      break;
    case 'STEP':
      if (step || starts) closeBlock(parser);
      closeStep(parser, false);
      if (starts) openStep(parser, header);
      break;
    case 'SINGLE_STEP_FLAG':
      if (step) setField(parser, step.key, 'single', true);
      break;
    case 'CHECKPOINT':
    case 'INPUT_REQUIRED':
    case 'ERROR':
      if (name !== 'ERROR' && (starts || parser.block?.name === name)) closeBlock(parser);
      if (starts) openBlock(parser, name);
      break;
    default:
      if (starts && name !== 'TOOL_EVENT') openZone(parser, name);
  }
  return true;
}

/**
 * Whether a tag exceeds the limit of parts, or belongs to a tool that was dropped because of it. Such a tag is dropped like an end tag
 * without a start tag; the text around it stays.
 */
export function exceedsLimit(parser: ParserState, tag: Tag): boolean {
  const { block, errors, options } = parser;
  const pending = errors.length + (block ? 1 : 0) + (block?.outer ? 1 : 0);
  return !options.keys.hasRoom(pending) && addsPart(parser, tag);
}

/** Whether a tag adds a part, or belongs to a dropped tool. */
function addsPart(parser: ParserState, tag: Tag): boolean {
  const { name, starts, label } = tag;
  const { block, thinking, tools, droppedTools, request, expectsErrorDetails } = parser;
  if (block && !isStructural(tag)) return false;
  // An error ends with the next structural tag.
  const isInError = block?.name === 'ERROR';
  const around = isInError ? block.outer : block;
  switch (name) {
    case 'thinking':
      return !thinking;
    case 'TOOL_STEP':
      return starts || isDropped(parser, findToolEndedBy([...droppedTools, ...tools], label));
    case 'TOOL_STEP_INPUT':
    case RESULT:
      return starts && isDropped(parser, findToolWithoutPayload([...droppedTools, ...tools], name));
    case 'USER_INPUT_PROVIDED':
      return starts && !around && request === null;
    case 'ERROR_JSON':
      return starts && !expectsErrorDetails && !isInError;
    default:
      return starts && isStructural(tag);
  }
}

/** Whether a tool was dropped, or is unknown. */
function isDropped({ tools }: ParserState, tool: DroppedTool | undefined): boolean {
  return !tools.some((open) => open === tool);
}

/** Drops a tag that exceeds the limit of parts. Like any other tag, it ends a thinking part and an error. */
export function dropTag(parser: ParserState, { name, starts, label }: Tag): void {
  const { droppedTools } = parser;
  parser.expectsErrorDetails = false;
  if (parser.block?.name === 'ERROR') closeBlock(parser);
  interruptText(parser);
  // The answer to a dropped request belongs to no other request.
  if (name === 'INPUT_REQUIRED') parser.request = null;
  else if (name !== 'TOOL_STEP') findToolWithoutPayload(droppedTools, name)?.payloads.push(name);
  else if (starts) {
    droppedTools.unshift({ ...splitLabel(label), payloads: [] });
    droppedTools.splice(MAX_OPEN_TOOLS);
  } else {
    const ended = findToolEndedBy(droppedTools, label);
    parser.droppedTools = droppedTools.filter((tool) => tool !== ended);
  }
}

/** Ends the line and the open thinking part, if there is one, at this position. */
export function interruptText(parser: ParserState): void {
  breakLine(parser);
  closeThinking(parser);
}

/** Adds the payload of a raw zone. `isWhole`: the zone was ended by its own end tag. */
export function applyPayload(
  parser: ParserState,
  { name, tool, raw, isWhole }: { name: string; tool: Key; raw: string; isWhole: boolean },
): void {
  const { block, errors, request } = parser;
  if (name === 'ERROR_JSON') {
    // Details belong to the error directly before them, else they are an error of their own.
    const known = parser.expectsErrorDetails ? errors.pop()?.message : '';
    const parsed = parseErrorDetails(raw);
    errors.push({ kind: 'error', ...parsed, message: known || parsed.message, details: raw });
    parser.expectsErrorDetails = false;
  } else if (name === RESULT) {
    setField(parser, tool, 'result', raw);
    closeTools(parser, ({ key, isImplicit }) => isWhole && isImplicit && key === tool, 'done');
  } else if (tool) setField(parser, tool, 'input', raw);
  else if (block) block.answer = raw;
  else if (request !== null) setField(parser, request, 'answer', raw);
  else {
    openBlock(parser, 'INPUT_REQUIRED', raw);
    closeBlock(parser);
  }
  breakLine(parser);
}

/**
 * Closes everything, and adds the errors. An error may occur both in a block and at the end, with and without details: it is added once.
 */
export function closeAll(parser: ParserState): void {
  interruptText(parser);
  // Twice, because an error may be open inside another block.
  closeBlock(parser);
  closeBlock(parser);
  closeStep(parser, true);
  closeTools(parser);
  const { errors } = parser;
  const detailed = new Set(errors.map(({ message, details }) => details !== null && message));
  const unique = new Map(errors.map((error) => [JSON.stringify(error), error]));
  for (const error of unique.values()) {
    if (error.details !== null || !detailed.has(error.message)) openPart(parser, error);
  }
  parser.errors = [];
}

function openBlock(parser: ParserState, name: string, answer: string | null = null): void {
  parser.block = { name, outer: parser.block, text: '', answer };
}

/** Closes the block whose text is being collected. Only an error may be inside another block. */
function closeBlock(parser: ParserState): void {
  const { block } = parser;
  if (!block) return;
  parser.block = block.outer;
  const construct = parseBlock(block.name, block.text);
  if (construct.kind === 'error') {
    parser.errors.push(construct);
    parser.expectsErrorDetails = true;
  } else if (construct.kind === 'request') {
    const { answer } = block;
    parser.request = openPart(parser, { ...construct, kind: 'input-request', answer });
  } else {
    const key = openPart(parser, { kind: 'checkpoint', name: construct.name });
    if (construct.text) parser.options.sink.append(key, construct.text);
  }
}

function openStep(parser: ParserState, header?: Construct): void {
  const none = { number: null, title: '', completed: false, single: false };
  const { number, title, completed, single } = header?.kind === 'step' ? header : none;
  const state = completed ? 'completed' : 'running';
  const key = openPart(parser, { kind: 'step', number, title, single, state });
  // A step whose header has no check mark is not known to be completed. A step without a header is completed by its end tag or the next step.
  const end = completed ? null : number === null ? 'completed' : 'open-ended';
  parser.step = { ...createContainer(key), code: createCodeState(), end };
}

/** Closes the open step: by its end tag, by the start of another step, or at the end of the text. */
function closeStep(parser: ParserState, isFinal: boolean): void {
  const { step } = parser;
  if (!step) return;
  const { key, end } = step;
  if (end) setField(parser, key, 'state', isFinal ? 'open-ended' : end);
  closeTools(parser, ({ frame }) => frame === key);
  parser.droppedTools = [];
  parser.step = null;
}

function openZone(parser: ParserState, name: string): void {
  let tool: OpenTool | undefined;
  if (name.startsWith('TOOL')) {
    tool = findToolWithoutPayload(parser.tools, name) ?? openTool(parser, '', true);
    tool.payloads.push(name);
  }
  const outerEnd = tool ? `<<TOOL_STEP_END/${joinLabel(tool)}>>` : '<<INPUT_REQUIRED_END>>';
  parser.zone = { name, tool: tool?.key ?? '', outerEnd, text: '', firstEnd: 0, json: '' };
}

function openTool(parser: ParserState, label: string, isImplicit: boolean): OpenTool {
  const names = splitLabel(label);
  const frame = getFrame(parser).key;
  const fields = { kind: 'tool', ...names, state: 'running', input: null, result: null } as const;
  const key = openPart(parser, fields);
  const oldest = parser.tools[MAX_OPEN_TOOLS - 1];
  closeTools(parser, (tool) => tool === oldest);
  const tool = { ...createContainer(key), ...names, frame, isImplicit, payloads: [] };
  parser.tools.unshift(tool);
  return tool;
}

/** Returns the newest tool without a payload of this name, because payloads have no id (UBIK 7.2). */
function findToolWithoutPayload<T extends DroppedTool>(
  tools: readonly T[],
  name: string,
): T | undefined {
  return tools.find(({ payloads }) => !payloads.includes(name));
}

/**
 * Returns the tool that an end tag ends: the newest one with that id, else the newest one with that name, else the newest one (UBIK 7.2).
 */
function findToolEndedBy<T extends DroppedTool>(tools: readonly T[], label: string): T | undefined {
  const { name, toolId } = splitLabel(label);
  return (
    tools.find((tool) => toolId && tool.toolId === toolId) ??
    tools.find((tool) => tool.name === name) ??
    tools[0]
  );
}
