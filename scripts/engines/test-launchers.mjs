/** Launchers of @web/test-runner for the engines other than Chromium. */
import { ENGINES } from './engines.mjs';

/**
 * The page of an engine. That of Firefox is a puppeteer page, which has the same methods.
 *
 * @typedef {import('./webdriver-page.mjs').WebDriverPage} EnginePage
 */

/**
 * Path of the page that is shown between two tests. It is on the site of the tests, because a page that leaves the site and returns loses
 * the focus of its window.
 */
const BLANK = '/blank.html';

/** Plugin of @web/test-runner that serves the page between two tests. */
export const blankPage = {
  name: 'blank-page',
  /** @param {{ path: string }} request */
  serve: ({ path }) => (path === BLANK ? { body: '<!doctype html>', type: 'html' } : undefined),
};

/** Pages of an engine in which files are tested concurrently, so that both cores of a small machine are used when one engine has ended. */
const PAGES = 2;

/**
 * Creates the launcher of an engine, by its name. Each page has its own process of the engine, because the engines throttle pages in the
 * background. A page is used again for the next file.
 *
 * @param {string} name
 * @returns {import('@web/test-runner').BrowserLauncher & { getPage(session: string): EnginePage }}
 */
export function createLauncher(name) {
  const engine = ENGINES.find((one) => one.name === name);
  if (!engine) throw new Error(`There is no engine "${name}".`);
  /** @type {import('./engines.mjs').RunningEngine[]} */
  const running = [];
  /** @type {EnginePage[]} */
  const idle = [];
  /** @type {Map<string, EnginePage>} */
  const active = new Map();
  let blank = '';
  // Without a GPU, compositing takes nearly half of the processor time of WebKitGTK. The engine tests, which do not use this launcher, run
  // with compositing.
  process.env['WEBKIT_DISABLE_COMPOSITING_MODE'] ??= '1';
  const getPage = (/** @type {string} */ session) => {
    const page = active.get(session);
    if (!page) throw new Error('The page is not open.');
    return page;
  };
  async function open() {
    const started = await engine?.start();
    if (started) running.push(started);
    const page = /** @type {EnginePage} */ (await started?.openPage());
    // Neither WebDriver nor WebDriver BiDi can emulate media (skipped-tests.mjs).
    page.emulateMediaFeatures = page.emulateMediaType = async () => undefined;
    return page;
  }
  return {
    name: engine.title,
    // The type of puppeteer's launcher: for it, the commands of the runner call the methods of `getPage()`.
    type: 'puppeteer',
    concurrency: PAGES,
    async startSession(session, url) {
      const page = idle.pop() ?? (await open());
      active.set(session, page);
      blank = new URL(BLANK, url).href;
      await page.setViewport({ width: 800, height: 600 });
      await page.goto(url);
    },
    isActive: (session) => active.has(session),
    getBrowserUrl: (session) => getPage(session).url(),
    getPage,
    async stopSession(session) {
      const page = getPage(session);
      active.delete(session);
      // Ends all running code of the test.
      await page.goto(blank);
      idle.push(page);
      return {};
    },
    async stop() {
      await Promise.all(running.map((one) => one.close()));
    },
    startDebugSession() {
      throw new Error('Debug tests in Chromium: this engine has no debug sessions.');
    },
  };
}
