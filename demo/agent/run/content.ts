import { toTagSafeJson, textOf } from '../json.js';
import type { Block } from './block.js';
import type { SessionEvent } from './session-event.js';

/**
 * Applies an event to the blocks. Steps, checkpoints, requests and errors are blocks that specific events add; tool and thinking
 * tags are part of the text of chunks, which is stored unchanged.
 */
export function applyEvent(blocks: Block[], event: SessionEvent): void {
  switch (event.type) {
    case 'agent_step_started':
      blocks.push({
        kind: 'step',
        step: Number(event['step']),
        description: textOf(event['description']),
        single: event['single_step_agent'] === true,
        completed: false,
        text: '',
      });
      return;
    case 'agent_step_completed': {
      const step = findStep(blocks, event['step']);
      if (step !== undefined) step.completed = true;
      return;
    }
    case 'response_chunk':
      applyChunk(blocks, event);
      return;
    case 'checkpoint_created':
      blocks.push({ kind: 'checkpoint', name: textOf(event['checkpoint_name']) });
      return;
    case 'input_required':
      blocks.push({
        kind: 'input',
        checkpoint: textOf(event['checkpoint_name']),
        prompt: textOf(event['prompt']),
        types: (event['input_types'] ?? []) as readonly string[],
        answer: null,
      });
      return;
    case 'agent_processing_error':
      blocks.push({
        kind: 'error',
        error: textOf(event['error']),
        traceback: textOf(event['traceback']),
        timestamp: textOf(event['timestamp']),
      });
      return;
    default: // Everything else is activity; it is not part of the content.
  }
}

function applyChunk(blocks: Block[], event: SessionEvent): void {
  const text = textOf(event['content']);
  if (event['step'] !== undefined) {
    const step = findStep(blocks, event['step']);
    if (step !== undefined) step.text += text;
    return;
  }
  const last = blocks.at(-1);
  if (last?.kind === 'text') last.text += text;
  else blocks.push({ kind: 'text', text });
}

function findStep(
  blocks: readonly Block[],
  number: unknown,
): Extract<Block, { kind: 'step' }> | undefined {
  return blocks.findLast((block) => block.kind === 'step' && block.step === number) as
    | Extract<Block, { kind: 'step' }>
    | undefined;
}

/** Serializes blocks to the stored content of a message: one string with all its tags. */
export function serializeBlocks(blocks: readonly Block[]): string {
  return blocks.map(serializeBlock).join('\n');
}

function serializeBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.text;
    case 'step':
      return serializeStep(block);
    case 'checkpoint':
      return `<<CHECKPOINT_START>>\nCheckpoint: ${block.name}\n<<CHECKPOINT_END>>`;
    case 'input':
      return serializeInput(block);
    case 'error':
      return serializeError(block);
  }
}

function serializeStep(block: Extract<Block, { kind: 'step' }>): string {
  return [
    '<<STEP_START>>',
    ...(block.single ? ['<<SINGLE_STEP_FLAG>>'] : []),
    `Step ${String(block.step)}: ${block.description}${block.completed ? ' ✓' : ''}`,
    ...(block.text === '' ? [] : [block.text]),
    '<<STEP_END>>',
  ].join('\n');
}

function serializeInput(block: Extract<Block, { kind: 'input' }>): string {
  return [
    '<<INPUT_REQUIRED_START>>',
    block.prompt,
    `Expected input types: ${block.types.join(', ')}`,
    `checkpoint_name: ${block.checkpoint}`,
    ...(block.answer === null
      ? []
      : ['', '<<USER_INPUT_PROVIDED_START>>', block.answer, '<<USER_INPUT_PROVIDED_END>>']),
    '<<INPUT_REQUIRED_END>>',
  ].join('\n');
}

function serializeError(block: Extract<Block, { kind: 'error' }>): string {
  const { error, traceback, timestamp } = block;
  return [
    `<<ERROR_START>>\nError: ${error}\n<<ERROR_END>>`,
    '',
    `<<ERROR_JSON_START>>\n${toTagSafeJson({ error, traceback, timestamp }, 2)}\n<<ERROR_JSON_END>>`,
  ].join('\n');
}
