import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventLog, type EventLog } from '../../src/transport/event-log.js';
import { createRandom, pickIndex, type Random } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';

interface TimedKey {
  readonly key: string;
  readonly instant: number | null;
}

type Log = EventLog<string, string>;

const createLog = (maxEvents?: number): Log => createEventLog<string, string>({ maxEvents });
const add = (log: Log, key: string, instant: number | null = null) => log.add(key, instant, key);
const keysOf = (log: Log, from = 0) => Array.from(log.from(from), ({ event }) => event);

/** Adds events with these keys on a new connection, all with the same timestamp. Returns their statuses. */
function connect(log: Log, keys: string) {
  log.connect();
  return Array.from(keys, (key) => add(log, key, 0).status);
}

/** The order on one unbroken connection: a stable sort by timestamp. */
function sortStably(events: readonly TimedKey[]): string[] {
  let previous = -Infinity;
  return events
    .map(({ key, instant }) => ({ key, instant: (previous = instant ?? previous) }))
    .sort((a, b) => (a.instant < b.instant ? -1 : a.instant > b.instant ? 1 : 0))
    .map(({ key }) => key);
}

function randomEvents(random: Random, count: number, keys = count * 2): TimedKey[] {
  return Array.from({ length: count }, (_, index) => ({
    // Some keys repeat, as those of equal chunks do.
    key: `k${pickIndex(random, keys)}`,
    instant: random() < 0.2 ? null : index + pickIndex(random, 8) - 4,
  }));
}

test('event log orders events by timestamp, and equal ones by arrival', () => {
  const log = createLog();
  assert.deepEqual(add(log, 'b', 2), { status: 'new', index: 0, late: false });
  assert.deepEqual(add(log, 'd', 3), { status: 'new', index: 1, late: false });
  assert.deepEqual(add(log, 'a', 1), { status: 'new', index: 0, late: true });
  assert.deepEqual(add(log, 'c', 2), { status: 'new', index: 2, late: true });
  assert.deepEqual(add(log, 'e', 3), { status: 'new', index: 4, late: false });
  assert.deepEqual(keysOf(log), ['a', 'b', 'c', 'd', 'e']);
  assert.equal(log.at(2)?.event, 'c');
  assert.equal(log.at(5), undefined);
  assert.deepEqual(keysOf(log, 3), ['d', 'e']);
});

test('event log inserts an event without a timestamp after the one that arrived before it', () => {
  const log = createLog();
  add(log, 'a', 1);
  add(log, 'c', 5);
  add(log, 'b', 2);
  assert.deepEqual(add(log, 'b2'), { status: 'new', index: 2, late: true });
  assert.deepEqual(keysOf(log), ['a', 'b', 'b2', 'c']);
  assert.equal(log.at(2)?.instant, 2);
});

test('event log keeps events before the first timestamp in order of arrival', () => {
  const log = createLog();
  for (const key of ['b', 'a']) add(log, key);
  add(log, 'c', -5);
  assert.deepEqual(keysOf(log), ['b', 'a', 'c']);
});

test('event log equals a stable sort for random sequences', () => {
  for (const seed of seedsUpTo(500)) {
    const random = createRandom(seed);
    const events = randomEvents(random, 60);
    const log = createLog();
    for (const { key, instant } of events) {
      const before = log.length;
      const result = add(log, key, instant);
      assert.equal(result.status, 'new');
      if (result.status !== 'new') return;
      assert.equal(log.at(result.index)?.event, key);
      assert.equal(result.late, result.index < before);
    }
    assert.deepEqual(keysOf(log), sortStably(events), `seed ${seed}`);
  }
});

test('event log equals one unbroken connection after any number of disconnects and replays from the start', () => {
  for (const seed of seedsUpTo(500)) {
    const random = createRandom(seed);
    const events = randomEvents(random, 40, 15);
    const log = createLog();
    let longest = 0;
    for (let round = 0; round < 6; round++) {
      log.connect();
      const end = round === 5 ? events.length : pickIndex(random, events.length);
      for (const { key, instant } of events.slice(0, end)) {
        assert.notEqual(add(log, key, instant).status, 'rechunked');
      }
      longest = Math.max(longest, end);
      assert.deepEqual(keysOf(log), sortStably(events.slice(0, longest)), `seed ${seed}`);
    }
  }
});

test('event log recognizes a replay in timestamp order', () => {
  for (const seed of seedsUpTo(200)) {
    const random = createRandom(seed);
    const events = randomEvents(random, 30).map((sent, index) => ({
      key: `${index}`,
      instant: sent.instant ?? index,
    }));
    const log = createLog();
    for (const { key, instant } of events) add(log, key, instant);
    log.connect();
    const replay = [...events].sort((a, b) => a.instant - b.instant);
    for (const { key, instant } of replay) assert.equal(add(log, key, instant).status, 'replay');
    assert.equal(log.length, events.length);
  }
});

test('event log counts equal events and adds only the surplus ones of a replay', () => {
  const log = createLog();
  assert.deepEqual(connect(log, 'haha'), ['new', 'new', 'new', 'new']);
  assert.deepEqual(connect(log, 'hahaha'), ['replay', 'replay', 'replay', 'replay', 'new', 'new']);
  assert.deepEqual(keysOf(log).join(''), 'hahaha');
});

