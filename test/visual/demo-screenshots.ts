import { mkdir, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ElementHandle, Page } from 'puppeteer-core';
import { DemoFixture, type DemoLook } from './demo-fixture.js';

/** Maximum size of a screenshot in `docs/images`, in bytes. */
const MAX_BYTES = 150_000;

/** Common viewport widths, with touch where it is usual. */
const SIZES: readonly (readonly [width: number, height: number, touch: boolean])[] = [
  [320, 640, true],
  [768, 1024, true],
  [1440, 900, false],
];

const LOOKS: Readonly<Record<string, Partial<DemoLook>>> = {
  light: {},
  dark: { scheme: 'dark' },
  rtl: { lang: 'ar' },
  forced: { forcedColors: true },
};

/** Waits until an element of the chat matches a selector, and contains a text if one is given. */
async function find(page: Page, selector: string, text = ''): Promise<ElementHandle<HTMLElement>> {
  const handle = await page.waitForFunction(
    (wanted, expected) =>
      [...(document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll(wanted) ?? [])].find(
        ({ textContent }) => textContent.includes(expected),
      ),
    {},
    selector,
    text,
  );
  return handle as ElementHandle<HTMLElement>;
}

/** Types a question into the composer of the page's chat and sends it. */
async function ask(page: Page, question: string): Promise<void> {
  await (await find(page, '.field textarea:not([disabled])')).focus();
  await page.keyboard.type(question);
  await page.keyboard.press('Enter');
}

/** The screenshots in `docs/images` by name: each function sets one up, takes it and returns it as base64. */
const DOCS_SCREENSHOTS: Readonly<Record<string, (fixture: DemoFixture) => Promise<string>>> = {
  conversation: async (fixture) => {
    const page = await fixture.show('/', { size: [1280, 800] });
    await (await find(page, '.cite')).click();
    await find(page, '.passage mark');
    return finish(fixture, page);
  },
  dark: async (fixture) => {
    const page = await fixture.show('/', { size: [1200, 720], scheme: 'dark' });
    const step = await find(page, '.step > summary', 'database');
    await step.evaluate((node) => {
      node.closest('.body')?.querySelector<HTMLElement>('.run > summary')?.click();
    });
    await fixture.settle(page);
    await step.evaluate((node) => node.click());
    // Opening the step moves the scroll position. Wait for that before scrolling its question to the top.
    await fixture.settle(page);
    await step.evaluate((node) => {
      const question = node.closest('.message')?.previousElementSibling;
      const scroller = node.closest('.scroller');
      const distance =
        (question?.getBoundingClientRect().top ?? 0) - (scroller?.getBoundingClientRect().top ?? 0);
      scroller?.scrollBy(0, distance - 16);
    });
    return finish(fixture, page);
  },
  phone: async (fixture) => {
    const look = { size: [390, 780], touch: true } as const;
    const page = await fixture.show('/bubble.html', look);
    const closed = await page.screenshot({ encoding: 'base64' });
    await fixture.openBubble(page);
    return combineScreenshots(page, [closed, await page.screenshot({ encoding: 'base64' })]);
  },
  'restore-checkpoint': async (fixture) => {
    const page = await fixture.show('/', { size: [1080, 720] });
    await page.evaluate(() => {
      const list = document.querySelector('ubik-thread-list')?.shadowRoot;
      const rows = [...(list?.querySelectorAll<HTMLElement>('a, button') ?? [])];
      rows.find(({ textContent }) => textContent.includes('Summarise'))?.click();
    });
    await find(page, '.message.user', 'Summarise');
    await (await find(page, '.run > summary')).click();
    const restoreButton = await find(page, '.divider button');
    await restoreButton.evaluate((node) => node.click());
    const hint = await find(page, 'dialog textarea');
    await hint.type('Use only the second document.');
    return finish(fixture, page);
  },
  'data-agent': async (fixture) => {
    const page = await fixture.show('/?service=data-agent', { size: [1280, 800] });
    await ask(page, 'Which countries does the Danube flow through?');
    await find(page, '.message', 'Ukraine');
    return finish(fixture, page);
  },
  'data-agent-panel': async (fixture) => {
    const address = '/?service=data-agent&layout=panel&lang=zh';
    const page = await fixture.show(address, { size: [1280, 800], lang: 'zh' });
    await page.evaluate(() => {
      document.querySelector('ubik-chat')?.startThread();
      document.querySelector<HTMLElement>('#rivers button')?.click();
    });
    await ask(page, '它流经哪些国家？');
    await find(page, '.message', '共有 10 个国家符合条件');
    return finish(fixture, page);
  },
};

async function finish(fixture: DemoFixture, page: Page): Promise<string> {
  await fixture.settle(page);
  return page.screenshot({ encoding: 'base64' });
}

/** Combines screenshots into one, side by side with a gap between them. */
async function combineScreenshots(page: Page, screenshots: readonly string[]): Promise<string> {
  await page.goto('about:blank');
  await page.setViewport({ width: 1000, height: 1000 });
  await page.evaluate(async (all) => {
    document.body.style.cssText = 'display: inline-flex; gap: 24px; margin: 0; padding: 12px';
    for (const data of all) {
      const image = document.body.appendChild(document.createElement('img'));
      image.style.cssText = 'border-radius: 24px; outline: 1px solid #8888';
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
    }
  }, screenshots);
  const body = await page.$('body');
  if (!body) throw new Error('A page without a body.');
  return body.screenshot({ encoding: 'base64', omitBackground: true });
}

/** Takes the screenshots in `docs/images`. The process fails if one is too large. */
async function takeDocsScreenshots(fixture: DemoFixture): Promise<void> {
  const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
  for (const [name, take] of Object.entries(DOCS_SCREENSHOTS)) {
    const file = `${folder}${name}.png`;
    await writeFile(file, await take(fixture), 'base64');
    const { size } = await stat(file);
    console.log(`${name}.png: ${String(Math.round(size / 1000))} kB`);
    if (size > MAX_BYTES) process.exitCode = 1;
  }
}

/** Takes screenshots of the demo in the layouts `page`, `bubble` and `panel`, in each width and look, for review. */
async function takeAll(fixture: DemoFixture, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [width, height, touch] of SIZES) {
    for (const [name, look] of Object.entries(LOOKS)) {
      for (const layout of ['page', 'bubble', 'panel']) {
        const isPage = layout === 'page';
        const size = [width, height] as const;
        const page = await fixture.show(isPage ? '/' : '/bubble.html', { ...look, size, touch });
        if (!isPage) await fixture.openBubble(page);
        if (layout === 'panel') {
          await page.evaluate(() => {
            document.querySelector('ubik-chat')?.setAttribute('layout', 'panel');
            document.querySelector('ubik-chat')?.toggleAttribute('push', true);
          });
        }
        await find(page, '.cite');
        const file = `${folder}/${String(width)}-${name}-${layout}.png`;
        await writeFile(file, await finish(fixture, page), 'base64');
        await page.close();
      }
    }
  }
}

const fixture = await DemoFixture.open();
try {
  const [folder] = process.argv.slice(2);
  await (folder ? takeAll(fixture, folder) : takeDocsScreenshots(fixture));
} finally {
  await fixture.close();
}
