import { toAnswerData } from '../../../model/part.js';
import type { InputAnswer } from '../../backend.js';
import type { Json } from '../../../model/json.js';
import { encodePath } from '../../../transport/http.js';
import { asFields, readId, readText, toJson } from '../events/fields.js';
import { need, record } from './read-response.js';
import type { Service } from './service.js';

/** An execution of a tool, as far as it matters here. `status` is the service's word. */
export interface WireExecution {
  readonly id: string;
  readonly toolId: string | null;
  readonly status: string;
  readonly error: string | null;
  /** What it asks, when its inputs hold a question. */
  readonly question: string | null;
}

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

const readExecution = record((fields, id): WireExecution => {
  const inputs = asFields(fields['inputs']) ?? {};
  return {
    id,
    toolId: readId(fields, 'tool_id'),
    status: readText(fields, 'status') ?? '',
    error: readText(fields, 'error'),
    question: readText(inputs, 'question') ?? readText(inputs, 'prompt'),
  };
});

/** One execution. */
export async function getExecution(
  { ask }: Service,
  id: string,
  signal?: AbortSignal,
): Promise<WireExecution> {
  const answer = await ask('GET', encodePath`/tool-executions/${id}`, { signal });
  return need(readExecution(answer), 'execution');
}

/** Answers an execution that waits, once. */
export function postInput(
  { tell }: Service,
  executionId: string,
  answer: InputAnswer,
  signal: AbortSignal,
): Promise<void> {
  const form = new FormData();
  // A file speaks for itself; words beside it are said, too.
  if (answer.type !== 'file' || answer.text !== undefined) {
    form.set('input_data_json', JSON.stringify(toAnswerData(answer)));
  }
  if (answer.type === 'file') form.set('file', answer.file);
  const path = encodePath`/tool-executions/${executionId}/provide-input`;
  return tell('POST', path, { form, signal, timeout: undefined });
}

/** The events of one execution's own stream, to its end. Of an end, `data` is the outputs. */
export async function* followExecution(
  service: Service,
  executionId: string,
  signal: AbortSignal,
): AsyncGenerator<ExecutionEvent> {
  const path = encodePath`/tool-executions/${executionId}/stream`;
  const body = await service.open({ path }, signal);
  const { pieces, reader } = service.listen(body, signal, 'execution');
  for await (const records of pieces) {
    for (const item of records) {
      const event = reader.read(item);
      const type = event && TYPES.get(event.type);
      if (!type) continue;
      const outputs = type === 'end' ? asFields(event.fields['outputs']) : null;
      yield { type, data: toJson(outputs ?? event.fields) };
      if (type === 'end' || type === 'error') return;
    }
  }
  reader.end();
}
