import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combineSignals } from '../../src/transport/abort-signals.js';

const platform = AbortSignal.any;

/** Runs a test as in a browser that has `AbortSignal.any`, and as in one that has not (Safari before 17.4, Firefox before 124). */
for (const any of [platform, undefined]) {
  const where = any ? 'with AbortSignal.any' : 'without AbortSignal.any';

  test(`a combined signal aborts with the first of its sources, ${where}`, (context) => {
    AbortSignal.any = any as typeof platform;
    context.after(() => (AbortSignal.any = platform));
    const [left, right] = [new AbortController(), new AbortController()];
    const combined = combineSignals(left.signal, undefined, right.signal);
    assert.equal(combined.aborted, false);
    const reason = new Error('enough');
    right.abort(reason);
    left.abort(new Error('later'));
    assert.equal(combined.reason, reason);
  });

  test(`a combined signal is aborted at once when a source is, ${where}`, (context) => {
    AbortSignal.any = any as typeof platform;
    context.after(() => (AbortSignal.any = platform));
    const combined = combineSignals(new AbortController().signal, AbortSignal.abort('before'));
    assert.equal(combined.reason, 'before');
  });
}

test('a combined signal leaves no listener behind once it is aborted, without AbortSignal.any', (context) => {
  AbortSignal.any = undefined as never;
  context.after(() => (AbortSignal.any = platform));
  const [left, right] = [new AbortController(), new AbortController()];
  let heard = 0;
  const { signal } = right;
  const add = signal.addEventListener.bind(signal);
  context.mock.method(
    signal,
    'addEventListener',
    (type: string, hear: () => void, options: object) => {
      add(
        type,
        () => {
          heard += 1;
          hear();
        },
        options,
      );
    },
  );
  combineSignals(left.signal, signal);
  left.abort();
  right.abort();
  assert.equal(heard, 0);
});
