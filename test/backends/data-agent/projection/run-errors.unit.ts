import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deriveRunError,
  readRunError,
} from '../../../../src/backends/data-agent/projection/run-errors.js';

const error = (description: string, advice = '', code = ''): object => ({
  description,
  advice,
  code,
});

test('readRunError reads each shape of an error', () => {
  const envelope = { error_code: 'E1', description: 'It failed.', solution: 'Try again.' };
  const enveloped = error('It failed.', 'Try again.', 'E1');
  const cases: readonly (readonly [unknown, object | null])[] = [
    [null, null],
    ['', null],
    [{}, null],
    ['It failed.', error('It failed.')],
    [5, error('')],
    [envelope, enveloped],
    [{ BaseError: envelope }, enveloped],
    [{ type: 'x', error: envelope }, enveloped],
    [{ error: 'It failed.' }, error('It failed.')],
    [{ message: 'Outer.', code: 'E2', error: envelope }, error('Outer.', 'Try again.', 'E2')],
    [{ code: 'E2', BaseError: envelope }, error('It failed.', 'Try again.', 'E2')],
    [{ solution: ' ', description: 'It failed.' }, error('It failed.')],
    [{ error: {}, code: 'E3' }, error('', '', 'E3')],
  ];
  for (const [value, expected] of cases)
    assert.deepEqual(readRunError(value), expected, JSON.stringify(value));
});

test('deriveRunError derives one part from the errors of a reply and of its message', () => {
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
