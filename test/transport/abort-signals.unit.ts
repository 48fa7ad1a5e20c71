import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combineSignals } from '../../src/transport/abort-signals.js';

const platform = AbortSignal.any;

// Both with and without `AbortSignal.any`, which Safari before 17.4 and Firefox before 124 lack.
for (const nativeAny of [platform, undefined]) {
  const where = nativeAny ? 'with AbortSignal.any' : 'without AbortSignal.any';

  test(`combineSignals aborts with the reason of the source that aborts first, ${where}`, (context) => {
    AbortSignal.any = nativeAny as typeof platform;
    context.after(() => (AbortSignal.any = platform));
    const [left, right] = [new AbortController(), new AbortController()];
    const combined = combineSignals(left.signal, undefined, right.signal);
    assert.equal(combined.aborted, false);
    const reason = new Error('enough');
    right.abort(reason);
    left.abort(new Error('later'));
    assert.equal(combined.reason, reason);
  });

  test(`combineSignals returns an aborted signal when a source is aborted, ${where}`, (context) => {
    AbortSignal.any = nativeAny as typeof platform;
    context.after(() => (AbortSignal.any = platform));
    const combined = combineSignals(new AbortController().signal, AbortSignal.abort('before'));
    assert.equal(combined.reason, 'before');
  });
}

test('combineSignals removes its listeners when one source aborts, without AbortSignal.any', (context) => {
  AbortSignal.any = undefined as never;
  context.after(() => (AbortSignal.any = platform));
  const [left, right] = [new AbortController(), new AbortController()];
  let calls = 0;
  const { signal } = right;
  const add = signal.addEventListener.bind(signal);
  context.mock.method(
    signal,
    'addEventListener',
    (type: string, listener: () => void, options: object) => {
      add(
        type,
        () => {
          calls += 1;
          listener();
        },
        options,
      );
    },
  );
  combineSignals(left.signal, signal);
  left.abort();
  right.abort();
  assert.equal(calls, 0);
});
