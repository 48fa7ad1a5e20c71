import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import { openVisitor, type ChatPage } from './chat-page.js';
import type { DemoProcess } from './demo-process.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const getFixture = setupDemo();
const LIST = 'ubik-thread-list';

/** Waits for an element in the thread list. Puppeteer's own wait does not follow changes in shadow roots. */
async function inList({ page }: ChatPage, selector: string): Promise<ElementHandle> {
  const handle = await page.waitForFunction(
    (wanted) => document.querySelector('ubik-thread-list')?.shadowRoot?.querySelector(wanted),
    {},
    selector,
  );
  return handle.asElement() as ElementHandle;
}

/** The titles in the thread list, once there are `count`. */
function titles(chat: ChatPage, count: number): Promise<string[]> {
  return chat.waitForTexts('ubik-thread-list', '.thread-open .thread-title', count);
}

/** Waits until the thread list shows these titles, in this order. A new thread is untitled until the service has named it. */
async function waitForTitles({ page }: ChatPage, wanted: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (all) => {
      const root = document.querySelector('ubik-thread-list')?.shadowRoot;
      const shown = [...(root?.querySelectorAll('.thread-open .thread-title') ?? [])];
      return shown.map((node) => node.textContent.trim()).join('\n') === all;
    },
    {},
    wanted.join('\n'),
  );
}

test('thread list shows the threads of the user and opens one by keyboard', async () => {
  const chat = await getFixture().open();
  await chat.ask('Which countries does the Danube flow through?');
  await chat.waitForEvent('ubik-run-completed');
  await titles(chat, 1);
  await chat.focus('.thread-new', LIST);
  await chat.page.keyboard.press('Enter');
  await chat.ask('How does an answer survive a broken network?');
  await chat.waitForEvent('ubik-run-completed', 2);
  await waitForTitles(chat, [
    'How does an answer survive a broken network?',
    'Which countries does the Danube flow through?',
  ]);
  await chat.focus('.thread-open[tabindex="0"]', LIST);
  await chat.page.keyboard.press('End');
  await chat.page.keyboard.press('Enter');
  await chat.waitForText('Hungary');
  assert.deepEqual(chat.pageErrors, []);
});

/** Focuses the first thread of the list. */
async function focusFirstThread(chat: ChatPage): Promise<void> {
  await chat.focus('.thread-open[tabindex="0"]', LIST);
  await chat.page.keyboard.press('Home');
}

/** Starts a conversation with a question and waits until `runs` runs have ended. */
async function askInNewThread(chat: ChatPage, text: string, runs: number): Promise<void> {
  await chat.focus('.thread-new', LIST);
  await chat.page.keyboard.press('Enter');
  await chat.ask(text);
  await chat.waitForEvent('ubik-run-completed', runs);
}

test(
  'thread list renames, deletes and undoes by keyboard, and a restarted server has the result',
  onlyExhaustive,
  async () => {
    const { open, demo } = getFixture();
    const chat = await open();
    const { keyboard } = chat.page;
    // The undo time is longer than the test, including the start of the server.
    await chat.page.$eval('ubik-thread-list', (list) => (list.undoTime = 3_600_000));
    await askInNewThread(chat, 'What is 2 + 2?', 1);
    await askInNewThread(chat, 'What is 3 + 3?', 2);
    await askInNewThread(chat, 'What is 4 + 4?', 3);
    await titles(chat, 3);
    await focusFirstThread(chat);
    await keyboard.press('F2');
    await keyboard.type('A better name');
    await keyboard.press('Enter');
    await chat.waitForEvent('ubik-thread-renamed');
    await keyboard.press('ArrowDown');
    await keyboard.press('Delete');
    await titles(chat, 2);
    // The focus is on Undo.
    await keyboard.press('Enter');
    await waitForTitles(chat, ['A better name', 'What is 3 + 3?', 'What is 2 + 2?']);
    await keyboard.press('ArrowDown');
    await keyboard.press('Delete');
    await titles(chat, 2);
    await demo.restart('SIGKILL');
    // Closing the page sends the pending deletion with the last token.
    await chat.reload();
    await waitForTitles(chat, ['A better name', 'What is 3 + 3?']);
  },
);

/** Starts a run in a second thread, which the server pauses, and opens the older thread again. */
async function runInBackground(chat: ChatPage, demo: DemoProcess): Promise<void> {
  await askInNewThread(chat, 'What is 2 + 2?', 1);
  await demo.control({ pause: { point: 'text', skip: 1 } });
  await chat.focus('.thread-new', LIST);
  await chat.page.keyboard.press('Enter');
  await chat.ask('How does an answer survive a broken network?');
  await demo.control({ whenPaused: true });
  await titles(chat, 2);
  await focusFirstThread(chat);
  await chat.page.keyboard.press('ArrowDown');
  await chat.page.keyboard.press('Enter');
}

