/** A minimum font size in the settings of the browser, which people with low vision use. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchChrome } from '../../scripts/browser.mjs';
import { setupDemo } from './setup.js';

const getFixture = setupDemo();

/** The minimum in px. */
const MINIMUM = 24;

let browser: Browser;
before(async () => {
  const setting = `--blink-settings=minimumFontSize=${String(MINIMUM)}`;
  browser = await launchChrome({ args: [setting] });
});
after(() => browser.close());

/** What is wrong with the texts that are shown. Runs in the page. */
function findDefects(minimum: number): string[] {
  const defects: string[] = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) defects.push(`The page is ${String(scrollWidth)} px wide.`);
  /** Whether an element, or one around it, may cut a text off: it scrolls, or it shows an ellipsis. */
  const mayCut = (element: Element | null): boolean => {
    if (element === null) return false;
    const { overflowX, textOverflow } = getComputedStyle(element);
    return textOverflow === 'ellipsis' || overflowX === 'auto' || mayCut(element.parentElement);
  };
  const check = (root: ParentNode): void => {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      if (element.shadowRoot) check(element.shadowRoot);
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!element.checkVisibility({ visibilityProperty: true }) || texts.length === 0) continue;
      const range = document.createRange();
      for (const text of texts) {
        range.selectNodeContents(text);
        for (const { height, left, right } of range.getClientRects()) {
          // Texts for screen readers only are one pixel large.
          if (element.clientWidth === 1) continue;
          const what = `${element.localName}.${element.className}: ${text.textContent ?? ''}`;
          if (height < minimum) defects.push(`${what} is ${String(height)} px high`);
          if ((left < -1 || right > clientWidth + 1) && !mayCut(element))
            defects.push(`${what} is not in the viewport`);
          const box = element.getBoundingClientRect();
          const isBlock = getComputedStyle(element).display !== 'inline';
          if (isBlock && (left < box.left - 1 || right > box.right + 1) && !mayCut(element))
            defects.push(`${what} is wider than its box`);
        }
      }
    }
  };
  check(document);
  return defects;
}

for (const [device, width, height] of [
  ['phone', 390, 844],
  ['desktop', 1280, 800],
] as const) {
  test(`page shows all texts in the minimum font size of the browser, and cuts none off (${device})`, async () => {
    const chat = await getFixture().open(await browser.createBrowserContext());
    await chat.page.setViewport({ width, height });
    await chat.ask('How does an answer survive a broken network?');
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForRendering();
    assert.deepEqual(await chat.page.evaluate(findDefects, MINIMUM), []);
    // The icon of a file contains its type.
    const icons = await chat.page.evaluate(() => {
      const root = document.querySelector('ubik-documents')?.shadowRoot;
      const all = [...(root?.querySelectorAll<HTMLElement>('.file-icon') ?? [])];
      const shown = all.filter((icon) => icon.checkVisibility());
      return shown.map(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth <= clientWidth && scrollHeight <= clientHeight ? 'complete' : 'cut',
      );
    });
    assert.ok(!icons.includes('cut'), icons.join());
    if (device === 'desktop') assert.ok(icons.length > 0);
  });
}
