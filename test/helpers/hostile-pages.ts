/** Pages of hosts that are old, strict or broken. A chat must work in them, and look as it does in a clean page. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Frame, Page } from 'puppeteer-core';
import { launchChrome } from '../../scripts/browser.mjs';
import { openObservedPage } from './observed-page.js';
import { printEvent, startStubService, type StubFile, type StubService } from './stub-service.js';

/** The version that the second copy of the script claims. */
const OTHER_VERSION = '9.9.9';

/** A page of a host. `URL` in it stands for the origin of the site. */
export interface HostilePage {
  /** What is hostile, as the subject of a test title. */
  readonly name: string;
  /** Attributes of `<html>`. */
  readonly root?: string;
  /** Omits the doctype, so that the page is in quirks mode. */
  readonly isQuirky?: boolean;
  /** Content of the head, before the script. */
  readonly head?: string;
  /** Tags of the script; a deferred script by default. */
  readonly script?: string;
  /** Content of the body; only a chat by default. */
  readonly body?: string;
  /** The document is opened from the disk. */
  readonly isFile?: boolean;
  /** The chat is in the first frame of the page. */
  readonly isFramed?: boolean;
  /** The one expected warning of the library; none by default. */
  readonly warning?: RegExp;
  /** An expression that is true in the page after the conversation. */
  readonly check?: string;
}

const SCRIPT = '<script defer src="URL/dist/bundle/ubik-elements.min.js"></script>';
const MODULE = '<script type="module" src="URL/dist/bundle/ubik-elements.min.mjs"></script>';
const OTHER_SCRIPT = '<script defer src="URL/other/bundle/ubik-elements.min.js"></script>';
const CHAT =
  '<ubik-chat base-url="URL/api" style="display: block; width: 640px; height: 480px"></ubik-chat>';
const BUBBLE = '<ubik-chat base-url="URL/api" layout="bubble" open></ubik-chat>';

const CLEAN: HostilePage = { name: 'clean page' };
const CLEAN_BUBBLE: HostilePage = { name: 'clean page with a bubble', body: BUBBLE };

