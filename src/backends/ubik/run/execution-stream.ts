import type { Json } from '../../../model/json.js';
import { readEventPieces } from '../../../stream/server-sent-events.js';
import type { UbikContext } from '../requests/context.js';
import { openExecutionStream } from '../requests/executions.js';
import { createEventReader } from '../wire/event-reader.js';
import { asFields, toJson } from '../wire/fields.js';

/** What one execution tells. */
export interface ExecutionEvent {
  readonly type: 'update' | 'partial' | 'input-required' | 'end' | 'error';
  readonly data: Json;
}

const TYPES: ReadonlyMap<string, ExecutionEvent['type']> = new Map([
  ['tool_update', 'update'],
  ['tool_partial_update', 'partial'],
  ['tool_input_required', 'input-required'],
  ['tool_end', 'end'],
  ['final_result', 'end'],
  ['error', 'error'],
]);

/** The events of one execution's own stream, to its end. Of an end, `data` is the outputs. */
export async function* readExecution(
  context: UbikContext,
  executionId: string,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent> {
  const body = await openExecutionStream(context, executionId, signal);
  const reader = createEventReader({
    dialect: 'execution',
    limits: context.limits.deltas,
    maxDepth: context.limits.depth,
    onDiagnostic: (error) => context.report(error),
  });
  const maxEventBytes = context.limits.eventBytes;
  for await (const records of readEventPieces(body, { signal, maxEventBytes })) {
    for (const record of records) {
      const event = reader.read(record);
      const type = event && TYPES.get(event.type);
      if (!event || !type) continue;
      const outputs = type === 'end' ? asFields(event.fields['outputs']) : null;
      yield { type, data: toJson(outputs ?? event.fields) };
      if (type === 'end' || type === 'error') return;
    }
  }
  reader.end();
}
