import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deriveRunError,
  readRunError,
} from '../../../../src/backends/data-agent/view/run-errors.js';

test('readRunError reads each shape of an error', () => {
  const envelope = { error_code: 'E1', description: 'It failed.', solution: 'Try again.' };
  const cases: readonly (readonly [unknown, object | null])[] = [
    [null, null],
    ['', null],
    [{}, null],
    ['It failed.', { message: 'It failed.', code: '' }],
    [5, { message: '', code: '' }],
    [envelope, { message: 'It failed. Try again.', code: 'E1' }],
    [{ BaseError: envelope }, { message: 'It failed. Try again.', code: 'E1' }],
    [
      { type: 'x', error: envelope },
      { message: 'It failed. Try again.', code: 'E1' },
    ],
    [{ error: 'It failed.' }, { message: 'It failed.', code: '' }],
    [
      { message: 'Outer.', code: 'E2', error: envelope },
      { message: 'Outer.', code: 'E2' },
    ],
    [
      { code: 'E2', BaseError: envelope },
      { message: 'It failed. Try again.', code: 'E2' },
    ],
    [
      { solution: ' ', description: 'It failed.' },
      { message: 'It failed.', code: '' },
    ],
    [
      { error: {}, code: 'E3' },
      { message: '', code: 'E3' },
    ],
  ];
  for (const [value, error] of cases)
    assert.deepEqual(readRunError(value), error, JSON.stringify(value));
});

test('deriveRunError shows one part for all reports', () => {
  const partOf = (error: unknown, extension: unknown) => {
    const [part] = deriveRunError(error, extension);
    return part?.fields.kind === 'error' ? [part.fields.message, part.fields.details] : null;
  };
  assert.equal(partOf(null, {}), null);
  assert.deepEqual(partOf({ error: 'A.' }, null), ['A.', '{"error":"A."}']);
  assert.deepEqual(partOf('', { error: 'B.' }), ['B.', '{"error":"B."}']);
  assert.deepEqual(partOf({ code: 'E1' }, { error: 'B.' }), [
    'B.',
    '{"error":{"code":"E1"},"ext.error":{"error":"B."}}',
  ]);
  assert.deepEqual(partOf({ code: 'E1' }, null), ['', '{"code":"E1"}']);
});
