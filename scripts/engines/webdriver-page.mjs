/** Keys of WebDriver by their names in the DOM. All others are the characters that they type. */
const KEYS = new Map(
  Object.entries({
    Backspace: '\uE003',
    Tab: '\uE004',
    Enter: '\uE007',
    Shift: '\uE008',
    Control: '\uE009',
    Alt: '\uE00A',
    Escape: '\uE00C',
    PageUp: '\uE00E',
    PageDown: '\uE00F',
    End: '\uE010',
    Home: '\uE011',
    ArrowLeft: '\uE012',
    ArrowUp: '\uE013',
    ArrowRight: '\uE014',
    ArrowDown: '\uE015',
    Insert: '\uE016',
    Delete: '\uE017',
    F1: '\uE031',
    F2: '\uE032',
    F6: '\uE036',
    F8: '\uE038',
    F10: '\uE03A',
    Meta: '\uE03D',
  }),
);
const BUTTONS = { left: 0, middle: 1, right: 2 };

/** @typedef {keyof typeof BUTTONS} Button */

/** @param {string} key */
const valueOf = (key) => KEYS.get(key) ?? key;

/** The member of a WebDriver response that contains the reference to an element (W3C WebDriver, "web element identifier"). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A page that is driven by WebDriver, with the methods of puppeteer's `Page` that the tests use. */
export class WebDriverPage {
  #session;

  keyboard = {
    /** @param {string} key */
    down: (key) => this.#press([{ type: 'keyDown', value: valueOf(key) }]),
    /** @param {string} key */
    up: (key) => this.#press([{ type: 'keyUp', value: valueOf(key) }]),
    /** @param {string} key */
    press: (key) => this.#type([valueOf(key)]),
    /** @param {string} text */
    type: (text) => this.#type([...text]),
  };

  mouse = {
    /** @param {number} x @param {number} y */
    move: (x, y) => this.#point('mouse', [moveTo(x, y)]),
    /** @param {{ button?: Button }} [options] */
    down: ({ button = 'left' } = {}) =>
      this.#point('mouse', [{ type: 'pointerDown', button: BUTTONS[button] }]),
    /** @param {{ button?: Button }} [options] */
    up: ({ button = 'left' } = {}) =>
      this.#point('mouse', [{ type: 'pointerUp', button: BUTTONS[button] }]),
    /** @param {number} x @param {number} y @param {{ button?: Button }} [options] */
    click: (x, y, { button = 'left' } = {}) => this.#click('mouse', x, y, button),
    reset: () => this.#send('DELETE', '/actions'),
  };

  touchscreen = {
    /** @param {number} x @param {number} y */
    tap: (x, y) => this.#click('touch', x, y, 'left'),
  };

  /** @param {string} session URL of the session at the driver */
  constructor(session) {
    this.#session = session;
  }

  /** @param {string} url */
  async goto(url) {
    await this.#send('POST', '/url', { url });
  }

  async reload() {
    await this.#send('POST', '/refresh', {});
  }

  async goBack() {
    await this.#send('POST', '/back', {});
  }

  /** @returns {Promise<string>} */
  async url() {
    return /** @type {string} */ (await this.#send('GET', '/url'));
  }

  /**
   * Calls a function in the page, and returns what it returns or what its promise resolves to.
   *
   * @param {(...args: any[]) => unknown} run must not use variables from outside
   * @param {...unknown} args
   */
  evaluate(run, ...args) {
    // WebDriver appends a callback to the arguments of an asynchronous script.
    const script = `const [done, ...args] = [...arguments].reverse();
      Promise.resolve()
        .then(() => (${String(run)})(...args.reverse()))
        .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    return this.#send('POST', '/execute/async', { script, args }).then((result) => {
      const { value, error } = /** @type {{ value?: unknown, error?: string }} */ (result);
      if (error !== undefined) throw new Error(error);
      return value;
    });
  }

  /**
   * Calls a function in the page that returns a file field, to upload a file.
   *
   * @param {() => unknown} run
   */
  async evaluateHandle(run) {
    const script = `return (${String(run)})();`;
    const element = /** @type {Record<string, string>} */ (
      await this.#send('POST', '/execute/sync', { script, args: [] })
    );
    return {
      /** @param {string} path */
      uploadFile: async (path) => {
        await this.#send('POST', `/element/${element[ELEMENT] ?? ''}/value`, { text: path });
      },
    };
  }

  /**
   * Resizes the window so that the page has this size, in CSS pixels.
   *
   * @param {{ width: number, height: number }} size
   */
  async setViewport({ width, height }) {
    const [wider = 0, higher = 0] = /** @type {number[]} */ (await this.evaluate(readFrameSize));
    await this.#send('POST', '/window/rect', { width: width + wider, height: height + higher });
    await this.evaluate(waitForSize, width, height);
  }

  // WebDriver cannot emulate media.
  async emulateMediaFeatures() {}

  async emulateMediaType() {}

  async close() {
    await this.#send('DELETE', '');
  }

  /** @param {readonly string[]} values */
  #type(values) {
    return this.#press(
      values.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  }

  /** @param {readonly object[]} actions */
  #press(actions) {
    return this.#send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** @param {'mouse' | 'touch'} pointerType @param {number} x @param {number} y @param {Button} button */
  #click(pointerType, x, y, button) {
    const at = { button: BUTTONS[button] };
    return this.#point(pointerType, [
      moveTo(x, y),
      { type: 'pointerDown', ...at },
      { type: 'pointerUp', ...at },
    ]);
  }

  /** @param {'mouse' | 'touch'} pointerType @param {readonly object[]} actions */
  #point(pointerType, actions) {
    const source = { type: 'pointer', id: pointerType, parameters: { pointerType }, actions };
    return this.#send('POST', '/actions', { actions: [source] });
  }

  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<unknown>} */
  #send(method, path, body) {
    return sendCommand(method, this.#session + path, body);
  }
}

/** @param {number} x @param {number} y */
const moveTo = (x, y) => ({ type: 'pointerMove', duration: 0, x, y });

/** Runs in the page: returns how much wider and higher than the page the window is. */
function readFrameSize() {
  const { outerWidth, innerWidth, outerHeight, innerHeight } = /** @type {any} */ (globalThis);
  return [outerWidth - innerWidth, outerHeight - innerHeight];
}

/** Runs in the page: waits until it has a size, in CSS pixels. @param {number} width @param {number} height */
async function waitForSize(width, height) {
  const page = /** @type {any} */ (globalThis);
  for (let frame = 0; page.innerWidth !== width || page.innerHeight !== height; frame += 1) {
    if (frame === 600) {
      throw new Error(`The page has ${page.innerWidth} × ${page.innerHeight} pixels.`);
    }
    await new Promise(page.requestAnimationFrame);
  }
}

/**
 * Sends a command to a WebDriver and returns the value of its response.
 *
 * @param {string} method
 * @param {string} url
 * @param {object} [body]
 * @returns {Promise<unknown>}
 */
export async function sendCommand(method, url, body) {
  const response = await fetch(url, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const { value } = /** @type {{ value: any }} */ (await response.json());
  if (!response.ok) {
    throw new Error(`${method} ${new URL(url).pathname}: ${value?.error}: ${value?.message}`);
  }
  return value;
}