test('event log places an event without a timestamp after the replayed event before it', () => {
  const log = createLog();
  add(log, 'a', 1);
  add(log, 'b', 9);
  log.connect();
  add(log, 'a', 1);
  add(log, 'b', 9);
  add(log, 'c');
  assert.equal(log.at(2)?.instant, 9);
});

test('event log adds unknown events as new when the connection does not start with the first event', () => {
  const log = createLog();
  connect(log, 'abc');
  assert.deepEqual(connect(log, 'xy'), ['new', 'new']);
  assert.deepEqual(connect(log, 'bz'), ['replay', 'new']);
  assert.equal(keysOf(log).join(''), 'abcxyz');
});

test('event log reports an unknown event as rechunked until a replay from the start is complete', () => {
  const log = createLog();
  connect(log, 'abcd');
  assert.deepEqual(connect(log, 'abX'), ['replay', 'replay', 'rechunked']);
  assert.equal(keysOf(log).join(''), 'abcd');
  assert.deepEqual(connect(log, 'abcdX'), ['replay', 'replay', 'replay', 'replay', 'new']);
});

test('event log reports an unknown event as rechunked when the replay was declared before the first event', () => {
  const log = createLog();
  connect(log, 'abc');
  log.connect();
  log.expectReplay();
  assert.equal(add(log, 'X', 0).status, 'rechunked');
  log.connect();
  assert.equal(add(log, 'b', 0).status, 'replay');
  log.expectReplay();
  assert.equal(add(log, 'X', 0).status, 'new');
});

test('event log reports a rechunked replay when a replay splits, joins or adds chunks', () => {
  for (const replay of ['as1s2d', 'aBd', 'abxcd']) {
    const log = createLog();
    connect(log, 'abcd');
    assert.ok(connect(log, replay).includes('rechunked'), replay);
  }
});

test('event log detects a replay from the start by the first event to arrive and by the earliest one', () => {
  for (const replay of [
    ['late', 5],
    ['early', 1],
  ] as const) {
    const log = createLog();
    add(log, 'late', 5);
    add(log, 'early', 1);
    log.connect();
    add(log, replay[0], replay[1]);
    assert.equal(add(log, 'X', 7).status, 'rechunked');
  }
});

test('event log forks the events of the current connection and stays unchanged itself', () => {
  const log = createLog();
  connect(log, 'abcd');
  log.setSnapshot(2, 'ab');
  connect(log, 'abX');
  const fork = log.fork();
  assert.equal(keysOf(fork).join(''), 'ab');
  assert.equal(fork.snapshotBefore(9), null);
  for (const key of 'XYd') assert.equal(add(fork, key, 0).status, 'new');
  assert.equal(keysOf(fork).join(''), 'abXYd');
  assert.equal(keysOf(log).join(''), 'abcd');
  assert.equal(log.snapshotBefore(9)?.state, 'ab');
  // The next connection replays the events of the fork.
  assert.deepEqual(connect(fork, 'abXYdZ').at(-1), 'new');
  // Or the fork is dropped, and the next connection is compared with the original log.
  assert.deepEqual(connect(log, 'abcde'), ['replay', 'replay', 'replay', 'replay', 'new']);
});

test('event log keeps the order of arrival and the inferred timestamps in a fork', () => {
  const log = createLog();
  for (const [key, instant] of [
    ['a', 5],
    ['b', null],
    ['c', 3],
    ['d', null],
  ] as const)
    add(log, key, instant);
  const fork = log.fork();
  assert.deepEqual(Array.from(fork.from(0)), Array.from(log.from(0)));
});

test('event log reports events past its limit as full and still recognizes replays', () => {
  const log = createLog(3);
  assert.deepEqual(connect(log, 'abcde'), ['new', 'new', 'new', 'full', 'full']);
  assert.deepEqual(add(log, 'f', 0), { status: 'full', isNew: true });
  assert.deepEqual(connect(log, 'abcd'), ['replay', 'replay', 'replay', 'full']);
  assert.equal(log.length, 3);
});

test('event log reports an event past its limit as new once over all replays from the first event', () => {
  const log = createLog(2);
  const newFlags = (keys: string): boolean[] => {
    log.connect();
    return [...keys].flatMap((key) => {
      const result = add(log, key, null);
      return result.status === 'full' ? [result.isNew] : [];
    });
  };
  assert.deepEqual(newFlags('abcd'), [true, true]);
  assert.deepEqual(newFlags('abcde'), [false, false, true]);
  assert.deepEqual(
    newFlags('f'),
    [true],
    'a connection that does not start with the first event is not a replay',
  );
  assert.deepEqual(newFlags('abcdefg'), [false, false, false, false, true]);
});

test('event log stores up to 200,000 events by default', () => {
  const log = createEventLog<number>();
  for (let index = 0; index < 200_000; index++) log.add(String(index), index, index);
  assert.equal(log.length, 200_000);
  assert.equal(log.add('x', 0, 0).status, 'full');
});