test(
  'thread list shows the status of a run in the background, which is complete when its thread is opened',
  onlyExhaustive,
  async () => {
    const { open, demo } = getFixture();
    const chat = await open();
    await runInBackground(chat, demo);
    await chat.waitForText('What is 2 + 2?');
    await inList(chat, '.thread[data-status=running]');
    await demo.control({ resume: true });
    await inList(chat, '.thread[data-status=unread]');
    await focusFirstThread(chat);
    await chat.page.keyboard.press('Enter');
    await chat.waitForText('Sources');
    await inList(chat, '.thread[data-status=""] [aria-current]');
    assert.deepEqual(chat.pageErrors, []);
  },
);

test('thread list shows the status of runs in another tab', onlyExhaustive, async () => {
  const { open, demo } = getFixture();
  const visitor = await openVisitor();
  const chat = await open(visitor);
  await askInNewThread(chat, 'What is 2 + 2?', 1);
  const other = await open(visitor);
  await titles(other, 1);
  await demo.control({ pause: { point: 'start' } });
  await chat.ask('Which is the biggest river in Europe?');
  await demo.control({ whenPaused: true });
  await inList(other, '.thread[data-status=running]');
  await demo.control({ resume: true });
  await inList(other, '.thread[data-status=waiting]');
  assert.deepEqual(other.pageErrors, []);
});

test('chat rejoins a run when its thread is opened after a reload', async () => {
  const { open, demo } = getFixture();
  const chat = await open();
  await runInBackground(chat, demo);
  await chat.waitForEvent('ubik-thread-opened');
  await chat.reload();
  await titles(chat, 2);
  await focusFirstThread(chat);
  await chat.page.keyboard.press('Enter');
  const started = await chat.waitForEvent('ubik-run-started');
  assert.equal(started.detail['resumed'], true);
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Sources');
});

test('thread list is a drawer on a phone and closes when a thread is opened', async () => {
  const chat = await getFixture().open();
  await chat.page.setViewport({ width: 320, height: 640 });
  await chat.ask('What is 2 + 2?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.focus('.side-toggle-start');
  await chat.page.keyboard.press('Enter');
  await chat.find('.start[role=dialog]');
  await focusFirstThread(chat);
  await chat.page.keyboard.press('Enter');
  await chat.find('.start:not([role])');
  await chat.focus('.side-toggle-start');
  await chat.page.keyboard.press('Enter');
  await chat.find('.start[role=dialog]');
  await chat.page.keyboard.press('Escape');
  await chat.find('.start:not([role])');
  const focused = await chat.page.evaluate(
    () => document.querySelector('ubik-chat')?.shadowRoot?.activeElement?.className,
  );
  assert.match(focused ?? '', /side-toggle-start/);
  assert.deepEqual(chat.pageErrors, []);
});

/** Two pages of one user; the first reads the stream of a run that is paused in its tool call, before the tool is executed. */
async function setupPair() {
  const { open, demo } = getFixture();
  const visitor = await openVisitor();
  const first = await open(visitor);
  await first.ask('What is 2 + 2?');
  await first.waitForEvent('ubik-run-completed');
  const second = await open(visitor);
  await second.waitForText('2 + 2');
  const streams: string[] = [];
  second.page.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    if (path.endsWith('/stream')) streams.push(path);
  });
  await demo.control({ pause: { point: 'tool' } });
  await first.ask('Which are the three longest rivers?');
  await demo.control({ whenPaused: true });
  await second.find('.tool');
  await second.waitForText('Which are the three longest rivers?');
  assert.deepEqual(streams, []);
  const joined = second.page.waitForRequest((request) => request.url().includes('/stream'));
  return { demo, first, joined, second, streams };
}

test('two pages share one stream, which the second takes over when the first is closed', async () => {
  const { demo, first, joined, second, streams } = await setupPair();
  await first.page.goto('about:blank');
  await joined;
  await demo.control({ resume: true });
  await second.waitForEvent('ubik-run-completed');
  assert.equal(streams.length, 1);
  const shown = await second.transcript();
  assert.match(shown, /Volga/);
  await second.reload();
  await second.waitForText('Volga');
  assert.equal(await second.transcript(), shown);
  assert.deepEqual(second.pageErrors, []);
});

test('second page takes over the stream of a frozen page, which catches up when it resumes', async () => {
  const { demo, first, joined, second, streams } = await setupPair();
  const lifecycle = await first.page.createCDPSession();
  await first.page.emulateFocusedPage(false);
  await second.page.bringToFront();
  await lifecycle.send('Page.setWebLifecycleState', { state: 'frozen' });
  await joined;
  await demo.control({ resume: true });
  await second.waitForText('Volga');
  assert.equal(streams.length, 1);
  await lifecycle.send('Page.setWebLifecycleState', { state: 'active' });
  // The hidden page gets no animation frames: a timer renders it.
  await first.page.waitForFunction(
    () => {
      const ends = window.seenEvents.filter(({ type }) => type === 'ubik-run-completed');
      const text = document.querySelector('ubik-chat')?.shadowRoot?.textContent ?? '';
      return ends.length === 2 && text.includes('Volga');
    },
    { polling: 100 },
  );
  assert.deepEqual([...first.pageErrors, ...second.pageErrors], []);
});
