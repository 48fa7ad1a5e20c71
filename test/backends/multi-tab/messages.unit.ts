import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTabMessage } from '../../../src/backends/multi-tab/messages.js';

const HEADER = { thread: 't', term: 1, run: 'r', seq: 0 };
const batch = (...changes: unknown[]) => ({ type: 'batch', ...HEADER, changes });
const setField = (path: unknown[], value: unknown, part: unknown = null, message = 'answer') =>
  batch({ type: 'set', message, part, path, value });
const putPart = (value: unknown, position: object = {}) =>
  batch({
    type: 'part',
    message: 'answer',
    part: 'p',
    parent: null,
    before: null,
    value,
    ...position,
  });
const putContent = (...parts: unknown[]) => batch({ type: 'content', message: 'answer', parts });
const setRun = (run: unknown) => batch({ type: 'thread', set: { run } });
const TOOL = { kind: 'tool', name: 'n', toolId: 'x', state: 'done', input: null, result: null };
const TABLE = {
  kind: 'table',
  columns: [{ name: 'a', type: 'text' }],
  rows: [[1, null, 'x', true]],
  title: '',
  description: '',
  total: null,
  source: '',
};

const VALID: readonly unknown[] = [
  { type: 'query', thread: 't', full: true },
  { type: 'leader', ...HEADER, started: true, answered: null },
  { type: 'unsendable', ...HEADER },
  { type: 'take-over', thread: 't', call: 'c', request: null, continues: false },
  { type: 'reply', call: 'c', code: 'ok', message: '' },
  batch(),
  batch({ type: 'text', message: 'answer', part: 'p', at: 0, text: 'x' }),
  batch({ type: 'part', message: 'answer', part: 'p', parent: null, before: null, value: TOOL }),
  batch({ type: 'set', message: 'answer', part: null, path: ['status'], value: 'waiting' }),
  batch({ type: 'set', message: 'answer', part: null, path: ['usage'], value: { tokens: 1 } }),
  batch({ type: 'set', message: 'answer', part: null, path: ['followUps'], value: ['Why?'] }),
  batch({ type: 'set', message: 'question', part: null, path: ['id'], value: 'u' }),
  batch({ type: 'content', message: 'answer', parts: [{ ...TOOL, key: 'k', parts: [] }] }),
  batch({ type: 'thread', set: { title: 'x', run: { state: 'complete', id: 'r', error: null } } }),
  batch({ type: 'item', list: 'documents', key: 'k' }),
  batch({ type: 'item', list: 'checkpoints', key: 'k', value: {} }),
  batch({ type: 'remove', message: 'answer', part: 'p' }),
  batch({ type: 'thread', set: {} }),
  { type: 'stop', thread: 't', call: 'c' },
  { type: 'resigned', thread: 't', term: 1 },
  { type: 'changed', thread: 't' },
  { type: 'state', ...HEADER, run: null, changes: [] },
  setField(['status'], 'interrupted'),
  setField(['id'], null),
  setField(['createdAt'], 5),
  setField(['failure'], { code: 'x', message: 'X' }),
  setField(['extra'], null),
  setField(['attachments'], [1]),
  setField(['siblingIds'], [], null, 'question'),
  setField(['marks', 'k', 0], 1, 'p'),
  setField([], 1, 'p'),
  putPart(TABLE, { parent: 'q', before: 'r' }),
  putContent({ ...TOOL, key: 'k', text: 'x', parts: [{ kind: 'text', key: 'l' }] }),
  setRun({ error: { code: 'x', message: 'X' } }),
  setRun({ id: null }),
  setRun({}),
];

const cycle: { self?: unknown } = {};
cycle.self = cycle;
let deep: unknown = null;
for (let level = 0; level < 200; level += 1) deep = [deep];