/** The hostile pages. */
export const HOSTILE_PAGES: readonly HostilePage[] = [
  {
    name: 'page with important styles for all elements',
    head: `<style>* {
      margin: 0 !important; padding: 0 !important; border: 0 !important; border-radius: 0 !important;
      box-sizing: content-box !important; color: red !important; background: yellow !important;
      line-height: 1 !important; letter-spacing: 3px !important; text-transform: uppercase !important;
      text-align: right !important; list-style: none !important; font-weight: 100 !important;
      font-style: italic !important; white-space: pre !important; cursor: crosshair !important;
      text-decoration: underline !important; direction: ltr !important; opacity: 1 !important;
    }</style>`,
  },
  {
    name: 'page with a style reset',
    head: `<style>
      html, body, div, span, p, a, ul, ol, li, table, tr, th, td, pre, code, strong, button, input, textarea, ubik-chat {
        margin: 0; padding: 0; border: 0; font: inherit; vertical-align: baseline;
      }
      body { line-height: 1; } ol, ul { list-style: none; } table { border-collapse: collapse; border-spacing: 0; }
      button, input, textarea { all: unset; } *, *::before, *::after { box-sizing: inherit; }
      :focus { outline: 0; }
    </style>`,
  },
  {
    name: 'page with extended prototypes',
    head: `<script>
      // As old libraries did: enumerable methods, also under names that browsers have defined since.
      Object.prototype.extend = function (more) { for (var name in more) this[name] = more[name]; return this; };
      Array.prototype.each = function (act) { for (var i = 0; i < this.length; i++) act(this[i], i); return this; };
      Array.prototype.first = function () { return this[0]; };
      Array.prototype.without = function (one) { return this.filter(function (other) { return other !== one; }); };
      Function.prototype.bind = function (context) {
        var method = this, given = Array.prototype.slice.call(arguments, 1);
        return function () { return method.apply(context, given.concat(Array.prototype.slice.call(arguments))); };
      };
      String.prototype.strip = function () { return this.replace(/^\\s+/, '').replace(/\\s+$/, ''); };
      Number.prototype.times = function (act) { for (var i = 0; i < this; i++) act(i); };
      Element.prototype.update = function (text) { this.textContent = text; return this; };
      Element.prototype.remove = function () { if (this.parentNode) this.parentNode.removeChild(this); return this; };
      Element.prototype.show = Element.prototype.hide = function () { return this; };
      Event.prototype.stop = function () { this.preventDefault(); this.stopPropagation(); };
      window.$ = function (id) { return document.getElementById(id); };
      window.$$ = function (selector) { return [].slice.call(document.querySelectorAll(selector)); };
    </script>`,
  },
  {
    name: 'page with frozen intrinsics',
    head: `<script>
      for (const intrinsic of [
        Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Math, JSON, Reflect, Promise, Proxy, RegExp, Date,
        Error, TypeError, RangeError, Map, Set, WeakMap, WeakSet, WeakRef, ArrayBuffer, Uint8Array, Intl,
        (async () => {}).constructor, (function* () {}).constructor, Object.getPrototypeOf([][Symbol.iterator]()),
      ]) {
        if (intrinsic.prototype) Object.freeze(intrinsic.prototype);
        Object.freeze(intrinsic);
      }
    </script>`,
  },
  {
    name: 'page with wrapped DOM methods',
    head: `<script>
      // As page translators, monitoring and tag managers do.
      const wrap = (target, name, act) => { const original = target[name]; target[name] = function (...given) { return act.call(this, original, given); }; };
      wrap(Node.prototype, 'removeChild', function (original, given) {
        return given[0] && given[0].parentNode !== this ? given[0] : original.apply(this, given);
      });
      wrap(Node.prototype, 'insertBefore', function (original, given) {
        return given[1] && given[1].parentNode !== this ? given[0] : original.apply(this, given);
      });
      for (const [target, name] of [
        [Node.prototype, 'appendChild'], [Node.prototype, 'replaceChild'], [Element.prototype, 'append'],
        [Element.prototype, 'setAttribute'], [Element.prototype, 'attachShadow'], [Document.prototype, 'createElement'],
        [Document.prototype, 'importNode'], [EventTarget.prototype, 'addEventListener'], [EventTarget.prototype, 'removeEventListener'],
        [EventTarget.prototype, 'dispatchEvent'], [window, 'fetch'], [window, 'setTimeout'], [window, 'requestAnimationFrame'],
        [window, 'matchMedia'], [History.prototype, 'pushState'], [console, 'warn'], [console, 'error'],
      ]) wrap(target, name, function (original, given) { return original.apply(this, given); });
    </script>`,
  },
  {
    name: 'page whose base URL is on another origin',
    head: '<base href="https://elsewhere.example/deep/folder/" target="_blank">',
  },
  { name: 'page in quirks mode', isQuirky: true },
  { name: 'page from right to left', root: 'dir="rtl"' },
  {
    name: 'page without storage',
    head: `<script>
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore']) {
        Object.defineProperty(window, name, { get() { throw new DOMException('Denied by the page.', 'SecurityError'); } });
      }
    </script>`,
  },
  {
    name: 'page without the features of secure contexts',
    head: `<script>
      delete Crypto.prototype.randomUUID; delete Crypto.prototype.subtle;
      delete Navigator.prototype.locks; delete Navigator.prototype.clipboard; delete Navigator.prototype.storage;
      delete window.BroadcastChannel;
    </script>`,
  },
  {
    name: 'page with layers up to a z-index of two billion',
    head: `<style>
      .layer { position: fixed; inset: 0; background: white; }
      .layer:nth-of-type(1) { z-index: 99999; } .layer:nth-of-type(2) { z-index: 2000000000; }
    </style>`,
    body: `<div class="layer">A banner.</div><div class="layer">A dialog.</div>${BUBBLE}`,
    check: `(() => {
      const box = document.querySelector('ubik-chat').shadowRoot.querySelector('.send').getBoundingClientRect();
      return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).localName === 'ubik-chat';
    })()`,
  },
  {
    name: 'page whose root has a font size of 8 px',
    head: '<style>html { font-size: 8px }</style>',
  },
  {
    name: 'page that clones the chat from a template',
    body: `<template>${CHAT}</template><div id="place"></div><script>
      addEventListener('load', () => {
        const { content } = document.querySelector('template');
        document.querySelector('#place').append(document.importNode(content, true));
      });
    </script>`,
  },
  { name: 'page with the chat in a frame', isFramed: true },
  { name: 'page from the disk', isFile: true },
  { name: 'page with an async script', script: SCRIPT.replace('defer', 'async') },
  {
    name: 'page that inserts the script after it was loaded',
    script: '',
    body: `${CHAT}<script>
      addEventListener('load', () => {
        const script = document.createElement('script');
        script.src = 'URL/dist/bundle/ubik-elements.min.js';
        document.head.append(script);
      });
    </script>`,
  },
  { name: 'page with the script and the module', script: SCRIPT + MODULE },
  {
    name: 'page with two versions of the script',
    script: SCRIPT + OTHER_SCRIPT,
    warning: new RegExp(`already defined by version .*; this is version ${OTHER_VERSION}`),
    check: `UbikElements === globalThis[Symbol.for('ubik-elements ' + customElements.get('ubik-chat').ubikVersion)]`,
  },
  {
    name: 'page with another element of the same name',
    head: `<script>customElements.define('ubik-message', class extends HTMLElement {});</script>`,
    warning: /<ubik-message> is already defined by other code/,
    check: `document.createElement('ubik-message').shadowRoot === null`,
  },
  {
    name: 'page with the chat in a form',
    body: `<form action="URL/submitted" onsubmit="this.dataset.submitted = ''">${CHAT}<button>Buy</button></form>`,
    check: `document.forms[0].dataset.submitted === undefined`,
  },
];

