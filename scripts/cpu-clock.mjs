/**
 * A session of @web/test-runner, with the fields that are used.
 *
 * @typedef {object} Session
 * @property {string} id
 * @property {{ getPage(id: string): import('puppeteer-core').Page }} browser
 */

/**
 * The server commands, and the names of their metrics in the DevTools protocol.
 *
 * @type {ReadonlyMap<string, string>}
 */
const METRICS = new Map([
  ['cpu-seconds', 'TaskDuration'],
  ['heap-bytes', 'JSHeapUsedSize'],
  ['style-recalculations', 'RecalcStyleCount'],
  ['layouts', 'LayoutCount'],
]);

/**
 * Plugin with server commands for browser tests: `cpu-seconds` returns the CPU time of the main thread of the page, which does not depend on
 * other processes, in seconds; `heap-bytes` returns the heap size after a garbage collection; `style-recalculations` and `layouts` return
 * how often the page has computed styles and layout.
 */
export function cpuClock() {
  /** @type {WeakMap<import('puppeteer-core').Page, import('puppeteer-core').CDPSession>} */
  const devToolsByPage = new WeakMap();
  return {
    name: 'cpu-clock',
    /** @param {{ command: string, session: Session }} call */
    async executeCommand({ command, session }) {
      const metric = METRICS.get(command);
      if (metric === undefined) return undefined;
      const page = session.browser.getPage(session.id);
      let devTools = devToolsByPage.get(page);
      if (devTools === undefined) {
        devTools = await page.createCDPSession();
        await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
        devToolsByPage.set(page, devTools);
      }
      if (command === 'heap-bytes') await devTools.send('HeapProfiler.collectGarbage');
      const { metrics } = await devTools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === metric)?.value;
    },
  };
}
