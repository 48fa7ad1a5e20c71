/** Printing a conversation in a real browser: the text of the PDF file, and the layout with print styles. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { launchChrome } from '../../scripts/browser.mjs';
import { startStubService, type StubService } from '../helpers/stub-service.js';
import { sampleOf } from '../helpers/sample.js';

const CODE = Array.from(
  { length: 90 },
  (_, line) => `const line${line} = compute(${line}); // code line ${line}`,
);
const WIDE = Array.from({ length: 14 }, (_, column) => `column ${column}`);
const NESTED = {
  query: 'refund',
  filters: { region: { country: { city: { street: 'deep-in-input' } } } },
};
const RESULT = {
  response: 'Refunds take 14 days.',
  contexts: Array.from({ length: 12 }, (_, rank) => ({
    rank,
    details: { score: rank / 10, note: `nested-note-${rank}` },
  })),
};

const ANSWER = [
  '<<STEP_START>>\nStep 1: Search the documents ✓',
  '<<TOOL_STEP_START/rag_search:call_1>>',
  `<<TOOL_STEP_INPUT_START>>${JSON.stringify(NESTED)}<<TOOL_STEP_INPUT_END>>`,
  `<<TOOL_STEP_RESULT_START>>${JSON.stringify(RESULT)}<<TOOL_STEP_RESULT_END>>`,
  '<<TOOL_STEP_END/rag_search:call_1>>',
  '<<STEP_END>>',
  'The [handbook](https://example.com/handbook/refunds?page=2) says so <web_citation url="https://example.com/policy" title="Refund policy">[1]</web_citation>.',
  'See https://example.com/bare and [an email](mailto:a@example.com).',
  `\`\`\`js\n${CODE.join('\n')}\n\`\`\``,
  `| ${WIDE.join(' | ')} |\n|${WIDE.map(() => '---').join('|')}|\n${Array.from({ length: 40 }, (_, row) => `| ${WIDE.map((_name, column) => `cell ${row}.${column}`).join(' | ')} |`).join('\n')}`,
  '> A quoted line.\n\n- one\n- two\n\n1. first\n2. second',
  'The last sentence of the answer.',
].join('\n\n');

const MESSAGES = [1, 2].flatMap((turn) => [
  {
    id: `q${turn}`,
    role: 'user',
    content: `Question ${turn}: how long do refunds take?`,
    created_at: `2026-01-01T00:0${turn}:00Z`,
    parent_id: turn === 1 ? null : 'a1',
    sibling_ids: [],
  },
  {
    id: `a${turn}`,
    role: 'assistant',
    content: ANSWER,
    created_at: `2026-01-01T00:0${turn}:30Z`,
    parent_id: `q${turn}`,
    sibling_ids: [],
  },
]);

const renderPage = (
  attributes: string,
  head = '',
): string => `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<style>body { margin: 0 } ${head}</style>
<script defer src="/dist/bundle/ubik-elements.min.js"></script>
<ubik-chat base-url="/api" thread-id="s1" style="height: 90vh" ${attributes}><ubik-thread-list slot="start"></ubik-thread-list></ubik-chat>`;

let browser: Browser;
let stub: StubService;

before(async () => {
  browser = await launchChrome();
  const type = 'text/html; charset=utf-8';
  stub = await startStubService({
    files: new Map([
      ['/', { type, body: renderPage('') }],
      ['/dark', { type, body: renderPage('theme="dark"', ':root { background: #111 }') }],
      [
        '/rtl',
        {
          type,
          body: renderPage('').replace(
            '<!doctype html>',
            '<!doctype html><html lang="ar" dir="rtl">',
          ),
        },
      ],
    ]),
    messages: MESSAGES,
  });
});

after(async () => {
  await browser.close();
  await stub.close();
});

/** Pages of a site, and the preferences of the user's system. */
const PAGES = [
  ['a light page', '/', 'light'],
  ['a dark page', '/dark', 'dark'],
  ['a page that runs right to left', '/rtl', 'light'],
] as const;

/** Waits for an element of the chat. Puppeteer's own wait does not follow changes in shadow roots. */
async function findInChat(page: Page, selector: string): Promise<ElementHandle> {
  const handle = await page.waitForFunction(
    (wanted) => document.querySelector('ubik-chat')?.shadowRoot?.querySelector(wanted),
    {},
    selector,
  );
  return handle.asElement() as ElementHandle;
}