const INVALID: readonly unknown[] = [
  null,
  'ask',
  [],
  { type: 'query' },
  { type: 'query', thread: 1, full: true },
  { type: 'constructor', thread: 't' },
  { type: 'leader', ...HEADER, started: 'yes', answered: null },
  { type: 'leader', ...HEADER, term: Number.NaN, started: true, answered: null },
  { type: 'query', thread: 't', full: true, more: new Date(0) },
  { type: 'query', thread: 't', full: true, more: cycle },
  { type: 'query', thread: 't', full: true, more: deep },
  { type: 'query', thread: 'x'.repeat(129 * 1024 * 1024), full: true },
  JSON.parse('{"type":"query","thread":"t","full":true,"more":{"__proto__":1}}'),
  { type: 'batch', ...HEADER, changes: 'x' },
  batch(null),
  batch({ type: 'nothing', message: 'answer' }),
  batch({ type: 'message', message: 'answer', value: {} }),
  batch({ type: 'text', message: 'message-3', part: 'p', at: 0, text: 'x' }),
  batch({ type: 'text', message: 'answer', part: 'p', at: -1, text: 'x' }),
  batch({ type: 'text', message: 'answer', part: 'p', at: 0, text: { length: 1 } }),
  batch({ type: 'text', message: 'question', part: 'p', at: 0, text: 'x' }),
  batch({ type: 'set', message: 'question', part: null, path: ['status'], value: 'failed' }),
  batch({ type: 'set', message: 'answer', part: null, path: ['parent'], value: 'x' }),
  batch({ type: 'set', message: 'answer', part: null, path: ['status'], value: 'broken' }),
  batch({ type: 'set', message: 'answer', part: null, path: ['status', 0], value: 'waiting' }),
  batch({ type: 'set', message: 'answer', part: null, path: ['siblingIds'], value: [1] }),
  batch({ type: 'set', message: 'answer', part: null, path: ['usage'], value: 'much' }),
  batch({ type: 'set', message: 'answer', part: null, path: ['followUps'], value: [1] }),
  batch({ type: 'remove', message: 'answer', part: null }),
  batch({ type: 'part', message: 'answer', part: 'p', parent: null, before: null, value: {} }),
  batch({ type: 'content', message: 'answer', parts: [{ ...TOOL, key: 'k', name: 7 }] }),
  batch({ type: 'content', message: 'answer', parts: [{ ...TOOL, key: 'k', parts: ['x'] }] }),
  batch({ type: 'content', message: 'answer', parts: [{ kind: 'toString', key: 'k' }] }),
  batch({ type: 'thread', set: { head: 'message-1' } }),
  batch({ type: 'thread', set: { run: { state: 'complete', answer: 'message-1' } } }),
  batch({ type: 'thread', set: { run: { state: 'sending' } } }),
  batch({ type: 'item', list: 'queue', key: 'k', value: {} }),
  batch({ type: 'item', list: 'threads', key: 'k' }),
  batch({ type: 'item', list: 'documents', key: 1 }),
  batch([]),
  batch({ type: 'text', message: 'answer', part: 'p', at: 0.5, text: 'x' }),
  batch({ type: 'text', message: 'answer', part: null, at: 0, text: 'x' }),
  batch({ type: 'content', message: 'answer' }),
  batch({ type: 'content', message: 'question', parts: [] }),
  { type: 'leader', ...HEADER, run: 5, started: true, answered: null },
  { type: 'leader', thread: 't', run: null, seq: 0, started: true, answered: null },
  { type: 'state', ...HEADER, changes: [null] },
  { type: 5, thread: 't' },
  new (class {
    type = 'changed';
    thread = 't';
  })(),
  setField(['siblingIds'], 'x'),
  setField(['id'], 5),
  setField(['createdAt'], 'today'),
  setField(['createdAt'], '1', null, 'question'),
  setField(['id', 0], 'x', null, 'question'),
  setField(['id'], 'x', 'p', 'question'),
  setField(['extra'], undefined),
  setField(['failure'], []),
  setField(['attachments'], {}),
  setField(['toString'], 'x'),
  setField([], 'x'),
  setField(['marks', -1], 1, 'p'),
  setField(['marks', null], 1, 'p'),
  setField(['marks'], 1, 5),
  putPart(TOOL, { parent: 1 }),
  putPart(TOOL, { before: 1 }),
  putPart(TOOL, { part: null }),
  putPart({ ...TOOL, input: 1 }),
  putPart({ ...TABLE, columns: 'x' }),
  putPart({ ...TABLE, columns: [{ name: 1, type: 'text' }] }),
  putPart({ ...TABLE, columns: ['x'] }),
  putPart({ ...TABLE, rows: ['x'] }),
  putPart({ ...TABLE, rows: [[{}]] }),
  putPart({ kind: 5 }),
  putContent({ ...TOOL }),
  putContent({ ...TOOL, key: 'k', text: 5 }),
  putContent({ ...TOOL, key: 'k', parts: 'x' }),
  putContent({ ...TOOL, key: 'k' }, null),
  batch({ type: 'thread', set: { title: 5 } }),
  batch({ type: 'thread', set: null }),
  setRun(null),
  setRun({ id: 5 }),
  setRun({ error: 'x' }),
  setRun({ error: { code: 'x' } }),
];

test('parseTabMessage accepts each message of this version', () => {
  for (const message of VALID) assert.equal(parseTabMessage(message), message);
});

test('parseTabMessage rejects a message of another shape or size', () => {
  for (const [at, message] of INVALID.entries())
    assert.equal(parseTabMessage(message), null, `${at}`);
});
