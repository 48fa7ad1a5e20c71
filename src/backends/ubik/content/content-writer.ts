import type { Json, Key } from '../../../model/json.js';
import { MARK_END, MARK_START, type ContentFields } from '../../../model/part.js';
import { parseCitation } from './citation.js';
import { createCodeState, endLine, type CodeState } from './code-state.js';
import type { ChangingField } from './content-parser-types.js';
import { natureOf } from './keys.js';
import { isBlankText } from './constructs.js';
import type { Container, Frame, OpenText, OpenTool, Reader } from './parser-state.js';

/** What a text in a tool stands before. */
export const RESULT = 'TOOL_STEP_RESULT';

/** What parts at this place stand in: the open step or the base. */
export function frameOf({ step, base }: Reader): Frame {
  return step ?? base;
}

/** Where the text at this place stands as to code. A block holds none: its text begins anew each time. */
export function codeOf(reader: Reader): CodeState {
  return reader.block ? createCodeState() : frameOf(reader).code;
}

/** A field of a part has a new value. */
export function setField(reader: Reader, key: Key, field: ChangingField, value: Json): void {
  reader.options.sink.set(key, field, value);
}

/** Opens a part with a nature of its own. */
export function openPart(reader: Reader, fields: ContentFields, frame = frameOf(reader)): Key {
  const { sink, keys } = reader.options;
  const key = keys.named(natureOf(fields));
  sink.open(key, frame.key, fields);
  stand(reader, key, frame);
  return key;
}

/** What follows stands behind the part of this key. */
export function stand(reader: Reader, key: Key, frame = frameOf(reader)): void {
  // An open fence may have been opened in a tool's own text, and then no tag can reach that tool any more: behind its text all are code.
  if (frame.code.fence) closeTools(reader, (tool) => tool.frame === frame.key);
  Object.assign(frame, { anchor: `${key}+`, count: 0, text: null });
}

/** These tools have got their end, or will not get it any more. */
export function closeTools(
  reader: Reader,
  which: (tool: OpenTool) => boolean = () => true,
  state: 'done' | 'incomplete' = 'incomplete',
): void {
  for (const { key } of reader.tools.filter(which)) setField(reader, key, 'state', state);
  reader.tools = reader.tools.filter((tool) => !which(tool));
}

/** A thought begins. */
export function openThinking(reader: Reader): void {
  const container = targetOf(reader);
  container.text = null;
  reader.thinking = openText(reader, container, { kind: 'thinking', state: 'open' });
}

/** The thought that is open, if one is, ends, and the code in it. Tells whether one was. */
export function closeThinking(reader: Reader): boolean {
  const { thinking } = reader;
  if (!thinking) return false;
  setField(reader, thinking.key, 'state', 'closed');
  reader.thinking = null;
  frameOf(reader).code = createCodeState();
  return true;
}

/** A tag acts here: the line is over, and so is the text beside it. */
export function breakLine(reader: Reader): void {
  const { block } = reader;
  if (block) block.text += '\n';
  endLine(codeOf(reader));
  reader.held = '';
  reader.before = 'tag';
}

/** Text: in a block, in the open thought, or in a text of its own. */
export function writeText(reader: Reader, text: string): void {
  const { block, held, before } = reader;
  const isBlank = isBlankText(text);
  if (!isBlank) reader.expectsDetails = false;
  if (block) block.text += text;
  else if (isBlank && (before !== 'text' || (held && !text.includes('\n')))) reader.held += text;
  else {
    const all = held + text;
    const told = before === 'tag' ? all.replace(/^[ \t\r]*\n/, '') : all;
    // A line break at the end, and the blanks behind it.
    reader.held = /\n[ \t\r]*$/.exec(told)?.[0] ?? '';
    tell(reader, told.slice(0, told.length - reader.held.length));
  }
}

/** The text that stands for a citation: tells the mark. Its own spelling when the message has too many marks. */
export function addMark(reader: Reader, source: string): string {
  if (!reader.options.keys.takeMark()) return source;
  const text = textOf(reader);
  text.marks += 1;
  const name = String(text.marks);
  reader.options.sink.mark(text.key, name, parseCitation(source));
  return MARK_START + name + MARK_END;
}

/** The text ends here: what is held is text. */
export function tellHeld(reader: Reader): void {
  if (reader.before === 'text') tell(reader, reader.held);
}

/** Texts that stand side by side because a tag between them was dropped are joined by a line break, so that no two halves make a tag. */
function tell(reader: Reader, text: string): void {
  if (text === '') return;
  const into = textOf(reader);
  const isJoined = reader.before !== 'text' && !into.isEmpty;
  reader.options.sink.append(into.key, isJoined ? `\n${text}` : text);
  reader.before = 'text';
  into.isEmpty = false;
}

function textOf(reader: Reader): OpenText {
  if (reader.thinking) return reader.thinking;
  const container = targetOf(reader);
  return (container.text ??= openText(reader, container, { kind: 'text' }));
}

/**
 * Where text goes: into the tool that is the last part here and has no result yet, else beside the parts. So text behind a result
 * is never hidden in a card whose end tag is missing, and text always stands behind everything that came before it.
 */
function targetOf(reader: Reader): Container {
  const frame = frameOf(reader);
  const [tool] = reader.tools;
  const isLast = tool && frame.anchor === `${tool.key}+` && frame.count === 0;
  return isLast && !tool.blocks.includes(RESULT) ? tool : frame;
}

function openText(
  reader: Reader,
  container: Container,
  fields: ContentFields & { kind: 'text' | 'thinking' },
): OpenText {
  const { sink, keys } = reader.options;
  const key = keys.unnamed(container.anchor, container.count, fields.kind);
  container.count += 1;
  sink.open(key, container.key, fields);
  return { key, isEmpty: true, marks: 0 };
}
