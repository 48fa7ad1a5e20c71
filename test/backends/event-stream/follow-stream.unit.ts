import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  endRun,
  followStream,
  type FollowOptions,
} from '../../../src/backends/event-stream/follow-stream.js';
import { isUbikError, type UbikError } from '../../../src/errors.js';
import type { Batch } from '../../../src/model/change.js';
import { createControlledStream } from '../../helpers/controlled-stream.js';
import { Deferred } from '../../helpers/deferred.js';
import { createTestEnvironment } from '../../helpers/test-environment.js';
import { nameChange, printEvent, ScriptedRun } from './scripted-run.js';

/** A run that is followed, and what it has emitted so far. */
function setup(run = new ScriptedRun(), more: Partial<FollowOptions> = {}) {
  const environment = createTestEnvironment();
  const stream = createControlledStream();
  const abort = new AbortController();
  const options = { thread: 't', environment, signal: abort.signal, ...more };
  const emitted: Batch[] = [];
  let thrown: UbikError | undefined;
  const follow = async (): Promise<unknown> => {
    try {
      for await (const batch of followStream(stream.stream, run, options)) emitted.push(batch);
      return 'ended';
    } catch (error) {
      if (!isUbikError(error)) return error;
      thrown = error;
      return error.code;
    }
  };
  const result = follow();
  return {
    run,
    stream,
    environment,
    abort,
    emitted,
    result,
    error: () => thrown,
    /** The changes of each batch. The last changes of messages before the end of a run are a batch even if there are none: `''`. */
    names: () => emitted.map(({ changes }) => changes.map(nameChange).join(' ')),
    push: async (...words: string[]) => {
      stream.push(words.map(printEvent).join(''));
      await environment.settle();
    },
  };
}

test('followStream emits the changes of each chunk, and the end of the run after the ids of its messages', async () => {
  const { run, stream, names, push, result } = setup();
  await push('one', 'two');
  await push('three', 'end', 'never');
  assert.equal(await result, 'ended');
  assert.deepEqual(names(), ['one two', 'three', 'id:m1 run:complete']);
  assert.deepEqual(run.calls.slice(-3), ['onStreamClosed', 'onEnd', 'loadFinalChanges']);
  assert.ok(!run.calls.includes('apply never'));
  assert.notEqual(
    stream.cancelled,
    null,
    'the stream is closed, although the service keeps it open',
  );
});

test('followStream emits the chunks of an interval together, and one after a silence at once', async () => {
  const { environment, names, push } = setup();
  environment.readInterval = () => 8;
  await push('one');
  assert.deepEqual(names(), ['one']);
  await push('two');
  await push('three');
  assert.deepEqual(names(), ['one']);
  await environment.advance(8);
  assert.deepEqual(names(), ['one', 'two three']);
  await environment.advance(8);
  await push('four');
  assert.deepEqual(names(), ['one', 'two three', 'four']);
});

test('followStream rejects as aborted while it waits for the end of an interval', async () => {
  const { environment, abort, names, push, result } = setup();
  environment.readInterval = () => 8;
  await push('one');
  await push('two');
  abort.abort();
  await environment.advance(8);
  assert.equal(await result, 'aborted');
  assert.deepEqual(names(), ['one']);
});

test('followStream stamps batches with the thread and the time', async () => {
  const { environment, emitted, push } = setup();
  await environment.advance(500);
  await push('one');
  assert.deepEqual(
    emitted.map(({ thread, time }) => [thread, time]),
    [['t', environment.now()]],
  );
});

test('followStream rejects as interrupted when the stream ends before the run', async () => {
  const { run, stream, names, push, result } = setup();
  await push('one');
  stream.close();
  assert.equal(await result, 'interrupted');
  assert.deepEqual(names(), ['one']);
  assert.deepEqual(run.calls, ['apply one', 'onStreamClosed', 'tryEndWithoutEvent']);
});

for (const [how, end] of [
  ['ends', ({ stream }: ReturnType<typeof setup>) => stream.close()],
  ['breaks', ({ stream }: ReturnType<typeof setup>) => stream.fail(new TypeError('lost'))],
] as const) {
  test(`followStream rejects with the reconnection time of the service when the stream ${how}`, async () => {
    const fixture = setup();
    fixture.stream.push('retry: 3000\n\n');
    await fixture.push('one');
    end(fixture);
    assert.equal(await fixture.result, 'interrupted');
    assert.equal(fixture.error()?.retryAfter, 3000);
  });
}

