import type { ErrorFields, PartTree } from '../../../model/part.js';
import { expandMarks } from '../../../model/settle.js';
import { leavesFenceOpen } from './code-state.js';
import { parseStepHeader, printRequest, printStepHeader, trimBlanks } from './payload.js';
import { joinLabel } from './tag.js';

/**
 * Writes parts as the service stores them: each tag on its own line, a step with its header line, citations as the elements they came
 * as, errors at the end. What has been parsed is printed so that it parses to the same parts again. What only events know is not in
 * parts and not printed.
 */
export function printContent(parts: readonly PartTree[]): string {
  const errors = parts.flatMap(collectErrors);
  return [...parts.flatMap(printPart), ...errors.flatMap(printError)].join('\n');
}

function collectErrors(part: PartTree): (PartTree & ErrorFields)[] {
  return part.kind === 'error' ? [part] : (part.parts ?? []).flatMap(collectErrors);
}

function printPart(part: PartTree): string[] {
  const marks = 'marks' in part ? part.marks : undefined;
  const text = part.text ? [expandMarks(part.text, marks)] : [];
  const inside = (part.parts ?? []).flatMap(printPart);
  switch (part.kind) {
    case 'text':
    case 'unknown':
      return text;
    case 'thinking': {
      // Behind an open code fence the closing tag would be code. Any tag that the service makes ends a thought too: this one does nothing else.
      const end = leavesFenceOpen(part.text ?? '') ? '<<CHECKPOINT_END>>' : '<</thinking>>';
      return ['<<thinking>>', ...text, end];
    }
    case 'step': {
      const { number, title, single } = part;
      const completed = part.state === 'completed';
      const flag = single ? ['<<SINGLE_STEP_FLAG>>'] : [];
      // Behind another tag, a first line that looks like a header is none.
      const guard = parseStepHeader(trimBlanks(inside[0] ?? '')) ? ['<</thinking>>'] : [];
      const header = number === null ? guard : [printStepHeader({ number, title, completed })];
      const lines = printBlock('STEP', ...flag, ...header, ...inside);
      // A step without a header is known to be unfinished only by its lacking end.
      return number === null && !completed ? lines.slice(0, -1) : lines;
    }
    case 'tool': {
      const label = joinLabel(part);
      const end = part.state === 'done' ? [`<<TOOL_STEP_END/${label}>>`] : [];
      const input = printRaw('TOOL_STEP_INPUT', part.input);
      const result = printRaw('TOOL_STEP_RESULT', part.result);
      return [`<<TOOL_STEP_START/${label}>>`, ...input, ...inside, ...result, ...end];
    }
    case 'checkpoint':
      return printBlock('CHECKPOINT', `Checkpoint: ${part.name}`, ...text);
    case 'input-request': {
      const answer = printRaw('USER_INPUT_PROVIDED', part.answer);
      return printBlock('INPUT_REQUIRED', ...printRequest(part), ...answer);
    }
    case 'error':
      return [];
  }
}

function printError({ message, details }: ErrorFields): string[] {
  const lines = printRaw('ERROR_JSON', details);
  return [...printBlock('ERROR', `Error: ${message}`), ...(lines.length > 0 ? [''] : []), ...lines];
}

function printRaw(name: string, raw: string | null): string[] {
  return raw === null ? [] : printBlock(name, raw);
}

function printBlock(name: string, ...lines: readonly string[]): string[] {
  return [`<<${name}_START>>`, ...lines, `<<${name}_END>>`];
}
