import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunKeys, RunStream } from '../../src/backends/backend.js';
import { createStreamController } from '../../src/controller/controller.js';
import { createEnvironment } from '../../src/transport/environment.js';
import { ScriptedBackend } from './scripted-backend.js';
import { draftOf } from './setup-controller.js';

const CHUNK = 'eight ch';

/** A backend that yields chunks as fast as they are read. `beforeChunk` is awaited before each one. */
class FloodingBackend extends ScriptedBackend {
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

/** A controller whose answer grows by a given number of chunks. */
async function setupFlood(copies: boolean) {
  let [allowed, allow] = [0, () => undefined as void];
  let reach = () => undefined as void;
  const backend = new FloodingBackend(Infinity, (index) => {
    if (index < allowed) return undefined;
    reach();
    return new Promise((resolve) => (allow = resolve));
  });
  const controller = createStreamController({ backend });
  controller.subscribe({ all: true }, (change) => {
    if (change.type !== 'text') return;
    const text = controller.thread?.messages.get(change.message)?.parts.get(change.part)?.text;
    // A view that reads the whole text for each chunk has a cost that grows.
    units += (copies ? text?.read() : text?.read(change.at))?.length ?? 0;
  });
  let units = 0;
  const ready = new Promise<void>((resolve) => (reach = resolve));
  await controller.send(draftOf('Question'));
  await ready;
  /** Adds chunks and returns their CPU time in µs. */
  const grow = async (chunks: number): Promise<number> => {
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const start = process.cpuUsage();
    allowed += chunks;
    allow();
    await reached;
    assert.ok(units > 0);
    // The sum of both is exact; the kernel estimates how it is divided.
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  return { grow, close: () => controller.close() };
}

/**
 * The ratio of the cost of a chunk at the end of a message (80 to 100 %) to that at 10 to 30 %. Both grow alternately, so that other
 * load of the machine affects them equally. Returns the median.
 */
async function measureGrowth(count: number, copies: boolean): Promise<number> {
  const [young, old] = [await setupFlood(copies), await setupFlood(copies)];
  await young.grow(count * 0.1);
  await old.grow(count * 0.8);
  const growths: number[] = [];
  for (let turn = 0; turn < 41; turn += 1) {
    const early = await young.grow(count * 0.005);
    growths.push((await old.grow(count * 0.005)) / early);
  }
  young.close();
  old.close();
  return growths.sort((left, right) => left - right)[20] ?? Infinity;
}

test('a chunk costs the same at the end of 100,000 as at the beginning', async () => {
  const growth = await measureGrowth(100_000, false);
  assert.ok(growth <= 1.3, `grew by ${growth.toFixed(2)}`);
});

test('the measurement detects growth when a view copies the text for each chunk', async () => {
  assert.ok((await measureGrowth(8000, true)) > 1.3);
});

test('20,000 batches that arrive at once are applied in slices', async () => {
  const backend = new FloodingBackend(20_000, () => undefined);
  let clock = 0;
  let pauses = 0;
  let longest = 0;
  let since = 0;
  const environment = createEnvironment({
    monotonic: () => clock,
    yieldToEventLoop: async () => {
      longest = Math.max(longest, clock - since);
      pauses += 1;
      await Promise.resolve();
      since = clock;
    },
  });
  const controller = createStreamController({ backend, environment, limits: { sliceBudget: 8 } });
  // Each listener takes 0.1 ms per change.
  controller.subscribe({ all: true }, () => (clock += 0.1));
  const over = new Promise<void>((resolve) => {
    controller.onNotice((notice) => {
      if (notice.type === 'run-completed') resolve();
    });
  });
  await controller.send(draftOf('Question'));
  since = clock;
  await over;
  controller.close();
  assert.ok(pauses > 200, `${pauses} pauses`);
  assert.ok(longest < 9, `a slice of ${longest} ms`);
});
