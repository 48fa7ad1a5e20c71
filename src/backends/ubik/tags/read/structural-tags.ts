import type { ErrorFields } from '../../../../model/part.js';
import { trimBlanks } from '../split/blanks.js';
import { createCodeState } from '../split/code-state.js';
import { messageOfDetails, parseCheckpoint, parseErrorMessage, parseRequest } from './payload.js';
import type { OpenBlock, Reading } from './reading.js';
import { createOpenStep } from './step-header.js';
import type { Tag } from '../split/tag.js';
import type { TagAct } from '../split/splitter-types.js';

/**
 * Tags that the service makes, in stored content. Each that acts ends the open thought and the open error; one that ends what is not
 * open is dropped. Errors may stand anywhere, also in a block, and are told at the end.
 */
export function structuralTag(reading: Reading, tag: Tag): TagAct {
  const { state } = reading;
  if (tag.kind !== 'details-start') state.expectsDetails = false;
  const endsError = state.error !== null && tag.kind === 'error-end';
  closeError(reading);
  reading.break();
  reading.closeThinking();
  return endsError ? 'acted' : act(reading, tag);
}

/** The raw text of an answer has come: it belongs to the open request, else to the last one. */
export function takeAnswer(reading: Reading, raw: string): void {
  const { state, options } = reading;
  if (state.block?.kind === 'request') state.block.answer = raw;
  else if (state.lastRequest !== null) options.sink.set(state.lastRequest, 'answer', raw);
  else openRequest(reading, '', raw);
}

/** The raw text of an error's details has come: they belong to the error right before them, or are an error of their own. */
export function takeDetails(reading: Reading, details: string): void {
  const { errors, expectsDetails } = reading.state;
  const last = expectsDetails ? errors.pop() : undefined;
  const message = last && last.message !== '' ? last.message : messageOfDetails(details);
  errors.push({ kind: 'error', message, details });
  reading.state.expectsDetails = false;
}

/** Nothing follows: what is open is closed, and the errors are told. */
export function endStructure(reading: Reading): void {
  closeError(reading);
  closeBlock(reading);
  closeStep(reading, false);
  reading.closeThinking();
  reading.abandonTools(() => true);
  for (const error of withoutRepeats(reading.state.errors)) reading.open(error);
  reading.state.errors = [];
}

function act(reading: Reading, tag: Tag): TagAct {
  switch (tag.kind) {
    case 'step-start':
      closeBlock(reading);
      closeStep(reading, true);
      reading.state.step = createOpenStep();
      return 'acted';
    case 'step-end':
      if (reading.state.step) closeBlock(reading);
      closeStep(reading, true);
      return 'acted';
    case 'single-step':
      markSingle(reading);
      return 'acted';
    case 'checkpoint-start':
      return openBlock(reading, 'checkpoint');
    case 'request-start':
      return openBlock(reading, 'request');
    case 'checkpoint-end':
      if (reading.state.block?.kind === 'checkpoint') closeBlock(reading);
      return 'acted';
    case 'request-end':
      if (reading.state.block?.kind === 'request') closeBlock(reading);
      return 'acted';
    case 'error-start':
      reading.state.error = '';
      return 'acted';
    case 'answer-start':
      reading.state.zone = { block: 'answer' };
      return { zone: { end: 'answer-end', stop: { kind: 'request-end', label: '' } } };
    case 'details-start':
      reading.state.zone = { block: 'details' };
      return { zone: { end: 'details-end', stop: null } };
    default:
      return 'acted';
  }
}

function markSingle(reading: Reading): void {
  const { step } = reading.state;
  if (!step || step.single) return;
  step.single = true;
  if (step.inside?.key) reading.options.sink.set(step.inside.key, 'single', true);
}

/** A step that ends as it should, or because another one begins, is done unless its header lacks the check mark. */
function closeStep(reading: Reading, ended: boolean): void {
  const { step } = reading.state;
  if (!step) return;
  const { key } = reading.insideOf(step);
  const completed = step.header ? step.header.completed : ended;
  if (key !== null && !step.header?.completed) {
    reading.options.sink.set(key, 'state', completed ? 'completed' : 'open-ended');
  }
  reading.abandonTools((tool) => tool.inStep);
  reading.state.step = null;
}

function openBlock(reading: Reading, kind: OpenBlock['kind']): TagAct {
  closeBlock(reading);
  const code = kind === 'request' ? createCodeState() : null;
  reading.state.block = { kind, code, text: '', answer: null };
  return 'acted';
}

function closeBlock(reading: Reading): void {
  const { block } = reading.state;
  if (!block) return;
  reading.state.block = null;
  if (block.kind === 'request') {
    openRequest(reading, block.text, block.answer);
    return;
  }
  const { name, text } = parseCheckpoint(block.text);
  const key = reading.open({ kind: 'checkpoint', name });
  if (text !== '') reading.options.sink.append(key, text);
}

function openRequest(reading: Reading, text: string, answer: string | null): void {
  const fields = parseRequest(text);
  reading.state.lastRequest = reading.open({ kind: 'input-request', ...fields, answer });
}

function closeError(reading: Reading): void {
  const { error, errors } = reading.state;
  if (error === null) return;
  errors.push({ kind: 'error', message: parseErrorMessage(error), details: null });
  reading.state.error = null;
  reading.state.expectsDetails = true;
}

/** One and the same error may stand in a block and at the end, with and without its details: it is told once. */
function withoutRepeats(errors: readonly ErrorFields[]): ErrorFields[] {
  const byMessage = new Map<string, Set<string | null>>();
  for (const { message, details } of errors) {
    const known = byMessage.get(message) ?? new Set();
    byMessage.set(message, known.add(details === null ? null : trimBlanks(details)));
  }
  const told: ErrorFields[] = [];
  for (const [message, known] of byMessage) {
    if (known.size > 1) known.delete(null);
    for (const details of known) told.push({ kind: 'error', message, details });
  }
  return told;
}
