/**
 * Pages with a script tag: each way to load the script, pages with a strict policy, and pages whose styles and scripts interfere. The
 * chat must work in each, and look as in a page without any of that.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import type { StubFile, StubService } from '../helpers/stub-service.js';
import {
  ask,
  launchBrowser,
  openHost,
  PACKAGE_FOLDER,
  readFiles,
  startSite,
  waitForContent,
} from './host-site.js';

const SCRIPT = '<script defer src="/assets/ubik-elements.min.js"></script>';
const TOKEN = '<script defer src="/chat-token.js"></script>';
const CHAT = '<ubik-chat base-url="/api/v1"></ubik-chat>';
const ICON = '<link rel="icon" href="data:,">';
const HEAD = `<meta charset="utf-8"><title>Host page</title>${ICON}`;

const html = (body: string, policy = ''): StubFile => ({
  type: 'text/html; charset=utf-8',
  body,
  ...(policy !== '' && { headers: { 'content-security-policy': policy } }),
});

/** A page with the given head in front of the two scripts of the README, and a chat. */
const page = (head: string, chat = CHAT): StubFile =>
  html(`<!doctype html><html lang="en">${HEAD}${head}${SCRIPT}${TOKEN}<body>${chat}</body></html>`);

const style = (css: string): StubFile => page(`<style>${css}</style>`);
const script = (code: string): StubFile => page(`<script>${code}</script>`);

/** A script that inserts another one when the page is complete. */
const INSERT_LATE = `addEventListener('load', () => {
  const script = document.createElement('script');
  script.src = '/assets/ubik-elements.min.js';
  document.head.append(script);
});`;

const CLONE = `<template>${CHAT}</template><script>
  document.body.append(document.querySelector('template').content.cloneNode(true));
</script>`;

/** Ways to load the script. */
const LOADING = new Map<string, StubFile>([
  ['defer', page('')],
  ['async', html(`<!doctype html>${HEAD}${SCRIPT.replace('defer', 'async')}${TOKEN}${CHAT}`)],
  ['at the end', html(`<!doctype html>${HEAD}${CHAT}${TOKEN}${SCRIPT.replace('defer ', '')}`)],
  ['inserted late', html(`<!doctype html>${HEAD}<script>${INSERT_LATE}</script>${TOKEN}${CHAT}`)],
  [
    'as a module',
    html(
      `<!doctype html>${HEAD}<script type="module" src="/assets/ubik-elements.min.mjs"></script>${TOKEN}${CHAT}`,
    ),
  ],
  ['in a clone of a template', html(`<!doctype html>${HEAD}${SCRIPT}<body>${CLONE}${TOKEN}`)],
  ['twice', page(SCRIPT)],
  [
    'as a script and as a module',
    page('<script type="module" src="/assets/ubik-elements.min.mjs"></script>'),
  ],
]);

