import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeeperThan } from '../../../../src/transport/fingerprint.js';
import { createEventReader } from '../../../../src/backends/ubik/events/event-reader.js';
import {
  getEventTime,
  getEventKey,
  type WireEvent,
} from '../../../../src/backends/ubik/events/wire-event.js';
import { FORMS, printRecord, type Form } from '../support/wire-forms.js';

interface ReaderSetup {
  readonly read: (data: unknown, event?: string) => WireEvent | null;
  readonly codes: string[];
}

function setupReader(dialect: 'session' | 'execution' = 'session'): ReaderSetup {
  const codes: string[] = [];
  const reader = createEventReader({ dialect, onDiagnostic: ({ code }) => codes.push(code) });
  const read = (data: unknown, event = 'message'): WireEvent | null =>
    reader.read({ event, data: typeof data === 'string' ? data : JSON.stringify(data) });
  return { read, codes };
}

/** Reads an event that is printed in one of the six forms. */
function readForm(event: WireEvent, form: Form): WireEvent | null {
  const record = printRecord(event, form);
  const name = /^event: (.*)$/m.exec(record)?.[1] ?? 'message';
  const data = /^data: (.*)$/m.exec(record)?.[1] ?? '';
  return setupReader().read(data, name);
}

const EVENTS: readonly WireEvent[] = [
  { type: 'response_chunk', fields: { content: 'x', step: 1, timestamp: '2026-01-01T00:00:00Z' } },
  {
    type: 'tool_update',
    fields: { tool_execution_id: 'c1', tool_name: 'find', data: { phase: 'A', data: { x: 1 } } },
  },
  { type: 'tool_partial_update', fields: { tool_execution_id: 'c1', tool_name: 'f', data: {} } },
  { type: 'agent_processing_complete', fields: { content: 'All', result: { data: 1 } } },
];

for (const form of FORMS) {
  test(`event reader reads form ${form} with the same key as the flat form`, () => {
    for (const event of EVENTS) {
      const found = readForm(event, form);
      assert.equal(found?.type, event.type);
      // Some forms repeat the type in the data. The reader keeps it there as a field, which the key ignores.
      const { type: _type, ...fields } = { type: '', ...found.fields };
      assert.deepEqual(fields, event.fields);
      assert.equal(getEventKey(found), getEventKey(event));
    }
  });
}

test('event reader prefers the event name of the stream and keeps a type in the data as a field', () => {
  const { read } = setupReader();
  const found = read({ type: 'chart', execution_id: 'x' }, 'tool_end');
  assert.equal(found?.type, 'tool_end');
  assert.equal(found.fields['type'], 'chart');
  const other = read({ type: 'table', execution_id: 'x' }, 'tool_end');
  assert.ok(found && other);
  assert.notEqual(getEventKey(found), getEventKey(other));
});

test('event reader merges the fields of the envelope into the payload', () => {
  const { read } = setupReader();
  const time = '2026-01-01T00:00:01Z';
  const found = read({ type: 'response_chunk', timestamp: time, data: { content: 'x' } });
  assert.deepEqual(found?.fields, { timestamp: time, content: 'x' });
  assert.equal(found && getEventTime(found), Date.UTC(2026, 0, 1, 0, 0, 1) * 1000);
});

test('event reader unwraps the data of a tool update in the execution dialect only', () => {
  const inner = { phase: 'A', tool_note: 1 };
  assert.deepEqual(
    setupReader().read({ event_type: 'tool_update', data: inner })?.fields['data'],
    inner,
  );
  assert.deepEqual(
    setupReader('execution').read({ event_type: 'tool_update', data: inner })?.fields,
    inner,
  );
});

test('event reader accepts the older name of a chunk', () => {
  assert.equal(
    setupReader().read({ type: 'agent_response_chunk', content: 'x' })?.type,
    'response_chunk',
  );
});

test('event key depends on the content and not on the connection', () => {
  const { read } = setupReader();
  const hello = (connection_id: string, task_id: string): string => {
    const event = read({ type: 'connection_established', connection_id, task_id });
    assert.ok(event);
    return getEventKey(event);
  };
  assert.equal(hello('c1', 't1'), hello('c2', 't1'));
  assert.notEqual(hello('c1', 't1'), hello('c1', 't2'));
});

test('event key is short for a large event', () => {
  const fields = { content: 'x'.repeat(1 << 20) };
  assert.ok(getEventKey({ type: 'agent_response_update', fields }).length < 1024);
});

test('event key does not depend on the order of fields', () => {
  const { read } = setupReader();
  const one = read('{"type":"x","a":1,"b":{"c":1,"d":2}}');
  const two = read('{"b":{"d":2,"c":1},"a":1,"type":"x"}');
  assert.ok(one && two);
  assert.equal(getEventKey(one), getEventKey(two));
});

test('event reader skips invalid data with a diagnostic', () => {
  const { read, codes } = setupReader();
  for (const data of [
    'nonsense',
    '',
    '[1]',
    '"text"',
    '12',
    'null',
    '{}',
    '{"type":7}',
    '{"type":""}',
  ]) {
    assert.equal(read(data), null);
  }
  assert.equal(codes.length, 9);
  assert.ok(codes.every((code) => code === 'malformed-event'));
});

test('event reader skips [DONE] without a diagnostic', () => {
  const { read, codes } = setupReader();
  assert.equal(read('[DONE]'), null);
  assert.equal(read(' [DONE]\n'), null);
  assert.deepEqual(codes, []);
});

test('event reader truncates data that is nested too deeply, so that the end of a run is not lost', () => {
  const { read, codes } = setupReader();
  const deep = '['.repeat(5000) + ']'.repeat(5000);
  const event = read(
    `{"type":"agent_processing_complete","content":"x","result":{"a":1,"deep":${deep}}}`,
  );
  assert.equal(event?.type, 'agent_processing_complete');
  assert.equal(event.fields['content'], 'x');
  assert.equal((event.fields['result'] as { a: unknown }).a, 1);
  assert.ok(!isDeeperThan(event.fields, 100));
  assert.deepEqual(codes, ['too-deep']);
});

test('event reader joins an event that was split twice and rejects one that was split three times', () => {
  const split = (inner: object, type: string): object => ({
    type: `${type}_delta_sse`,
    chunk_id: JSON.stringify(inner),
    chunk_index: 0,
    total_chunks: 1,
    original_event_type: type,
    chunk_data: JSON.stringify(inner),
  });
  const once = split({ content: 'x' }, 'response_chunk');
  const twice = split(once, 'response_chunk_delta_sse');
  const thrice = split(twice, 'response_chunk_delta_sse_delta_sse');
  assert.equal(setupReader().read(twice)?.fields['content'], 'x');
  const { read, codes } = setupReader();
  assert.equal(read(thrice), null);
  assert.deepEqual(codes, ['unusable-group']);
});

test('event reader keeps __proto__ in the payload as an ordinary field, which changes no prototype', () => {
  const { read } = setupReader();
  const found = read(
    '{"type":"response_chunk","data":{"content":"x","__proto__":{"step":1}},"timestamp":"t"}',
  );
  assert.ok(found);
  assert.equal(Object.getPrototypeOf(found.fields), Object.prototype);
  assert.equal(found.fields['step'], undefined);
  assert.equal(({} as Record<string, unknown>)['step'], undefined);
});
