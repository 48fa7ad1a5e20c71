import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMicroseconds } from '../../src/transport/timestamp.js';
import { createRandom, pickIndex } from '../helpers/seeded-random.js';

const microsecondsOf = (text: string) => BigInt(Date.parse(text)) * 1000n;

const CASES: readonly (readonly [string, bigint])[] = [
  ['1970-01-01T00:00:00Z', 0n],
  ['1970-01-01T00:00:00.000001Z', 1n],
  ['1969-12-31T23:59:59.999999Z', -1n],
  ['2026-03-04T05:06:07.123456Z', microsecondsOf('2026-03-04T05:06:07Z') + 123456n],
  ['2026-03-04T05:06:07.123456', microsecondsOf('2026-03-04T05:06:07Z') + 123456n],
  ['2026-03-04T05:06:07', microsecondsOf('2026-03-04T05:06:07Z')],
  ['2026-03-04 05:06:07.5', microsecondsOf('2026-03-04T05:06:07Z') + 500000n],
  ['2026-03-04t05:06:07z', microsecondsOf('2026-03-04T05:06:07Z')],
  ['2026-03-04T05:06:07,25Z', microsecondsOf('2026-03-04T05:06:07Z') + 250000n],
  ['2026-03-04T05:06:07.123456789Z', microsecondsOf('2026-03-04T05:06:07Z') + 123456n],
  ['2026-03-04T05:06:07.0000009Z', microsecondsOf('2026-03-04T05:06:07Z')],
  ['2026-03-04T05:06Z', microsecondsOf('2026-03-04T05:06:00Z')],
  ['2026-03-04', microsecondsOf('2026-03-04T00:00:00Z')],
  ['2026-03-04T05:06:07+00:00', microsecondsOf('2026-03-04T05:06:07Z')],
  ['2026-03-04T05:06:07+02:30', microsecondsOf('2026-03-04T02:36:07Z')],
  ['2026-03-04T05:06:07-0800', microsecondsOf('2026-03-04T13:06:07Z')],
  ['2026-03-04T05:06:07+02', microsecondsOf('2026-03-04T03:06:07Z')],
  ['2026-03-04 05:06:07.1 +02:00', microsecondsOf('2026-03-04T03:06:07Z') + 100000n],
  ['2024-02-29T00:00:00Z', microsecondsOf('2024-02-29T00:00:00Z')],
  ['2000-02-29T00:00:00Z', microsecondsOf('2000-02-29T00:00:00Z')],
  ['1685-01-01T00:00:00Z', microsecondsOf('1685-01-01T00:00:00Z')],
  ['2255-06-05T23:47:34.740991Z', microsecondsOf('2255-06-05T23:47:34Z') + 740991n],
  ['2016-12-31T23:59:60Z', microsecondsOf('2017-01-01T00:00:00Z')],
];

for (const [text, expected] of CASES) {
  test(`parseMicroseconds reads ${text}`, () =>
    assert.equal(BigInt(parseMicroseconds(text) ?? NaN), expected));
}

const UNUSABLE: readonly unknown[] = [
  '',
  'now',
  'None',
  '2026',
  '2026-13-01',
  '2026-00-01',
  '2026-02-30',
  '2025-02-29',
  '1900-02-29',
  '2026-01-32',
  '2026-01-00',
  '2026-01-01T24:00:00',
  '2026-01-01T10:60:00',
  '2026-01-01T10:00:61',
  '2026-01-01T',
  '2026-1-1',
  '2026-01-01T1:00:00Z',
  '2026-01-01T10:00:00.Z',
  '2026-01-01T10:00:00X',
  '2026-01-01T10:00:00+25:00',
  '2026-01-01T10:00:00+02:60',
  ' 2026-01-01',
  '2026-01-01\n',
  '20260101T100000Z',
  '+2026-01-01',
  '２０２６-01-01',
  'Sun, 04 Jan 2026 00:00:00 GMT',
  null,
  undefined,
  1767225600,
  NaN,
  {},
  [],
  new Date(0),
  `2026-01-01T10:00:00.${'1'.repeat(100)}Z`,
];

for (const value of UNUSABLE) {
  test(`parseMicroseconds rejects ${JSON.stringify(value) ?? String(value)}`, () =>
    assert.equal(parseMicroseconds(value), null));
}

test('parseMicroseconds orders timestamps within one millisecond', () => {
  const texts = [
    '2026-01-01T00:00:01Z',
    '2026-01-01T00:00:01.000001Z',
    '2026-01-01T00:00:01.000456Z',
    '2026-01-01T00:00:01.000999Z',
  ];
  const timestamps = texts.map(parseMicroseconds);
  assert.deepEqual(
    timestamps,
    [...timestamps].sort((a, b) => (a ?? 0) - (b ?? 0)),
  );
  assert.equal(new Set(timestamps).size, texts.length);
});

test('parseMicroseconds equals Date.parse for every day from 1680 to 2260', () => {
  // A day less a millisecond, so that the times of day differ as well.
  for (let ms = Date.UTC(1680, 0, 1); ms < Date.UTC(2260, 0, 1); ms += 86_399_999) {
    assert.equal(parseMicroseconds(new Date(ms).toISOString()), ms * 1000);
  }
});

test('parseMicroseconds is exact to the microsecond from 1690 to 2250', () => {
  const random = createRandom(1);
  for (let round = 0; round < 20_000; round++) {
    const ms =
      Date.UTC(1690, 0, 1) + pickIndex(random, Date.UTC(2250, 0, 1) - Date.UTC(1690, 0, 1));
    const micro = pickIndex(random, 1000);
    const text = new Date(ms).toISOString().replace('Z', `${String(micro).padStart(3, '0')}Z`);
    assert.equal(BigInt(parseMicroseconds(text) ?? NaN), BigInt(ms) * 1000n + BigInt(micro), text);
  }
});

test('parseMicroseconds rejects a fraction of five million digits', () => {
  assert.equal(parseMicroseconds(`2026-01-01T10:00:00.${'1'.repeat(5_000_000)}`), null);
});