/** Pages that interfere, by what they do. */
const HOSTILE = new Map<string, StubFile>([
  [
    'sets every property with !important',
    style(
      '* { color: red !important; font: italic 40px serif !important; letter-spacing: 9px !important; text-transform: uppercase !important; margin: 3px !important }',
    ),
  ],
  [
    'resets all elements',
    style(
      '*, *::before, *::after { margin: 0; padding: 0; border: 0; font: inherit; box-sizing: content-box; list-style: none; vertical-align: baseline }',
    ),
  ],
  [
    'styles all buttons and fields',
    style('button, textarea, input { all: unset; width: 3px; color: lime !important }'),
  ],
  ['has a root font size of 8 px', style('html { font-size: 8px }')],
  ['has a root font size of 62.5 %', style('html { font-size: 62.5% }')],
  [
    'removes space between inline blocks by a font size of zero',
    style('body { font-size: 0; line-height: 0 }'),
  ],
  [
    'is a grid that centres its content',
    style('html, body { height: 100% } body { display: grid; place-items: center; margin: 0 }'),
  ],
  [
    'transforms its body',
    style('body { transform: translateZ(0); perspective: 1px; overflow: hidden }'),
  ],
  ['scrolls smoothly', style('* { scroll-behavior: smooth !important }')],
  [
    'animates all elements',
    style(
      '* { transition: all 3s !important; animation: spin 3s infinite !important } @keyframes spin { to { rotate: 360deg } }',
    ),
  ],
  [
    'extends prototypes like Prototype.js',
    script(`
    Array.prototype.each = function (iterate) { this.forEach(iterate); return this; };
    Array.prototype.toJSON = function () { return '[' + this.map((one) => JSON.stringify(one)).join(', ') + ']'; };
    Object.prototype.inspect = function () { return String(this); };
    Array.from = (list) => list ? Array.prototype.slice.call(list) : [];
    Element.prototype.hide = function () { this.style.display = 'none'; };
    window.$ = (id) => document.getElementById(id);
  `),
  ],
  [
    'freezes intrinsics',
    script(`
    for (const intrinsic of [Object, Array, Function, Promise, Map, Set, Error, String, RegExp, Date]) {
      Object.freeze(intrinsic);
      Object.freeze(intrinsic.prototype);
    }
  `),
  ],
  [
    'wraps DOM methods like a page translator',
    script(`
    for (const name of ['insertBefore', 'removeChild', 'appendChild', 'replaceChild']) {
      const original = Node.prototype[name];
      Node.prototype[name] = function (...nodes) { return original.apply(this, nodes); };
    }
    addEventListener('load', () => {
      for (const node of document.querySelectorAll('ubik-chat')) {
        const font = document.createElement('font');
        font.textContent = 'translated';
        node.append(font);
      }
    });
  `),
  ],
  [
    'wraps fetch and timers',
    script(`
    const { fetch: originalFetch, setTimeout: originalTimeout } = window;
    window.fetch = async (...request) => (await originalFetch(...request)).clone();
    window.setTimeout = (callback, ...more) => originalTimeout(() => callback(), ...more);
  `),
  ],
  ['replaces Promise', script(`window.Promise = class extends Promise {};`)],
  [
    'has no storage',
    script(`
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('Denied', 'SecurityError'); } });
    }
  `),
  ],
  ['has no crypto.randomUUID', script('delete Crypto.prototype.randomUUID;')],
  [
    'has elements with the names of properties',
    page(
      '',
      `<img name="currentScript"><form name="getElementById"></form><form id="head"></form><a id="location"></a><input name="body">${CHAT}`,
    ),
  ],
  [
    'has a base URL',
    html(`<!doctype html>${HEAD}${SCRIPT}${TOKEN}<base href="/elsewhere/">${CHAT}`),
  ],
  ['is in quirks mode', html(`${HEAD}${SCRIPT}${TOKEN}${CHAT}`)],
  [
    'is written from right to left',
    html(`<!doctype html><html lang="ar" dir="rtl">${HEAD}${SCRIPT}${TOKEN}${CHAT}</html>`),
  ],
]);

const BUBBLE = '<ubik-chat base-url="/api/v1" layout="bubble"></ubik-chat>';

/** Elements of the page in the same corner as the button of a bubble. */
const STACKED =
  '<style>aside { position: fixed; inset: auto 0 0 auto; width: 300px; height: 300px; z-index: 99999999 }</style><aside>Offer</aside>';

/** The policy that docs/content-security-policy.md names, with the reports that the test reads. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types ubik-elements',
  'report-uri /reports',
].join('; ');

/** Another version of the script, as a second plug-in of the same site may bring. */
function otherVersion(): StubFile {
  const source = readFileSync(join(PACKAGE_FOLDER, 'dist/bundle/ubik-elements.min.js'), 'utf8');
  const { version } = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { type: 'text/javascript', body: source.replaceAll(version, '0.0.9') };
}

/** Measures that a page must not change: sizes in px and computed values. */
interface Appearance {
  readonly chatDisplay: string;
  readonly answerWeight: string;
  readonly fieldBorder: string;
  readonly fieldRadius: string;
  readonly isSendVisible: boolean;
  readonly hasReadableText: boolean;
}

/** Measures the chat of a page. */
const measure = (target: Page): Promise<Appearance> =>
  target.evaluate(() => {
    const chat = document.querySelector('ubik-chat');
    const root = chat?.shadowRoot;
    const styleOf = (selector: string): CSSStyleDeclaration | undefined => {
      const found = root?.querySelector(selector);
      return found ? getComputedStyle(found) : undefined;
    };
    const send = root?.querySelector('[part~=send]')?.getBoundingClientRect();
    return {
      chatDisplay: chat ? getComputedStyle(chat).display : '',
      answerWeight: styleOf('.message strong')?.fontWeight ?? '',
      fieldBorder: styleOf('.composer .field')?.borderBlockStartStyle ?? '',
      fieldRadius: styleOf('.composer .field')?.borderStartStartRadius ?? '',
      isSendVisible: send !== undefined && send.width >= 24 && send.height >= 24,
      hasReadableText: Number.parseFloat(styleOf('.message strong')?.fontSize ?? '0') >= 12,
    };
  });

let browser: Browser;
let site: StubService;
let cleanAppearance: Appearance;

const pathOf = (name: string): string => `/${name.replaceAll(/\W+/g, '-')}`;

