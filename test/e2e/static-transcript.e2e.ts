/** A transcript that was rendered on a server: readable without a script, and replaced by the element without a layout shift. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../../scripts/browser.mjs';
import { createUbikBackend } from '../../src/backends/ubik/index.js';
import { renderTranscript } from '../../src/entries/transcript.js';
import { defineName } from '../helpers/define-name.js';
import { startLocalServer, type LocalServer } from '../helpers/local-server.js';
import { startStubService, type StubService } from '../helpers/stub-service.js';

const ANSWER = `<<thinking>>Where is it?<</thinking>>
<<STEP_START>>
Step 1: Look it up ✓
<<TOOL_STEP_START/rag_search:call_1>>
<<TOOL_STEP_INPUT_START>>{"query": "refunds"}<<TOOL_STEP_INPUT_END>>
<<TOOL_STEP_RESULT_START>>{"response": "14 days"}<<TOOL_STEP_RESULT_END>>
<<TOOL_STEP_END/rag_search:call_1>>
<<STEP_END>>
# The answer

It is **14 days** <web_citation url="https://example.com/terms" title="Terms">[1]</web_citation>, see \`terms\` and [the terms](https://example.com/).

| country | days |
|---|--:|
| France | 14 |

\`\`\`js
const days = 14;
\`\`\`

- one
- two

> A quotation.
`;

const MESSAGES = [
  ['q1', 'user', 'How long?', null],
  ['a1', 'assistant', ANSWER, 'q1'],
  ['q2', 'user', 'Are you <b>sure</b>?', 'a1'],
  ['a2', 'assistant', 'Yes.', 'q2'],
].map(([id, role, content, parent], at) => ({
  id,
  role,
  content,
  created_at: `2026-01-01T00:0${String(at)}:00Z`,
  parent_id: parent,
  sibling_ids: [],
}));

/** Elements whose position and size must not change. */
const PLACED = [
  'article',
  '.run > summary',
  '.text',
  '.text h1',
  '.text p',
  '.ubik-table',
  '.ubik-code',
  '.text li',
  'blockquote',
  '.sources',
  '.assistant > .message-footer',
];

const SCRIPT = `import '/held.js';
import { createStreamController, createUbikBackend } from '/dist/bundle/ubik-elements.min.mjs';
const backend = createUbikBackend({ baseUrl: '/api', getToken: () => 'token' });
const controller = createStreamController({ backend });
document.querySelector('ubik-transcript').controller = controller;
void controller.openThread('s1');`;

let browser: Browser;
let stub: StubService;
let front: LocalServer;
/** Sends the response for the script `/held.js`. */
let release: () => void = () => undefined;
let held = new Promise<void>((resolve) => (release = resolve));

