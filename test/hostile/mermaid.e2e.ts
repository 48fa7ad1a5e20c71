/** Diagrams of Mermaid on a page with a strict policy: real and hostile sources, a hostile Mermaid, and everything that can fail. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { HOSTILE_DIAGRAMS, HOSTILE_DRAWINGS } from './mermaid-sources.js';
import { PAGE_FILES } from './request-recorder.js';
import {
  assertNoFindings,
  setupTestBrowser,
  type Findings,
  type TestPage,
} from './security-fixture.js';

const testBrowser = setupTestBrowser();
const EXPECTED = [...PAGE_FILES, 'diagram file'] as const;
const TEA = 'flowchart TD\n accTitle: Tea\n accDescr: How to make it\n A[Boil water] --> B[Drink]';
const fence = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`;

/** Opens a page whose script is the example of the guide. */
function openPage(path = '/strict-mermaid'): Promise<TestPage> {
  return testBrowser().open(path, 'real', EXPECTED);
}

/** Shows a text in the element of the page. */
async function show(page: Page, content: string): Promise<void> {
  await page.$eval(
    'ubik-markdown',
    (element, text) => element.setAttribute('content', text),
    content,
  );
}

/** Uses the script `/vendor/NAME.js` instead of Mermaid: one of `FAKES` in `pages.ts`, or `missing`, which does not exist. */
async function useFake(page: Page, name: string, frame = '/vendor/mermaid.html'): Promise<void> {
  await page.evaluate(`(async () => {
    const { createMermaidRenderer } = await import('/dist/bundle/extras/mermaid.js');
    const script = '/vendor/${name}.js';
    document.querySelector('ubik-markdown').renderFence = createMermaidRenderer({ script, frame: '${frame}' });
  })()`);
}

/** Waits until a number of diagrams are drawn or explained. */
async function waitForDiagrams(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (expected) =>
      document.querySelector('ubik-markdown')?.shadowRoot?.querySelectorAll('.ubik-mermaid')
        .length === expected,
    {},
    count,
  );
}

/** Lets the time limit of the following drawings pass at once. */
async function endTimeLimit(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { setTimeout: original } = window;
    Object.assign(window, {
      setTimeout: (work: () => void, delay: number) => original(work, delay === 10_000 ? 0 : delay),
    });
  });
}

/** Waits until an error was reported to the page, and returns it. */
async function waitForError(page: Page): Promise<string> {
  await page.waitForFunction(() => (window as { reported?: string[] }).reported?.length);
  return page.evaluate(() => (window as { reported?: string[] }).reported?.join('\n') ?? '');
}

/** Records errors that are reported to the page, in place of the browser. */
async function recordReports(page: Page): Promise<void> {
  await page.evaluate(() => {
    const reported: string[] = [];
    Object.assign(window, { reported });
    window.reportError = (error: unknown) => void reported.push(String(error));
  });
}

/** Asserts that there are no findings but what the browser reports about the frame: that it has refused to load or to draw something. */
function assertOnlyRefusals({ errors, ...findings }: Findings): void {
  const refusals = /Content Security Policy|Unsafe attempt to load|attribute transform/;
  assertNoFindings({ ...findings, errors: errors.filter((error) => !refusals.test(error)) });
}

/** What is shown of each code block. */
function readBlocks(page: Page): Promise<readonly string[]> {
  return page.$$eval('>>> .ubik-code', (blocks) =>
    blocks.map((block) => {
      const svg = block.querySelector('svg');
      const shown = [...block.querySelectorAll('pre')].filter((pre) => pre.checkVisibility());
      const name =
        svg && `${svg.getAttribute('role') ?? ''} ${svg.getAttribute('aria-label') ?? ''}`;
      return [
        name ?? [...block.querySelectorAll('p')].map((line) => line.textContent).join(' '),
        ...shown.map((pre) => pre.textContent.trim()),
      ].join(' | ');
    }),
  );
}

