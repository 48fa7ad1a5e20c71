import { toAnswerData, type InputAnswer } from '../../backend.js';
import { encodePath } from '../../../stream/http.js';
import { asFields, readId, readText } from '../wire/fields.js';
import type { UbikContext } from './context.js';
import { createShapeError } from './read-message.js';

/** An execution of a tool, as far as it matters here. `status` is the service's word. */
export interface WireExecution {
  readonly id: string;
  readonly toolId: string | null;
  readonly status: string;
  readonly error: string | null;
  /** What it asks, when its inputs hold a question. */
  readonly question: string | null;
}

/** One execution. */
export async function getExecution(context: UbikContext, id: string): Promise<WireExecution> {
  const path = encodePath`/tool-executions/${id}`;
  const timeout = context.limits.timeout ?? 30_000;
  const fields = asFields(await context.http.json({ method: 'GET', path, timeout }));
  const found = fields && readId(fields, 'id');
  if (!fields || !found) throw createShapeError('an execution');
  const inputs = asFields(fields['inputs']);
  return {
    id: found,
    toolId: readId(fields, 'tool_id'),
    status: readText(fields, 'status') ?? '',
    error: readText(fields, 'error'),
    question: inputs && (readText(inputs, 'question') ?? readText(inputs, 'prompt')),
  };
}

/** Answers an execution that waits, once. */
export async function postInput(
  context: UbikContext,
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
  const response = await context.http.request({ method: 'POST', path, form, signal });
  await response.body?.cancel();
}

/** The stream of one execution, in its own dialect. */
export async function openExecutionStream(
  context: UbikContext,
  executionId: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await context.http.request({
    method: 'GET',
    path: encodePath`/tool-executions/${executionId}/stream`,
    accept: 'text/event-stream',
    signal,
    timeout: context.limits.timeout ?? 30_000,
  });
  return response.body ?? new ReadableStream({ start: (controller) => controller.close() });
}