before(async () => {
  browser = await launchChrome();
  stub = await startStubService({ files: new Map(), messages: MESSAGES });
  const backend = createUbikBackend({ baseUrl: `${stub.url}/api`, getToken: () => 'token' });
  const { messages } = await backend.loadThread('s1');
  const transcript = await renderTranscript(messages, { nonce: 'n1' });
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<style nonce="n1">body { margin: 0 } ubik-transcript { height: STYLE }</style>${transcript}<script type="module" nonce="n1">${SCRIPT}</script>`;
  // Puppeteer compiles the function of `waitForFunction` in the page, which requires 'unsafe-eval'.
  const policy =
    "default-src 'self'; img-src data:; style-src 'nonce-n1'; script-src 'self' 'nonce-n1' 'unsafe-eval'";
  const pages = new Map([
    ['/', page.replace('STYLE', 'auto')],
    ['/scrolling', page.replace('STYLE', '300px')],
    ['/without-controller', page.replace(/document\.querySelector\('ubik-transcript'\)[^;]*;/, '')],
  ]);
  front = await startLocalServer(async (request, response) => {
    const { url: path = '/' } = request;
    const html = pages.get(path);
    if (html !== undefined) {
      const headers = { 'content-type': 'text/html', 'content-security-policy': policy };
      response.writeHead(200, headers).end(html);
      return;
    }
    if (path === '/held.js') {
      await held;
      response.writeHead(200, { 'content-type': 'text/javascript' }).end();
      return;
    }
    const answer = await fetch(stub.url + path);
    const type = answer.headers.get('content-type') ?? 'text/plain';
    const body = new Uint8Array(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': type }).end(body);
  });
});

after(async () => {
  release();
  await browser.close();
  await front.close();
  await stub.close();
});

/** Opens a page, whose script waits for `release`. */
async function open(path: string): Promise<Page> {
  held = new Promise((resolve) => (release = resolve));
  const page = await openPage(browser);
  await defineName(page);
  await page.evaluateOnNewDocument(() => {
    const seen = window as unknown as { shifts: number };
    seen.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shifts += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // A script without a response delays the events of the page.
  void page.goto(front.origin + path).catch(() => undefined);
  await page.waitForFunction(() => document.querySelector('ubik-transcript')?.shadowRoot);
  return page;
}

/** The top of the first message in the viewport, and the boxes of the elements of `PLACED`, relative to that top. */
interface Boxes {
  readonly top: number;
  readonly boxes: readonly string[];
}

const readBoxes = (page: Page): Promise<Boxes> =>
  page.evaluate((selectors) => {
    const roots = document.querySelector('ubik-transcript')?.shadowRoot?.querySelectorAll('.ubik');
    const root = [...(roots ?? [])].at(-1);
    const { y: top = 0 } = root?.querySelector('article')?.getBoundingClientRect() ?? {};
    const boxes = selectors.flatMap((selector) =>
      [...(root?.querySelectorAll(selector) ?? [])].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return `${selector} ${[x, y - top, width, height].map((value) => value.toFixed(1)).join(' ')}`;
      }),
    );
    return { top, boxes };
  }, PLACED);

/** Asserts that nothing has moved. The top may differ by less than a pixel, because a scroll position is rounded when it is set. */
function compare(actual: Boxes, expected: Boxes): void {
  assert.deepEqual(actual.boxes, expected.boxes);
  const distance = Math.abs(actual.top - expected.top);
  assert.ok(distance < 1, `The messages have moved by ${String(distance)} px.`);
}

/** Waits until the element has replaced the static content. */
const waitForElement = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const root = document.querySelector('ubik-transcript')?.shadowRoot;
    return !root?.querySelector('[data-static]') && root?.querySelector('article .more');
  });

test('static transcript is readable without a script, in a shadow root', async () => {
  const page = await openPage(browser);
  await page.setJavaScriptEnabled(false);
  await page.goto(`${front.origin}/`);
  const tree = await page.accessibility.snapshot({ interestingOnly: false });
  const names = JSON.stringify(tree);
  for (const text of [
    'How long?',
    'The answer',
    '14 days',
    'France',
    'Are you <b>sure</b>?',
    'Yes.',
  ]) {
    assert.ok(names.includes(JSON.stringify(text).slice(1, -1)), text);
  }
  const session = await page.createCDPSession();
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  const html = JSON.stringify(root);
  assert.ok(html.includes('shadowRootType'), 'There is no shadow root.');
  await page.close();
});

for (const path of ['/', '/scrolling']) {
  test(`static transcript is replaced by the element at the same place: ${path}`, async () => {
    const page = await open(path);
    const before = await readBoxes(page);
    assert.ok(before.boxes.length > PLACED.length, before.boxes.join('\n'));
    release();
    await waitForElement(page);
    compare(await readBoxes(page), before);
    assert.equal(
      await page.evaluate(() => (window as unknown as { shifts: number }).shifts),
      0,
      'The layout has shifted.',
    );
    await page.close();
  });
}

test('static transcript keeps the scroll position and moves the focus to the message list when it is replaced', async () => {
  const page = await open('/scrolling');
  await page.evaluate(() => {
    const scroller = document
      .querySelector('ubik-transcript')
      ?.shadowRoot?.querySelector<HTMLElement>('[data-static] .scroller');
    scroller?.scrollBy(0, -150);
    scroller?.querySelector('summary')?.focus({ preventScroll: true });
  });
  const before = await readBoxes(page);
  release();
  await waitForElement(page);
  compare(await readBoxes(page), before);
  const focused = await page.evaluate(
    () => document.querySelector('ubik-transcript')?.shadowRoot?.activeElement?.className,
  );
  assert.equal(focused, 'scroller');
  await page.close();
});

test('static transcript stays when the element has no controller', async () => {
  const page = await open('/without-controller');
  const before = await readBoxes(page);
  release();
  await page.waitForFunction(() => document.querySelector('ubik-transcript')?.matches(':defined'));
  await page.evaluate(() => document.querySelector('ubik-transcript')?.updateComplete);
  compare(await readBoxes(page), before);
  await page.close();
});
