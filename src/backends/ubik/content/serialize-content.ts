import type { ErrorFields, PartTree } from '../../../model/part.js';
import { expandMarks } from '../../../model/canonicalize.js';
import { leavesFenceOpen } from './code-state.js';
import {
  parseStepHeader,
  serializeRequest,
  serializeStepHeader,
  trimBlanks,
} from './constructs.js';
import { joinLabel } from './tag.js';

/**
 * Serializes parts as the service stores them: each tag on its own line, a step with its header line, citations as their original elements,
 * errors at the end. Parsing the result yields the same parts (UBIK 4.2). Activity is omitted.
 */
export function serializeContent(parts: readonly PartTree[]): string {
  return printLines(...parts.map(printPart), ...parts.flatMap(collectErrors).map(printError));
}

function collectErrors(part: PartTree): (PartTree & ErrorFields)[] {
  return part.kind === 'error' ? [part] : (part.parts ?? []).flatMap(collectErrors);
}

/** Returns the lines of a part; null for a part that is omitted here. */
function printPart(part: PartTree): string | null {
  const text = part.text ? expandMarks(part.text, 'marks' in part ? part.marks : undefined) : null;
  const inside = printLines(...(part.parts ?? []).map(printPart)) || null;
  switch (part.kind) {
    case 'thinking': {
      // After an open code fence the closing tag would be code. A structural tag closes a thinking part, too, and `CHECKPOINT_END` has no
      // other effect.
      const end = leavesFenceOpen(part.text ?? '') ? '<<CHECKPOINT_END>>' : '<</thinking>>';
      return printLines('<<thinking>>', text, end);
    }
    case 'step': {
      const { number, title, single } = part;
      const completed = part.state === 'completed';
      const flag = single ? '<<SINGLE_STEP_FLAG>>' : null;
      // If the first line looks like a header, another tag before it prevents it from being read as one.
      const guard = parseStepHeader(trimBlanks(inside ?? '')) && '<</thinking>>';
      const header = number === null ? guard : serializeStepHeader({ number, title, completed });
      // Only a missing end tag shows that a step without a header is unfinished.
      const end = number === null && !completed ? null : '<<STEP_END>>';
      return printLines('<<STEP_START>>', flag, header, inside, end);
    }
    case 'tool': {
      const label = joinLabel(part);
      const input = printRaw('TOOL_STEP_INPUT', part.input);
      const result = printRaw('TOOL_STEP_RESULT', part.result);
      const end = part.state === 'done' ? `<<TOOL_STEP_END/${label}>>` : null;
      return printLines(`<<TOOL_STEP_START/${label}>>`, input, inside, result, end);
    }
    case 'checkpoint':
      return printBlock('CHECKPOINT', `Checkpoint: ${part.name}`, text);
    case 'input-request': {
      const answer = printRaw('USER_INPUT_PROVIDED', part.answer);
      return printBlock('INPUT_REQUIRED', ...serializeRequest(part), answer);
    }
    case 'error':
      return null;
    default:
      return text;
  }
}

function printError({ message, details }: ErrorFields): string {
  const raw = printRaw('ERROR_JSON', details);
  return printLines(printBlock('ERROR', `Error: ${message}`), raw && `\n${raw}`);
}

function printRaw(name: string, raw: string | null): string | null {
  return raw === null ? null : printBlock(name, raw);
}

function printBlock(name: string, ...lines: readonly (string | null)[]): string {
  return printLines(`<<${name}_START>>`, ...lines, `<<${name}_END>>`);
}

function printLines(...lines: readonly (string | null)[]): string {
  return lines.filter((line) => line !== null).join('\n');
}
