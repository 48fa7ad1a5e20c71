/** The fixture of engine tests: the demo page in the engine that `scripts/test-engines.mjs` names, operated like a user would. */
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { ENGINES } from '../../scripts/engines/engines.mjs';
import { startDemo, type DemoProcess } from '../e2e/demo-process.js';
import { focusButton, focusElement, hasText, isRendered, readTranscript } from '../e2e/in-page.js';
import { watchEvents, watchFrames } from '../e2e/watch-page.js';

/** Name of the engine. */
export const ENGINE = process.env['ENGINE'] ?? '';

/** Timeout of a wait in ms. It only ends tests that hang. */
const TIMEOUT = 60_000;

/** What the tests use of puppeteer's `Page`, which WebKitGTK has too (`scripts/engines/webdriver-page.mjs`). */
export interface EnginePage {
  readonly keyboard: {
    down(key: string): Promise<unknown>;
    up(key: string): Promise<unknown>;
    press(key: string): Promise<unknown>;
    type(text: string): Promise<unknown>;
  };
  readonly touchscreen: { tap(x: number, y: number): Promise<unknown> };
  goto(url: string): Promise<unknown>;
  goBack(): Promise<unknown>;
  reload(): Promise<unknown>;
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  evaluateHandle(run: () => unknown): Promise<{ uploadFile(path: string): Promise<unknown> }>;
  setViewport(size: { width: number; height: number }): Promise<unknown>;
  close(): Promise<unknown>;
}

/** The demo page with its chat. */
export class EngineChat {
  readonly page: EnginePage;
  readonly #url: string;

  constructor(page: EnginePage, url: string) {
    this.page = page;
    this.#url = url;
  }

  /** Loads the page in English and waits for the chat. */
  async load(): Promise<void> {
    await this.page.goto(`${this.#url}/?lang=en`);
    await this.#prepare();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.#prepare();
  }

  /** Goes to another page of the site, and back. */
  async leaveAndReturn(): Promise<void> {
    await this.page.goto(`${this.#url}/bubble.html`);
    await this.page.goBack();
    await this.waitFor(() => location.pathname === '/');
    // A page that was not in the back/forward cache is loaded again.
    if (!(await this.page.evaluate(() => 'seenEvents' in window))) await this.#prepare();
  }

  /** Calls a function in the page, in each frame until its result is truthy, and returns that. */
  async waitFor<Args extends readonly unknown[], Result>(
    condition: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const deadline = Date.now() + TIMEOUT;
    for (;;) {
      const result = await this.page.evaluate(condition, ...args);
      if (result) return result;
      if (Date.now() > deadline) {
        const shown = await this.page.evaluate(readTranscript);
        const what = `${String(condition)} with ${JSON.stringify(args)}`;
        throw new Error(`This did not become true: ${what}. Messages: ${shown.slice(-2000)}`);
      }
      await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  }

  async waitForText(text: string): Promise<void> {
    await this.waitFor(hasText, text);
  }

  /** Waits until the chat has dispatched an event `count` times since the page was loaded. */
  async waitForEvent(type: string, count = 1): Promise<void> {
    await this.waitFor(
      (wanted, times) => window.seenEvents.filter((event) => event.type === wanted).length >= times,
      type,
      count,
    );
  }

  /** Focuses an element inside another one as soon as it is focusable. */
  async focus(selector: string, element = 'ubik-chat'): Promise<void> {
    await this.waitFor(focusElement, element, selector);
  }

  /** Types a text into the composer. */
  async write(text: string): Promise<void> {
    await this.focus('.field textarea:not([disabled])');
    await this.page.keyboard.type(text);
  }

  /** Types a text into the composer and presses Enter. */
  async ask(text: string): Promise<void> {
    await this.write(text);
    await this.page.keyboard.press('Enter');
  }

  /** Presses a button of the chat by keyboard, given its name, as soon as it is enabled. */
  async pressButton(name: string): Promise<void> {
    await this.waitFor(focusButton, name);
    await this.page.keyboard.press('Enter');
  }

  /** Presses a key while another one is held. */
  async pressWith(held: string, key: string): Promise<void> {
    await this.page.keyboard.down(held);
    await this.page.keyboard.press(key);
    await this.page.keyboard.up(held);
  }

  /** The name of the focused element, including in shadow roots. */
  readFocus(): Promise<string> {
    return this.page.evaluate(() => {
      let focused = document.activeElement;
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      const label = focused?.getAttribute('aria-label') ?? focused?.getAttribute('title');
      return label ?? focused?.textContent?.trim() ?? '';
    });
  }

  /** Waits until the name of the focused element matches. */
  async waitForFocus(name: RegExp): Promise<void> {
    let focused = '';
    const deadline = Date.now() + TIMEOUT;
    while (!name.test(focused) && Date.now() < deadline) focused = await this.readFocus();
    assert.match(focused, name);
  }

  /** Waits until everything received is rendered, and returns the transcript without activity. */
  async transcript(): Promise<string> {
    await this.waitFor(isRendered);
    return this.page.evaluate(readTranscript);
  }

  /** Reloads the page, and checks that the chat shows the same answer with sources as before. */
  async compareAfterReload(): Promise<void> {
    const live = await this.transcript();
    await this.reload();
    await this.waitForText('Sources');
    await this.waitForTranscript(live);
  }

  /** Waits until the transcript is equal to this one. */
  async waitForTranscript(wanted: string): Promise<void> {
    let shown = '';
    const deadline = Date.now() + TIMEOUT;
    while (shown !== wanted && Date.now() < deadline) shown = await this.transcript();
    assert.equal(shown, wanted);
  }

  async #prepare(): Promise<void> {
    await this.page.evaluate(watchEvents);
    await this.page.evaluate(watchFrames);
    await this.waitFor(
      () =>
        document
          .querySelector('ubik-chat')
          ?.shadowRoot?.querySelector('.field textarea:not([disabled])') != null,
    );
  }
}

/** What a test of the engine uses. */
export interface EngineFixture {
  readonly demo: DemoProcess;
  /** Opens the chat for a new visitor, in a page that is wide enough for both columns. */
  open(): Promise<EngineChat>;
}

/** Starts the engine and the demo before the tests of a file, and stops them afterwards. Pages are closed after each test. */
export function setupEngine(): () => EngineFixture {
  let fixture: EngineFixture | null = null;
  let page: EnginePage | null = null;
  let stop = (): Promise<void> => Promise.resolve();
  before(async () => {
    const engine = ENGINES.find(({ name }) => name === ENGINE);
    if (!engine) throw new Error(`The environment variable ENGINE is "${ENGINE}".`);
    const demo = await startDemo();
    const running = await engine.start();
    fixture = {
      demo,
      open: async () => {
        // The types of puppeteer's methods are more general.
        page = (await running.openPage()) as EnginePage;
        await page.setViewport({ width: 1280, height: 800 });
        const chat = new EngineChat(page, demo.url);
        await chat.load();
        return chat;
      },
    };
    stop = async () => {
      await running.close();
      await demo.close();
    };
  });
  afterEach(async () => {
    await page?.close();
    page = null;
    await fixture?.demo.control({ reset: true });
  });
  after(() => stop());
  return () => {
    if (!fixture) throw new Error('The fixture exists only inside a test.');
    return fixture;
  };
}
