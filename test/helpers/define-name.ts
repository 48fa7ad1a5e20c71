import type { Page } from 'puppeteer-core';

/** Defines `__name` in each document that the page loads from now on: the compiler of the tests calls it to name functions, and pages lack it. */
export async function defineName(page: Page): Promise<void> {
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named;');
}