/** The answer: text, a list, a table and code. */
const ANSWER =
  'It is **forty-two**.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet a = 42;\n```';

const STREAM = [
  printEvent('agent_processing_started', { task_id: 't1' }),
  printEvent('agent_processing_complete', { message_id: 'a1', content: ANSWER, result: {} }),
];

const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'GET, POST',
};

/** A browser and a site with the hostile pages. */
export interface HostileSite {
  /** Opens a page, holds a short conversation, and compares the chat with that of a clean page. */
  check(page: HostilePage): Promise<void>;
  close(): Promise<void>;
}

/** Starts a browser and a site with the files of a folder `dist`. */
export async function startHostileSite(dist: string): Promise<HostileSite> {
  const browser = await launchChrome();
  const stub = await startStubService({ files: new Map(), stream: STREAM, headers: HEADERS });
  const folder = mkdtempSync(join(tmpdir(), 'ubik-hostile-pages-'));
  const scripts = readScripts(dist);
  /** What a chat looks like in a clean page, by the content of the body. */
  const appearances = new Map<string, readonly string[]>();
  const visit = async (page: HostilePage): Promise<readonly string[]> => {
    const html = printPage(page).replaceAll('URL', stub.url);
    const files = new Map([
      ...scripts,
      ['/page', { type: 'text/html; charset=utf-8', body: html }],
    ]);
    if (page.isFramed) files.set('/frame', { type: 'text/html', body: printFrame() });
    stub.setResponses({ files });
    const file = join(folder, 'page.html');
    if (page.isFile) writeFileSync(file, html);
    const url = page.isFile
      ? pathToFileURL(file).href
      : `${stub.url}/${page.isFramed ? 'frame' : 'page'}`;
    return converse(browser, stub, url, page);
  };
  return {
    check: async (page) => {
      const clean = page.body?.includes(BUBBLE) ? CLEAN_BUBBLE : CLEAN;
      if (!appearances.has(clean.name)) appearances.set(clean.name, await visit(clean));
      assert.deepEqual(await visit(page), appearances.get(clean.name));
    },
    close: async () => {
      await browser.close();
      await stub.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The files of the bundle at `/dist/`, and at `/other/` those of a copy that claims another version. */
function readScripts(dist: string): Map<string, StubFile> {
  const files = new Map<string, StubFile>();
  const [, version = ''] =
    /ubik-elements (\d[\w.-]*)/.exec(
      readFileSync(join(dist, 'bundle/ubik-elements.min.js'), 'utf8'),
    ) ?? [];
  assert.notEqual(version, '');
  for (const name of readdirSync(join(dist, 'bundle'), { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, 'bundle', name);
    if (!/\.m?js$/.test(name) || !statSync(path).isFile()) continue;
    const body = readFileSync(path, 'utf8');
    const type = 'text/javascript';
    files.set(`/dist/bundle/${name}`, { type, body });
    files.set(`/other/bundle/${name}`, { type, body: body.replaceAll(version, OTHER_VERSION) });
  }
  return files;
}

function printPage({
  root = '',
  isQuirky,
  head = '',
  script = SCRIPT,
  body = CHAT,
}: HostilePage): string {
  return `${isQuirky ? '' : '<!doctype html>'}<html ${root}><head><link rel="icon" href="data:,">${head}${script}</head><body>${body}</body></html>`;
}

const printFrame = (): string =>
  '<!doctype html><link rel="icon" href="data:,"><iframe src="/page" style="width: 800px; height: 600px"></iframe>';

/** Opens a page, asks a question, and returns what the chat looks like. */
async function converse(
  browser: Browser,
  stub: StubService,
  url: string,
  { isFramed, warning, check }: HostilePage,
): Promise<readonly string[]> {
  const { page, warnings, errors } = await openObservedPage(browser);
  await page.setViewport({ width: 1000, height: 700 });
  await page.goto(url);
  const frame = isFramed ? await waitForFrame(page) : page.mainFrame();
  const first = stub.requests.length;
  await ask(page, frame, 'What is it?');
  const appearance = await readAppearance(frame);
  const requests = stub.requests.slice(first);
  assert.equal(requests.filter((request) => /^POST \S+\/messages$/.test(request)).length, 1);
  assert.deepEqual(errors, []);
  assert.equal(warnings.length, warning ? 1 : 0, warnings.join('\n'));
  if (warning) assert.match(warnings[0] ?? '', warning);
  if (check) assert.equal(await frame.evaluate(check), true, check);
  await page.close();
  return appearance;
}

async function waitForFrame(page: Page): Promise<Frame> {
  const element = await page.waitForSelector('iframe');
  const frame = await element?.contentFrame();
  assert.ok(frame);
  return frame;
}

/** Types a message, sends it, and waits until its answer is complete. */
async function ask(page: Page, frame: Frame, text: string): Promise<void> {
  const field = await frame.waitForSelector('ubik-chat >>> textarea', { visible: true });
  await field?.focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  // With `visible`, the selector is tested in each animation frame; without, only after a mutation outside of shadow roots.
  // The button that copies the answer appears when the answer has ended.
  await frame.waitForSelector('ubik-chat >>> .message.assistant .copy', { visible: true });
  await frame.waitForSelector('ubik-chat >>> .message.assistant td', { visible: true });
  await frame.waitForSelector('ubik-chat >>> .message.assistant pre code', { visible: true });
  // The run may end after its answer.
  await frame.waitForSelector('ubik-chat >>> .send[data-act=send][aria-disabled=true]', {
    visible: true,
  });
}

/** Elements of a chat whose appearance is compared. */
const COMPARED = [
  '.ubik',
  '.message.user',
  '.message.user .plain',
  '.message.assistant .text p',
  '.message.assistant strong',
  '.message.assistant li',
  '.message.assistant table',
  '.message.assistant th',
  '.message.assistant td',
  '.message.assistant pre',
  '.message.assistant code',
  '.message.assistant .copy',
  '.composer .field',
  '.composer textarea',
  '.composer .send',
];

/** Properties that are compared, in addition to the size of the box. */
const PROPERTIES = [
  'display',
  'box-sizing',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'line-height',
  'letter-spacing',
  'text-transform',
  'text-decoration-line',
  'white-space',
  'color',
  'background-color',
  'opacity',
  'cursor',
  'list-style-type',
  'margin-block-start',
  'margin-inline-start',
  'padding-block-start',
  'padding-inline-start',
  'border-block-start-width',
  'border-block-start-style',
  'border-start-start-radius',
];

/** Returns computed styles and sizes of the compared elements, once their layout has not changed for two frames. */
async function readAppearance(frame: Frame): Promise<readonly string[]> {
  return frame.evaluate(
    async (selectors, properties) => {
      const read = (): string[] => {
        const root = document.querySelector('ubik-chat')?.shadowRoot;
        return selectors.map((selector) => {
          const element = root?.querySelector(selector);
          if (!element) return `${selector}: missing`;
          const style = getComputedStyle(element);
          const { width, height } = element.getBoundingClientRect();
          const values = properties.map((name) => `${name}: ${style.getPropertyValue(name)}`);
          return `${selector} ${width.toFixed(1)} × ${height.toFixed(1)}; ${values.join('; ')}`;
        });
      };
      const nextFrame = (): Promise<unknown> =>
        new Promise((resolve) => requestAnimationFrame(resolve));
      for (let before = '', now = read(), same = 0; ; before = now.join('\n'), now = read()) {
        same = now.join('\n') === before ? same + 1 : 0;
        if (same >= 2) return now;
        await nextFrame();
      }
    },
    COMPARED,
    PROPERTIES,
  );
}
