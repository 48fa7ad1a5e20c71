import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventLog, type EventLog } from '../../src/transport/event-log.js';
import { createRandom, pickIndex, type Random } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';

interface Sent {
  readonly key: string;
  readonly instant: number | null;
}

type Log = EventLog<string, string>;

const createLog = (maxEvents?: number): Log => createEventLog<string, string>({ maxEvents });
const add = (log: Log, key: string, instant: number | null = null) => log.add(key, instant, key);
const keysOf = (log: Log, from = 0) => Array.from(log.from(from), ({ event }) => event);

/** A connection that brings these keys, all at the same instant; gives the answers. */
function connect(log: Log, keys: string) {
  log.connect();
  return Array.from(keys, (key) => add(log, key, 0).status);
}

/** What a client that saw all of it on one connection shows: a plain stable sort. */
function sortPlainly(events: readonly Sent[]): string[] {
  let previous = -Infinity;
  return events
    .map(({ key, instant }) => ({ key, instant: (previous = instant ?? previous) }))
    .sort((a, b) => (a.instant < b.instant ? -1 : a.instant > b.instant ? 1 : 0))
    .map(({ key }) => key);
}

function randomEvents(random: Random, count: number, keys = count * 2): Sent[] {
  return Array.from({ length: count }, (_, index) => ({
    // Some keys come more than once, as equal chunks do.
    key: `k${pickIndex(random, keys)}`,
    instant: random() < 0.2 ? null : index + pickIndex(random, 8) - 4,
  }));
}

