/** The browser engines in which tests run: how each is found, installed and started. */
import puppeteer from 'puppeteer-core';
import { findChrome, launchChrome, openPage } from '../browser.mjs';
import { findProgram, listMissingForWebKit, startWebKit } from './webkit.mjs';

/**
 * @typedef {object} Engine
 * @property {string} name
 * @property {string} title
 * @property {readonly string[]} packages Debian packages that install it
 * @property {() => Promise<readonly string[]>} listMissing names of programs that are not installed
 * @property {() => Promise<RunningEngine>} start
 */

/**
 * A running engine. Its pages are those of puppeteer, or have the methods of them that the tests use.
 *
 * @typedef {object} RunningEngine
 * @property {() => Promise<unknown>} openPage opens a page with a separate profile; close it before you open the next one
 * @property {() => Promise<void>} close
 */

const findFirefox = () =>
  process.env['FIREFOX_PATH'] ?? findProgram('firefox-esr') ?? findProgram('firefox');

/** Options with which puppeteer starts Firefox. @returns {import('puppeteer-core').LaunchOptions} */
function getFirefoxOptions() {
  return {
    browser: 'firefox',
    executablePath: findFirefox() ?? 'firefox',
    headless: true,
    // Timeouts in ms. Long, because they only have to end what hangs.
    timeout: 300_000,
    protocolTimeout: 600_000,
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-US, en',
      // Pages that links and `window.open` open stay in the background, so that the page of the test keeps the focus.
      'browser.tabs.loadInBackground': true,
      'browser.tabs.loadDivertedInBackground': true,
      // Enables touch events even without a touch screen.
      'dom.w3c_touch_events.enabled': 1,
    },
  };
}

/**
 * @param {import('puppeteer-core').Browser} browser
 * @param {(context: import('puppeteer-core').BrowserContext) => Promise<import('puppeteer-core').Page>} newPage
 * @returns {RunningEngine}
 */
const runPuppeteer = (browser, newPage) => ({
  openPage: async () => {
    const context = await browser.createBrowserContext();
    const page = await newPage(context);
    page.close = () => context.close();
    return page;
  },
  close: () => browser.close(),
});

/** @type {readonly Engine[]} */
export const ENGINES = [
  {
    name: 'chrome',
    title: 'Chromium',
    packages: ['chromium'],
    listMissing: () =>
      findChrome().then(
        () => [],
        () => ['chromium'],
      ),
    start: async () => runPuppeteer(await launchChrome(), openPage),
  },
  {
    name: 'firefox',
    title: 'Firefox',
    packages: ['firefox-esr'],
    listMissing: async () => (findFirefox() ? [] : ['firefox-esr or firefox']),
    start: async () =>
      runPuppeteer(await puppeteer.launch(getFirefoxOptions()), async (context) => {
        const page = await context.newPage();
        page.setDefaultTimeout(300_000);
        return page;
      }),
  },
  {
    name: 'webkit',
    title: 'WebKitGTK',
    packages: ['webkit2gtk-driver', 'xvfb'],
    listMissing: async () => listMissingForWebKit(),
    start: startWebKit,
  },
];
