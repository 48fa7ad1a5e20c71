import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import { openVisitor, type ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const stage = setupStage();

const QUESTION = 'Summarise all documents';
const HINT = 'use only the second document';

/** Presses Tab until the focus, inside the chat's root, is on something that says `words`. */
async function tabTo({ page }: ChatPage, words: string): Promise<void> {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate((wanted) => {
      let at: Element | null = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      const said = `${at?.getAttribute('aria-label') ?? ''} ${at?.textContent ?? ''}`;
      return said.includes(wanted) && (at?.matches('button, textarea') ?? false);
    }, words);
    if (isThere) return;
  }
  throw new Error(`Tab does not lead to ${words}.`);
}

/** Waits until something in the root of an element fits a selector. */
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

/** Asks, and goes back to the second checkpoint with a hint, by the keyboard alone. */
async function goBack(chat: ChatPage): Promise<void> {
  await chat.ask(QUESTION);
  await chat.fired('ubik-run-ended');
  // From the messages on: the focus is in the composer, behind them.
  await chat.focus('.scroller');
  await tabTo(chat, 'Go back here…');
  await tabTo(chat, 'Go back here…');
  await chat.page.keyboard.press('Enter');
  await chat.find('.restore textarea');
  await chat.page.waitForFunction(
    () => document.querySelector('ubik-chat')?.shadowRoot?.activeElement?.localName === 'textarea',
  );
  const told = await textOf(await chat.find('.restore'));
  assert.match(told, /\d+ steps?/u);
  assert.match(told, /\d+ tool calls?/u);
  assert.match(told, /won’t be undone/u);
  assert.match(told, /asking-the-agent\.md/u);
  await chat.page.keyboard.type(HINT);
  await chat.page.keyboard.press('Enter');
  await chat.fired('ubik-checkpoint-navigated');
  await chat.fired('ubik-run-ended', 2);
  await chat.shows(`with the hint: ${HINT}`);
}

test('goes back with a hint by the keyboard, and knows it after a restart of the server', async () => {
  const { demo, open } = stage();
  const chat = await open();
  await goBack(chat);
  const live = await chat.transcript();
  assert.doesNotMatch(live, /### asking-the-agent/u);
  assert.match(live, /how-answers-recover/u);
  await demo.restart('SIGKILL');
  await chat.reload();
  await chat.shows(`with the hint: ${HINT}`);
  assert.equal(await chat.transcript(), live);
  assert.deepEqual(chat.complaints, []);
});

test('tells the hint to a browser that was not there, from the metadata of the service', async () => {
  const visitor = await openVisitor();
  const chat = await stage().open(visitor);
  await goBack(chat);
  await chat.page.evaluate(() => {
    for (const name of Object.keys(localStorage)) {
      if (name.includes('origins')) localStorage.removeItem(name);
    }
  });
  await chat.reload();
  await chat.shows(`with the hint: ${HINT}`);
});

test(
  'compares both ways and goes on with the one that was left, by the keyboard',
  onlyExhaustive,
  async () => {
    const chat = await stage().open();
    await chat.ask(QUESTION);
    await chat.fired('ubik-run-ended');
    const first = await chat.transcript();
    await chat.page.evaluate(() => {
      document.querySelector<HTMLButtonElement>('#fresh')?.click();
    });
    await goBack(chat);
    await chat.focus('.origin button');
    await tabTo(chat, 'Compare both branches…');
    await chat.page.keyboard.press('Enter');
    await chat.find('.compare .branch:nth-child(2) [data-only]');
    assert.match(await textOf(await chat.find('.compare [role=status]')), /\d+ differences?/u);
    await tabTo(chat, 'Continue on this branch');
    await chat.page.keyboard.press('Enter');
    await chat.fired('ubik-branch-navigated');
    await chat.page.waitForFunction(
      () => !document.querySelector('ubik-chat')?.shadowRoot?.querySelector('dialog'),
    );
    assert.equal(await chat.transcript(), first);
    assert.deepEqual(chat.complaints, []);
  },
);

test(
  'shows the checkpoints beside the messages, and goes back from there',
  onlyExhaustive,
  async () => {
    const chat = await stage().open();
    // With room for the end beside the messages.
    await chat.page.setViewport({ width: 1400, height: 800 });
    await chat.ask(QUESTION);
    await chat.fired('ubik-run-ended');
    // The side area folds away and comes back; the arrows go through its tabs.
    await chat.page.focus('#fold');
    await chat.page.keyboard.press('Enter');
    assert.equal(await chat.page.$eval('#work', (node) => node.checkVisibility()), false);
    await chat.page.keyboard.press('Enter');
    await chat.page.focus('#tab-documents');
    await chat.page.keyboard.press('ArrowRight');
    const line = await findIn(chat, 'ubik-checkpoints', '.point:nth-child(2)');
    assert.match(await textOf(line), /Step 2/u);
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
    await chat.fired('ubik-run-ended', 2);
    await chat.shows(`with the hint: ${HINT}`);
    assert.deepEqual(chat.complaints, []);
  },
);
