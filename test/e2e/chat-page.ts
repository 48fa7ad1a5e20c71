import puppeteer, {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type Page,
} from 'puppeteer-core';
import { findChrome, flags, openPage, preparePage } from '../../scripts/browser.mjs';
import { reportOnFailure } from './failure-report.js';
import { focusButton, focusElement, hasText, isRendered, readTranscript } from './in-page.js';
import { watchEvents, watchFrames, type SeenEvent } from './watch-page.js';
import { defineName } from '../helpers/define-name.js';

/** The demo page with its chat, operated like a user would. */
export interface ChatPage {
  readonly page: Page;
  /** The errors of the page: uncaught errors, console errors, policy violations. */
  readonly pageErrors: string[];
  /** Waits for an element of the chat that matches a selector, and returns it. */
  find(selector: string): Promise<ElementHandle>;
  /** Focuses an element inside another one as soon as it is focusable: an element without a box is not. */
  focus(selector: string, element?: string): Promise<void>;
  /** Enters a text into the composer at once, as dictation and input methods do, and presses Enter. */
  ask(text: string): Promise<void>;
  /** Presses a button of the chat, given its name, as soon as it is enabled. Uses the keyboard, because a click can miss a moving button. */
  pressButton(name: string): Promise<void>;
  /** Waits until the chat has dispatched an event `count` times, and returns the last one. */
  waitForEvent(type: string, count?: number): Promise<SeenEvent>;
  /** Waits until the chat, or another element, shows a text. */
  waitForText(text: string, element?: string): Promise<void>;
  /** Waits until a number of elements inside another one match a selector, and returns their texts. */
  waitForTexts(element: string, selector: string, count: number): Promise<string[]>;
  /** Waits until everything received is rendered. */
  waitForRendering(): Promise<void>;
  /** Returns the text of the messages, one line for each, without what may differ after a reload: activity, times, statuses and buttons. */
  transcript(): Promise<string>;
  /** Types of the events so far. */
  events(): Promise<string[]>;
  reload(): Promise<void>;
  /** Opens the page in another tab like a link of the page: with a copy of this tab's session storage. */
  openTab(prepare?: Prepare): Promise<ChatPage>;
  close(): Promise<void>;
}

/** Prepares a tab before the page is loaded in it. */
export type Prepare = (page: Page) => Promise<void>;

let shared: Promise<Browser> | null = null;

async function launch(): Promise<Browser> {
  const { from: _from, env, ...chrome } = await findChrome();
  // Date fields are in the language of the browser, which therefore must be the same on every machine.
  return puppeteer.launch({
    ...chrome,
    env: { ...env, LANGUAGE: 'en_US', LC_ALL: 'en_US.UTF-8' },
    args: [...flags, '--lang=en-US'],
  });
}

/** The browser of one visitor, with separate cookies and storage. All pages of a visitor show the same conversations. */
export async function openVisitor(): Promise<BrowserContext> {
  shared ??= launch();
  return (await shared).createBrowserContext();
}

/** Closes the browser, if it was started. Call it once, after all tests. */
export async function closeBrowser(): Promise<void> {
  // The test that needed the browser has reported why it did not start.
  const browser = await shared?.catch(() => null);
  shared = null;
  await browser?.close();
}

/** Opens the demo page. `prepare` receives the empty tab. */
export async function openChat(
  url: string,
  visitor?: BrowserContext,
  prepare?: Prepare,
): Promise<ChatPage> {
  const context = visitor ?? (await openVisitor());
  const page = await openPage(context);
  await prepare?.(page);
  return loadChat(page, url, visitor ? null : context);
}