test('a diagram is drawn by the example of the guide, on a page that requires Trusted Types', async () => {
  const testPage = await openPage();
  const { page } = testPage;
  await show(page, fence(TEA) + fence('sequenceDiagram\n A->>B: Boil water') + fence(TEA));
  await waitForDiagrams(page, 3);
  assert.deepEqual(await readBlocks(page), ['img Tea', 'img Diagram', 'img Tea']);
  const seen = await page.$eval('ubik-markdown', ({ shadowRoot }) => {
    const all = [...(shadowRoot?.querySelectorAll('svg') ?? [])];
    const ids = all.flatMap((svg) => [...svg.querySelectorAll('[id]')].map(({ id }) => id));
    const references = all.map((svg) =>
      [...svg.querySelectorAll('[marker-end]')].every((edge) => {
        const [, id = ''] = /#(.*)\)/.exec(edge.getAttribute('marker-end') ?? '') ?? [];
        const arrow = svg.querySelector(`marker[id="${id}"] > *`);
        return arrow?.closest('[fill]')?.getAttribute('fill')?.startsWith('light-dark') === true;
      }),
    );
    const texts = all.map((svg) =>
      [...svg.querySelectorAll('text')].map((text) => text.textContent),
    );
    return {
      description: all[0]?.getAttribute('aria-description'),
      areIdsUnique: ids.length > 0 && new Set(ids).size === ids.length,
      references,
      hasLabels: texts.every((labels) => labels.some((label) => label.includes('Boil water'))),
      areThemed: all.map((svg) =>
        ['text', 'rect'].every((name) =>
          svg
            .querySelector(name)
            ?.closest('[fill]')
            ?.getAttribute('fill')
            ?.startsWith('light-dark'),
        ),
      ),
      summary: shadowRoot?.querySelector('summary')?.textContent,
      source: shadowRoot?.querySelector('.ubik-mermaid details pre')?.textContent.trim(),
      frames: shadowRoot?.querySelectorAll('iframe[sandbox="allow-scripts"]').length,
    };
  });
  assert.deepEqual(seen, {
    description: 'How to make it',
    areIdsUnique: true,
    references: [true, true, true],
    hasLabels: true,
    areThemed: [true, true, true],
    summary: 'Source of the diagram',
    source: TEA,
    frames: 1,
  });
  assertNoFindings(await testPage.findings());
});

test('hostile sources of diagrams run no code, load nothing and leave nothing but drawings', async () => {
  const testPage = await openPage();
  await show(testPage.page, HOSTILE_DIAGRAMS.map(fence).join(''));
  await waitForDiagrams(testPage.page, HOSTILE_DIAGRAMS.length);
  const drawn = (await readBlocks(testPage.page)).filter((block) => block.startsWith('img'));
  assert.ok(drawn.length > HOSTILE_DIAGRAMS.length / 2, `${drawn.length} are drawn`);
  const links = await testPage.page.$$eval('>>> .ubik-mermaid :is(a, [href])', (all) => all.length);
  assert.equal(links, 0);
  assertOnlyRefusals(await testPage.findings());
});