async function openThread(path: string, scheme: string): Promise<Page> {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(stub.url + path);
  await page.waitForFunction(
    () =>
      document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll('.sources li').length === 2,
  );
  // The code that renders the content of tools is loaded with the first one, and a printout cannot wait for it.
  const tool = await findInChat(page, '.tool');
  const setOpen = (open: boolean): Promise<void> =>
    tool.evaluate((node, isOpen) => {
      node.closest('details')?.toggleAttribute('open', isOpen);
    }, open);
  await setOpen(true);
  await findInChat(page, '.tool .payload > *');
  await setOpen(false);
  return page;
}

const countOf = (text: string, piece: string): number => text.split(piece).length - 1;

for (const [name, path, scheme] of sampleOf(PAGES, 3)) {
  test(`${name} prints all of a conversation, with the results of tools and the addresses of links`, async () => {
    const page = await openThread(path, scheme);
    const file = await getDocumentProxy(await page.pdf({ format: 'A4' }));
    const { totalPages, text } = await extractText(file, { mergePages: true });
    const letters = text.replace(/\s+/g, '');
    assert.ok(totalPages > 2);
    for (const piece of [
      'deep-in-input',
      ...RESULT.contexts.map(({ details }) => details.note),
      '// code line 0',
      '// code line 89',
      'cell 39.13',
      '(https://example.com/handbook/refunds?page=2)',
      '(https://example.com/policy)',
      'https://example.com/bare',
      'The last sentence of the answer.',
    ]) {
      // At least two and not exactly two, because a text such as `nested-note-1` is also counted in the texts that begin with it.
      assert.ok(countOf(letters, piece.replace(/\s+/g, '')) >= 2, `both answers have: ${piece}`);
    }
    assert.equal(
      countOf(letters, 'https://example.com/bare'),
      2,
      'each of the two answers prints the address once',
    );
    assert.doesNotMatch(text, /Send|Copy|Untitled|More/);
    await page.close();
  });

  test(`${name} prints dark text on white, and neither chevrons nor controls`, async () => {
    const page = await openThread(path, scheme);
    await page.emulateMediaType('print');
    const seen = await page.evaluate(() => {
      const chat = document.querySelector('ubik-chat');
      const root = chat?.shadowRoot;
      if (!chat || !root) throw new Error('The chat is not there.');
      const text = root.querySelector('.ubik-markdown p') ?? chat;
      const painted = [
        ...root.querySelectorAll('button:not(.cite), textarea, select, .icon-chevron'),
      ];
      const luminance = (color: string): number => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d');
        if (!canvas) throw new Error('There is no canvas.');
        canvas.fillStyle = '#fff';
        canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
        return (red + green + blue) / 765;
      };
      return {
        controls: painted
          .filter((one) => one.getClientRects().length > 0)
          .map((one) => one.outerHTML.slice(0, 200)),
        text: luminance(getComputedStyle(text).color),
        background: luminance(getComputedStyle(chat).backgroundColor),
      };
    });
    assert.deepEqual(seen.controls, []);
    assert.ok(seen.text < 0.3, `text: ${seen.text}`);
    assert.ok(seen.background > 0.95, `background: ${seen.background}`);
    await page.close();
  });
}

test('a table of 14 columns fits on A4 without broken words in its header row', async () => {
  const page = await openThread('/', 'light');
  // A4 at 96 dpi, less the usual margins.
  await page.setViewport({ width: 718, height: 1000 });
  await page.emulateMediaType('print');
  const seen = await page.evaluate(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const table = root?.querySelector('.ubik-table table');
    if (!table) throw new Error('The table is not there.');
    const broken = [...table.querySelectorAll('th')].filter((cell) => {
      const word = document.createRange();
      const node = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
      if (!node) return true;
      word.setStart(node, 0);
      word.setEnd(node, 'column'.length);
      return word.getClientRects().length !== 1;
    });
    return { broken: broken.length, right: table.getBoundingClientRect().right };
  });
  assert.equal(seen.broken, 0);
  assert.ok(seen.right <= 718, `right edge: ${seen.right}`);
  await page.close();
});
