/**
 * Older supported browsers lack some features. Each of these features is removed before the scripts of the page run;
 * the chat must work without it and throw nothing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import { printEvent, startStubService, type StubService } from '../helpers/stub-service.js';
import { sampleOf } from '../helpers/sample.js';

const ANSWER =
  'It <web_citation url="https://example.com/" title="A page">[1]</web_citation> is **so**.\n\n| a | b |\n|--|--|\n| 1 | 2 |';
const PAGE = `<!doctype html><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<script defer src="/dist/bundle/ubik-elements.min.js"></script>
<ubik-chat base-url="/api" style="height: 90vh"><ubik-thread-list slot="start"></ubik-thread-list></ubik-chat>`;

let browser: Browser;
let stub: StubService;

before(async () => {
  browser = await launchChrome();
  stub = await startStubService({
    files: new Map([['/', { type: 'text/html; charset=utf-8', body: PAGE }]]),
    stream: [
      printEvent('agent_processing_started', { task_id: 't1' }),
      printEvent('agent_processing_complete', { message_id: 'm1', content: ANSWER, result: {} }),
    ],
  });
});

after(async () => {
  await browser.close();
  await stub.close();
});

/** Returns code that removes properties of a platform object. */
const remove = (object: string, ...names: readonly string[]): string =>
  names.map((name) => `delete ${object}[${JSON.stringify(name)}];`).join('');

/** Returns code that invalidates a CSS feature in all style sheets, as in a browser that does not support it. */
const invalidateCss = (css: string): string => `{
  const hide = (text) => text.replaceAll(${JSON.stringify(css)}, 'unknown-' + ${JSON.stringify(css)});
  for (const name of ['replace', 'replaceSync']) {
    const original = CSSStyleSheet.prototype[name];
    CSSStyleSheet.prototype[name] = function (text) { return original.call(this, hide(text)); };
  }
  const { supports } = CSS;
  CSS.supports = (...asked) => supports.apply(CSS, asked.map(hide));
}`;

/** Scripts that remove features which the code uses and a supported browser may lack, by name. */
const FEATURES: ReadonlyMap<string, string> = new Map([
  ['AbortSignal.any', remove('AbortSignal', 'any')],
  ['AbortSignal.timeout', remove('AbortSignal', 'timeout')],
  ['Intl.Segmenter', remove('Intl', 'Segmenter')],
  ['Web Locks', remove('Navigator.prototype', 'locks')],
  ['BroadcastChannel', remove('window', 'BroadcastChannel')],
  ['crypto.randomUUID', remove('Crypto.prototype', 'randomUUID')],
  ['structuredClone', remove('window', 'structuredClone')],
  [
    'findLast and the copying array methods',
    remove(
      'Array.prototype',
      'findLast',
      'findLastIndex',
      'toSorted',
      'toReversed',
      'toSpliced',
      'with',
    ),
  ],
  ['groupBy', remove('Object', 'groupBy') + remove('Map', 'groupBy')],
  ['Promise.withResolvers and Promise.try', remove('Promise', 'withResolvers', 'try')],
  [
    'iterator helpers',
    'for (const name of Object.getOwnPropertyNames(Iterator.prototype)) if (name !== "constructor") delete Iterator.prototype[name];',
  ],
  [
    'set methods',
    remove(
      'Set.prototype',
      'union',
      'intersection',
      'difference',
      'isSubsetOf',
      'isSupersetOf',
      'isDisjointFrom',
    ),
  ],
  [
    'iteration of a ReadableStream',
    `${remove('ReadableStream.prototype', 'values')} delete ReadableStream.prototype[Symbol.asyncIterator];`,
  ],
  ['requestIdleCallback and scheduler', remove('window', 'requestIdleCallback', 'scheduler')],
  ['checkVisibility', remove('Element.prototype', 'checkVisibility')],
  [
    'popover',
    `${remove('HTMLElement.prototype', 'popover', 'showPopover', 'hidePopover', 'togglePopover')} {
    const { matches } = Element.prototype;
    Element.prototype.matches = function (selector) {
      if (selector.includes(':popover-open')) throw new SyntaxError('unknown');
      return matches.call(this, selector);
    };
  }`,
  ],
  ['inert', remove('HTMLElement.prototype', 'inert')],
  ['getComposedRanges', remove('Selection.prototype', 'getComposedRanges')],
  ['scrollend', remove('window', 'onscrollend') + remove('Element.prototype', 'onscrollend')],
  ['visualViewport', remove('window', 'visualViewport')],
  [
    'adoptedStyleSheets',
    'for (const { prototype } of [Document, ShadowRoot]) delete prototype.adoptedStyleSheets;',
  ],
  ['registered custom properties', remove('CSS', 'registerProperty') + invalidateCss('@property')],
  ...[
    'light-dark(',
    'oklch(from',
    'color-mix(',
    'oklch(',
    ':has(',
    'content-visibility',
    'field-sizing',
    'text-wrap',
    '100dvh',
    '::details-content',
  ].map((css): [string, string] => [css, invalidateCss(css)]),
]);