before(async () => {
  browser = await launchBrowser();
  const pages = [...LOADING, ...HOSTILE].map(([name, file]) => [pathOf(name), file] as const);
  site = await startSite(
    new Map<string, StubFile>([
      ...readFiles(join(PACKAGE_FOLDER, 'dist/bundle'), '/assets'),
      ...pages,
      [
        '/chat-token.js',
        {
          type: 'text/javascript',
          body: "document.querySelector('ubik-chat').getToken = () => 'secret';",
        },
      ],
      [
        '/framed',
        html(`<!doctype html>${HEAD}<iframe src="/defer" width="600" height="700"></iframe>`),
      ],
      ['/stacked', html(`<!doctype html>${HEAD}${STACKED}${SCRIPT}${TOKEN}${BUBBLE}`)],
      ['/other-version.js', otherVersion()],
      ['/two-versions', page('<script defer src="/other-version.js"></script>')],
      [
        '/own-lit.js',
        {
          type: 'text/javascript',
          body: "trustedTypes.createPolicy('lit-html', { createHTML: (text) => text });",
        },
      ],
      [
        '/own-lit',
        html(
          `<!doctype html>${HEAD}<script src="/own-lit.js"></script>${SCRIPT}${TOKEN}${CHAT}`,
          POLICY.replace('ubik-elements', 'lit-html ubik-elements'),
        ),
      ],
      ['/strict', html(`<!doctype html>${HEAD}${SCRIPT}${TOKEN}${CHAT}`, POLICY)],
    ]),
  );
  const { page: clean } = await openHost(browser, `${site.url}/defer`);
  await ask(clean, 'What is it?');
  await waitForContent(clean, '.message strong', 'forty-two');
  cleanAppearance = await measure(clean);
  await clean.close();
});

after(async () => {
  await browser.close();
  await site.close();
});

describe('script tag', () => {
  for (const name of LOADING.keys()) {
    test(`the chat shows an answer when its script is loaded ${name}`, async () => {
      const { page: host, warnings, errors } = await openHost(browser, site.url + pathOf(name));
      await ask(host, 'What is it?');
      await waitForContent(host, '.message strong', 'forty-two');
      assert.deepEqual([warnings, errors], [[], []]);
      await host.close();
    });
  }

  test('the chat shows an answer inside a frame', async () => {
    const { page: host, errors } = await openHost(browser, `${site.url}/framed`);
    const frame = await host.waitForFrame((one) => one.url().endsWith('/defer'));
    const field = await frame.waitForSelector('ubik-chat >>> textarea', { visible: true });
    await field?.type('What is it?');
    await field?.press('Enter');
    await frame.waitForFunction(() =>
      document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector('.message strong')
        ?.textContent.includes('forty-two'),
    );
    assert.deepEqual(errors, []);
    await host.close();
  });

  test('the button of a bubble is above an element of the page with a high z-index', async () => {
    const { page: host } = await openHost(browser, `${site.url}/stacked`);
    const button = await host.waitForSelector('ubik-chat >>> [part~=launcher]', { visible: true });
    const box = await button?.boundingBox();
    assert.ok(box);
    const topmost = await host.evaluate(
      (x, y) => document.elementFromPoint(x, y)?.localName,
      box.x + box.width / 2,
      box.y + box.height / 2,
    );
    assert.equal(topmost, 'ubik-chat');
    await host.close();
  });

  test('a second version of the script warns once, and the first one works', async () => {
    const { page: host, warnings, errors } = await openHost(browser, `${site.url}/two-versions`);
    await ask(host, 'What is it?');
    await waitForContent(host, '.message strong', 'forty-two');
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0] ?? '', /already defined by version 0\.0\.9/);
    assert.deepEqual(errors, []);
    await host.close();
  });

  for (const [path, what] of [
    ['/strict', 'a strict policy'],
    ['/own-lit', 'a strict policy and a Lit of its own'],
  ] as const) {
    test(`a conversation violates nothing in a page with ${what}`, async () => {
      const { page: host, errors } = await openHost(browser, site.url + path);
      await ask(host, 'What is it?');
      await waitForContent(host, '.message strong', 'forty-two');
      await waitForContent(host, '.message pre span', 'let');
      assert.deepEqual([errors, site.reports], [[], []]);
      await host.close();
    });
  }
});

describe('host page', () => {
  for (const name of HOSTILE.keys()) {
    test(`the chat works and looks as usual when the page ${name}`, async () => {
      const { page: host, errors } = await openHost(browser, site.url + pathOf(name));
      await ask(host, 'What is it?');
      await waitForContent(host, '.message strong', 'forty-two');
      assert.deepEqual(await measure(host), cleanAppearance);
      assert.deepEqual(errors, []);
      const sent = await host.evaluate(
        () => document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll('.message').length,
      );
      assert.equal(sent, 2, 'One question and one answer are shown.');
      await host.close();
    });
  }
});
