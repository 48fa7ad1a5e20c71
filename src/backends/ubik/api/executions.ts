import type { Json } from '../../../model/json.js';
import { encodePath } from '../../../transport/http.js';
import { readEventChunks } from '../../../transport/sse.js';
import {
  asFields,
  readId,
  readString,
  toJson,
  requireValue,
  createRecordReader,
} from '../../fields.js';
import type { UbikClient } from './client.js';

/** An execution of a tool. `status` has the service's values. */
export interface WireExecution {
  readonly id: string;
  readonly toolId: string | null;
  readonly status: string;
  readonly error: string | null;
  /** Its inputs; null when the service does not send them. */
  readonly inputs: Json;
}

/** An event of the stream of one execution. */
export interface ExecutionEvent {
  readonly type: 'update' | 'partial' | 'input-required' | 'end' | 'error';
  readonly data: Json;
}

/** The ids that the service adds to the results and updates of tools (decision 175; `sub_session_id`: UBIK 5.3). */
const INTERNAL_FIELDS: readonly string[] = ['execution_id', 'tool_id', 'sub_session_id'];

/** Whether a field of the result or of an update of a tool is one that the service has added. */
export function isInternalField(name: string): boolean {
  return INTERNAL_FIELDS.includes(name);
}

const EVENT_TYPES: ReadonlyMap<string, ExecutionEvent['type']> = new Map([
  ['tool_update', 'update'],
  ['tool_partial_update', 'partial'],
  ['tool_input_required', 'input-required'],
  ['tool_end', 'end'],
  ['final_result', 'end'],
  ['error', 'error'],
]);

const readExecution = createRecordReader((fields, id): WireExecution => ({
  id,
  toolId: readId(fields, 'tool_id'),
  status: readString(fields, 'status') ?? '',
  error: readString(fields, 'error'),
  inputs: toJson(fields['inputs']),
}));

/** Loads one execution. */
export async function loadExecution(
  { requestJson }: UbikClient,
  id: string,
  signal?: AbortSignal,
): Promise<WireExecution> {
  const body = await requestJson('GET', encodePath`/tool-executions/${id}`, { signal });
  return requireValue(readExecution(body), 'execution');
}

/** Reads the stream of one execution to its end. The `data` of `end` is the field `outputs` if that is an object, else the whole event. */
export async function* followExecution(
  client: UbikClient,
  executionId: string,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent> {
  const path = encodePath`/tool-executions/${executionId}/stream`;
  const body = await client.openStream({ path }, signal);
  const reader = client.createEventReader('execution');
  const { maxEventBytes } = client.limits;
  for await (const records of readEventChunks(body, { signal, maxEventBytes })) {
    for (const record of records) {
      const event = reader.read(record);
      const type = event && EVENT_TYPES.get(event.type);
      if (!type) continue;
      const outputs = type === 'end' ? asFields(event.fields['outputs']) : null;
      yield { type, data: toJson(outputs ?? event.fields) };
      if (type === 'end' || type === 'error') return;
    }
  }
  reader.end();
}