/** An observed page. */
interface Opened {
  readonly page: Page;
  /** Uncaught errors, and errors and warnings in the console. */
  readonly pageErrors: readonly string[];
  /** Waits until an element of the chat matches a selector. */
  find(selector: string): Promise<unknown>;
}

/** Opens the chat in a browser without a feature. */
async function openWithout(removal: string, scheme: 'light' | 'dark'): Promise<Opened> {
  const page = await openPage(browser);
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (/^(?:error|warn)/.test(message.type())) pageErrors.push(message.text());
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.evaluateOnNewDocument(removal);
  await page.goto(stub.url);
  const find = (selector: string): Promise<unknown> =>
    page.waitForFunction(
      (wanted) => document.querySelector('ubik-chat')?.shadowRoot?.querySelector(wanted),
      {},
      selector,
    );
  return { page, pageErrors, find };
}

/** Returns the contrast between the text of the chat and its background, by WCAG. */
function readContrast(page: Page): Promise<number> {
  return page.evaluate(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.ubik');
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (!root || !context) return 0;
    const luminance = (colour: string): number => {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      // The formula of WCAG for channels from 0 to 255: 3294 is 255 × 12.92.
      const linear = [...context.getImageData(0, 0, 1, 1).data].map((value) =>
        value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      const [red = 0, green = 0, blue = 0] = linear;
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const { backgroundColor, color } = getComputedStyle(root);
    // An invalid background is transparent and shows that of the page, so it counts as no contrast.
    if (backgroundColor === 'rgba(0, 0, 0, 0)') return 0;
    const both = [luminance(backgroundColor), luminance(color)];
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  });
}

/** Returns the position of the citation card relative to the citation. */
function readCard(page: Page): Promise<{ isSeen: boolean; distance: number }> {
  return page.evaluate(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const card = root?.querySelector('.cite-card')?.getBoundingClientRect();
    const cite = root?.querySelector('.cite')?.getBoundingClientRect();
    if (!card || !cite) return { isSeen: false, distance: Infinity };
    const distance = Math.min(Math.abs(card.top - cite.bottom), Math.abs(cite.top - card.bottom));
    return {
      isSeen: card.width > 0,
      distance: Math.max(distance, Math.abs(card.left - cite.left)),
    };
  });
}

for (const [name, removal] of sampleOf([...FEATURES], 6)) {
  test(`chat works in a browser without ${name}`, async () => {
    // Any rule that chooses dark for about half of the features, and always the same for each.
    const scheme = name.length % 2 === 0 ? 'light' : 'dark';
    const { page, pageErrors, find } = await openWithout(removal, scheme);
    const box = await page.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
    await box?.focus();
    await page.keyboard.type('How is it?');
    await page.keyboard.press('Enter');
    await find('.message.assistant td');
    await find('.message.assistant .more:not([hidden])');
    await (await page.waitForSelector('ubik-chat >>> .cite', { visible: true }))?.focus();
    // The code of the card is loaded with the first citation.
    await page.waitForSelector('ubik-chat >>> .cite-card', { visible: true });
    const card = await readCard(page);
    assert.ok(card.isSeen && card.distance < 20, JSON.stringify(card));
    await (
      await page.waitForSelector('ubik-chat >>> .message.assistant .more', { visible: true })
    )?.focus();
    assert.equal((await readCard(page)).isSeen, false);
    await page.keyboard.press('Enter');
    await find('[role=menuitem]:focus');
    await page.keyboard.press('Escape');
    const contrast = await readContrast(page);
    assert.ok(contrast > 7, `contrast ${contrast.toFixed(1)} in ${scheme}`);
    assert.deepEqual(pageErrors, []);
    await page.close();
  });
}
