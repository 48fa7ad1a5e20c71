import type { RunKeys, RunStream } from '../../src/backends/backend.js';
import { ScriptedBackend } from './scripted-backend.js';

const CHUNK = 'eight ch';

/** A backend that yields chunks as fast as they are read. `beforeChunk` is awaited before each one. */
export class FloodingBackend extends ScriptedBackend {
  readonly #count: number;
  readonly #beforeChunk: (index: number) => Promise<void> | undefined;

  constructor(count: number, beforeChunk: (index: number) => Promise<void> | undefined) {
    super(() => 0);
    this.#count = count;
    this.#beforeChunk = beforeChunk;
  }

  override async *send(
    ...[, , { thread, answer: message }]: [string, unknown, RunKeys]
  ): RunStream {
    const part = '/0:text';
    const value = { kind: 'text' } as const;
    yield {
      thread,
      time: 0,
      changes: [{ type: 'part', message, part, parent: null, before: null, value }],
    };
    for (let index = 0; index < this.#count; index += 1) {
      await this.#beforeChunk(index);
      const at = index * CHUNK.length;
      yield { thread, time: 0, changes: [{ type: 'text', message, part, at, text: CHUNK }] };
    }
    yield { thread, time: 0, changes: [{ type: 'thread', set: { run: { state: 'complete' } } }] };
  }
}
