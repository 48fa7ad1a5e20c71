import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';

const stage = setupStage();

/** Follows a link of the page's header by its text. */
async function follow(chat: ChatPage, name: string): Promise<void> {
  const loaded = chat.page.waitForNavigation({ waitUntil: 'load' });
  await chat.page.evaluate((wanted) => {
    const links = [...document.querySelectorAll<HTMLElement>('header a')];
    links.find((link) => link.textContent.trim() === wanted)?.click();
  }, name);
  await loaded;
  await chat.find('.field textarea:not([disabled])');
}

/** The titles in the thread list of the page's chat, once there are `count`. */
function threads(chat: ChatPage, count: number): Promise<string[]> {
  return chat.texts('ubik-thread-list', '.thread-open .thread-title', count);
}

test('the demo page switches between the services, each with its own threads, and remembers the last one', async () => {
  const chat = await stage().open();
  await chat.ask('What is 6 * 7?');
  await chat.fired('ubik-run-completed');
  await follow(chat, 'Data Agent');
  assert.match(chat.page.url(), /service=data-agent/u);
  await chat.shows('Draw a pie chart of the rivers');
  await threads(chat, 0);
  await chat.ask('Which countries does the Danube flow through?');
  await chat.fired('ubik-run-completed');
  await chat.shows('Ukraine');
  assert.match((await threads(chat, 1)).join(), /Danube/u);
  await chat.page.goto(new URL('/', chat.page.url()).href, { waitUntil: 'load' });
  await chat.shows('Ukraine');
  await follow(chat, 'UBIK');
  await chat.shows('42');
  assert.deepEqual(chat.complaints, []);
});

test('the demo page shows the Data Agent as a Chinese side panel whose questions have the chosen context', async () => {
  const chat = await stage().open();
  await follow(chat, 'Data Agent');
  await follow(chat, 'Side panel');
  await follow(chat, '中文');
  await chat.shows('画一个河流的饼图');
  await chat.page.evaluate(() => document.querySelector<HTMLElement>('#rivers button')?.click());
  const sent = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
  await chat.ask('它流经哪些国家？');
  const body = JSON.parse((await sent).postData() ?? '{}') as Record<string, unknown>;
  assert.deepEqual(body['custom_querys'], { river: 'Danube', length_km: 2850 });
  assert.equal((await sent).headers()['x-language'], 'zh-CN');
  await chat.fired('ubik-run-completed');
  await chat.shows('Ukraine');
  await chat.press('移除上下文：多瑙河');
  await chat.fired('ubik-context-removed');
  await chat.press('深度思考');
  const next = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
  await chat.ask('画一个河流的饼图');
  const later = JSON.parse((await next).postData() ?? '{}') as Record<string, unknown>;
  assert.deepEqual([later['custom_querys'], later['chat_mode']], [undefined, 'deep_thinking']);
  await chat.fired('ubik-run-completed', 2);
  const pressed = await chat.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#rivers button')].map(
      (button) => button.ariaPressed,
    ),
  );
  assert.deepEqual(new Set(pressed), new Set(['false']));
  assert.deepEqual(chat.complaints, []);
});
