import type { WireEvent } from './wire-reader.js';

interface Part {
  /** Undefined for text, and -1 for a block that no chunk continues. */
  readonly step?: number;
  /** The opening tag and the header line of a step. */
  opening?: string;
  text: string;
}

/** Content whose last block is not a text. */
const ENDS_WITH_BLOCK = /<<(?:STEP|CHECKPOINT|INPUT_REQUIRED|ERROR_JSON)_END>>$/u;

/**
 * Rebuilds the content of a message from its events, as the protocol describes. It does not use the code of the agent, so that the agent is
 * not compared with itself.
 */
export function rebuild(events: readonly WireEvent[]): string {
  let parts: Part[] = [];
  for (const event of events) {
    const { type } = event;
    if (type === 'agent_response_update') {
      const text = String(event['content']);
      parts = [ENDS_WITH_BLOCK.test(text) ? { step: -1, text } : { text }];
    }
    if (type === 'agent_step_started') {
      const flag = event['single_step_agent'] === true ? '<<SINGLE_STEP_FLAG>>\n' : '';
      const head = `Step ${String(event['step'])}: ${String(event['description'])}`;
      const opening = `<<STEP_START>>\n${flag}${head}`;
      parts.push({ step: Number(event['step']), opening, text: '' });
    }
    if (type === 'agent_step_completed') {
      for (const part of parts) if (part.step === event['step']) part.opening += ' ✓';
    }
    if (type === 'response_chunk' || type === 'agent_response_chunk') addChunk(parts, event);
    if (type === 'checkpoint_created') {
      const name = String(event['checkpoint_name']);
      parts.push({
        step: -1,
        text: `<<CHECKPOINT_START>>\nCheckpoint: ${name}\n<<CHECKPOINT_END>>`,
      });
    }
    if (type === 'input_required') {
      const types = (event['input_types'] as string[]).join(', ');
      const lines = [
        String(event['prompt']),
        `Expected input types: ${types}`,
        `checkpoint_name: ${String(event['checkpoint_name'])}`,
      ];
      parts.push({
        step: -1,
        text: `<<INPUT_REQUIRED_START>>\n${lines.join('\n')}\n<<INPUT_REQUIRED_END>>`,
      });
    }
    if (type === 'agent_processing_error') parts.push({ step: -1, text: printError(event) });
  }
  return parts.map(printPart).join('\n');
}

function addChunk(parts: Part[], event: WireEvent): void {
  const text = String(event['content']);
  const step = event['step'];
  const last = parts.at(-1);
  if (step !== undefined) {
    const own = parts.find((part) => part.step === step);
    if (own !== undefined) own.text += text;
  } else if (last !== undefined && last.step === undefined) {
    last.text += text;
  } else {
    parts.push({ text });
  }
}

function printPart(part: Part): string {
  if (part.opening === undefined) return part.text;
  return `${part.opening}\n${part.text === '' ? '' : `${part.text}\n`}<<STEP_END>>`;
}

function printError(event: WireEvent): string {
  const { error, traceback, timestamp } = event as Record<string, unknown>;
  const details = JSON.stringify({ error, traceback, timestamp }, null, 2);
  return `<<ERROR_START>>\nError: ${String(error)}\n<<ERROR_END>>\n\n<<ERROR_JSON_START>>\n${details}\n<<ERROR_JSON_END>>`;
}
