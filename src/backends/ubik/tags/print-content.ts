import type { ErrorFields, PartTree } from '../../../model/part.js';
import { expandMarks } from '../../../model/settle.js';
import { leavesFenceOpen } from './code-state.js';
import { printRequest, printStepHeader } from './payload.js';
import { joinLabel } from './tag.js';

type TreeOf<K extends PartTree['kind']> = Extract<PartTree, { kind: K }>;

/**
 * Writes parts as the service stores them: each tag on its own line, a step with its header line, citations as the elements they came
 * as, errors at the end. What has been parsed is printed so that it parses to the same parts again. What only events know is not in
 * parts and not printed.
 */
export function printContent(parts: readonly PartTree[]): string {
  const errors = parts.flatMap(collectErrors);
  return [...parts.flatMap(printPart), ...errors.flatMap(printError)].join('\n');
}

function collectErrors(part: PartTree): TreeOf<'error'>[] {
  return part.kind === 'error' ? [part] : (part.parts ?? []).flatMap(collectErrors);
}

function printPart(part: PartTree): string[] {
  switch (part.kind) {
    case 'text':
      return part.text ? [expandMarks(part.text, part.marks)] : [];
    case 'thinking':
      return printThinking(part);
    case 'step':
      return printStep(part);
    case 'tool':
      return printTool(part);
    case 'checkpoint':
      return [
        '<<CHECKPOINT_START>>',
        `Checkpoint: ${part.name}`,
        ...(part.text ? [part.text] : []),
        '<<CHECKPOINT_END>>',
      ];
    case 'input-request':
      return [
        '<<INPUT_REQUIRED_START>>',
        ...printRequest(part),
        ...printBlock('USER_INPUT_PROVIDED', part.answer),
        '<<INPUT_REQUIRED_END>>',
      ];
    case 'unknown':
      return part.text ? [part.text] : [];
    case 'error':
      return [];
  }
}

function printThinking(part: TreeOf<'thinking'>): string[] {
  const text = part.text ? [expandMarks(part.text, part.marks)] : [];
  // Behind an open code fence the closing tag would be code. Any tag that the service makes ends a thought too: this one does nothing else.
  const end = leavesFenceOpen(part.text ?? '') ? '<<CHECKPOINT_END>>' : '<</thinking>>';
  return ['<<thinking>>', ...text, end];
}

function printStep(part: TreeOf<'step'>): string[] {
  const { number, title, single, state } = part;
  const completed = state === 'completed';
  const header = number === null ? [] : [printStepHeader({ number, title, completed })];
  return [
    '<<STEP_START>>',
    ...(single ? ['<<SINGLE_STEP_FLAG>>'] : []),
    ...header,
    ...(part.parts ?? []).flatMap(printPart),
    // A step without a header is known to be unfinished only by its lacking end.
    ...(number === null && !completed ? [] : ['<<STEP_END>>']),
  ];
}

function printTool(part: TreeOf<'tool'>): string[] {
  const label = joinLabel(part);
  return [
    `<<TOOL_STEP_START/${label}>>`,
    ...printBlock('TOOL_STEP_INPUT', part.input),
    ...(part.parts ?? []).flatMap(printPart),
    ...printBlock('TOOL_STEP_RESULT', part.result),
    ...(part.state === 'done' ? [`<<TOOL_STEP_END/${label}>>`] : []),
  ];
}

function printError(part: ErrorFields): string[] {
  const details = printBlock('ERROR_JSON', part.details);
  return [
    '<<ERROR_START>>',
    `Error: ${part.message}`,
    '<<ERROR_END>>',
    ...(details.length > 0 ? ['', ...details] : []),
  ];
}

function printBlock(name: string, raw: string | null): string[] {
  return raw === null ? [] : [`<<${name}_START>>`, raw, `<<${name}_END>>`];
}
