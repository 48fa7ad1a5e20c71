import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';

const stage = setupStage();

/** Titles of the list, once there are as many as named. */
async function titles({ page }: ChatPage, count: number): Promise<string[]> {
  const handle = await page.waitForFunction(
    (wanted) => {
      const root = document.querySelector('ubik-thread-list')?.shadowRoot;
      const found = [...(root?.querySelectorAll('.thread-open .thread-title') ?? [])];
      return found.length === wanted && found.map((node) => node.textContent ?? '');
    },
    { timeout: 30_000 },
    count,
  );
  return handle.jsonValue() as Promise<string[]>;
}

test('lists the conversations of the person, and opens another one by the keyboard alone', async () => {
  const chat = await stage().open();
  await chat.ask('Which countries does the Danube flow through?');
  await chat.fired('ubik-run-ended');
  await titles(chat, 1);
  const fresh = await chat.page.$('ubik-thread-list >>> .thread-new');
  await fresh?.focus();
  await chat.page.keyboard.press('Enter');
  await chat.ask('How does an answer survive a broken network?');
  await chat.fired('ubik-run-ended', 2);
  assert.deepEqual(await titles(chat, 2), [
    'How does an answer survive a broken network?',
    'Which countries does the Danube flow through?',
  ]);
  const first = await chat.page.$('ubik-thread-list >>> .thread-open[tabindex="0"]');
  await first?.focus();
  await chat.page.keyboard.press('End');
  await chat.page.keyboard.press('Enter');
  await chat.shows('Hungary');
  assert.deepEqual(chat.complaints, []);
});
