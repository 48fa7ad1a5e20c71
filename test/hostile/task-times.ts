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

/** Longest permitted task, in ms of CPU time on a machine where the yardstick takes `YARDSTICK`. */
export const LONGEST = 200;
/**
 * CPU time of the yardstick, in ms, on the machine of docs/performance.md. Other machines, and busy ones, are scaled
 * by it.
 */
const YARDSTICK = 30;
const TASK = 'ThreadControllerImpl::RunTask';

/**
 * Longest task on the page's main threads while `act` runs, in ms of CPU time, so that other processes do not count.
 */
async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.tracing.start({ categories: ['toplevel'] });
  let trace: Uint8Array | undefined;
  try {
    await act();
    // A task responds before it ends, and an unfinished task is not in the trace, so run another one.
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
  if (tasks.length === 0) throw new Error('The browser reported no task.');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** Resolves with the number of elements in the shadow root of an element, when nothing in it has changed for 20 frames. */
export function untilStill(selector: string): Promise<number> {
  const root = document.querySelector(selector)?.shadowRoot;
  if (!root) throw new Error(`No ${selector}.`);
  let still = 0;
  const observer = new MutationObserver(() => (still = 0));
  observer.observe(root, { subtree: true, childList: true, characterData: true });
  return new Promise((resolve) => {
    const countFrame = (): void => {
      still += 1;
      if (still < 20) return void requestAnimationFrame(countFrame);
      observer.disconnect();
      resolve(root.querySelectorAll('*').length);
    };
    requestAnimationFrame(countFrame);
  });
}

/** The yardstick: builds the same nodes each time, in one task. */
function buildNodes(): number {
  const list = document.createElement('ul');
  for (let index = 0; index < 20_000; index += 1) {
    const item = document.createElement('li');
    item.className = `item-${String(index % 10)}`;
    item.append(document.createTextNode(`Item ${String(index)}`));
    list.append(item);
  }
  return list.childNodes.length;
}

/**
 * Longest task of a page, in ms scaled to the reference machine. Interference only makes tasks slower, so the minimum
 * over several rounds counts, for the task as for the yardstick, which is measured next to it.
 */
export async function longestOf(
  page: Page,
  rounds: number,
  act: () => Promise<unknown>,
): Promise<number> {
  let longest = Infinity;
  let yardstick = Infinity;
  let scaled = Infinity;
  for (let round = 0; round < rounds && scaled > LONGEST; round += 1) {
    longest = Math.min(longest, await longestTask(page, act));
    if (longest <= LONGEST) return longest;
    yardstick = Math.min(yardstick, await longestTask(page, () => page.evaluate(buildNodes)));
    scaled = longest / Math.max(1, yardstick / YARDSTICK);
  }
  return scaled;
}
