import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStreamController } from '../../src/controller/controller.js';
import { FloodingBackend } from '../controller/flooding-backend.js';
import { draftOf } from '../controller/setup-controller.js';
import { onlyExhaustive } from '../helpers/sample.js';

/** Permitted cost of a chunk at the end of a message relative to one near its beginning. */
const LIMIT = 1.3;

/** A controller whose answer grows by a given number of chunks. */
async function setupFlood(copies: boolean) {
  let units = 0;
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
  return growths.sort((left, right) => left - right)[growths.length >> 1] ?? Infinity;
}

test('a chunk costs the same at the end of 100,000 as at the beginning', async () => {
  const growth = await measureGrowth(100_000, false);
  assert.ok(growth <= LIMIT, `grew to ${growth.toFixed(2)}`);
});

test(
  'the measurement detects growth when a view copies the text for each chunk',
  onlyExhaustive,
  async () => {
    assert.ok((await measureGrowth(8000, true)) > LIMIT);
  },
);
