/** The current frame, passed to a job. */
export interface Frame {
  /**
   * Returns true until the time budget of this frame is used up. Then the job should stop at the next suitable point and
   * return true.
   */
  hasTime(): boolean;
}

/** A job for the next frame. If it returns `true`, it runs again in the frame after. */
export type FrameJob = (frame: Frame) => unknown;

/** Runs all DOM work of a window in one animation frame, within a time budget. */
export interface FrameScheduler {
  /** Schedules a job for the next frame. A job that is already scheduled runs once. */
  schedule(job: FrameJob): void;
  /** Removes a scheduled job. */
  cancel(job: FrameJob): void;
  /**
   * Runs a job in an idle period that is long enough for it not to delay a frame, or after many shorter ones. In WebKit, after 250 ms.
   */
  whenIdle(job: () => void): void;
  /**
   * Runs all scheduled jobs and the jobs that they schedule, synchronously, for printing, which does not wait for frames.
   */
  flush(): void;
}

/** The parts of a window that the scheduler uses. */
interface FrameWindow {
  readonly document: { readonly hidden: boolean };
  readonly performance: { now(): number };
  requestAnimationFrame(callback: () => void): number;
  cancelAnimationFrame(handle: number): void;
  setTimeout(callback: () => void, delay: number): number;
  /** Missing in WebKit. */
  requestIdleCallback?(callback: (deadline: { timeRemaining(): number }) => void): number;
}

/** Time budget of one frame, in ms. The rest of 16 ms is for style, layout and paint. */
const BUDGET = 6;
/** Interval between frames in a hidden tab, where no animation frames fire, in ms. */
const HIDDEN_INTERVAL = 250;
/** Delay of idle jobs where `requestIdleCallback` is missing, in ms. */
const IDLE_FALLBACK_DELAY = 250;
/** Duration of an idle period that is long enough for every job, in ms. */
const MIN_IDLE = 30;
/** Number of shorter idle periods to skip before a job runs anyway. */
const MAX_IDLE_CALLBACKS = 300;

/** Maximum number of rounds in `flush()`, because some jobs schedule themselves again each time. */
const MAX_FLUSH_ROUNDS = 50;

/** Runs jobs in the order of scheduling, at least one, so that a slow page makes progress. Jobs beyond the time budget remain. */
export function runJobs(jobs: Set<FrameJob>, frame: Frame): void {
  const again: FrameJob[] = [];
  for (const [index, job] of [...jobs].entries()) {
    if (index > 0 && !frame.hasTime()) break;
    // An earlier job of this frame may have cancelled it.
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
 * Creates a scheduler for a window. Hidden tabs get no animation frames, so a timer runs as well; the jobs run when the first of the two
 * fires. The timer continues over many frames, because starting and cancelling one for each frame would cost more than many jobs.
 */
export function createFrameScheduler(window: FrameWindow): FrameScheduler {
  const jobs = new Set<FrameJob>();
  let frameHandle = 0;
  let isTimerRunning = false;
  /** When the next frame was requested; null when none is. */
  let requestedAt: number | null = null;
  const runFrame = (): void => {
    requestedAt = null;
    const end = window.performance.now() + BUDGET;
    runJobs(jobs, { hasTime: () => window.performance.now() < end });
    if (jobs.size > 0) requestFrame();
  };
  const handleTimer = (): void => {
    isTimerRunning = false;
    if (requestedAt === null) return;
    const left = requestedAt + HIDDEN_INTERVAL - window.performance.now();
    if (left > 0) return startTimer(left);
    window.cancelAnimationFrame(frameHandle);
    runFrame();
  };
  const startTimer = (delay: number): void => {
    isTimerRunning = true;
    window.setTimeout(handleTimer, delay);
  };
  const requestFrame = (): void => {
    if (requestedAt !== null) return;
    requestedAt = window.performance.now();
    // Request both: a tab hidden after this point would otherwise wait until it is shown again.
    if (!window.document.hidden) frameHandle = window.requestAnimationFrame(runFrame);
    if (!isTimerRunning) startTimer(HIDDEN_INTERVAL);
  };
  return {
    schedule(job) {
      jobs.add(job);
      requestFrame();
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
  if (!window.requestIdleCallback) return void window.setTimeout(job, IDLE_FALLBACK_DELAY);
  window.requestIdleCallback((deadline) => {
    if (left === 0 || deadline.timeRemaining() >= MIN_IDLE) job();
    else runWhenIdle(window, job, left - 1);
  });
}

const schedulers = new WeakMap<object, FrameScheduler>();

/** Returns the scheduler of a window, and creates it with the first call. Its jobs run before the page is printed. */
export function getFrameScheduler(
  window: FrameWindow & Pick<EventTarget, 'addEventListener'>,
): FrameScheduler {
  const known = schedulers.get(window);
  if (known) return known;
  const scheduler = createFrameScheduler(window);
  schedulers.set(window, scheduler);
  window.addEventListener('beforeprint', () => {
    scheduler.flush();
  });
  return scheduler;
}
