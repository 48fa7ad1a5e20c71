import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import { openVisitor, type ChatPage } from './chat-page.js';
import type { DemoProcess } from './demo-process.js';
import { setupStage } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const stage = setupStage();
const LIST = 'ubik-thread-list';

/** Waits until something in the list fits a selector. A wait of the driver's own does not look into shadow roots again. */
async function inList({ page }: ChatPage, selector: string): Promise<ElementHandle> {
  const handle = await page.waitForFunction(
    (wanted) => document.querySelector('ubik-thread-list')?.shadowRoot?.querySelector(wanted),
    {},
    selector,
  );
  return handle.asElement() as ElementHandle;
}

/** Titles of the list, once there are as many as named. */
function titles(chat: ChatPage, count: number): Promise<string[]> {
  return chat.texts('ubik-thread-list', '.thread-open .thread-title', count);
}

test('lists the conversations of the person, and opens another one by the keyboard alone', async () => {
  const chat = await stage().open();
  await chat.ask('Which countries does the Danube flow through?');
  await chat.fired('ubik-run-ended');
  await titles(chat, 1);
  await chat.focus('.thread-new', LIST);
  await chat.page.keyboard.press('Enter');
  await chat.ask('How does an answer survive a broken network?');
  await chat.fired('ubik-run-ended', 2);
  assert.deepEqual(await titles(chat, 2), [
    'How does an answer survive a broken network?',
    'Which countries does the Danube flow through?',
  ]);
  await chat.focus('.thread-open[tabindex="0"]', LIST);
  await chat.page.keyboard.press('End');
  await chat.page.keyboard.press('Enter');
  await chat.shows('Hungary');
  assert.deepEqual(chat.complaints, []);
});

/** Puts the focus on the conversation at the top of the list, as Tab would. */
async function enterList(chat: ChatPage): Promise<void> {
  await chat.focus('.thread-open[tabindex="0"]', LIST);
  await chat.page.keyboard.press('Home');
}

/** Begins a new conversation with a question; `runs` are over then. */
async function askAnew(chat: ChatPage, text: string, runs: number): Promise<void> {
  await chat.focus('.thread-new', LIST);
  await chat.page.keyboard.press('Enter');
  await chat.ask(text);
  await chat.fired('ubik-run-ended', runs);
}

test(
  'renames, deletes and takes back by the keyboard alone, on the data of a server that starts again',
  onlyExhaustive,
  async () => {
    const { open, demo } = stage();
    const chat = await open();
    const { keyboard } = chat.page;
    // A deletion can be taken back as long as the test takes, also while the server starts.
    await chat.page.$eval('ubik-thread-list', (list) => (list.undoTime = 3_600_000));
    await askAnew(chat, 'What is 2 + 2?', 1);
    await askAnew(chat, 'What is 3 + 3?', 2);
    await askAnew(chat, 'What is 4 + 4?', 3);
    await titles(chat, 3);
    await enterList(chat);
    await keyboard.press('F2');
    await keyboard.type('A better name');
    await keyboard.press('Enter');
    await chat.fired('ubik-thread-renamed');
    await keyboard.press('ArrowDown');
    await keyboard.press('Delete');
    await titles(chat, 2);
    // The focus is at the way back.
    await keyboard.press('Enter');
    assert.deepEqual(await titles(chat, 3), ['A better name', 'What is 3 + 3?', 'What is 2 + 2?']);
    await keyboard.press('ArrowDown');
    await keyboard.press('Delete');
    await titles(chat, 2);
    await demo.restart('SIGKILL');
    // Whoever leaves the page takes nothing back any more: it is sent with the last token.
    await chat.reload();
    assert.deepEqual(await titles(chat, 2), ['A better name', 'What is 3 + 3?']);
  },
);

/** Begins a run in a second conversation, where the server holds it, and opens the first one again. */
async function leaveRunning(chat: ChatPage, demo: DemoProcess): Promise<void> {
  await askAnew(chat, 'What is 2 + 2?', 1);
  await demo.control({ hold: { point: 'text', skip: 1 } });
  await chat.focus('.thread-new', LIST);
  await chat.page.keyboard.press('Enter');
  await chat.ask('How does an answer survive a broken network?');
  await demo.control({ held: true });
  await titles(chat, 2);
  await enterList(chat);
  await chat.page.keyboard.press('ArrowDown');
  await chat.page.keyboard.press('Enter');
}

test(
  'lets a run go on while another conversation is shown, marks it, and shows it caught up',
  onlyExhaustive,
  async () => {
    const { open, demo } = stage();
    const chat = await open();
    await leaveRunning(chat, demo);
    await chat.shows('What is 2 + 2?');
    await inList(chat, '.thread[data-status=running]');
    await demo.control({ release: true });
    await inList(chat, '.thread[data-status=unread]');
    await enterList(chat);
    await chat.page.keyboard.press('Enter');
    await chat.shows('Sources');
    await inList(chat, '.thread[data-status=""] [aria-current]');
    assert.deepEqual(chat.complaints, []);
  },
);

