import type { Backend, RunKeys, RunStream, StoredMessage } from '../../src/backends/backend.js';
import type { Batch } from '../../src/model/change.js';

/** A service with one thread and one run, whose text the benchmark pushes. */
export class ManualService {
  readonly #waiting: Batch[] = [];
  #wake: (() => void) | null = null;
  #length = 0;
  #keys: RunKeys | null = null;
  #ended = false;
  #resolveDone: () => void = () => undefined;
  readonly #done = new Promise<void>((resolve) => (this.#resolveDone = resolve));

  backend(history: readonly string[]): Backend {
    return {
      name: 'bench',
      capabilities: new Set(),
      idleTimeout: 1e9,
      createThread: () =>
        Promise.resolve({ id: 'bench', title: '', createdAt: null, updatedAt: null }),
      loadThread: (id) =>
        Promise.resolve({
          // A thread without a title would be reloaded after its first answer.
          thread: { id, title: id },
          messages: history.map(storedAnswer),
          headId: history.length > 0 ? `h${String(history.length - 1)}` : null,
          unfinishedRun: null,
        }),
      send: (_thread, _draft, keys) => this.#run(keys),
    };
  }

  push(text: string): void {
    const message = this.#keys?.answer ?? '';
    const at = this.#length;
    this.#length += text.length;
    this.#enqueue([{ type: 'text', message, part: 'text', at, text }]);
  }

  async finish(): Promise<void> {
    this.#enqueue([
      {
        type: 'set',
        message: this.#keys?.answer ?? '',
        part: null,
        path: ['status'],
        value: 'complete',
      },
      { type: 'thread', set: { run: { state: 'complete' } } },
    ]);
    this.#ended = true;
    await this.#done;
  }

  #enqueue(changes: Batch['changes']): void {
    this.#waiting.push({ thread: this.#keys?.thread ?? '', time: 0, changes });
    this.#wake?.();
  }

  async *#run(keys: RunKeys): RunStream {
    this.#keys = keys;
    const value = { kind: 'text' } as const;
    this.#enqueue([
      { type: 'thread', set: { run: { state: 'streaming' } } },
      { type: 'part', message: keys.answer, part: 'text', parent: null, before: null, value },
    ]);
    while (!this.#ended || this.#waiting.length > 0) {
      const batch = this.#waiting.shift();
      if (batch) yield batch;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    this.#resolveDone();
  }
}

function storedAnswer(text: string, index: number): StoredMessage {
  return {
    id: `h${String(index)}`,
    parentId: index > 0 ? `h${String(index - 1)}` : null,
    fields: {
      runId: null,
      role: 'assistant',
      siblingIds: [],
      createdAt: null,
      status: 'complete',
      attachments: [],
      restoredFrom: null,
      failure: null,
    },
    parts: [{ kind: 'text', key: '/0:text', text }],
    requests: [],
  };
}
