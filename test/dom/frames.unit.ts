import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFrameScheduler, type Frame } from '../../src/dom/frames.js';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';

/** A window whose clock, frames and timers are advanced by the test. */
function setUpWindow() {
  const state = {
    time: 0,
    frames: [] as (() => void)[],
    timers: [] as { run: () => void; due: number }[],
    idles: [] as ((deadline: { timeRemaining(): number }) => void)[],
  };
  const window = {
    document: { hidden: false },
    performance: { now: () => state.time },
    requestAnimationFrame: (callback: () => void) => state.frames.push(callback),
    cancelAnimationFrame: () => void (state.frames = []),
    setTimeout: (run: () => void, delay: number) =>
      state.timers.push({ run, due: state.time + delay }),
    requestIdleCallback: (callback: (typeof state.idles)[number]) => state.idles.push(callback),
  };
  const frame = (): void => {
    for (const callback of state.frames.splice(0)) callback();
  };
  /** Advances the clock to the end of the running timer, and fires it. Returns the time. */
  const fireTimer = (): number => {
    const [timer] = state.timers.splice(0);
    assert.ok(timer);
    state.time = timer.due;
    timer.run();
    return timer.due;
  };
  return { state, window, frame, fireTimer, frames: createFrameScheduler(window) };
}

describe('frame scheduler', () => {
  it('runs all jobs in one frame, each once', () => {
    const { frames, frame, state } = setUpWindow();
    const done: string[] = [];
    const first = (): void => void done.push('first');
    frames.schedule(first);
    frames.schedule(() => done.push('second'));
    frames.schedule(first);
    assert.equal(state.frames.length, 1);
    frame();
    assert.deepEqual(done, ['first', 'second']);
    assert.equal(state.frames.length, 0);
  });

  it('leaves jobs beyond the budget to the next frame', () => {
    const { frames, frame, state } = setUpWindow();
    const done: number[] = [];
    for (const number of [1, 2, 3]) {
      frames.schedule(() => {
        done.push(number);
        state.time += 4;
      });
    }
    frame();
    assert.deepEqual(done, [1, 2]);
    frame();
    assert.deepEqual(done, [1, 2, 3]);
  });

  it('runs an unfinished job again, after the others', () => {
    const { frames, frame, state } = setUpWindow();
    const done: string[] = [];
    frames.schedule((at: Frame) => {
      done.push('long');
      while (at.hasTime()) state.time += 1;
      return done.length < 4;
    });
    frames.schedule(() => done.push('short'));
    frame();
    frame();
    frame();
    assert.deepEqual(done, ['long', 'short', 'long', 'long']);
  });

  it('uses a timer while the page is hidden', () => {
    const { frames, window, state, fireTimer } = setUpWindow();
    let count = 0;
    window.document.hidden = true;
    frames.schedule(() => (count += 1));
    assert.equal(state.frames.length, 0);
    assert.equal(fireTimer(), 250);
    assert.equal(count, 1);
  });

  it('runs jobs when the page is hidden between scheduling and the frame', () => {
    const { frames, window, fireTimer } = setUpWindow();
    let count = 0;
    frames.schedule(() => (count += 1));
    window.document.hidden = true;
    fireTimer();
    assert.equal(count, 1);
  });

  it('starts one timer for many frames, which runs no job that still waits for its frame', () => {
    const { frames, frame, window, state, fireTimer } = setUpWindow();
    let count = 0;
    const schedule = (): void => {
      frames.schedule(() => (count += 1));
    };
    for (let at = 0; at < 10; at += 1) {
      schedule();
      state.time += 20;
      frame();
    }
    assert.deepEqual([count, state.timers.length], [10, 1]);
    schedule();
    window.document.hidden = true;
    assert.equal(fireTimer(), 250);
    assert.equal(count, 10, 'scheduled 50 ms ago');
    assert.equal(fireTimer(), 450);
    assert.deepEqual([count, state.timers.length], [11, 0]);
  });

  it('continues when a job throws, and reports the error', () => {
    const reported: unknown[] = [];
    const before = globalThis.reportError;
    globalThis.reportError = (error: unknown) => void reported.push(error);
    const frames = createManualFrameScheduler();
    let count = 0;
    frames.schedule(() => {
      throw new Error('broken');
    });
    frames.schedule(() => (count += 1));
    frames.flush();
    globalThis.reportError = before;
    assert.equal(count, 1);
    assert.equal(reported.length, 1);
  });

  it('drops a cancelled job', () => {
    const { frames, frame } = setUpWindow();
    let count = 0;
    const job = (): void => void (count += 1);
    frames.schedule(job);
    frames.cancel(job);
    frame();
    assert.equal(count, 0);
  });

  it('runs an idle job in a long enough idle period, and eventually in any', () => {
    const { frames, state } = setUpWindow();
    const idle = (time: number): void => {
      for (const callback of state.idles.splice(0)) callback({ timeRemaining: () => time });
    };
    let isDone = false;
    const work = (): void => void (isDone = true);
    frames.whenIdle(work);
    idle(10);
    assert.ok(!isDone);
    idle(45);
    assert.ok(isDone);
    isDone = false;
    frames.whenIdle(work);
    let count = 0;
    for (; !isDone && count < 1000; count += 1) idle(10);
    assert.ok(isDone && count > 100);
  });

  it('runs an idle job on a timer when the browser has no requestIdleCallback', () => {
    const { state, window } = setUpWindow();
    const { requestIdleCallback: _none, ...webkit } = window;
    const done: string[] = [];
    createFrameScheduler(webkit).whenIdle(() => void done.push('at last'));
    for (const { run } of state.timers.splice(0)) run();
    assert.deepEqual(done, ['at last']);
  });
});