test('keeps events in the order of their instants, and equal ones in the order of arrival', () => {
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

test('places an event without a time behind the one that came before it', () => {
  const log = createLog();
  add(log, 'a', 1);
  add(log, 'c', 5);
  add(log, 'b', 2);
  assert.deepEqual(add(log, 'b2'), { status: 'new', index: 2, late: true });
  assert.deepEqual(keysOf(log), ['a', 'b', 'b2', 'c']);
  assert.equal(log.at(2)?.instant, 2);
});

test('keeps the order of arrival while no time is known, before all that have one', () => {
  const log = createLog();
  for (const key of ['b', 'a']) add(log, key);
  add(log, 'c', -5);
  assert.deepEqual(keysOf(log), ['b', 'a', 'c']);
});

test('equals a plain stable sort on random sequences', () => {
  for (const seed of seedsUpTo(500)) {
    const random = createRandom(seed);
    const events = randomEvents(random, 60);
    const log = createLog();
    for (const { key, instant } of events) {
      const before = log.length;
      const answer = add(log, key, instant);
      assert.equal(answer.status, 'new');
      if (answer.status !== 'new') return;
      assert.equal(log.at(answer.index)?.event, key);
      assert.equal(answer.late, answer.index < before);
    }
    assert.deepEqual(keysOf(log), sortPlainly(events), `seed ${seed}`);
  }
});

test('equals one unbroken connection after any number of breaks and full replays', () => {
  for (const seed of seedsUpTo(500)) {
    const random = createRandom(seed);
    const events = randomEvents(random, 40, 15);
    const log = createLog();
    let longest = 0;
    for (let round = 0; round < 6; round++) {
      log.connect();
      const end = round === 5 ? events.length : pickIndex(random, events.length);
      for (const { key, instant } of events.slice(0, end)) {
        assert.notEqual(add(log, key, instant).status, 'foreign');
      }
      longest = Math.max(longest, end);
      assert.deepEqual(keysOf(log), sortPlainly(events.slice(0, longest)), `seed ${seed}`);
    }
  }
});

test('recognises a replay that comes in the order of the instants', () => {
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

test('keeps equal events of one connection, and adds only the ones beyond those known', () => {
  const log = createLog();
  assert.deepEqual(connect(log, 'haha'), ['new', 'new', 'new', 'new']);
  assert.deepEqual(connect(log, 'hahaha'), ['replay', 'replay', 'replay', 'replay', 'new', 'new']);
  assert.deepEqual(keysOf(log).join(''), 'hahaha');
});

test('gives a replayed event the place in time that it has, for those that follow it', () => {
  const log = createLog();
  add(log, 'a', 1);
  add(log, 'b', 9);
  log.connect();
  add(log, 'a', 1);
  add(log, 'b', 9);
  add(log, 'c');
  assert.equal(log.at(2)?.instant, 9);
});

test('takes unknown events for new when the connection does not replay from the first event', () => {
  const log = createLog();
  connect(log, 'abc');
  assert.deepEqual(connect(log, 'xy'), ['new', 'new']);
  assert.deepEqual(connect(log, 'bz'), ['replay', 'new']);
  assert.equal(keysOf(log).join(''), 'abcxyz');
});

test('calls an unknown event foreign while a replay from the start has not brought all that is logged', () => {
  const log = createLog();
  connect(log, 'abcd');
  assert.deepEqual(connect(log, 'abX'), ['replay', 'replay', 'foreign']);
  assert.equal(keysOf(log).join(''), 'abcd');
  assert.deepEqual(connect(log, 'abcdX'), ['replay', 'replay', 'replay', 'replay', 'new']);
});

test('notices that a chunk was cut in two, joined, or missed', () => {
  for (const replay of ['as1s2d', 'aBd', 'abxcd']) {
    const log = createLog();
    connect(log, 'abcd');
    assert.ok(connect(log, replay).includes('foreign'), replay);
  }
});

test('knows the first event by arrival and by order', () => {
  for (const replay of [
    ['late', 5],
    ['early', 1],
  ] as const) {
    const log = createLog();
    add(log, 'late', 5);
    add(log, 'early', 1);
    log.connect();
    add(log, replay[0], replay[1]);
    assert.equal(add(log, 'X', 7).status, 'foreign');
  }
});

test('forks into a log of what this connection has brought, and stays as it is', () => {
  const log = createLog();
  connect(log, 'abcd');
  log.setSnapshot(2, 'ab');
  connect(log, 'abX');
  const own = log.fork();
  assert.equal(keysOf(own).join(''), 'ab');
  assert.equal(own.snapshotBefore(9), null);
  for (const key of 'XYd') assert.equal(add(own, key, 0).status, 'new');
  assert.equal(keysOf(own).join(''), 'abXYd');
  assert.equal(keysOf(log).join(''), 'abcd');
  assert.equal(log.snapshotBefore(9)?.state, 'ab');
  // The next connection replays what the fork knows.
  assert.deepEqual(connect(own, 'abXYdZ').at(-1), 'new');
  // Or breaks before the fork has caught up, and is compared with the old log again.
  assert.deepEqual(connect(log, 'abcde'), ['replay', 'replay', 'replay', 'replay', 'new']);
});

test('forks in the order of arrival, with the times that were inferred', () => {
  const log = createLog();
  for (const [key, instant] of [
    ['a', 5],
    ['b', null],
    ['c', 3],
    ['d', null],
  ] as const)
    add(log, key, instant);
  const own = log.fork();
  assert.deepEqual(Array.from(own.from(0)), Array.from(log.from(0)));
});

test('takes no more events than its bound, counts the others, and still knows the replays', () => {
  const log = createLog(3);
  assert.deepEqual(connect(log, 'abcde'), ['new', 'new', 'new', 'full', 'full']);
  assert.deepEqual(add(log, 'f', 0), { status: 'full', isNew: true });
  assert.deepEqual(connect(log, 'abcd'), ['replay', 'replay', 'replay', 'full']);
  assert.equal(log.length, 3);
});

test('an event past the bound is new once, over all connections that begin with the first event', () => {
  const log = createLog(2);
  const areNew = (keys: string): boolean[] => {
    log.connect();
    return [...keys].flatMap((key) => {
      const answer = add(log, key, null);
      return answer.status === 'full' ? [answer.isNew] : [];
    });
  };
  assert.deepEqual(areNew('abcd'), [true, true]);
  assert.deepEqual(areNew('abcde'), [false, false, true]);
  assert.deepEqual(areNew('f'), [true], 'what does not begin with the first event is no replay');
  assert.deepEqual(areNew('abcdefg'), [false, false, false, false, true]);
});

test('holds 200,000 events by default', () => {
  const log = createEventLog<number>();
  for (let index = 0; index < 200_000; index++) log.add(String(index), index, index);
  assert.equal(log.length, 200_000);
  assert.equal(log.add('x', 0, 0).status, 'full');
});

test('holds no more than its bound of what events hold, and takes nothing once that was passed', () => {
  const log = createEventLog<string>({ maxSize: 10, sizeOf: ({ length }) => length });
  const take = (key: string) => log.add(key, 1, key).status;
  assert.deepEqual(['aaaa', 'bbbbb', 'cc', 'd', 'e'].map(take), [
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
  assert.deepEqual(['cc', 'ff'].map(take), ['full', 'full']);
  log.connect();
  const again = log.add('aaaa', 1, 'aaaa');
  assert.equal(again.status === 'replay' && again.entry, first);
});

test('gives the nearest state at or before an index', () => {
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

test('drops the states that a late event has made untrue, and no others', () => {
  const log = createLog();
  for (let index = 0; index < 10; index++) add(log, `${index}`, index * 10);
  for (const index of [0, 4, 5, 6, 10]) log.setSnapshot(index, `${index}`);
  assert.deepEqual(add(log, 'late', 45), { status: 'new', index: 5, late: true });
  // The state after five events has not seen the place of the sixth.
  assert.equal(log.snapshotBefore(99)?.state, '5');
  add(log, 'newest', 1000);
  assert.equal(log.snapshotBefore(99)?.state, '5');
});

test('keeps few states: the newest, the oldest, and others ever wider apart', () => {
  const log = createEventLog<string, number>({ maxSnapshots: 16 });
  for (let index = 100; index <= 100_000; index += 100) {
    log.setSnapshot(index, index);
    assert.equal(log.snapshotBefore(index)?.index, index);
  }
  const kept = new Set<number>();
  for (let index = 100; index <= 100_000; index++) kept.add(log.snapshotBefore(index)?.index ?? -1);
  assert.ok(kept.size <= 16, `${kept.size} states`);
  // Whatever the place of a late event, the way from the state before it is about as long as the way to the end.
  for (let back = 100; back < 99_000; back *= 2) {
    const place = 100_000 - back;
    const way = place - (log.snapshotBefore(place)?.index ?? 0);
    assert.ok(way <= back * 2, `${way} events to go again, ${back} before the end`);
  }
});

test('rebuilds from states to the same as a plain sort and fold', () => {
  for (const seed of seedsUpTo(200)) {
    const random = createRandom(seed);
    const events = randomEvents(random, 80);
    const log = createEventLog<string, string>({ maxSnapshots: 6 });
    let state = '';
    events.forEach(({ key, instant }, count) => {
      const answer = log.add(key, instant, key);
      if (answer.status !== 'new') return;
      const { index, state: from } = answer.late
        ? (log.snapshotBefore(answer.index) ?? { index: 0, state: '' })
        : { index: answer.index, state };
      state = from;
      for (const { event } of log.from(index)) state += `${event} `;
      if (count % 5 === 0) log.setSnapshot(log.length, state);
    });
    assert.equal(
      state,
      sortPlainly(events)
        .map((key) => `${key} `)
        .join(''),
      `seed ${seed}`,
    );
  }
});

test('is not confused by keys that reach a prototype', () => {
  const log = createLog();
  for (const key of ['__proto__', 'constructor']) assert.equal(add(log, key, 0).status, 'new');
  log.connect();
  for (const key of ['__proto__', 'constructor']) assert.equal(add(log, key, 0).status, 'replay');
});

test('costs the same for an event at the end as at the start', () => {
  const keys = Array.from({ length: 190_000 }, (_, index) => `key ${index}`);
  /** Time for new events, then for replays, in a short stretch near the start and in one near the end. */
  const timeStretches = () => {
    const log = createEventLog<number>();
    const add = (from: number, to: number) => {
      const start = performance.now();
      for (let index = from; index < to; index++) log.add(keys[index] ?? '', index, index);
      return performance.now() - start;
    };
    const stretches = [0, 0];
    for (let round = 0; round < 2; round++) {
      log.connect();
      add(0, 10_000);
      stretches[0] = (stretches[0] ?? 0) + add(10_000, 20_000);
      add(20_000, 180_000);
      stretches[1] = (stretches[1] ?? 0) + add(180_000, 190_000);
    }
    return stretches;
  };
  const rounds = Array.from({ length: 5 }, timeStretches);
  const [early = 0, late = 0] = [0, 1].map((at) =>
    Math.min(...rounds.map((round) => round[at] ?? 0)),
  );
  // A cost in proportion to the length would make it 12.
  assert.ok(
    late < early * 6,
    `${late.toFixed(1)} ms near the end, ${early.toFixed(1)} near the start`,
  );
});
