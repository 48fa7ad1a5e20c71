import type { IncomingMessage } from 'node:http';
import type { TestContext } from 'node:test';
import { Deferred } from '../helpers/deferred.js';
import { startLocalServerForTest } from '../helpers/local-server.js';

/** A request that the stand-in for a language model has received. */
export interface CompletionRequest {
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly {
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: readonly unknown[];
      readonly tool_call_id?: string;
    }[];
    readonly tools: readonly { readonly function: { readonly name: string } }[];
    readonly stream: boolean;
  };
}

/** The delta in a chunk of a completion, with members such as `content` or `tool_calls`. */
export type Delta = Readonly<Record<string, unknown>>;

/** Returns the delta that calls a tool, with all of its arguments in one piece. */
export function toolCallDelta(name: string, args: unknown, index = 0): Delta {
  const call = {
    index,
    id: `call_${name}_${String(index)}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  };
  return { tool_calls: [call] };
}

/**
 * Starts a stand-in for a language model, which answers each request with the next list of deltas in the wire format of chat
 * completions: a chunk with the role, one for each delta, one with the finish reason, one with the usage, then `[DONE]`.
 */
export async function startModelServer(
  context: TestContext,
  turns: readonly (readonly Delta[])[],
): Promise<{ readonly baseUrl: string; readonly requests: CompletionRequest[] }> {
  const requests: CompletionRequest[] = [];
  const url = await startLocalServerForTest(context, (request, response) => {
    void readBody(request).then((text) => {
      const body = JSON.parse(text) as CompletionRequest['body'];
      const deltas = turns[requests.length] ?? [];
      requests.push({ authorization: request.headers.authorization, body });
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
        response.writeHead(404).end();
        return;
      }
      const isCall = deltas.some((delta) => 'tool_calls' in delta);
      const chunk = (choices: readonly unknown[], more: object = {}): string =>
        `data: ${JSON.stringify({
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: 1_750_000_000,
          model: body.model,
          choices,
          ...more,
        })}\n\n`;
      const choice = (delta: Delta, reason: string | null = null): object => ({
        index: 0,
        delta,
        logprobs: null,
        finish_reason: reason,
      });
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(': a comment\n\n');
      response.write(chunk([choice({ role: 'assistant', content: '' })]));
      for (const delta of deltas) response.write(chunk([choice(delta)]));
      response.write(chunk([choice({}, isCall ? 'tool_calls' : 'stop')]));
      response.write(
        chunk([], { usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } }),
      );
      response.end('data: [DONE]\n\n');
    });
  });
  return { baseUrl: `${url}/v1`, requests };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Starts a stand-in for a language model that begins an answer and then writes nothing more. `asked` resolves with the first request, `aborted`
 * when its connection is closed.
 */
export async function startUnfinishedModel(context: TestContext) {
  const asked = new Deferred<void>();
  const aborted = new Deferred<void>();
  const baseUrl = await startLocalServerForTest(context, (request, response) => {
    request.resume();
    response.on('close', () => {
      aborted.resolve();
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"Well, "}}]}\n\n');
    asked.resolve();
  });
  return {
    model: { baseUrl, apiKey: '', model: 'tiny' },
    asked: asked.promise,
    aborted: aborted.promise,
  };
}

/** Options of models that fail, with the reason that the agent gives: one that cannot be reached and one that refuses the key. */
export async function startFailingModels(context: TestContext) {
  const refusing = await startLocalServerForTest(context, (request, response) => {
    request.resume();
    response.writeHead(401).end('{"error":"bad key llm-key"}');
  });
  const options = { apiKey: 'llm-key', model: 'tiny' };
  return [
    { model: { ...options, baseUrl: 'http://127.0.0.1:1' }, reason: /cannot be reached/u },
    { model: { ...options, baseUrl: refusing }, reason: /refused with status 401/u },
  ];
}
