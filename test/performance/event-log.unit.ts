import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventLog, type EventLog } from '../../src/transport/event-log.js';
import { onlyExhaustive } from '../helpers/sample.js';
import { measureCostRatio } from './cost-ratio.js';

/** If the time of an event grew with the length of the log, the ratio would be about 12. */
const LIMIT = 6;

type AddEvent = (log: EventLog<number, never>, key: string, index: number) => void;

const addEvent: AddEvent = (log, key, index) => {
  log.add(key, index, index);
};

/** CPU time in µs of `count` new events after `from` others, and of their replays. */
function measureEvents(from: number, count: number, add: AddEvent): number {
  const keys = Array.from({ length: from + count }, (_, index) => `key ${index}`);
  const log = createEventLog<number>();
  let cost = 0;
  for (let connection = 0; connection < 2; connection += 1) {
    log.connect();
    keys.slice(0, from).forEach((key, index) => log.add(key, index, index));
    const start = process.cpuUsage();
    keys.slice(from).forEach((key, index) => add(log, key, from + index));
    const { user, system } = process.cpuUsage(start);
    cost += user + system;
  }
  return cost;
}

/** Cost of events at the end of a log relative to that near its start. */
const measureGrowth = (count: number, add: AddEvent): Promise<number> =>
  measureCostRatio(
    () => measureEvents(count, count, add),
    () => measureEvents(count * 18, count, add),
    // The code is compiled in the first round, which adds to the cost of the baseline.
    { limit: LIMIT, rounds: 6, minRounds: 3, floor: 5000 },
  );

test('event log adds an event at the end as fast as at the start', async () => {
  const growth = await measureGrowth(10_000, addEvent);
  assert.ok(growth < LIMIT, `grew to ${growth.toFixed(1)}`);
});

test(
  'event log that is read to its end for each event fails the measurement',
  onlyExhaustive,
  async () => {
    const growth = await measureGrowth(1500, (log, key, index) => {
      addEvent(log, key, index);
      for (let at = 0; log.at(at); at += 1);
    });
    assert.ok(growth > LIMIT, `grew to ${growth.toFixed(1)} only`);
  },
);
