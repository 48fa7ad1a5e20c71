/** Pages whose policy or scripts may prevent the chat from working: loading throws nothing, and each failure is reported once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome } from '../../scripts/browser.mjs';
import { openObservedPage } from '../helpers/observed-page.js';
import { startStubService, type StubFile, type StubService } from '../helpers/stub-service.js';

const CHAT = '<ubik-chat base-url="/api" layout="LAYOUT" open><p>Call us instead.</p></ubik-chat>';

const page = (script: string, policy = '', before = '', layout = 'inline'): StubFile => ({
  type: 'text/html; charset=utf-8',
  headers: { 'content-security-policy': policy },
  body: `<!doctype html><link rel="icon" href="data:,">${before}<script defer src="/dist/bundle/${script}"></script>${CHAT.replace('LAYOUT', layout)}`,
});

/** Another library that has defined an element of the same name. */
const FOREIGN = `<script>
  customElements.define('ubik-chat', class extends HTMLElement {
    connectedCallback() { (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).textContent = 'Theirs.'; }
  });
</script>`;
/** Removes constructed style sheets, as in an older browser. */
const OLD = `<script>
  for (const { prototype } of [Document, ShadowRoot]) delete prototype.adoptedStyleSheets;
  delete CSSStyleSheet.prototype.replaceSync;
  delete CSSStyleSheet.prototype.replace;
</script>`;
/** The page has a Lit of its own, which has created the policy `lit-html`. */
const OWN_LIT = `<script src="/own-lit.js"></script>`;
const REQUIRED = "require-trusted-types-for 'script'; trusted-types";

let browser: Browser;
let stub: StubService;

before(async () => {
  browser = await launchChrome();
  const script = 'ubik-elements.min.js';
  stub = await startStubService({
    files: new Map<string, StubFile>([
      [
        '/own-lit.js',
        {
          type: 'text/javascript',
          body: "trustedTypes.createPolicy('lit-html', { createHTML: (text) => text });",
        },
      ],
      ['/refused', page(script, `${REQUIRED} 'none'`)],
      ['/refused-bubble', page('ubik-bubble.min.js', `${REQUIRED} 'none'`, '', 'bubble')],
      ['/own-lit-only', page(script, `${REQUIRED} lit-html`, OWN_LIT)],
      ['/own-lit', page(script, `${REQUIRED} lit-html ubik-elements`, OWN_LIT)],
      ['/not-required', page(script, "trusted-types 'none'")],
      ['/foreign', page(script, '', FOREIGN)],
      ['/foreign-bubble', page('ubik-bubble.min.js', '', FOREIGN, 'bubble')],
      ['/old', page(script, '', OLD)],
      ['/old-bubble', page('ubik-bubble.min.js', '', OLD, 'bubble')],
      ['/old-strict', page(script, "style-src 'self'", OLD)],
    ]),
  });
});

after(async () => {
  await browser.close();
  await stub.close();
});

/** Opens a page and records thrown errors and the console messages of the chat. */
async function open(path: string): Promise<{ tab: Page; warnings: string[]; errors: string[] }> {
  const { page: tab, warnings, errors } = await openObservedPage(browser);
  await tab.goto(`${stub.url}${path}`, { waitUntil: 'networkidle0' });
  return { tab, warnings, errors };
}

/** Asserts that there is one warning, and that it matches a pattern. */
const assertWarning = (warnings: readonly string[], words: RegExp): void => {
  assert.equal(warnings.length, 1, warnings.join('\n'));
  assert.match(warnings[0] ?? '', words);
};

for (const path of ['/refused', '/refused-bubble', '/own-lit-only']) {
  test(`page that refuses the Trusted Types policy leaves the element undefined, and the directive is reported: ${path}`, async () => {
    const { tab, warnings, errors } = await open(path);
    if (path.endsWith('bubble'))
      await tab.waitForFunction(() =>
        document
          .querySelector('ubik-chat')
          ?.shadowRoot?.firstElementChild?.shadowRoot?.textContent.includes('could not be loaded'),
      );
    assert.deepEqual(errors, []);
    assertWarning(warnings, /directive "trusted-types": trusted-types ubik-elements/);
    assert.equal(
      await tab.evaluate(() => document.querySelector('ubik-chat')?.matches(':defined')),
      false,
    );
    await tab.close();
  });
}

for (const path of ['/not-required', '/own-lit', '/old', '/old-bubble']) {
  test(`page with another Trusted Types policy, or without constructed style sheets, shows the chat: ${path}`, async () => {
    const { tab, warnings, errors } = await open(path);
    await tab.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
    const radius = await tab.evaluate(() => {
      const field = document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector('.composer .field');
      return field ? getComputedStyle(field).borderStartStartRadius : '';
    });
    assert.match(radius, /^[1-9]/u);
    assert.deepEqual([errors, warnings], [[], []]);
    await tab.close();
  });
}

test('directive is reported on a page without adoptedStyleSheets that refuses style elements', async () => {
  const { tab, warnings, errors } = await open('/old-strict');
  await tab.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
  assert.deepEqual(errors, []);
  assertWarning(warnings, /directive "style-src"/);
  await tab.close();
});

for (const path of ['/foreign', '/foreign-bubble']) {
  test(`element of another library with the same name is not replaced: ${path}`, async () => {
    const { tab, warnings, errors } = await open(path);
    assert.deepEqual(errors, []);
    assert.equal(
      await tab.evaluate(() => document.querySelector('ubik-chat')?.shadowRoot?.textContent),
      'Theirs.',
    );
    assertWarning(warnings, /<ubik-chat> is already defined/);
    await tab.close();
  });
}