test('followStream adds no reconnection time to an error other than that of a broken stream', async () => {
  const { error, stream, push, result } = setup(new ScriptedRun(), { maxEventBytes: 20 });
  stream.push('retry: 3000\n\n');
  await push('one', 'much too long for the limit');
  assert.equal(await result, 'event-too-large');
  assert.equal(error()?.retryAfter, undefined);
});

test('followStream ends the run with its stream when tryEndWithoutEvent returns true', async () => {
  const { run, stream, names, push, result } = setup();
  run.isStopped = true;
  await push('one');
  stream.close();
  assert.equal(await result, 'ended');
  assert.deepEqual(names(), ['one', '', 'id:m1']);
});

test('followStream does not end a stopped run whose stream breaks', async () => {
  const { run, stream, push, result } = setup();
  run.isStopped = true;
  await push('one');
  stream.fail();
  assert.equal(await result, 'network');
  assert.ok(!run.calls.includes('tryEndWithoutEvent'));
});

test('followStream ends when the stream breaks while the run waits for input', async () => {
  const { stream, names, push, result } = setup();
  await push('one', 'wait');
  stream.fail();
  assert.equal(await result, 'ended');
  assert.deepEqual(names(), ['one run:waiting', '', 'id:m1']);
});

test('followStream rejects as aborted and emits nothing more, also while the run waits for input', async () => {
  for (const words of [
    ['one', 'late'],
    ['one', 'wait'],
  ]) {
    const { abort, emitted, push, result } = setup();
    await push(...words);
    const before = emitted.length;
    abort.abort();
    assert.equal(await result, 'aborted');
    assert.equal(emitted.length, before);
  }
});

test('followStream emits the changes before an event that throws, then rejects with its error', async () => {
  const { run, names, push, result } = setup();
  await push('one', 'throw');
  assert.equal(String(await result), 'Error: broken');
  assert.deepEqual(names(), ['one']);
  assert.equal(run.calls.at(-1), 'onStreamClosed');
});

test('followStream emits an empty batch at most once a second for bytes that change nothing', async () => {
  const { stream, environment, emitted, push } = setup();
  await push('one');
  for (let count = 0; count < 35; count += 1) {
    stream.push(': heartbeat\n\n');
    await environment.advance(100);
  }
  assert.deepEqual(
    emitted.map(({ changes }) => changes.length),
    [1, 0, 0, 0],
  );
});

test('followStream sorts late events at most once in 250 ms, also while the service is silent', async () => {
  const { environment, names, push } = setup();
  await push('late');
  assert.deepEqual(names(), ['late'], 'at once when it is the first time');
  await push('one', 'late');
  assert.deepEqual(names(), ['late', 'one']);
  await environment.advance(249);
  assert.deepEqual(names(), ['late', 'one']);
  await environment.advance(1);
  assert.deepEqual(names(), ['late', 'one', 'late']);
  assert.equal(environment.timers, 0);
});

test('followStream sorts late events before it rejects', async () => {
  const { stream, names, push, result } = setup();
  await push('late');
  await push('late');
  stream.fail();
  assert.equal(await result, 'network');
  assert.deepEqual(names(), ['late', 'late']);
});

test('followStream yields to the event loop when a slice is used up, over all chunks together', async () => {
  const { environment, stream, emitted, result } = setup(new ScriptedRun(), { sliceBudget: 5 });
  let now = 0;
  environment.monotonic = () => (now += 1);
  for (let chunk = 0; chunk < 10; chunk += 1) stream.push(['a', 'b', 'c'].map(printEvent).join(''));
  stream.push(printEvent('end'));
  assert.equal(await result, 'ended');
  assert.ok(environment.pauses >= 5, `${environment.pauses} pauses`);
  // 30 words, the id of the message and the end of the run.
  assert.equal(emitted.flatMap(({ changes }) => changes.map(nameChange)).length, 32);
});

/** Lookups whose responses the test resolves. */
function createLookups() {
  const pending = new Deferred<void>();
  let isPending = false;
  return {
    respond: () => {
      isPending = false;
      pending.resolve();
    },
    lookups: {
      start: () => {
        isPending = true;
        return Promise.resolve();
      },
      get next() {
        return isPending ? pending.promise : null;
      },
      done: () => pending.promise,
    },
  };
}

