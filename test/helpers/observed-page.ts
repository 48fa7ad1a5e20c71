import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { openPage } from '../../scripts/browser.mjs';
import { defineName } from './define-name.js';

/** A page of a browser, with its warnings and errors. */
export interface ObservedPage {
  readonly page: Page;
  /** Messages of the library on the console. */
  readonly warnings: string[];
  /** Uncaught errors. */
  readonly errors: string[];
}

/** Opens an empty page. Pages of different contexts do not share cookies. */
export async function openObservedPage(browser: Browser | BrowserContext): Promise<ObservedPage> {
  const page = await openPage(browser);
  const warnings: string[] = [];
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('ubik-elements:')) warnings.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await defineName(page);
  return { page, warnings, errors };
}