/** Loads the demo page in an empty tab. `own` is the browser context that is closed with the page, if any. */
async function loadChat(page: Page, url: string, own: BrowserContext | null): Promise<ChatPage> {
  reportOnFailure(page);
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(`uncaught: ${String(error)}`));
  page.on('console', (message) => {
    // Network errors are expected, because tests disconnect the proxy; all other errors are not.
    if (message.type() === 'error' && !message.text().includes('net::ERR_')) {
      pageErrors.push(`console: ${message.text()}`);
    }
  });
  await defineName(page);
  await page.evaluateOnNewDocument(watchEvents);
  await page.evaluateOnNewDocument(watchFrames);
  await page.goto(url, { waitUntil: 'load' });
  const chat = new DrivenChat(page, pageErrors, own);
  await chat.find('.field textarea');
  return chat;
}

class DrivenChat implements ChatPage {
  readonly page: Page;
  readonly pageErrors: string[];
  readonly #own: BrowserContext | null;

  constructor(page: Page, pageErrors: string[], own: BrowserContext | null) {
    this.page = page;
    this.pageErrors = pageErrors;
    this.#own = own;
  }

  // Puppeteer's `waitForSelector` does not observe mutations in shadow roots, so the selector is tested in each frame.
  async find(selector: string): Promise<ElementHandle> {
    const handle = await this.page.waitForFunction(
      (wanted) => document.querySelector('ubik-chat')?.shadowRoot?.querySelector(wanted),
      {},
      selector,
    );
    const element = handle.asElement();
    if (!element) throw new Error(`Nothing matches ${selector}.`);
    return element as ElementHandle;
  }

  async focus(selector: string, element = 'ubik-chat'): Promise<void> {
    await this.page.waitForFunction(focusElement, {}, element, selector);
  }

  async ask(text: string): Promise<void> {
    await this.focus('.field textarea:not([disabled])');
    // A key press for each character would take most of the time of many tests. `keyboard.e2e.ts` presses keys.
    await this.page.keyboard.sendCharacter(text);
    await this.page.keyboard.press('Enter');
  }

  async pressButton(name: string): Promise<void> {
    await this.page.waitForFunction(focusButton, {}, name);
    await this.page.keyboard.press('Enter');
  }

  async waitForEvent(type: string, count = 1): Promise<SeenEvent> {
    await this.page.waitForFunction(
      (wanted, times) => window.seenEvents.filter((event) => event.type === wanted).length >= times,
      {},
      type,
      count,
    );
    const all = await this.page.evaluate(() => window.seenEvents);
    const last = all.filter((event) => event.type === type).at(-1);
    if (!last) throw new Error(`No ${type} was dispatched.`);
    return last;
  }

  async waitForText(text: string, element = 'ubik-chat'): Promise<void> {
    await this.page.waitForFunction(hasText, {}, text, element);
  }

  async waitForTexts(element: string, selector: string, count: number): Promise<string[]> {
    const handle = await this.page.waitForFunction(
      (from, wanted, many) => {
        const root = document.querySelector(from)?.shadowRoot;
        const found = [...(root?.querySelectorAll(wanted) ?? [])];
        return found.length === many && found.map((node) => node.textContent ?? '');
      },
      {},
      element,
      selector,
      count,
    );
    return handle.jsonValue() as Promise<string[]>;
  }

  async waitForRendering(): Promise<void> {
    await this.page.waitForFunction(isRendered);
  }

  async transcript(): Promise<string> {
    await this.waitForRendering();
    return this.page.evaluate(readTranscript);
  }

  events(): Promise<string[]> {
    return this.page.evaluate(() => window.seenEvents.map((event) => event.type));
  }

  async openTab(prepare?: Prepare): Promise<ChatPage> {
    const opened = new Promise<Page | null>((resolve) => void this.page.once('popup', resolve));
    await this.page.evaluate(() => void window.open('about:blank', '', 'popup'));
    const page = await opened;
    if (!page) throw new Error('No tab was opened.');
    await preparePage(page);
    await prepare?.(page);
    return loadChat(page, this.page.url(), null);
  }

  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'load' });
    await this.find('.field textarea');
  }

  async close(): Promise<void> {
    await this.page.close();
    await this.#own?.close();
  }
}