test('followStream emits the response of a lookup while the service is silent', async () => {
  const { lookups, respond } = createLookups();
  const run = new ScriptedRun();
  run.lookups = lookups;
  const { environment, names, push } = setup(run);
  await push('one');
  run.apply({ event: 'message', data: 'found', id: null });
  await environment.settle();
  assert.deepEqual(names(), ['one']);
  respond();
  await environment.settle();
  assert.deepEqual(names(), ['one', 'found']);
});

test('followStream decides whether a run waits for input when its lookups are done', async () => {
  const { lookups, respond } = createLookups();
  const run = new ScriptedRun();
  run.lookups = lookups;
  const { environment, stream, names, push, result } = setup(run);
  await push('one', 'wait');
  stream.close();
  await environment.settle();
  assert.deepEqual(names(), ['one run:waiting', '']);
  run.isWaiting = false;
  respond();
  assert.equal(await result, 'interrupted');
  assert.deepEqual(names().at(-1), 'run:streaming');
});

for (const [when, words] of [
  ['starts', ['one']],
  ['starts for a run that waits for input', ['one', 'wait']],
] as const) {
  test(`followStream leaves the changes to the next connection when it is aborted while a lookup ${when}`, async () => {
    const started = new Deferred<void>();
    const run = new ScriptedRun();
    run.lookups = { ...createLookups().lookups, start: () => started.promise };
    const { environment, abort, names, push, result } = setup(run);
    await push(...words);
    abort.abort();
    started.resolve();
    assert.equal(await result, 'aborted');
    await environment.settle();
    assert.deepEqual(names(), []);
    assert.equal(run.drainChanges(true).length, words.length);
  });
}

test('followStream leaves the changes to the next connection when it is aborted while a lookup is pending', async () => {
  const { lookups, respond } = createLookups();
  const run = new ScriptedRun();
  run.lookups = lookups;
  const { environment, abort, names, push, result } = setup(run);
  await push('one');
  run.apply({ event: 'message', data: 'found', id: null });
  respond();
  abort.abort();
  assert.equal(await result, 'aborted');
  await environment.settle();
  assert.deepEqual(names(), ['one']);
  assert.deepEqual(run.drainChanges(true).map(nameChange), ['found']);
});

test('followStream applies no further slice after it was aborted between two slices', async () => {
  const run = new ScriptedRun();
  const { environment, abort, names, push, result } = setup(run, { sliceBudget: 0 });
  environment.yieldToEventLoop = () => {
    abort.abort();
    return Promise.resolve();
  };
  await push('one', 'two');
  assert.equal(await result, 'aborted');
  assert.deepEqual(names(), ['one']);
  assert.deepEqual(run.calls, ['apply one', 'onStreamClosed']);
});

test('followStream leaves the end of the run to the next connection when it is aborted by then', async () => {
  const run = new ScriptedRun();
  const { abort, names, push, result } = setup(run);
  run.onStreamClosed = () => abort.abort();
  await push('one', 'end');
  assert.equal(await result, 'aborted');
  assert.deepEqual(names(), []);
  assert.deepEqual(run.drainChanges(true).map(nameChange), ['one', 'run:complete']);
});

test('followStream closes the stream when its consumer stops reading', async () => {
  const environment = createTestEnvironment();
  const stream = createControlledStream();
  const run = new ScriptedRun();
  const { signal } = new AbortController();
  stream.push(printEvent('one'));
  for await (const _batch of followStream(stream.stream, run, { thread: 't', environment, signal }))
    break;
  assert.deepEqual(run.calls, ['apply one', 'onStreamClosed']);
  assert.notEqual(stream.cancelled, null);
});

test('endRun emits the end of a run that had no stream', async () => {
  const run = new ScriptedRun();
  for (const data of ['one', 'end']) run.apply({ event: 'message', data, id: null });
  const batches: string[] = [];
  for await (const { changes } of endRun(run, {
    thread: 't',
    environment: createTestEnvironment(),
  }))
    batches.push(changes.map(nameChange).join(' '));
  assert.deepEqual(batches, ['one', 'id:m1 run:complete']);
});
