/** What a job may ask while it runs. */
export interface Frame {
  /** False when the time of this frame is used up: stop at the next good place and return true. */
  hasTime(): boolean;
}

/** Work for the next frame. One that returns `true` has more to do and runs again in the frame after. */
export type FrameJob = (frame: Frame) => unknown;

/** Gathers the DOM work of a whole page into one animation frame, within a budget of time. */
export interface FrameScheduler {
  /** Runs the job in the next frame. A job that already waits is not doubled. */
  schedule(job: FrameJob): void;
  /** Forgets a job that waits. */
  cancel(job: FrameJob): void;
  /** Runs the job once the page has nothing else to do for long enough to work without costing a frame; in the end without that. */
  whenIdle(job: () => void): void;
  /** Does all that waits now, and what follows from it, without a frame: for paper, which does not wait for one. */
  flush(): void;
}

/** A scheduler whose frames happen when the test says so. */
export interface ManualFrames extends FrameScheduler {
  /** Runs one frame over the jobs that wait now. `budget` counts how often `hasTime()` says yes; endless by default. */
  frame(budget?: number): void;
  /** How many jobs wait. */
  readonly waiting: number;
}

/** What the scheduler needs of a window. */
interface FrameWindow {
  readonly document: { readonly hidden: boolean };
  readonly performance: { now(): number };
  requestAnimationFrame(callback: () => void): number;
  cancelAnimationFrame(handle: number): void;
  setTimeout(callback: () => void, delay: number): number;
  clearTimeout(handle: number): void;
  /** WebKit does not tell when it is idle. */
  requestIdleCallback?(callback: (deadline: { timeRemaining(): number }) => void): number;
}

/** Milliseconds of work in one frame: it leaves the rest of 16 ms to style, layout and paint. */
const BUDGET = 6;
/** Milliseconds between two rounds while the tab is hidden, where no animation frames come. */
const HIDDEN_INTERVAL = 250;
/** Milliseconds of idle time in which even the longest work fits, and how often the page may be idle for less. */
const MIN_IDLE = 30;
const MAX_IDLE_CALLBACKS = 300;

/** Frames that are done at once, at most: some jobs ask for the next frame each time. */
const MAX_FLUSH_ROUNDS = 50;

/** Runs jobs in the order in which they were given. At least one runs, so that a slow page still moves; others may stay. */
function runJobs(jobs: Set<FrameJob>, frame: Frame): void {
  const again: FrameJob[] = [];
  for (const [index, job] of [...jobs].entries()) {
    if (index > 0 && !frame.hasTime()) break;
    if (!jobs.delete(job)) continue;
    try {
      if (job(frame) === true) again.push(job);
    } catch (error) {
      globalThis.reportError(error);
    }
  }
  for (const job of again) jobs.add(job);
}

/**
 * Makes a scheduler for one window. While the document is hidden it works on a timer instead, because hidden tabs get no
 * animation frames; what was asked for in either state is done in whichever state comes first.
 */
export function createFrameScheduler(window: FrameWindow): FrameScheduler {
  const jobs = new Set<FrameJob>();
  let frameHandle = 0;
  let timerHandle = 0;
  const round = (): void => {
    window.cancelAnimationFrame(frameHandle);
    window.clearTimeout(timerHandle);
    frameHandle = timerHandle = 0;
    const end = window.performance.now() + BUDGET;
    runJobs(jobs, { hasTime: () => window.performance.now() < end });
    if (jobs.size > 0) ask();
  };
  const ask = (): void => {
    if (timerHandle !== 0) return;
    // Both are asked for: a tab that is hidden between the two would otherwise wait until it is shown again.
    if (!window.document.hidden) frameHandle = window.requestAnimationFrame(round);
    timerHandle = window.setTimeout(round, HIDDEN_INTERVAL);
  };
  return {
    schedule(job) {
      jobs.add(job);
      ask();
    },
    cancel: (job) => void jobs.delete(job),
    whenIdle: (job) => runWhenIdle(window, job, MAX_IDLE_CALLBACKS),
    flush() {
      for (let left = MAX_FLUSH_ROUNDS; left > 0 && jobs.size > 0; left -= 1) {
        runJobs(jobs, { hasTime: () => true });
      }
    },
  };
}

function runWhenIdle(window: FrameWindow, job: () => void, left: number): void {
  if (!window.requestIdleCallback) return void window.setTimeout(job, HIDDEN_INTERVAL);
  window.requestIdleCallback((deadline) => {
    if (left === 0 || deadline.timeRemaining() >= MIN_IDLE) job();
    else runWhenIdle(window, job, left - 1);
  });
}

const schedulers = new WeakMap<object, FrameScheduler>();

/** The one scheduler of a window; made at the first call. */
export function framesOf(window: FrameWindow): FrameScheduler {
  const scheduler = schedulers.get(window) ?? createFrameScheduler(window);
  schedulers.set(window, scheduler);
  return scheduler;
}

/** A scheduler without a clock, for tests and for building a document at once. */
export function createManualFrames(): ManualFrames {
  const jobs = new Set<FrameJob>();
  const frame = (budget = Infinity): void => {
    let left = budget;
    runJobs(jobs, { hasTime: () => left-- > 0 });
  };
  return {
    schedule: (job) => void jobs.add(job),
    cancel: (job) => void jobs.delete(job),
    whenIdle: (job) => void jobs.add(() => void job()),
    frame,
    flush() {
      while (jobs.size > 0) frame();
    },
    get waiting() {
      return jobs.size;
    },
  };
}