test('a hostile Mermaid reaches neither the page nor the network', async () => {
  const testPage = await openPage();
  const { page } = testPage;
  await useFake(page, 'echo');
  const drawings = HOSTILE_DRAWINGS.map(
    (content) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`,
  );
  await show(page, drawings.map(fence).join(''));
  await waitForDiagrams(page, drawings.length);
  const circles = await page.$$eval('>>> .ubik-mermaid circle', (all) => all.length);
  assert.equal(circles, drawings.length);
  const attributes = await page.$$eval('>>> .ubik-mermaid > svg *', (all) => [
    ...new Set(all.flatMap((element) => element.getAttributeNames())),
  ]);
  assert.deepEqual(
    attributes.filter((name) =>
      /^(?:on|style$|class$|data-|role|aria|mask|filter|cursor)|href/.test(name),
    ),
    [],
  );
  assertOnlyRefusals(await testPage.findings());
});

test('a diagram is drawn in a chat that is hidden, and after the chat was moved', async () => {
  const { page } = await openPage();
  await page.$eval('ubik-markdown', (element) => (element.style.display = 'none'));
  await show(page, fence(TEA));
  await waitForDiagrams(page, 1);
  await page.$eval('ubik-markdown', (element) => {
    element.style.display = '';
    document.body.append(element);
  });
  await show(page, fence(TEA) + fence('flowchart TD\n C --> D'));
  await waitForDiagrams(page, 2);
  assert.deepEqual(await readBlocks(page), ['img Tea', 'img Diagram']);
  const widths = await page.$$eval('>>> .ubik-mermaid > svg', (all) =>
    all.map((svg) => svg.getBoundingClientRect().width > 50),
  );
  assert.deepEqual(widths, [true, true]);
});

test('a diagram has no animation, even when its source animates an edge', async () => {
  const { page } = await openPage();
  await show(page, fence('flowchart TD\n A e1@--> B\n e1@{ animate: true }'));
  await waitForDiagrams(page, 1);
  assert.deepEqual(await readBlocks(page), ['img Diagram']);
  const animations = await page.$eval(
    'ubik-markdown',
    ({ shadowRoot }) =>
      (shadowRoot?.getAnimations().length ?? 0) +
      (shadowRoot?.querySelectorAll('animate, animateMotion, animateTransform, set').length ?? 0),
  );
  assert.equal(animations, 0);
});

test('a diagram is printed without its source, and one that cannot be drawn with it', async () => {
  const { page } = await openPage();
  await show(page, fence(TEA) + fence('flowchart TD\n broken --'));
  await waitForDiagrams(page, 2);
  const file = await getDocumentProxy(await page.pdf({ format: 'A4' }));
  const { text } = await extractText(file, { mergePages: true });
  assert.match(text, /Boil water/);
  assert.match(text, /broken --/);
  assert.doesNotMatch(text, /accTitle|Source of the diagram/);
});

test('the document of Mermaid runs no script for a site that opens it or frames it without a sandbox', async () => {
  const { page } = await openPage();
  const scripts = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.src = '/vendor/mermaid.html';
    const loaded = new Promise((resolve) => (frame.onload = resolve));
    document.body.append(frame);
    await loaded;
    const inner = frame.contentWindow as Window;
    // Added after the listener of the document, and so called after it.
    const received = new Promise((resolve) => {
      inner.addEventListener('message', resolve, { once: true });
    });
    const script = new URL('/vendor/echo.js', document.baseURI).href;
    inner.postMessage({ script }, '*', [new MessageChannel().port2]);
    await received;
    return inner.document.querySelectorAll('script[src]').length;
  });
  assert.equal(scripts, 0);
});

test('a diagram that Mermaid rejects or does not finish, or that is too large, stays source with a sentence that says why', async () => {
  const { page } = await openPage();
  const large = `flowchart TD\n${'A --> B\n'.repeat(3000)}`;
  const cases = [
    [
      'throws',
      'source',
      'The diagram cannot be drawn, because its source has an error. no such diagram',
    ],
    ['huge', 'source', 'The diagram is too large to be drawn.'],
    ['malformed', 'source', 'The diagram cannot be drawn, because its source has an error.'],
    ['never', 'source', 'Drawing the diagram took too long.'],
    ['never', large.trim(), 'The diagram is too large to be drawn.'],
  ] as const;
  for (const [fake, source, sentence] of cases) {
    if (fake === 'never') await endTimeLimit(page);
    const frames = await page.$$eval('>>> iframe', (all) => all.length);
    await useFake(page, fake);
    await show(page, '');
    await show(page, fence(source));
    await waitForDiagrams(page, 1);
    assert.deepEqual(await readBlocks(page), [`${sentence} | ${source}`], fake);
    if (fake !== 'never') continue;
    const left = await page.$$eval('>>> iframe', (all) => all.length);
    assert.equal(left, frames, 'a frame that does not answer is removed');
  }
});

test('code stays, and the error says what to do, where diagrams cannot be drawn', async () => {
  const failures = [
    ['/strict-mermaid', 'missing', undefined, /missing\.js was not loaded/],
    ['/strict-mermaid', 'echo', '/vendor/strict.html', /strict\.html must be served without/],
    ['/strict', 'echo', undefined, /must allow .*mermaid\.html in `frame-src`/],
  ] as const;
  for (const [path, fake, frame, sentence] of failures) {
    const { page } = await openPage(path);
    await page.evaluate(() => {
      if (!document.querySelector('ubik-markdown'))
        document.body.append(document.createElement('ubik-markdown'));
    });
    await recordReports(page);
    await useFake(page, fake, frame);
    await show(page, fence(TEA));
    assert.match(await waitForError(page), sentence);
    assert.deepEqual(await readBlocks(page), [` | ${TEA}`]);
  }
});

test('a diagram stays source while it grows, and is drawn once when a text is rendered again', async () => {
  const { page } = await openPage();
  // Requests of this page only: the page of an earlier test may still load its diagrams.
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/vendor/mermaid')) loaded.push(request.url());
  });
  await page.$eval('ubik-markdown', (element) => (element.streaming = true));
  await show(page, `\`\`\`mermaid\n${TEA}`);
  await page.waitForFunction(() =>
    document.querySelector('ubik-markdown')?.shadowRoot?.querySelector('.ubik-code'),
  );
  assert.deepEqual(await readBlocks(page), [` | ${TEA}`]);
  assert.deepEqual(loaded, []);
  await page.$eval('ubik-markdown', (element) => (element.streaming = false));
  await show(page, fence(TEA));
  await waitForDiagrams(page, 1);
  assert.notEqual(loaded.length, 0);
  const swaps = await page.evaluate(async () => {
    const element = document.querySelector('ubik-markdown');
    const root = element?.shadowRoot;
    if (!element || !root) return -1;
    let shown = 0;
    // Showing the source changes the height, of which the observer is notified before the frame is painted.
    const observer = new ResizeObserver(() => {
      if (root.querySelector('.ubik-code > pre')?.checkVisibility()) shown += 1;
    });
    observer.observe(element);
    element.setAttribute('image-policy', 'data');
    for (let frame = 0; frame < 5; frame += 1) {
      await new Promise(requestAnimationFrame);
      const pre = root.querySelector('.ubik-code > pre');
      if (pre?.checkVisibility()) shown += 1;
    }
    return shown;
  });
  assert.equal(swaps, 0);
  await waitForDiagrams(page, 1);
});
