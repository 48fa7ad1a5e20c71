import {
  isUbikError,
  UbikError,
  type Backend,
  type Batch,
  type Capability,
  type Change,
  type Draft,
  type NewThread,
  type RunKeys,
  type RunStream,
  type ThreadContent,
  type ThreadSummary,
} from '../../src/entries/controller.js';
import { readServerSentEvents } from '../../src/entries/sse.js';

/** A service that streams text and stores nothing: `POST url` with `{"text"}` sends `{"text"}` events, and `[DONE]` at the end. */
export class TextBackend implements Backend {
  readonly name = 'text';
  readonly capabilities: ReadonlySet<Capability> = new Set();
  readonly idleTimeout = 60_000;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async createThread(_options?: NewThread, signal?: AbortSignal): Promise<ThreadSummary> {
    if (signal?.aborted) throw new UbikError('aborted');
    return { id: crypto.randomUUID(), title: '', createdAt: null, updatedAt: null };
  }

  /** Nothing is stored: what is on the screen stays there until the page is reloaded. */
  async loadThread(id: string, signal?: AbortSignal): Promise<ThreadContent> {
    if (signal?.aborted) throw new UbikError('aborted');
    return { thread: { id, title: '' }, messages: [], headId: null, unfinishedRun: null };
  }

  async *send(_id: string, draft: Draft, keys: RunKeys, signal: AbortSignal): RunStream {
    const { thread, answer: message } = keys;
    const batch = (...changes: Change[]): Batch => ({ thread, time: Date.now(), changes });
    const stream = await this.#post({ text: draft.text }, signal);
    yield batch(
      { type: 'thread', set: { run: { state: 'streaming', id: crypto.randomUUID() } } },
      { type: 'part', message, part: 'text', parent: null, before: null, value: { kind: 'text' } },
    );
    let at = 0;
    for await (const { data } of readServerSentEvents(stream, { signal })) {
      if (data === '[DONE]') {
        yield batch(
          { type: 'set', message, part: null, path: ['status'], value: 'complete' },
          { type: 'thread', set: { run: { state: 'complete' } } },
        );
        return;
      }
      const { text } = JSON.parse(data) as { text: string };
      yield batch({ type: 'text', message, part: 'text', at, text });
      at += text.length;
    }
    throw new UbikError('interrupted');
  }

  async #post(body: object, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    try {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
      const response = await fetch(this.#url, init);
      if (response.ok && response.body) return response.body;
      // Simplified: see "Errors" for the codes of 401, 409 and other statuses.
      throw new UbikError('server', { status: response.status });
    } catch (cause) {
      if (isUbikError(cause)) throw cause;
      throw new UbikError(signal.aborted ? 'aborted' : 'network', { cause });
    }
  }
}
