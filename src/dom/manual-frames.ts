import { runJobs, type FrameJob, type FrameScheduler } from './frames.js';

/** A scheduler whose frames the caller triggers. */
export interface ManualFrameScheduler extends FrameScheduler {
  /** Runs one frame over the scheduled jobs. `budget` is how often `hasTime()` returns true; unlimited by default. */
  frame(budget?: number): void;
  /** Number of scheduled jobs. */
  readonly scheduledCount: number;
}

/** Creates a scheduler without a clock, for tests and for rendering a document synchronously. */
export function createManualFrameScheduler(): ManualFrameScheduler {
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
    get scheduledCount() {
      return jobs.size;
    },
  };
}
