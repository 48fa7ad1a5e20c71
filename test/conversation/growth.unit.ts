import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunKeys, RunStream } from '../../src/backends/backend.js';
import { createStreamController } from '../../src/conversation/controller.js';
import { createEnvironment } from '../../src/stream/environment.js';
import { ScriptedBackend } from './scripted-backend.js';
import { draftOf } from './setup-conversation.js';

const CHUNK = 'eight ch';

/** A backend whose answer comes as fast as it is taken. `onChunk` is told of each one before it comes. */
class FloodingBackend extends ScriptedBackend {
  readonly #count: number;
  readonly #onChunk: (index: number) => void;

  constructor(count: number, onChunk: (index: number) => void) {
    super(() => 0);
    this.#count = count;
    this.#onChunk = onChunk;
  }

  override async *send(
    ...[, , { thread, answer: message }]: [string, unknown, RunKeys]
  ): RunStream {
    const part = '/0:text';
    const value = { kind: 'text' } as const;
    yield {
      thread,
      at: 0,
      changes: [{ do: 'part', message, part, parent: null, before: null, value }],
    };
    for (let index = 0; index < this.#count; index += 1) {
      this.#onChunk(index);
      const at = index * CHUNK.length;
      yield { thread, at: 0, changes: [{ do: 'text', message, part, at, text: CHUNK }] };
    }
    this.#onChunk(this.#count);
    yield { thread, at: 0, changes: [{ do: 'thread', set: { run: { state: 'complete' } } }] };
  }
}

/** CPU time of a chunk between 80 and 100 % of a message over that between 10 and 30 %. */
async function measureGrowth(count: number, copies: boolean): Promise<number> {
  const marks = new Map([0.1, 0.3, 0.8, 1].map((share) => [count * share, 0]));
  const backend = new FloodingBackend(count, (index) => {
    if (marks.has(index)) marks.set(index, process.cpuUsage().user);
  });
  const controller = createStreamController({ backend });
  let units = 0;
  const over = new Promise<void>((resolve) => {
    controller.notices((notice) => {
      if (notice.type === 'run-ended') resolve();
    });
  });
  controller.subscribe({ all: true }, (change) => {
    if (change.do !== 'text') return;
    const text = controller.thread?.messages.get(change.message)?.parts.get(change.part)?.text;
    // What a careless view does: it takes the whole text for each piece of it.
    units += (copies ? text?.read() : text?.read(change.at))?.length ?? 0;
  });
  await controller.send(draftOf('Question'));
  await over;
  controller.close();
  assert.ok(units > 0);
  const [a = 0, b = 0, c = 0, d = 0] = [...marks.values()];
  return (d - c) / (b - a);
}

test('costs the same for a chunk at the end of 100,000 as at the beginning', async () => {
  await measureGrowth(50_000, false);
  const rounds: number[] = [];
  for (let round = 0; round < 3; round += 1) rounds.push(await measureGrowth(100_000, false));
  const [, median = Infinity] = rounds.sort((left, right) => left - right);
  assert.ok(median <= 1.3, `grew by ${rounds.map((ratio) => ratio.toFixed(2)).join(', ')}`);
});

test('sees growth where a view copies the text for each chunk', async () => {
  assert.ok((await measureGrowth(10_000, true)) > 1.3);
});

test('works off 20,000 batches that are there at once in slices', async () => {
  const backend = new FloodingBackend(20_000, () => undefined);
  let clock = 0;
  let pauses = 0;
  let longest = 0;
  let since = 0;
  const environment = createEnvironment({
    monotonic: () => clock,
    pause: async () => {
      longest = Math.max(longest, clock - since);
      pauses += 1;
      await Promise.resolve();
      since = clock;
    },
  });
  const controller = createStreamController({ backend, environment, limits: { sliceBudget: 8 } });
  // Whoever is told of a batch works for 0.1 ms.
  controller.subscribe({ all: true }, () => (clock += 0.1));
  const over = new Promise<void>((resolve) => {
    controller.notices((notice) => {
      if (notice.type === 'run-ended') resolve();
    });
  });
  await controller.send(draftOf('Question'));
  since = clock;
  await over;
  controller.close();
  assert.ok(pauses > 200, `${pauses} pauses`);
  assert.ok(longest < 9, `a slice of ${longest} ms`);
});
