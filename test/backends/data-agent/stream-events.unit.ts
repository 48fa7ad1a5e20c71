import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  StreamEventReader,
  type StreamEvent,
} from '../../../src/backends/data-agent/stream-events.js';

function setup() {
  const reports: string[] = [];
  const reader = new StreamEventReader(({ code, offender }) =>
    reports.push(`${code} ${offender ?? ''}`),
  );
  const read = (value: unknown, event = 'message'): StreamEvent | null =>
    reader.read({ event, data: typeof value === 'string' ? value : JSON.stringify(value) });
  return { reader, read, reports };
}

test('stream event reader reads a patch of the service', () => {
  const { read, reports } = setup();
  const key = ['message', 'content', 'middle_answer', 'progress', 0];
  assert.deepEqual(read({ seq_id: 4, key, content: { id: 'p1' }, action: 'append' }), {
    type: 'patch',
    patch: { path: key, action: 'append', value: { id: 'p1' } },
  });
  assert.deepEqual(reports, []);
});

test('stream event reader accepts `seq`, `update` and other synonyms', () => {
  const { read } = setup();
  const names = {
    update: 'upsert',
    set: 'upsert',
    replace: 'upsert',
    delete: 'remove',
    done: 'end',
    finish: 'end',
  };
  for (const [action, known] of Object.entries(names)) {
    const event = read({ seq: 0, key: ['error'], action, content: null });
    assert.equal(event?.type === 'patch' ? event.patch.action : null, known);
  }
});

test('stream event reader does not drop an event with a repeated sequence number', () => {
  const { read } = setup();
  const patch = { seq_id: 4, key: ['a'], action: 'upsert', content: 1 };
  assert.notEqual(read(patch), null);
  assert.notEqual(read(patch), null);
});

const KEYS: readonly [key: unknown, path: readonly (string | number)[]][] = [
  [
    'message.content.middle_answer.progress[0].answer',
    ['message', 'content', 'middle_answer', 'progress', 0, 'answer'],
  ],
  ['$.message.ext', ['message', 'ext']],
  ['progress.0.answer', ['progress', '0', 'answer']],
  ["a['b.c'][12]", ['a', 'b.c', 12]],
  ['', []],
  [null, []],
  [undefined, []],
  [
    ['a.b', '3'],
    ['a.b', '3'],
  ],
];
for (const [key, path] of KEYS) {
  test(`stream event reader reads the key ${JSON.stringify(key)}`, () => {
    const event = setup().read({ key, action: 'upsert', content: 1 });
    assert.deepEqual(event?.type === 'patch' ? event.patch.path : null, path);
  });
}

test('stream event reader reads missing content as null', () => {
  const event = setup().read({ key: ['a'], action: 'upsert' });
  assert.deepEqual(event?.type === 'patch' ? event.patch.value : undefined, null);
});

test('stream event reader reads an object with a message as a snapshot', () => {
  const { read } = setup();
  const root = { conversation_id: 'c', message: { id: 'm' }, error: null };
  assert.deepEqual(read(root), { type: 'snapshot', root });
});

test('stream event reader reads errors of executors, gateways and proxies', () => {
  const { read } = setup();
  const raw = { HTTPCode: 500, BaseError: { error_code: 'AgentAPP.InternalError' } };
  assert.deepEqual(read(raw), { type: 'error', error: raw });
  const body = { error_code: 'AgentAPP.InternalError', description: 'Internal error.' };
  assert.deepEqual(read(body), { type: 'error', error: body });
  assert.deepEqual(read({ conversation_id: 'c', error: 'text' }), { type: 'error', error: 'text' });
  assert.deepEqual(read({ code: 1 }, 'error'), { type: 'error', error: { code: 1 } });
  assert.deepEqual(read('broken', 'error'), { type: 'error', error: 'broken' });
});

test('stream event reader reads an empty reply as a snapshot, and a message that is a text as an error', () => {
  const { read, reports } = setup();
  const root = { conversation_id: 'c', message: null, error: null };
  assert.deepEqual(read(root), { type: 'snapshot', root });
  assert.deepEqual(read({ message: 'No access.' }), { type: 'error', error: 'No access.' });
  assert.deepEqual(read({ message: null, error: 'No.' }), { type: 'error', error: 'No.' });
  assert.deepEqual(reports, []);
});

test('stream event reader ignores `[DONE]`', () => {
  const { read, reports } = setup();
  assert.equal(read(' [DONE]'), null);
  assert.deepEqual(reports, []);
});

test('stream event reader skips invalid events with a diagnostic', () => {
  const { read, reports } = setup();
  assert.equal(read('{"key":'), null);
  assert.equal(read('3'), null);
  assert.equal(read([]), null);
  assert.equal(read({ seq_id: 9, key: {}, action: 'upsert' }), null);
  assert.equal(read({ seq_id: 10, key: [null], action: 'upsert' }), null);
  assert.equal(read({ seq_id: 11, status: 'x' }), null);
  assert.equal(read({ seq_id: 12, key: ['a', null], action: 'upsert' }), null);
  assert.equal(reports.length, 7);
  assert.ok(reports.every((report) => report.startsWith('malformed-event')));
  assert.ok(reports.includes('malformed-event seq_id 9'));
  assert.notEqual(read({ key: ['a'], action: 'upsert', content: 1 }), null);
});

test('stream event reader reports each unknown action once', () => {
  const { read, reports } = setup();
  for (const action of ['merge', 'merge', 'move']) assert.equal(read({ key: [], action }), null);
  assert.deepEqual(reports, ['unknown-event merge', 'unknown-event move']);
});

test('stream event reader skips a value that is nested too deeply', () => {
  const { read, reports } = setup();
  const content = JSON.parse('['.repeat(120) + ']'.repeat(120)) as unknown;
  assert.equal(read({ seq_id: 1, key: ['a'], action: 'upsert', content }), null);
  assert.deepEqual(reports, ['too-deep seq_id 1']);
});
