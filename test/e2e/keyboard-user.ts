import assert from 'node:assert/strict';
import type { CDPSession, KeyInput, Page, Protocol } from 'puppeteer-core';

declare global {
  interface Window {
    /** The elements that had the focus when it was lost to the body of the page. */
    lostFocus: string[];
  }
}

/** Maximum number of key presses to reach an element. */
const MAX_PRESSES = 200;
/** An announcement with a meaningful role and a name that contains a letter. */
const NAMED = /^(?!none|generic)\S+ .*\p{L}/u;
/** Timeout of a wait in ms. */
const TIMEOUT = 300_000;

/** A user with only a keyboard and a screen reader, which announces role and name of the focused element. */
export class KeyboardUser {
  readonly page: Page;
  readonly #cdp: CDPSession;

  private constructor(page: Page, cdp: CDPSession) {
    this.page = page;
    this.#cdp = cdp;
  }

  /** Creates a user of a page. */
  static async create(page: Page): Promise<KeyboardUser> {
    await page.evaluate(watchFocus);
    return new KeyboardUser(page, await page.createCDPSession());
  }

  /** Presses keys in sequence; `Shift+Tab` is one of them. */
  async press(...keys: readonly string[]): Promise<void> {
    const { keyboard } = this.page;
    for (const key of keys) {
      const pressed = key.split('+') as KeyInput[];
      const last = pressed.pop();
      for (const held of pressed) await keyboard.down(held);
      if (last) await keyboard.press(last);
      for (const held of pressed.reverse()) await keyboard.up(held);
    }
  }

  /** Types into the focused field. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Returns role and name of the focused element, such as `button Send`. It must have both. */
  async readFocus(): Promise<string> {
    const announcement = await this.#describeFocus();
    const { description = '' } = await this.#findFocus();
    assert.match(
      announcement,
      NAMED,
      `The focused element has no role or no name: ${announcement} (${description})`,
    );
    return announcement;
  }

  /** Returns roles and names of the ancestors of the focused element, innermost first, which a screen reader announces when the focus enters them. */
  async readFocusContext(): Promise<string> {
    const [node, ...others] = (await this.#readTree(true)).nodes;
    const around: string[] = [];
    let parent = node?.parentId;
    for (const one of others) {
      if (one.nodeId !== parent) continue;
      parent = one.parentId;
      if (NAMED.test(describeNode(one))) around.push(describeNode(one));
    }
    return around.join(', ');
  }

  /** Presses a key until the announcement of the focused element begins with a text. */
  async moveTo(wanted: string, key = 'Tab'): Promise<void> {
    const passed: string[] = [];
    while (passed.length < MAX_PRESSES) {
      // F6 may move the focus some frames after the key press.
      const before = key.endsWith('F6') ? await this.#focusedNodeId() : undefined;
      await this.press(key);
      // Scrolling to the focused control shows or hides others in the next frame.
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
      if (before) await this.#waitUntil(async () => (await this.#focusedNodeId()) !== before);
      passed.push(await this.#describeFocus());
      if (!NAMED.test(passed.at(-1) ?? '')) break;
      if (passed.at(-1)?.startsWith(wanted)) return;
    }
    assert.fail(`${key} leads to no ${wanted}, but to ${passed.slice(0, 30).join(', ')}`);
  }

  /** Presses a key until the focus leaves the page, and returns the announcements on the way. */
  async moveThrough(key: string): Promise<readonly string[]> {
    const passed: string[] = [];
    while (passed.length < MAX_PRESSES) {
      await this.press(key);
      // Scrolling to the focused element is rendered in the next frame, which can show or hide tab stops.
      const hasLeft = await this.page.evaluate(async () => {
        await new Promise(requestAnimationFrame);
        return document.activeElement === document.body;
      });
      if (hasLeft) return passed;
      passed.push(await this.readFocus());
    }
    assert.fail(`${key} does not lead out: ${passed.slice(-9).join(', ')}`);
  }

  /** Waits until the announcement of the focused element begins with a text. */
  async expectFocus(wanted: string): Promise<void> {
    let announcement = '';
    const isFocused = await this.#waitUntil(async () =>
      (announcement = await this.#describeFocus()).startsWith(wanted),
    );
    assert.ok(isFocused, `The focus is on ${announcement}, not on ${wanted}`);
    await this.readFocus();
  }

  /** Returns the elements from which the focus was lost so far. */
  listLostFocus(): Promise<readonly string[]> {
    return this.page.evaluate(() => window.lostFocus);
  }

  /** Returns a number that identifies the focused element. */
  async #focusedNodeId(): Promise<number | undefined> {
    return (await this.#readTree()).nodes[0]?.backendDOMNodeId;
  }

  async #describeFocus(): Promise<string> {
    return describeNode((await this.#readTree()).nodes[0]);
  }

  async #findFocus() {
    const expression = `(${findFocus.toString()})()`;
    return (await this.#cdp.send('Runtime.evaluate', { expression })).result;
  }

  async #readTree(fetchRelatives = false) {
    const { objectId = '' } = await this.#findFocus();
    const about = { objectId, fetchRelatives };
    return this.#cdp.send('Accessibility.getPartialAXTree', about);
  }

  /** Tests a condition in each frame until it is true; returns false after the timeout. */
  async #waitUntil(condition: () => Promise<boolean>): Promise<boolean> {
    const deadline = Date.now() + TIMEOUT;
    while (!(await condition())) {
      if (Date.now() > deadline) return false;
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
    return true;
  }
}

/** Returns role and name, if there are any. */
function describeNode(node: Protocol.Accessibility.AXNode | undefined): string {
  const values = [node?.role?.value, node?.name?.value] as readonly (string | undefined)[];
  return values.map((value) => value?.trim() ?? '').join(' ');
}

/** Runs in the page: returns the focused element, through all shadow roots. */
function findFocus(): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** Runs in the page: records elements that lose the focus to the body, unless another one gets it in the next two frames. */
function watchFocus(): void {
  window.lostFocus = [];
  document.addEventListener('focusout', (event) => {
    const [from] = event.composedPath();
    const name =
      from instanceof Element
        ? `${from.localName}.${from.className} ${from.ariaLabel ?? (from.textContent || from.getAttribute('title'))}`
        : '';
    const check = (): void => {
      if (document.activeElement === document.body) window.lostFocus.push(name.slice(0, 80));
    };
    requestAnimationFrame(() => requestAnimationFrame(check));
  });
}
