import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import { waitForLoads } from '../helpers/wait-for-loads.js';
import { startStubService, type StubService } from '../helpers/stub-service.js';
import type { Allowed, PageEffects } from './page-recorder.js';
import { bundlePageRecorder, listPages } from './pages.js';
import {
  PAGE_FILES,
  recordRequests,
  type RequestName,
  type RequestRecorder,
} from './request-recorder.js';
import { defineName } from '../helpers/define-name.js';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Everything that the library may insert into a page. Anything else is a finding, harmless or not. */
const INSERTED_BY_LIBRARY: Allowed = {
  elements: words(`
    a article aside bdi blockquote br button canvas caption code del details div em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr i
    img input label legend li maction math mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover nav ol option p path pre progress section select slot span strong sub summary sup svg table tbody td
    textarea th thead time tr ul`),
  attributes: words(`
    accept alt aria-* autocapitalize autocomplete checked class cols d data-* datetime dir disabled display download enterkeyhint fill for height hidden href id inputmode lang
    max maxlength multiple name novalidate open part placeholder popover rel required role rows scope separator stretchy spellcheck src start stroke style tabindex target
    title translate type value viewBox viewbox width`),
  drawings: {
    elements: words(`
      circle clipPath defs ellipse g line linearGradient marker polygon polyline radialGradient rect stop text tspan`),
    attributes: words(`
      alignment-baseline baseline-shift clip-path clip-rule clipPathUnits cx cy dominant-baseline dx dy fill-opacity fill-rule font-family
      font-size font-style font-weight fx fy gradientTransform gradientUnits letter-spacing marker-end marker-mid marker-start markerHeight
      markerUnits markerWidth offset opacity orient paint-order points preserveAspectRatio r refX refY rotate rx ry stop-color stop-opacity
      stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor
      text-decoration-line textLength transform visibility x x1 x2 y y1 y2`),
  },
  // Shared by all copies of the library on a page.
  globals: ['Symbol(ubik-elements.tab)'],
};

/** Effects of a hostile page; all lists are empty if there are none. */
export interface Findings extends PageEffects {
  /** Requests that the test does not expect, to any origin. */
  readonly requests: readonly string[];
  /** Console errors and uncaught errors; opened windows and pages. */
  readonly errors: readonly string[];
}

/** A page whose effects are recorded. */
export interface TestPage {
  readonly page: Page;
  /** Returns everything since the page was opened, after all requests have completed. */
  findings(): Promise<Findings>;
}

/** Shared by the tests of a file: one browser, one stub service. */
export interface TestBrowser {
  readonly stub: StubService;
  /**
   * Opens a page of the stub and waits until its script has run. Frames fire at once, unless `real`. `expected` names
   * the permitted requests; any other is a finding.
   */
  open(
    path: string,
    frames?: 'fast' | 'real',
    expected?: readonly RequestName[],
  ): Promise<TestPage>;
}

/** Starts browser and stub before the tests of a file, and stops them afterwards. */
export function setupTestBrowser(): () => TestBrowser {
  let testBrowser: (TestBrowser & { readonly browser: Browser }) | null = null;
  let open: Page[] = [];
  before(async () => {
    // Nothing leaves this machine, even if an attack succeeds.
    const rules = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
    const browser = await launchChrome({ args: [rules] });
    const stub = await startStubService({ files: await listPages() });
    const recorder = await bundlePageRecorder();
    testBrowser = {
      browser,
      stub,
      open: async (path, frames = 'fast', expected = PAGE_FILES) => {
        const page = await openPage(browser);
        open.push(page);
        await page.evaluateOnNewDocument(recorder);
        if (frames === 'fast') await page.evaluateOnNewDocument(runFramesImmediately);
        const requests = recordRequests(page, stub.url, stub.requests, expected);
        return openTestPage(page, `${stub.url}${path}`, requests);
      },
    };
  });
  afterEach(async () => {
    for (const page of open) await page.close();
    open = [];
  });
  after(async () => {
    await testBrowser?.browser.close();
    await testBrowser?.stub.close();
  });
  return () => {
    if (!testBrowser) throw new Error('Call this inside a test.');
    return testBrowser;
  };
}

async function openTestPage(page: Page, url: string, requests: RequestRecorder): Promise<TestPage> {
  const errors = recordErrors(page, url);
  await defineName(page);
  await page.goto(url, { waitUntil: 'load' });
  // The browser driver adds names to the window at the first wait, so wait before the recording starts.
  await page.waitForFunction(() => true);
  await page.evaluate(() => {
    window.startRecording();
  });
  return {
    page,
    findings: async () => {
      await page.evaluate(waitForLoads);
      const seen = await page.evaluate(
        (allowed) => window.readRecording(allowed),
        INSERTED_BY_LIBRARY,
      );
      return { ...seen, requests: requests.listUnexpected(), errors };
    },
  };
}

/** Runs each frame callback in a separate task instead of sixty times a second, because the tests render thousands of frames. */
function runFramesImmediately(): void {
  const { port1, port2 } = new MessageChannel();
  const waiting: FrameRequestCallback[] = [];
  port1.onmessage = () => waiting.shift()?.(performance.now());
  window.requestAnimationFrame = (callback) => {
    port2.postMessage(null);
    return waiting.push(callback);
  };
}

/** Asserts that there are no findings. */
export function assertNoFindings(findings: Findings): void {
  const nothing = { ran: [], reports: [], globals: [], dom: [], requests: [], errors: [] };
  // Compare the requests first: they explain the errors that follow from them.
  assert.deepEqual(findings.requests, []);
  assert.deepEqual(findings, nothing);
}

/** Records errors, dialogs, opened windows and navigation of the page. */
function recordErrors(page: Page, url: string): readonly string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${String(error)}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', () => errors.push('a window was opened'));
  page.on('framenavigated', (frame) => {
    const isMermaid = frame.url().endsWith('/vendor/mermaid.html');
    const isExpected = frame === page.mainFrame() ? frame.url() === url : isMermaid;
    if (!isExpected) errors.push(`went to ${frame.url()}`);
  });
  return errors;
}
