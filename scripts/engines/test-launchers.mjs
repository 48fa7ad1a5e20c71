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

/**
 * Creates the launcher of an engine, by its name. All files are tested in one page, because the engines throttle pages in the background.
 *
 * @param {string} name
 * @returns {import('@web/test-runner').BrowserLauncher & { getPage(): EnginePage }}
 */
export function createLauncher(name) {
  const engine = ENGINES.find((one) => one.name === name);
  if (!engine) throw new Error(`There is no engine "${name}".`);
  /** @type {import('./engines.mjs').RunningEngine | undefined} */
  let running;
  /** @type {EnginePage | undefined} */
  let page;
  let active = '';
  let blank = '';
  const getPage = () => {
    if (!page) throw new Error('The page is not open.');
    return page;
  };
  async function open() {
    running = await engine?.start();
    page = /** @type {EnginePage} */ (await running?.openPage());
    // Neither WebDriver nor WebDriver BiDi can emulate media (skipped-tests.mjs).
    page.emulateMediaFeatures = page.emulateMediaType = async () => undefined;
    return page;
  }
  return {
    name: engine.title,
    // The type of puppeteer's launcher: for it, the commands of the runner call the methods of `getPage()`.
    type: 'puppeteer',
    concurrency: 1,
    async startSession(id, url) {
      const opened = page ?? (await open());
      active = id;
      blank = new URL(BLANK, url).href;
      await opened.setViewport({ width: 800, height: 600 });
      await opened.goto(url);
    },
    isActive: (id) => id === active,
    getBrowserUrl: () => getPage().url(),
    getPage,
    async stopSession() {
      active = '';
      // Ends all running code of the test.
      await getPage().goto(blank);
      return {};
    },
    async stop() {
      await running?.close();
    },
    startDebugSession() {
      throw new Error('Debug tests in Chromium: this engine has no debug sessions.');
    },
  };
}
