import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createEventParser,
  type EventParser,
  type ServerSentEvent,
} from '../../src/transport/sse.js';
import { parseEventsByStandard } from '../helpers/reference-event-parser.js';
import { createRandom, pickIndex, pickOne } from '../helpers/seeded-random.js';
import { seedsUpTo } from '../helpers/sample.js';

const encode = (text: string) => new TextEncoder().encode(text);

const codeOf = (parser: EventParser) => parser.failure?.code;

function parse(chunks: readonly Uint8Array[]): ServerSentEvent[] {
  const parser = createEventParser();
  return chunks.flatMap((chunk) => parser.feed(chunk));
}

const dataOf = (text: string) => parse([encode(text)]).map(({ data }) => data);

/** Title, stream and expected events; most cases follow web-platform-tests/eventsource. */
const CASES: readonly (readonly [string, string, readonly Partial<ServerSentEvent>[]])[] = [
  ['data alone', 'data: one\n\n', [{ event: 'message', data: 'one', id: null }]],
  ['several data lines', 'data:one\ndata: two\ndata\ndata\n\n', [{ data: 'one\ntwo\n\n' }]],
  ['one space after the colon is dropped', 'data: a\ndata:b\ndata:  c\n\n', [{ data: 'a\nb\n c' }]],
  ['a tab after the colon is data', 'data:\ta\n\n', [{ data: '\ta' }]],
  ['an empty data line is an event', 'data\n\n', [{ data: '' }]],
  [
    'no data is no event',
    'event: x\nid: 1\n\ndata: y\n\n',
    [{ event: 'message', data: 'y', id: null }],
  ],
  [
    'a named event',
    'event: test\ndata: x\n\ndata: y\n\n',
    [{ event: 'test' }, { event: 'message' }],
  ],
  ['an empty name is no name', 'event: test\nevent:\ndata: x\n\n', [{ event: 'message' }]],
  ['the last event name counts', 'event: a\nevent: b\ndata: x\n\n', [{ event: 'b' }]],
  ['an id', 'id: 7\ndata: x\n\ndata: y\n\n', [{ id: '7' }, { id: null }]],
  ['an empty id', 'id\ndata: x\n\n', [{ id: '' }]],
  ['an id with NUL is ignored', 'id: a\nid: b\0c\ndata: x\n\n', [{ id: 'a' }]],
  ['comments', ': heartbeat\ndata: 1\n:2\ndata: 3\n:\n\n', [{ data: '1\n3' }]],
  [
    'unknown fields',
    'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacomment\ndata:test\n\n',
    [{ data: 'test\n\ntest' }],
  ],
  ['field names are exact', 'Data: no\ndata : no\n data: no\ndata: yes\n\n', [{ data: 'yes' }]],
  ['a colon in the value', 'data: a: b:c\n\n', [{ data: 'a: b:c' }]],
  ['CR', 'data: one\rdata: two\r\rdata: x\r\r', [{ data: 'one\ntwo' }, { data: 'x' }]],
  ['CRLF', 'data: one\r\ndata: two\r\n\r\n', [{ data: 'one\ntwo' }]],
  [
    'mixed line endings',
    'data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\n',
    [{ data: 'a\nb\nc' }, { data: 'd' }],
  ],
  [
    'CRCR ends an event block, CRLF does not',
    'data: a\r\ndata: b\r\rdata: c\n\n',
    [{ data: 'a\nb' }, { data: 'c' }],
  ],
  ['NUL in data', 'data:\0\n\n', [{ data: '\0' }]],
  ['a byte order mark', '\uFEFFdata: x\n\n', [{ data: 'x' }]],
  [
    'the second of two byte order marks is text',
    '\uFEFF\uFEFFdata: x\n\ndata: y\n\n',
    [{ data: 'y' }],
  ],
  [
    'a byte order mark in the middle is text',
    'data: x\n\n\uFEFFdata: y\n\ndata: z\n\n',
    [{ data: 'x' }, { data: 'z' }],
  ],
  [
    'the characters of a mis-decoded byte order mark are text',
    '\u00EF\u00BB\u00BFdata: x\n\ndata: y\n\n',
    [{ data: 'y' }],
  ],
  ['astral characters', 'data: 𝒳🧪é\n\n', [{ data: '𝒳🧪é' }]],
  ['an unfinished event block', 'data: x\n\ndata: y\n', [{ data: 'x' }]],
  ['an unfinished line', 'data: x\n\ndata: y', [{ data: 'x' }]],
  ['blank lines only', '\n\r\n\r\n\n', []],
  ['nothing', '', []],
];

for (const [title, text, expected] of CASES) {
  test(`event parser follows the HTML standard: ${title}`, () => {
    const events = parse([encode(text)]);
    assert.equal(events.length, expected.length);
    expected.forEach((event, index) =>
      assert.deepEqual({ ...events[index], ...event }, events[index]),
    );
    const fields = events.map(({ event, data, id }) => ({ event, data, id }));
    assert.deepEqual(fields, parseEventsByStandard(encode(text)));
  });
}

test('event parser reads the same events for every pair of cuts and byte by byte', () => {
  for (const [title, text] of CASES) {
    const bytes = encode(text);
    const whole = parse([bytes]);
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    assert.deepEqual(parse(single), whole, `${title}, byte by byte`);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const chunks = [
          bytes.subarray(0, first),
          bytes.subarray(first, second),
          bytes.subarray(second),
        ];
        assert.deepEqual(parse(chunks), whole, `${title}, cut at ${first} and ${second}`);
      }
    }
  }
});

