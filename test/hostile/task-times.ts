import type { Page } from 'puppeteer-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in µs. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const TASK = 'ThreadControllerImpl::RunTask';

/**
 * The longest task of the page's main threads while `act` runs, in ms of CPU time: what else runs on the machine does not count.
 */
export async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.tracing.start({ categories: ['toplevel'] });
  let trace: Uint8Array | undefined;
  try {
    await act();
    // A task answers before it ends, and one that has not ended is not in the trace: after another one it is.
    await page.evaluate(() => undefined);
  } finally {
    trace = await page.tracing.stop();
  }
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace)) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const mains = new Set(
    traceEvents.flatMap(({ ph, name, args, pid, tid }) =>
      ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain'
        ? [`${String(pid)} ${String(tid)}`]
        : [],
    ),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name === TASK && mains.has(`${String(pid)} ${String(tid)}`),
  );
  if (tasks.length === 0) throw new Error('The browser told of no task.');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
