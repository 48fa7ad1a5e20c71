/**
 * As much of a session of @web/test-runner as is read here.
 *
 * @typedef {object} Session
 * @property {string} id
 * @property {{ getPage(id: string): import('puppeteer-core').Page }} browser
 */

/** What tests may ask for, and the name that the browser has for it. */
const METRICS = { 'cpu-seconds': 'TaskDuration', 'heap-bytes': 'JSHeapUsedSize' };

/**
 * Gives tests the clock of their own main thread by the server command `cpu-seconds`: unlike the time of day it does not count what else
 * runs on the machine. `heap-bytes` is what scripts hold after the garbage was collected.
 */
export function cpuClock() {
  /** @type {WeakMap<import('puppeteer-core').Page, import('puppeteer-core').CDPSession>} */
  const clocks = new WeakMap();
  return {
    name: 'cpu-clock',
    /** @param {{ command: string, session: Session }} call */
    async executeCommand({ command, session }) {
      if (command !== 'cpu-seconds' && command !== 'heap-bytes') return undefined;
      const page = session.browser.getPage(session.id);
      let clock = clocks.get(page);
      if (clock === undefined) {
        clock = await page.createCDPSession();
        await clock.send('Performance.enable', { timeDomain: 'threadTicks' });
        clocks.set(page, clock);
      }
      if (command === 'heap-bytes') await clock.send('HeapProfiler.collectGarbage');
      const { metrics } = await clock.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === METRICS[command])?.value;
    },
  };
}
