import assert from 'node:assert/strict';
import test from 'node:test';
import { isUbikError, UbikError } from '../src/errors.js';

test('UbikError has the given message, or the default message of its code', () => {
  assert.equal(new UbikError('misuse', 'Open a thread first.').message, 'Open a thread first.');
  assert.match(new UbikError('network').message, /network/);
  assert.equal(new UbikError('network', undefined).message, new UbikError('network').message);
});

test('UbikError keeps status, delay, offender and cause, with and without a message', () => {
  const cause = new TypeError('offline');
  const details = { status: 503, retryAfter: 1000, offender: 'field', cause };
  for (const error of [
    new UbikError('server', details),
    new UbikError('server', 'Down.', details),
    new UbikError('server', undefined, details),
  ]) {
    const { code, status, retryAfter, offender } = error;
    assert.deepEqual(
      { code, status, retryAfter, offender, cause: error.cause },
      { code: 'server', ...details },
    );
    assert.ok(isUbikError(error));
  }
  assert.equal('cause' in new UbikError('server'), false);
});

test('UbikError can be created where Error.prototype is frozen', () => {
  Object.defineProperty(Error.prototype, 'name', { writable: false });
  try {
    assert.ok(isUbikError(new UbikError('network')));
  } finally {
    Object.defineProperty(Error.prototype, 'name', { writable: true });
  }
});
