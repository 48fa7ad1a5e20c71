/** Conditions of pages in use: zoom, touch, pen, sleep of the computer, the back/forward cache. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { ENGINE, setupEngine, type EngineChat } from './engine-fixture.js';

const getFixture = setupEngine();

const SUM = 'What is 12 * (3 + 4)?';
const LONG = 'How does an answer survive a broken network?';

/** The middle of an element in the shadow root of another one. */
async function findMiddle(
  { page }: EngineChat,
  selector: string,
): Promise<readonly [x: number, y: number]> {
  return page.evaluate((wanted) => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const box = root?.querySelector(wanted)?.getBoundingClientRect() ?? new DOMRect();
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  }, selector);
}

// Zoomed pages have fewer CSS pixels.
for (const [zoom, width, height] of [
  ['200 %', 640, 512],
  ['400 %', 320, 256],
] as const) {
  const options = {
    skip:
      ENGINE === 'webkit' && width < 447 && 'the window of MiniBrowser is at least 447 pixels wide',
  };
  const title = `chat can be used at a zoom of ${zoom} in a window of 1280 × 1024 pixels`;
  test(title, options, async () => {
    const chat = await getFixture().open();
    await chat.page.setViewport({ width, height });
    await chat.ask(SUM);
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText('84');
    const page = await chat.page.evaluate(() => {
      // The header of the page scrolls away.
      scrollTo(0, document.documentElement.scrollHeight);
      const root = document.querySelector('ubik-chat')?.shadowRoot;
      const boxOf = (selector: string): DOMRect =>
        root?.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      const { top, bottom, right } = boxOf('.field textarea');
      const { clientWidth, scrollWidth } = document.documentElement;
      const all = [...document.querySelectorAll('*'), ...(root?.querySelectorAll('*') ?? [])];
      const wide = all.filter((node) => node.getBoundingClientRect().right > clientWidth + 0.5);
      return {
        overflow: scrollWidth > clientWidth ? wide.map((node) => node.outerHTML.slice(0, 80)) : [],
        isFieldInView: top >= 0 && bottom <= innerHeight && right <= innerWidth,
        messages: boxOf('.scroller').height,
      };
    });
    assert.deepEqual(page.overflow, []);
    assert.ok(page.isFieldInView);
    // A line of text and its distance to the edges.
    assert.ok(page.messages > 40, `The messages are ${String(page.messages)} px high.`);
  });
}

test('message is sent by touch', async () => {
  const chat = await getFixture().open();
  await chat.write(SUM);
  await chat.page.touchscreen.tap(...(await findMiddle(chat, '.send')));
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('84');
});

test(
  'column is resized with a pen',
  { skip: ENGINE !== 'chrome' && 'only the DevTools protocol of Chromium has a pen' },
  async () => {
    const chat = await getFixture().open();
    const session = await (chat.page as unknown as Page).createCDPSession();
    await chat.waitFor(() =>
      document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.start [role=separator]'),
    );
    const [x] = await findMiddle(chat, '.start [role=separator]');
    // Above the button in the middle of the separator.
    const y = 200;
    const readWidth = (): number =>
      document.querySelector('ubik-chat')?.shadowRoot?.querySelector<HTMLElement>('.start')
        ?.offsetWidth ?? 0;
    const before = await chat.page.evaluate(readWidth);
    const pen = { pointerType: 'pen', button: 'left', buttons: 1, force: 0.5, y } as const;
    await session.send('Input.dispatchMouseEvent', { ...pen, type: 'mouseMoved', buttons: 0, x });
    await session.send('Input.dispatchMouseEvent', { ...pen, type: 'mousePressed', x });
    for (const moved of [20, 40]) {
      await session.send('Input.dispatchMouseEvent', { ...pen, type: 'mouseMoved', x: x + moved });
    }
    const release = { ...pen, buttons: 0, type: 'mouseReleased', x: x + 40 } as const;
    await session.send('Input.dispatchMouseEvent', release);
    assert.equal(await chat.page.evaluate(readWidth), before + 40);
  },
);

test('answer is complete when the computer slept for an hour in the middle of it', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ pause: { point: 'text', skip: 3 } });
  await chat.ask(LONG);
  await demo.control({ whenPaused: true });
  await chat.waitFor(
    () =>
      document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.message.assistant') != null,
  );
  await chat.page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
  });
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Sources');
  await chat.compareAfterReload();
});

const withCache = {
  skip: ENGINE === 'chrome' && 'Chromium without a window has no back/forward cache',
};

/** Sets a property that only a page in the back/forward cache keeps. */
const markPage = (): void => void Reflect.set(window, 'isKept', true);
const isKept = (): boolean => Reflect.get(window, 'isKept') === true;

test(
  'page continues the conversation after the back button, from the back/forward cache where the engine allows it',
  withCache,
  async () => {
    const chat = await getFixture().open();
    await chat.ask(SUM);
    await chat.waitForEvent('ubik-run-completed');
    await chat.page.evaluate(markPage);
    await chat.leaveAndReturn();
    const wasCached = await chat.page.evaluate(isKept);
    // Firefox decides while the page still has its Web Lock (docs/browsers.md).
    assert.ok(wasCached || ENGINE === 'firefox', 'The page was loaded again.');
    await chat.waitForText('84');
    await chat.ask('What is 5 * 5?');
    await chat.waitForEvent('ubik-run-completed', wasCached ? 2 : 1);
    await chat.waitForText('25');
  },
);

test('answer is complete when the page was left in the middle of it', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ pause: { point: 'text', skip: 3 } });
  await chat.ask(LONG);
  await demo.control({ whenPaused: true });
  await chat.leaveAndReturn();
  await demo.control({ resume: true });
  await chat.waitForText('Sources');
  await chat.compareAfterReload();
});
