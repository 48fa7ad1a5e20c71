import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { openPage } from '../../scripts/browser.mjs';

/** A page of a browser, with what it has reported. */
export interface ObservedPage {
  readonly page: Page;
  /** Messages of the library on the console. */
  readonly warnings: string[];
  /** Uncaught errors. */
  readonly errors: string[];
}

/** Opens an empty page. A context has cookies of its own. */
export async function openObservedPage(browser: Browser | BrowserContext): Promise<ObservedPage> {
  const page = await openPage(browser);
  const warnings: string[] = [];
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('ubik-elements:')) warnings.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  // The compiler of the tests names functions by a helper that a page does not have.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named;');
  return { page, warnings, errors };
}
