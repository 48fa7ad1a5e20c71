import type { Json, Key } from '../../../model/json.js';
import { MARK_END, MARK_START, type ContentFields } from '../../../model/part.js';
import { parseCitation } from './citation.js';
import { createCodeState, endLine, type CodeState } from './code-state.js';
import type { MutableField } from './content-parser-types.js';
import { getBaseKey } from './keys.js';
import { isBlankText } from './constructs.js';
import type { Container, Frame, OpenText, OpenTool, ParserState } from './parser-state.js';

/** What a text in a tool stands before. */
export const RESULT = 'TOOL_STEP_RESULT';

/** What parts at this place stand in: the open step or the base. */
export function getFrame({ step, base }: ParserState): Frame {
  return step ?? base;
}

/** Where the text at this place stands as to code. A block holds none: its text begins anew each time. */
export function getCode(parser: ParserState): CodeState {
  return parser.block ? createCodeState() : getFrame(parser).code;
}

/** A field of a part has a new value. */
export function setField(parser: ParserState, key: Key, field: MutableField, value: Json): void {
  parser.options.sink.set(key, field, value);
}

/** Opens a part with a nature of its own. */
export function openPart(
  parser: ParserState,
  fields: ContentFields,
  frame = getFrame(parser),
): Key {
  const { sink, keys } = parser.options;
  const key = keys.named(getBaseKey(fields));
  sink.open(key, frame.key, fields);
  setAnchor(parser, key, frame);
  return key;
}

/** What follows stands behind the part of this key. */
export function setAnchor(parser: ParserState, key: Key, frame = getFrame(parser)): void {
  // An open fence may have been opened in a tool's own text, and then no tag can reach that tool any more: behind its text all are code.
  if (frame.code.fence) closeTools(parser, (tool) => tool.frame === frame.key);
  Object.assign(frame, { anchor: `${key}+`, count: 0, text: null });
}

/** These tools have got their end, or will not get it any more. */
export function closeTools(
  parser: ParserState,
  which: (tool: OpenTool) => boolean = () => true,
  state: 'done' | 'incomplete' = 'incomplete',
): void {
  for (const { key } of parser.tools.filter(which)) setField(parser, key, 'state', state);
  parser.tools = parser.tools.filter((tool) => !which(tool));
}

/** A thought begins. */
export function openThinking(parser: ParserState): void {
  const container = getTextContainer(parser);
  container.text = null;
  parser.thinking = openText(parser, container, { kind: 'thinking', state: 'open' });
}

/** The thought that is open, if one is, ends, and the code in it. Tells whether one was. */
export function closeThinking(parser: ParserState): boolean {
  const { thinking } = parser;
  if (!thinking) return false;
  setField(parser, thinking.key, 'state', 'closed');
  parser.thinking = null;
  getFrame(parser).code = createCodeState();
  return true;
}

/** A tag acts here: the line is over, and so is the text beside it. */
export function breakLine(parser: ParserState): void {
  const { block } = parser;
  if (block) block.text += '\n';
  endLine(getCode(parser));
  parser.heldBlanks = '';
  parser.lastWritten = 'tag';
}

/** Text: in a block, in the open thought, or in a text of its own. */
export function writeText(parser: ParserState, text: string): void {
  const { block, heldBlanks: held, lastWritten: before } = parser;
  const isBlank = isBlankText(text);
  if (!isBlank) parser.expectsDetails = false;
  if (block) block.text += text;
  else if (isBlank && (before !== 'text' || (held && !text.includes('\n'))))
    parser.heldBlanks += text;
  else {
    const all = held + text;
    const told = before === 'tag' ? all.replace(/^[ \t\r]*\n/, '') : all;
    // A line break at the end, and the blanks behind it.
    parser.heldBlanks = /\n[ \t\r]*$/.exec(told)?.[0] ?? '';
    emitText(parser, told.slice(0, told.length - parser.heldBlanks.length));
  }
}

/** The text that stands for a citation: tells the mark. Its own spelling when the message has too many marks. */
export function addMark(parser: ParserState, source: string): string {
  if (!parser.options.keys.reserveMark()) return source;
  const text = getOpenText(parser);
  text.marks += 1;
  const name = String(text.marks);
  parser.options.sink.mark(text.key, name, parseCitation(source));
  return MARK_START + name + MARK_END;
}

/** The text ends here: what is held is text. */
export function flushHeldBlanks(parser: ParserState): void {
  if (parser.lastWritten === 'text') emitText(parser, parser.heldBlanks);
}

/** Texts that stand side by side because a tag between them was dropped are joined by a line break, so that no two halves make a tag. */
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
 * Where text goes: into the tool that is the last part here and has no result yet, else beside the parts. So text behind a result
 * is never hidden in a card whose end tag is missing, and text always stands behind everything that came before it.
 */
function getTextContainer(parser: ParserState): Container {
  const frame = getFrame(parser);
  const [tool] = parser.tools;
  const isLast = tool && frame.anchor === `${tool.key}+` && frame.count === 0;
  return isLast && !tool.blocks.includes(RESULT) ? tool : frame;
}

function openText(
  parser: ParserState,
  container: Container,
  fields: ContentFields & { kind: 'text' | 'thinking' },
): OpenText {
  const { sink, keys } = parser.options;
  const key = keys.unnamed(container.anchor, container.count, fields.kind);
  container.count += 1;
  sink.open(key, container.key, fields);
  return { key, isEmpty: true, marks: 0 };
}
