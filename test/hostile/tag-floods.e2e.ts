import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { TAG_FLOODS } from '../helpers/tag-floods.js';
import { printEvent } from '../helpers/stub-service.js';
import { setupTestBrowser } from './security-fixture.js';
import { LONGEST, longestOf, untilStill } from './task-times.js';
import { sampleOf } from '../helpers/sample.js';

const testBrowser = setupTestBrowser();

const MEGABYTE = 1_000_000;
/** Floods of one tag that creates parts. Long plain text is covered by the Markdown tests. */
const floods = TAG_FLOODS.filter(({ name }) => /^<<.* (closed|unclosed|nested)$/.test(name));
const mixed = TAG_FLOODS.filter(({ name }) => name.endsWith('in turn'));

/** Sends a text to the page. To receive it takes the page as long as to show it, so it is sent before the measurement. */
async function sendText(page: Page, text: string): Promise<void> {
  await page.evaluate((sent) => {
    document.body.dataset['text'] = sent;
  }, text);
}

/** Shows the text that was sent to the page. Resolves to the number of elements that show it. */
async function showStored(page: Page): Promise<number> {
  await page.evaluate(() => {
    document.querySelector('ubik-message')?.remove();
    const message = document.createElement('ubik-message') as HTMLElement & { content: string };
    message.content = document.body.dataset['text'] ?? '';
    document.body.append(message);
  });
  await page.waitForFunction(() =>
    document.querySelector('ubik-message')?.shadowRoot?.querySelector('[part~=message]'),
  );
  return page.evaluate(untilStill, 'ubik-message');
}

test('a stored megabyte of any tag is shown without a long task', async () => {
  const { page } = await testBrowser().open('/open', 'real');
  // Load lazy modules before the first measurement.
  await sendText(page, 'a <<thinking>>b<</thinking>>');
  await showStored(page);
  const slow: string[] = [];
  for (const { name, make } of [...sampleOf(floods, 13), ...mixed]) {
    let nodes = 0;
    await sendText(page, make(MEGABYTE));
    const longest = await longestOf(page, 3, async () => {
      nodes = await showStored(page);
    });
    if (longest > LONGEST) slow.push(`${name}: ${longest.toFixed(0)} ms`);
    assert.ok(nodes < 25_000, `${name}: ${String(nodes)} nodes`);
  }
  assert.deepEqual(slow, []);
});

// The tags of steps stay plain text in a stream, so only the other tags are tested.
const streamed = floods.filter(({ name }) => /^<<(thinking|TOOL_STEP_START).*unclosed$/.test(name));
for (const { name, make } of [...sampleOf(streamed, 4), ...mixed.slice(0, 1)]) {
  test(`a streamed megabyte of ${name} is shown without a long task`, async () => {
    const { stub, open } = testBrowser();
    const content = make(MEGABYTE);
    const pieces = content.match(/[^]{1,8000}/g) ?? [];
    stub.setResponses({
      stream: [
        printEvent('connection_established', { task_id: 't1' }),
        ...pieces.map((piece) => printEvent('response_chunk', { content: piece })),
        printEvent('agent_processing_complete', { content: '' }),
      ],
      messages: [],
    });
    const { page } = await open('/open', 'real');
    await page.evaluate(() => {
      const chat = document.createElement('ubik-chat');
      chat.setAttribute('base-url', '/api');
      chat.addEventListener('ubik-run-completed', () => {
        chat.dataset['ended'] = '';
      });
      document.body.append(chat);
    });
    const box = await page.waitForSelector('ubik-chat >>> .field textarea', { visible: true });
    await box?.type('Go on.');
    let nodes = 0;
    const longest = await longestOf(page, 1, async () => {
      await page.keyboard.press('Enter');
      await page.waitForSelector('ubik-chat[data-ended]');
      nodes = await page.evaluate(untilStill, 'ubik-chat');
    });
    assert.ok(nodes < 25_000, `${String(nodes)} nodes`);
    assert.ok(longest <= LONGEST, `${longest.toFixed(0)} ms`);
  });
}