test('marks in another tab what is at work or waits in this one', onlyExhaustive, async () => {
  const { open, demo } = stage();
  const visitor = await openVisitor();
  const chat = await open(visitor);
  await askAnew(chat, 'What is 2 + 2?', 1);
  const other = await open(visitor);
  await titles(other, 1);
  await demo.control({ hold: { point: 'start' } });
  await chat.ask('Which is the biggest river in Europe?');
  await demo.control({ held: true });
  await inList(other, '.thread[data-status=running]');
  await demo.control({ release: true });
  await inList(other, '.thread[data-status=waiting]');
  assert.deepEqual(other.complaints, []);
});

test('joins a run again when its conversation is opened after a reload', async () => {
  const { open, demo } = stage();
  const chat = await open();
  await leaveRunning(chat, demo);
  await chat.fired('ubik-thread-opened');
  await chat.reload();
  await titles(chat, 2);
  await enterList(chat);
  await chat.page.keyboard.press('Enter');
  const started = await chat.fired('ubik-run-started');
  assert.equal(started.detail['resumed'], true);
  await demo.control({ release: true });
  await chat.fired('ubik-run-ended');
  await chat.shows('Sources');
});

test('is a drawer on a phone, which a conversation that is opened closes', async () => {
  const chat = await stage().open();
  await chat.page.setViewport({ width: 320, height: 640 });
  await chat.ask('What is 2 + 2?');
  await chat.fired('ubik-run-ended');
  await chat.focus('.to-start');
  await chat.page.keyboard.press('Enter');
  await chat.find('.start[role=dialog]');
  await enterList(chat);
  await chat.page.keyboard.press('Enter');
  await chat.find('.start:not([role])');
  await chat.focus('.to-start');
  await chat.page.keyboard.press('Enter');
  await chat.find('.start[role=dialog]');
  await chat.page.keyboard.press('Escape');
  await chat.find('.start:not([role])');
  const focused = await chat.page.evaluate(
    () => document.querySelector('ubik-chat')?.shadowRoot?.activeElement?.className,
  );
  assert.match(focused ?? '', /to-start/);
  assert.deepEqual(chat.complaints, []);
});

/** Two pages of one person, of which the first one reads a run that is held before its tool works. */
async function setupPair() {
  const { open, demo } = stage();
  const visitor = await openVisitor();
  const first = await open(visitor);
  await first.ask('What is 2 + 2?');
  await first.fired('ubik-run-ended');
  const second = await open(visitor);
  await second.shows('2 + 2');
  const streams: string[] = [];
  second.page.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    if (path.endsWith('/stream')) streams.push(path);
  });
  await demo.control({ hold: { point: 'tool' } });
  await first.ask('Which are the three longest rivers?');
  await demo.control({ held: true });
  await second.find('.tool');
  await second.shows('Which are the three longest rivers?');
  assert.deepEqual(streams, []);
  const joined = second.page.waitForRequest((request) => request.url().includes('/stream'));
  return { demo, first, joined, second, streams };
}

test('two pages show one run by one stream, and the second goes on when the first is left', async () => {
  const { demo, first, joined, second, streams } = await setupPair();
  await first.page.goto('about:blank');
  await joined;
  await demo.control({ release: true });
  await second.fired('ubik-run-ended');
  assert.equal(streams.length, 1);
  const shown = await second.transcript();
  assert.match(shown, /Volga/);
  await second.reload();
  await second.shows('Volga');
  assert.equal(await second.transcript(), shown);
  assert.deepEqual(second.complaints, []);
});

test('the second page goes on when the browser freezes the first one, which follows when it wakes', async () => {
  const { demo, first, joined, second, streams } = await setupPair();
  const lifecycle = await first.page.createCDPSession();
  await first.page.emulateFocusedPage(false);
  await second.page.bringToFront();
  await lifecycle.send('Page.setWebLifecycleState', { state: 'frozen' });
  await joined;
  await demo.control({ release: true });
  await second.shows('Volga');
  assert.equal(streams.length, 1);
  await lifecycle.send('Page.setWebLifecycleState', { state: 'active' });
  // It stays hidden, and gets no frames: what is shown is drawn by a timer.
  await first.page.waitForFunction(
    () => {
      const ends = window.seenEvents.filter(({ type }) => type === 'ubik-run-ended');
      const text = document.querySelector('ubik-chat')?.shadowRoot?.textContent ?? '';
      return ends.length === 2 && text.includes('Volga');
    },
    { polling: 100 },
  );
  assert.deepEqual([...first.complaints, ...second.complaints], []);
});