test('event log stores no further event once the total size exceeds its limit', () => {
  const log = createEventLog<string>({ maxSize: 10, sizeOf: ({ length }) => length });
  const addKey = (key: string) => log.add(key, 1, key).status;
  assert.deepEqual(['aaaa', 'bbbbb', 'cc', 'd', 'e'].map(addKey), [
    'new',
    'new',
    'full',
    'full',
    'full',
  ]);
  const first = log.at(0);
  assert.ok(first);
  log.replace(first, 'a');
  assert.deepEqual(
    Array.from(log.from(0), ({ key, event }) => [key, event]),
    [
      ['aaaa', 'a'],
      ['bbbbb', 'bbbbb'],
    ],
  );
  assert.deepEqual(['cc', 'ff'].map(addKey), ['full', 'full']);
  log.connect();
  const again = log.add('aaaa', 1, 'aaaa');
  assert.equal(again.status === 'replay' && again.entry, first);
});

test('event log returns the nearest snapshot at or before an index', () => {
  const log = createLog();
  assert.equal(log.snapshotBefore(100), null);
  log.setSnapshot(10, 'ten');
  log.setSnapshot(20, 'twenty');
  log.setSnapshot(15, 'fifteen');
  assert.equal(log.snapshotBefore(9), null);
  assert.deepEqual(log.snapshotBefore(10), { index: 10, state: 'ten' });
  assert.equal(log.snapshotBefore(19)?.state, 'fifteen');
  assert.equal(log.snapshotBefore(999)?.state, 'twenty');
  log.setSnapshot(20, 'again');
  assert.equal(log.snapshotBefore(20)?.state, 'again');
});

test('event log drops the snapshots after a late event and keeps those before it', () => {
  const log = createLog();
  for (let index = 0; index < 10; index++) add(log, `${index}`, index * 10);
  for (const index of [0, 4, 5, 6, 10]) log.setSnapshot(index, `${index}`);
  assert.deepEqual(add(log, 'late', 45), { status: 'new', index: 5, late: true });
  // A snapshot after five events does not include the position of the sixth.
  assert.equal(log.snapshotBefore(99)?.state, '5');
  add(log, 'newest', 1000);
  assert.equal(log.snapshotBefore(99)?.state, '5');
});

test('event log stores the newest snapshots densely and older ones at growing distances', () => {
  const log = createEventLog<string, number>({ maxSnapshots: 16 });
  for (let index = 100; index <= 100_000; index += 100) {
    log.setSnapshot(index, index);
    assert.equal(log.snapshotBefore(index)?.index, index);
  }
  const stored = new Set<number>();
  for (let index = 100; index <= 100_000; index++)
    stored.add(log.snapshotBefore(index)?.index ?? -1);
  assert.ok(stored.size <= 16, `${stored.size} snapshots`);
  // For any late event, the snapshot before it is at most about as far away as the end of the log.
  for (let back = 100; back < 99_000; back *= 2) {
    const index = 100_000 - back;
    const distance = index - (log.snapshotBefore(index)?.index ?? 0);
    assert.ok(distance <= back * 2, `${distance} events to replay, ${back} before the end`);
  }
});

test('event log rebuilds a state from snapshots that equals a stable sort of all events', () => {
  for (const seed of seedsUpTo(200)) {
    const random = createRandom(seed);
    const events = randomEvents(random, 80);
    const log = createEventLog<string, string>({ maxSnapshots: 6 });
    let state = '';
    events.forEach(({ key, instant }, count) => {
      const result = log.add(key, instant, key);
      if (result.status !== 'new') return;
      const { index, state: from } = result.late
        ? (log.snapshotBefore(result.index) ?? { index: 0, state: '' })
        : { index: result.index, state };
      state = from;
      for (const { event } of log.from(index)) state += `${event} `;
      if (count % 5 === 0) log.setSnapshot(log.length, state);
    });
    assert.equal(
      state,
      sortStably(events)
        .map((key) => `${key} `)
        .join(''),
      `seed ${seed}`,
    );
  }
});

test('event log accepts keys such as __proto__', () => {
  const log = createLog();
  for (const key of ['__proto__', 'constructor']) assert.equal(add(log, key, 0).status, 'new');
  log.connect();
  for (const key of ['__proto__', 'constructor']) assert.equal(add(log, key, 0).status, 'replay');
});

test('event log accepts events up to its maximum size, and counts a replaced event by its new size', () => {
  const createLog = () => createEventLog<string>({ maxSize: 10, sizeOf: ({ length }) => length });
  const log = createLog();
  const statusOf = (event: string) => log.add(event, 1, event).status;
  assert.deepEqual(['aaaa', 'bbbbbb', 'c'].map(statusOf), ['new', 'new', 'full']);
  const reduced = createLog();
  reduced.add('aaaaaaaa', 1, 'aaaaaaaa');
  const first = reduced.at(0);
  assert.ok(first);
  reduced.replace(first, 'a');
  assert.equal(reduced.add('bbbbbbbbb', 1, 'bbbbbbbbb').status, 'new');
  assert.equal(reduced.add('c', 1, 'c').status, 'full');
});