test('event parser replaces invalid UTF-8 by U+FFFD and reads on', () => {
  const bytes = Uint8Array.from([...encode('data: a'), 0xff, 0xc3, ...encode('\n\ndata: b\n\n')]);
  assert.deepEqual(
    parse([bytes]).map(({ data }) => data),
    ['a\uFFFD\uFFFD', 'b'],
  );
});

test('event parser equals the reference parser for random streams in random chunks', () => {
  const tokens = [
    'data',
    'event',
    'id',
    'retry',
    ':',
    ': ',
    ' ',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '\r\r',
    '\uFEFF',
    'é',
    '🧪',
    '\0',
    '12',
    'x',
  ];
  for (const seed of seedsUpTo(3000)) {
    const random = createRandom(seed);
    const text = Array.from({ length: pickIndex(random, 40) }, () => pickOne(random, tokens)).join(
      '',
    );
    const bytes = encode(text);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + pickIndex(random, 6);
      chunks.push(bytes.subarray(at, end));
      at = end;
    }
    const events = parse(chunks).map(({ event, data, id }) => ({ event, data, id }));
    assert.deepEqual(events, parseEventsByStandard(bytes), `seed ${seed}: ${JSON.stringify(text)}`);
  }
});

test('event parser returns an event at its blank line, even one that ends in CR', () => {
  const parser = createEventParser();
  assert.equal(parser.feed(encode('data: x\r\r')).length, 1);
  assert.equal(parser.feed(encode('\ndata: y\r\n\r')).length, 1);
  assert.equal(parser.feed(encode('\n')).length, 0);
});

test('event parser reports a retry time at once and with the next event', () => {
  const retries: number[] = [];
  const parser = createEventParser({ onRetry: (ms) => retries.push(ms) });
  parser.feed(encode('retry: 1500\n\n'));
  assert.deepEqual(retries, [1500]);
  const events = parser.feed(encode('data: x\n\ndata: y\n\n'));
  assert.deepEqual(
    events.map(({ retry }) => retry),
    [1500, undefined],
  );
});

test('event parser ignores a retry time that is not all digits or too large', () => {
  const retries: number[] = [];
  const parser = createEventParser({ onRetry: (ms) => retries.push(ms) });
  parser.feed(
    encode(`retry: 1000x\nretry: -1\nretry:\nretry: 1.5\nretry: ${'9'.repeat(400)}\ndata: x\n\n`),
  );
  assert.deepEqual(retries, []);
});

test('event parser fails at an event block over its limit, after the events before it, and stays failed', () => {
  const parser = createEventParser({ maxEventBytes: 100 });
  const events = parser.feed(encode(`data: x\n\ndata: ${'y'.repeat(100)}\n\ndata: z\n\n`));
  assert.deepEqual(
    events.map(({ data }) => data),
    ['x'],
  );
  assert.equal(parser.failure?.code, 'event-too-large');
  assert.deepEqual(parser.feed(encode('data: z\n\n')), []);
});

test('event parser limits the bytes of an event block over all its chunks and lines', () => {
  const fits = `data: ${'é'.repeat(47)}`;
  const tooLong = `data: ${'é'.repeat(48)}`;
  for (const [text, failed] of [
    [fits, false],
    [tooLong, true],
    [`data: 1\n${fits}`, true],
  ] as const) {
    const parser = createEventParser({ maxEventBytes: 100 });
    for (const byte of encode(text)) parser.feed(Uint8Array.of(byte));
    assert.equal(parser.failure !== null, failed, text);
  }
});

test('event parser limits each event block separately for all line endings and cuts', () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const text = `data: ${'x'.repeat(40)}${end}data: ${'y'.repeat(40)}${end}${end}`.repeat(50);
    const whole = createEventParser({ maxEventBytes: 92 });
    assert.equal(whole.feed(encode(text)).length, 50);
    const bytewise = createEventParser({ maxEventBytes: 92 });
    for (const byte of encode(text)) bytewise.feed(Uint8Array.of(byte));
    assert.equal(bytewise.failure, null);
    const tight = createEventParser({ maxEventBytes: 91 });
    tight.feed(encode(text));
    assert.equal(tight.failure?.code, 'event-too-large', JSON.stringify(end));
  }
});

test('event parser accepts heartbeats without blank lines and rejects an endless comment', () => {
  const parser = createEventParser({ maxEventBytes: 100 });
  for (let beat = 0; beat < 1000; beat++) parser.feed(encode(': heartbeat\n'));
  assert.equal(codeOf(parser), undefined);
  assert.deepEqual(
    parser.feed(encode('data: x\n\n')).map(({ data }) => data),
    ['x'],
  );
  parser.feed(encode(`:${'-'.repeat(101)}`));
  assert.equal(codeOf(parser), 'event-too-large');
});

test('event parser reads an event of 4 MiB in one line and one of 15 MiB in 100,000 lines', () => {
  const large = 'x'.repeat(1 << 22);
  assert.deepEqual(dataOf(`data: ${large}\n\n`), [large]);
  const lines = `data: ${'y'.repeat(150)}\n`.repeat(100_000);
  assert.equal(dataOf(`${lines}\n`)[0]?.length, 151 * 100_000 - 1);
});

test('event parser fails within its limit on an endless line and on endless lines', () => {
  for (const chunk of ['x'.repeat(1 << 20), 'data: x\n'.repeat(1 << 17)]) {
    const parser = createEventParser();
    let fed = 0;
    for (; fed < 120 && !parser.failure; fed++) parser.feed(encode(chunk));
    assert.equal(parser.failure?.code, 'event-too-large');
    assert.ok(fed <= 20, `${fed} MiB were read`);
  }
});
