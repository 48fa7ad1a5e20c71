import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hasNothingToJoin,
  isRefusal,
  isRetryable,
  toUbikError,
} from '../../src/controller/run/classify-error.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';

/** Errors with which the service starts no run, and that a retry would repeat. */
const FINAL: readonly UbikErrorCode[] = [
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'too-large',
  'invalid',
  'foreign-origin',
  'not-sent',
  'not-open',
  'unsupported',
  'misuse',
];
const LIMITS_AND_BLOCKED: readonly UbikErrorCode[] = [
  'blocked',
  'event-too-large',
  'message-too-large',
  'too-many-events',
];
const TEMPORARY_REFUSALS: readonly UbikErrorCode[] = ['busy', 'rate-limited', 'load-failed'];
const UNCERTAIN: readonly UbikErrorCode[] = [
  'network',
  'server',
  'not-an-api',
  'interrupted',
  'aborted',
];

test('toUbikError returns a UbikError unchanged, and wraps a failure of fetch as network and everything else as server', () => {
  const known = new UbikError('busy');
  assert.equal(toUbikError(known), known);
  const cause = new TypeError('Failed to fetch');
  const wrapped = toUbikError(cause);
  assert.deepEqual([wrapped.code, wrapped.cause], ['network', cause]);
  const bug = new TypeError("Cannot read properties of undefined (reading 'id')");
  for (const thrown of [bug, new Error('No.'), 'text', undefined])
    assert.equal(toUbikError(thrown).code, 'server', String(thrown));
});

test('hasNothingToJoin recognizes a run that the service does not have, or of which it has no stream', () => {
  assert.equal(hasNothingToJoin(new UbikError('not-sent')), true);
  assert.equal(hasNothingToJoin(new UbikError('not-found')), true);
  assert.equal(hasNothingToJoin(new UbikError('interrupted', { status: 204 })), true);
  assert.equal(hasNothingToJoin(new UbikError('interrupted', { status: 200 })), false);
  assert.equal(hasNothingToJoin(new UbikError('network')), false);
});

test('isRetryable is false for final errors, exceeded limits, blocked requests and 204', () => {
  for (const code of [...FINAL, ...LIMITS_AND_BLOCKED])
    assert.equal(isRetryable(new UbikError(code)), false, code);
  for (const code of [...TEMPORARY_REFUSALS, ...UNCERTAIN])
    assert.equal(isRetryable(new UbikError(code)), true, code);
  assert.equal(isRetryable(new UbikError('interrupted', { status: 204 })), false);
});

test('isRefusal recognizes errors after which the service has started no run', () => {
  for (const code of [...FINAL, ...TEMPORARY_REFUSALS])
    assert.equal(isRefusal(new UbikError(code)), true, code);
  for (const code of [...LIMITS_AND_BLOCKED, ...UNCERTAIN])
    assert.equal(isRefusal(new UbikError(code)), false, code);
  assert.equal(isRefusal(new UbikError('network', { unsent: true })), true);
});
