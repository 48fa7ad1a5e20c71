import { isJsonObject, textOf, type Json, type JsonObject } from '../json.js';
import { RunError } from '../run/run-errors.js';

/** A service with the chat completions API of OpenAI, and which of its models answers. */
export interface LanguageModelOptions {
  /** Address up to, not including, `/chat/completions`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** A message of the conversation with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: Json;
}

/** A tool call that a model requests. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** A piece of the answer of a model. The calls come last, complete. */
export type ModelEvent =
  | { readonly kind: 'thinking' | 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: readonly ModelCall[] };

/** A request to a model. */
export interface CompletionRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Json[];
  /** Aborts the request; the error of `fetch` is then passed on unchanged. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer of a model in one turn. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** The agent in a conversation with a model: it writes the turns of the model and runs the tools. */
export interface ToolLoopAgent {
  /** Reads the events of a turn and writes its text while it is streamed. Returns the whole turn. */
  readTurn(events: AsyncIterable<ModelEvent>): Promise<ModelTurn>;
  /** Runs the calls of a turn. Returns a result for each, in their order; a failed call gives `{ error }`. */
  runCalls(calls: readonly ModelCall[]): Promise<readonly Json[]>;
}

/** Maximum number of turns of an answer, because a model might call tools without end. */
const MAX_TURNS = 8;

/**
 * Sends messages to a model and runs the tools that it calls, until a turn calls none. Throws `RunError` when the model fails, or still calls
 * tools after {@link MAX_TURNS} turns.
 */
export async function runToolLoop(
  options: LanguageModelOptions,
  request: CompletionRequest,
  agent: ToolLoopAgent,
): Promise<void> {
  const messages = [...request.messages];
  for (let count = 0; count < MAX_TURNS; count += 1) {
    const turn = await agent.readTurn(streamCompletion(options, { ...request, messages }));
    if (turn.calls.length === 0) return;
    const results = await agent.runCalls(turn.calls);
    messages.push(
      createCallMessage(turn),
      ...turn.calls.map((call, index) => createResultMessage(call, results[index] ?? null)),
    );
  }
  throw new RunError('The language model called tools again and again without an answer.');
}

/** Creates the message with the calls of a turn. */
export function createCallMessage({ text, calls }: ModelTurn): ChatMessage {
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  };
}

/** Creates the message with the result of a call. */
export function createResultMessage(call: ModelCall, result: Json): ChatMessage {
  return { role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) };
}

/** Parses the arguments of a call. Returns an empty object when they are not a JSON object. */
export function readArguments(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Streams one answer of a model. Throws `RunError` when the model cannot be reached, refuses, or its connection breaks. */
async function* streamCompletion(
  options: LanguageModelOptions,
  request: CompletionRequest,
): AsyncGenerator<ModelEvent> {
  const body = await connect(options, request);
  const calls = new Map<number, GrowingCall>();
  try {
    for await (const data of readRecords(body)) {
      if (data === '[DONE]') break;
      const delta = readDelta(data);
      if (delta === null) continue;
      const thinking = textOf(delta['reasoning_content'] ?? delta['reasoning']);
      if (thinking !== '') yield { kind: 'thinking', text: thinking };
      const text = textOf(delta['content']);
      if (text !== '') yield { kind: 'text', text };
      collectCalls(calls, delta['tool_calls']);
    }
  } catch (error) {
    // The body of a `fetch` rejects with a `TypeError` when the connection breaks.
    if (error instanceof TypeError)
      throw new RunError('The connection to the language model was lost.');
    throw error;
  }
  const complete = [...calls.values()].filter((call) => call.name !== '');
  if (complete.length > 0) yield { kind: 'calls', calls: complete };
}

async function connect(
  options: LanguageModelOptions,
  { messages, tools, signal }: CompletionRequest,
): Promise<ReadableStream<Uint8Array>> {
  let response: Response;
  try {
    response = await fetch(`${options.baseUrl.replace(/\/+$/u, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${options.apiKey}`,
        accept: 'text/event-stream',
      },
      body: JSON.stringify({
        model: options.model,
        stream: true,
        messages,
        // Services refuse an empty list.
        ...(tools.length === 0 ? {} : { tools }),
      }),
      redirect: 'error',
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new RunError('The language model cannot be reached.');
  }
  if (!response.ok || response.body === null) {
    throw new RunError(`The language model refused with status ${String(response.status)}.`);
  }
  return response.body;
}

/** Reads the data of each server-sent event of a chat service. */
async function* readRecords(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    const records = rest.split(/\r?\n\r?\n/u);
    rest = records.pop() ?? '';
    for (const record of records) {
      const data = record
        .split(/\r?\n/u)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart());
      if (data.length > 0) yield data.join('\n');
    }
  }
}

function readDelta(data: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(data);
    const choices = isJsonObject(value) ? value['choices'] : null;
    const choice = Array.isArray(choices) ? (choices[0] as unknown) : null;
    const delta = isJsonObject(choice) ? choice['delta'] : null;
    return isJsonObject(delta) ? delta : null;
  } catch {
    // Some gateways send events whose data is not JSON.
    return null;
  }
}

interface GrowingCall {
  id: string;
  name: string;
  arguments: string;
}

/** Collects calls, whose name comes first and whose arguments come in pieces; the index says which call a piece belongs to. */
function collectCalls(calls: Map<number, GrowingCall>, pieces: Json | undefined): void {
  if (!Array.isArray(pieces)) return;
  for (const piece of pieces as readonly Json[]) {
    if (!isJsonObject(piece)) continue;
    const index = typeof piece['index'] === 'number' ? piece['index'] : calls.size;
    const call = calls.get(index) ?? { id: '', name: '', arguments: '' };
    const given = isJsonObject(piece['function']) ? piece['function'] : {};
    call.id += textOf(piece['id']);
    call.name += textOf(given['name']);
    call.arguments += textOf(given['arguments']);
    calls.set(index, call);
  }
}
