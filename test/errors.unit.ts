import assert from 'node:assert/strict';
import test from 'node:test';
import { isUbikError, UbikError } from '../src/errors.js';

test('an error says its own sentence, or that of its code', () => {
  assert.equal(new UbikError('misuse', 'Open a thread first.').message, 'Open a thread first.');
  assert.match(new UbikError('network').message, /network/);
  assert.equal(new UbikError('network', undefined).message, new UbikError('network').message);
});

test('what is told along stands on the error, with or without a sentence', () => {
  const cause = new TypeError('offline');
  const told = { status: 503, retryAfter: 1000, offender: 'field', cause };
  for (const error of [
    new UbikError('server', told),
    new UbikError('server', 'Down.', told),
    new UbikError('server', undefined, told),
  ]) {
    const { code, status, retryAfter, offender } = error;
    assert.deepEqual(
      { code, status, retryAfter, offender, cause: error.cause },
      { code: 'server', ...told },
    );
    assert.ok(isUbikError(error));
  }
  assert.equal('cause' in new UbikError('server'), false);
});
