import { toAnswerData } from '../../../model/part.js';
import type { InputAnswer } from '../../backend.js';
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
  /** The question in its inputs; null when there is none. */
  readonly question: string | null;
  /** Its inputs; null when the service does not send them. */
  readonly inputs: Json;
}

/** An event of the stream of one execution. */
export interface ExecutionEvent {
  readonly type: 'update' | 'partial' | 'input-required' | 'end' | 'error';
  readonly data: Json;
}

const EVENT_TYPES: ReadonlyMap<string, ExecutionEvent['type']> = new Map([
  ['tool_update', 'update'],
  ['tool_partial_update', 'partial'],
  ['tool_input_required', 'input-required'],
  ['tool_end', 'end'],
  ['final_result', 'end'],
  ['error', 'error'],
]);

const readExecution = createRecordReader((fields, id): WireExecution => {
  const inputs = asFields(fields['inputs']) ?? {};
  return {
    id,
    toolId: readId(fields, 'tool_id'),
    status: readString(fields, 'status') ?? '',
    error: readString(fields, 'error'),
    question: readString(inputs, 'question') ?? readString(inputs, 'prompt'),
    inputs: toJson(fields['inputs']),
  };
});

/** Loads one execution. */
export async function loadExecution(
  { requestJson }: UbikClient,
  id: string,
  signal?: AbortSignal,
): Promise<WireExecution> {
  const body = await requestJson('GET', encodePath`/tool-executions/${id}`, { signal });
  return requireValue(readExecution(body), 'execution');
}

/** Sends the answer to an execution that waits for input. Repeated only with a new token after a 401 (UBIK R8). */
export function postInput(
  { request }: UbikClient,
  executionId: string,
  answer: InputAnswer,
  signal: AbortSignal,
): Promise<void> {
  const form = new FormData();
  // A file needs no `input_data_json`, unless text was added to it.
  if (answer.type !== 'file' || answer.text !== undefined) {
    form.set('input_data_json', JSON.stringify(toAnswerData(answer)));
  }
  if (answer.type === 'file') form.set('file', answer.file);
  const path = encodePath`/tool-executions/${executionId}/provide-input`;
  return request('POST', path, { form, signal, timeout: undefined });
}

/** Reads the stream of one execution to its end. The `data` of the event `end` are the outputs of the tool. */
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
