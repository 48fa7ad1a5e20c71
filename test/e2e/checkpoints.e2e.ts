import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import { openVisitor, type ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const getFixture = setupDemo();

const QUESTION = 'Summarise all documents';
const HINT = 'use only the second document';

/** Presses Tab until the focused button or field in the chat contains `text`. */
async function tabTo({ page }: ChatPage, text: string): Promise<void> {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate((wanted) => {
      let focused: Element | null = document.activeElement;
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      const name = `${focused?.getAttribute('aria-label') ?? ''} ${focused?.textContent ?? ''}`;
      return name.includes(wanted) && (focused?.matches('button, textarea') ?? false);
    }, text);
    if (isThere) return;
  }
  throw new Error(`Tab does not reach ${text}.`);
}

/** Waits for an element in the shadow root of another. */
async function findIn({ page }: ChatPage, host: string, selector: string): Promise<ElementHandle> {
  const handle = await page.waitForFunction(
    (from, wanted) => document.querySelector(from)?.shadowRoot?.querySelector(wanted),
    {},
    host,
    selector,
  );
  return handle.asElement() as ElementHandle;
}

const textOf = (element: ElementHandle): Promise<string> =>
  element.evaluate((node) => node.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '');

/** Asks a question and restores the second checkpoint with a hint, by keyboard. */
async function restoreWithHint(chat: ChatPage): Promise<void> {
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  // The work of the finished run is collapsed into one line.
  await chat.focus('.run > summary');
  await chat.page.keyboard.press('Enter');
  await tabTo(chat, 'Restore…');
  await tabTo(chat, 'Restore…');
  await chat.page.keyboard.press('Enter');
  await chat.find('.restore textarea');
  await chat.page.waitForFunction(
    () => document.querySelector('ubik-chat')?.shadowRoot?.activeElement?.localName === 'textarea',
  );
  // The documents are loaded when the dialog is open.
  const dialog = await chat.find('.restore');
  await chat.page.waitForFunction(
    (node) => node.textContent?.includes('rivers-of-europe.md'),
    {},
    dialog,
  );
  const text = await textOf(dialog);
  assert.match(text, /\d+ steps?/u);
  assert.match(text, /\d+ tool calls?/u);
  assert.match(text, /won’t be undone/u);
  await chat.page.keyboard.type(HINT);
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-checkpoint-restored');
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.waitForText(`with the hint: ${HINT}`);
}

test('checkpoint is restored by keyboard with a hint, which is still shown after a server restart', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await restoreWithHint(chat);
  const live = await chat.transcript();
  assert.doesNotMatch(live, /### rivers-of-europe/u);
  assert.match(live, /kettle-manual/u);
  await demo.restart('SIGKILL');
  await chat.reload();
  await chat.waitForText(`with the hint: ${HINT}`);
  assert.equal(await chat.transcript(), live);
  assert.deepEqual(chat.pageErrors, []);
});

test('hint of a restore is read from the metadata of the service when the browser no longer has it', async () => {
  const visitor = await openVisitor();
  const chat = await getFixture().open(visitor);
  await restoreWithHint(chat);
  await chat.page.evaluate(() => {
    const names = Object.keys(localStorage).filter((name) => name.includes('origins'));
    if (names.length === 0) throw new Error('The browser has stored no hint.');
    for (const name of names) localStorage.removeItem(name);
  });
  await chat.reload();
  await chat.waitForText(`with the hint: ${HINT}`);
});

test('compare dialog switches to the previous branch by keyboard', onlyExhaustive, async () => {
  const chat = await getFixture().open();
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  const first = await chat.transcript();
  await chat.page.evaluate(() => {
    document.querySelector('ubik-chat')?.startThread();
  });
  await restoreWithHint(chat);
  await chat.focus('.message-header button');
  await tabTo(chat, 'Compare both branches…');
  await chat.page.keyboard.press('Enter');
  await chat.find('.compare .branch:nth-child(2) [data-only]');
  assert.match(await textOf(await chat.find('.compare [role=status]')), /\d+ differences?/u);
  await tabTo(chat, 'Continue on this branch');
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-branch-switched');
  await chat.page.waitForFunction(
    () => !document.querySelector('ubik-chat')?.shadowRoot?.querySelector('dialog'),
  );
  assert.equal(await chat.transcript(), first);
  assert.deepEqual(chat.pageErrors, []);
});

test('checkpoints panel restores a checkpoint', onlyExhaustive, async () => {
  const chat = await getFixture().open();
  // Wide enough for the side panel.
  await chat.page.setViewport({ width: 1400, height: 800 });
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  // The side panel collapses and expands; the arrow keys move through its tabs.
  await chat.page.focus('#fold');
  await chat.page.keyboard.press('Enter');
  assert.equal(await chat.page.$eval('#work', (node) => node.checkVisibility()), false);
  await chat.page.keyboard.press('Enter');
  await chat.page.focus('#tab-documents');
  await chat.page.keyboard.press('ArrowRight');
  const point = await findIn(chat, 'ubik-checkpoints', '.point:nth-child(2)');
  assert.match(await textOf(point), /Step 2/u);
  assert.equal(await textOf(await findIn(chat, 'ubik-checkpoints', 'h3')), QUESTION);
  await chat.focus('.point button', 'ubik-checkpoints');
  await chat.page.keyboard.press('Enter');
  await findIn(chat, 'ubik-checkpoints', '.restore textarea');
  await chat.page.keyboard.press('Escape');
  await chat.page.waitForFunction(
    () =>
      document.querySelector('ubik-checkpoints')?.shadowRoot?.activeElement?.closest('.point') !=
      null,
  );
  await chat.page.keyboard.press('Enter');
  await findIn(chat, 'ubik-checkpoints', '.restore textarea');
  await chat.page.keyboard.type(HINT);
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.waitForText(`with the hint: ${HINT}`);
  assert.deepEqual(chat.pageErrors, []);
});
