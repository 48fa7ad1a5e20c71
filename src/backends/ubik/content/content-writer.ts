import type { Json, Key } from '../../../model/json.js';
import { CITATION_MARK_END, CITATION_MARK_START, type ContentFields } from '../../../model/part.js';
import { parseCitation } from './citation.js';
import { createCodeState, endLine, type CodeState } from './code-state.js';
import type { MutableField } from './content-parser-types.js';
import { getBaseKey } from './keys.js';
import { isBlankText } from './constructs.js';
import type { Container, Frame, OpenText, OpenTool, ParserState } from './parser-state.js';

/** Name of the tags of a result. Text after a result is not part of the tool. */
export const RESULT = 'TOOL_STEP_RESULT';

/** Returns the container of parts at this position: the open step, else the base. */
export function getFrame({ step, base }: ParserState): Frame {
  return step ?? base;
}

/** Returns the code state of the text at this position. The text of a block contains no code. */
export function getCode(parser: ParserState): CodeState {
  return parser.block ? createCodeState() : getFrame(parser).code;
}

/** Sets a field of a part. */
export function setField(parser: ParserState, key: Key, field: MutableField, value: Json): void {
  parser.options.sink.set(key, field, value);
}

/** Adds a part. Its key is derived from its fields. */
export function openPart(
  parser: ParserState,
  fields: ContentFields,
  frame = getFrame(parser),
): Key {
  const { sink, keys } = parser.options;
  const key = keys.createKey(getBaseKey(fields));
  sink.open(key, frame.key, fields);
  setAnchor(parser, key, frame);
  return key;
}

/** Sets the part from which the keys of the following texts are counted. */
export function setAnchor(parser: ParserState, key: Key, frame = getFrame(parser)): void {
  // A fence may have been opened in the text of a tool, whose end tag can no longer be read, because tool tags in a fence are code.
  if (frame.code.fence) closeTools(parser, (tool) => tool.frame === frame.key);
  Object.assign(frame, { anchor: `${key}+`, count: 0, text: null });
}

/** Closes the tools that match `which`, as `done` if they have ended; by default as `incomplete`, because their end tag can no longer be read. */
export function closeTools(
  parser: ParserState,
  which: (tool: OpenTool) => boolean = () => true,
  state: 'done' | 'incomplete' = 'incomplete',
): void {
  for (const { key } of parser.tools.filter(which)) setField(parser, key, 'state', state);
  parser.tools = parser.tools.filter((tool) => !which(tool));
}

/** Opens a thinking part. */
export function openThinking(parser: ParserState): void {
  const container = getTextContainer(parser);
  container.text = null;
  parser.thinking = openText(parser, container, { kind: 'thinking', state: 'open' });
}

/** Closes the open thinking part, and the code in it. Returns whether there was one. */
export function closeThinking(parser: ParserState): boolean {
  const { thinking } = parser;
  if (!thinking) return false;
  setField(parser, thinking.key, 'state', 'closed');
  parser.thinking = null;
  getFrame(parser).code = createCodeState();
  return true;
}

/** Ends the line at this position and drops withheld blanks, because a tag takes effect here. */
export function breakLine(parser: ParserState): void {
  const { block } = parser;
  if (block) block.text += '\n';
  endLine(getCode(parser));
  parser.withheldBlanks = '';
  parser.lastWritten = 'tag';
}

/** Appends text to the block, to the open thinking part, or to a text part. */
export function writeText(parser: ParserState, text: string): void {
  const { block, withheldBlanks, lastWritten } = parser;
  const isBlank = isBlankText(text);
  if (!isBlank) parser.expectsErrorDetails = false;
  if (block) block.text += text;
  // Withholds blanks that may belong to the line of a tag: those before any text, and in a text those after its last line break.
  else if (isBlank && (lastWritten !== 'text' || (withheldBlanks && !text.includes('\n'))))
    parser.withheldBlanks += text;
  else {
    const all = withheldBlanks + text;
    const trimmed = lastWritten === 'tag' ? all.replace(/^[ \t\r]*\n/, '') : all;
    // Withholds a line break at the end, and the blanks after it.
    parser.withheldBlanks = /\n[ \t\r]*$/.exec(trimmed)?.[0] ?? '';
    emitText(parser, trimmed.slice(0, trimmed.length - parser.withheldBlanks.length));
  }
}

/** Adds a mark for a citation and returns the text that represents it. Returns the element itself when the message has too many marks. */
export function addMark(parser: ParserState, source: string): string {
  if (!parser.options.keys.reserveMark()) return source;
  const text = getOpenText(parser);
  text.marks += 1;
  const name = String(text.marks);
  parser.options.sink.mark(text.key, name, parseCitation(source));
  return CITATION_MARK_START + name + CITATION_MARK_END;
}

/** Emits withheld blanks as text, because the text ends here. */
export function flushWithheldBlanks(parser: ParserState): void {
  if (parser.lastWritten === 'text') emitText(parser, parser.withheldBlanks);
}

/**
 * Appends to the open text. Texts are joined by a line break where a tag between them was dropped, so that their ends do not form a tag.
 */
function emitText(parser: ParserState, text: string): void {
  if (text === '') return;
  const into = getOpenText(parser);
  const isJoined = parser.lastWritten !== 'text' && !into.isEmpty;
  parser.options.sink.append(into.key, isJoined ? `\n${text}` : text);
  parser.lastWritten = 'text';
  into.isEmpty = false;
}

function getOpenText(parser: ParserState): OpenText {
  if (parser.thinking) return parser.thinking;
  const container = getTextContainer(parser);
  return (container.text ??= openText(parser, container, { kind: 'text' }));
}

/**
 * Returns the container of text: the tool that is the last part here and has no result yet, else the frame. Text after a result is
 * therefore not hidden in a tool without an end tag, and text always comes after everything before it.
 */
function getTextContainer(parser: ParserState): Container {
  const frame = getFrame(parser);
  const [tool] = parser.tools;
  const isLast = tool && frame.anchor === `${tool.key}+` && frame.count === 0;
  return isLast && !tool.payloads.includes(RESULT) ? tool : frame;
}

function openText(
  parser: ParserState,
  container: Container,
  fields: ContentFields & { kind: 'text' | 'thinking' },
): OpenText {
  const { sink, keys } = parser.options;
  const key = keys.createTextKey(container.anchor, container.count, fields.kind);
  container.count += 1;
  sink.open(key, container.key, fields);
  return { key, isEmpty: true, marks: 0 };
}
