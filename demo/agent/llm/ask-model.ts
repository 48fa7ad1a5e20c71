import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { LiveRun } from '../run/live-run.js';
import { RunFailure } from '../run/signals.js';
import type { LanguageModelOptions } from './language-model.js';
import { readRecords } from './read-records.js';
import { createWriter } from './writer.js';

/** One message of the talk, as the service takes it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: Json;
}

/** A call that the model asks for. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What the model has said in one turn. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

interface GrowingCall {
  id: string;
  name: string;
  arguments: string;
}

/** Asks the model once. Its words are told as they come. Throws `RunFailure` when it cannot be reached. */
export async function askModel(
  options: LanguageModelOptions,
  ask: { readonly messages: readonly ChatMessage[]; readonly tools: Json },
  run: LiveRun,
): Promise<ModelTurn> {
  const abort = new AbortController();
  const body = await connect(options, ask, abort.signal);
  const writer = createWriter(run);
  const calls = new Map<number, GrowingCall>();
  try {
    for await (const data of readRecords(body)) {
      if (data === '[DONE]') break;
      run.checkStop();
      const delta = readDelta(data);
      if (delta === null) continue;
      writer.think(textOf(delta['reasoning_content'] ?? delta['reasoning']));
      writer.say(textOf(delta['content']));
      collectCalls(calls, delta['tool_calls']);
    }
  } catch (error) {
    if (error instanceof TypeError) throw new RunFailure('The language model broke off.');
    throw error;
  } finally {
    abort.abort();
    writer.end();
  }
  return { text: writer.text, calls: [...calls.values()].filter((call) => call.name !== '') };
}

async function connect(
  options: LanguageModelOptions,
  ask: { readonly messages: readonly ChatMessage[]; readonly tools: Json },
  signal: AbortSignal,
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
      body: JSON.stringify({ model: options.model, stream: true, ...ask }),
      redirect: 'error',
      signal,
    });
  } catch {
    throw new RunFailure('The language model cannot be reached.');
  }
  if (!response.ok || response.body === null) {
    throw new RunFailure(`The language model refused with status ${String(response.status)}.`);
  }
  return response.body;
}

function readDelta(data: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(data);
    const choices = isJsonObject(value) ? value['choices'] : null;
    const choice = Array.isArray(choices) ? (choices[0] as unknown) : null;
    const delta = isJsonObject(choice) ? choice['delta'] : null;
    return isJsonObject(delta) ? delta : null;
  } catch {
    return null; // A record that is no JSON says nothing.
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Calls come in pieces: the name first, then the arguments bit by bit, told apart by their index. */
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
