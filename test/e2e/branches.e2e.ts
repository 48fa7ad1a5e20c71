import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const getFixture = setupDemo();
const DANUBE = 'Which countries does the Danube flow through?';
const CALCULATION = 'What is 17 * 23?';

/** Returns the label of the focused element of the chat: its `aria-label`, else its text, else its title. */
function focused({ page }: ChatPage): Promise<string> {
  return page.evaluate(() => {
    const focused = document.querySelector('ubik-chat')?.shadowRoot?.activeElement;
    return (
      focused?.getAttribute('aria-label') ??
      (focused?.textContent?.trim() || focused?.getAttribute('title') || '')
    );
  });
}

/** Waits until the control with a name is focused: a control that is rendered again gets the focus in a later frame. */
async function waitForFocus(chat: ChatPage, name: string): Promise<void> {
  while ((await focused(chat)) !== name) {
    await chat.page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Presses Shift+Tab until the control with a name is focused. */
async function tabBackTo(chat: ChatPage, name: string): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    if ((await focused(chat)) === name) return;
    await chat.page.keyboard.down('Shift');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.up('Shift');
  }
  assert.fail(`Shift+Tab does not reach "${name}".`);
}

/** Asks a question and edits it by keyboard. */
async function askAndEdit(chat: ChatPage): Promise<void> {
  await chat.ask(DANUBE);
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.edit-button[aria-disabled=false]');
  await tabBackTo(chat, 'Edit');
  await chat.page.keyboard.press('Enter');
  await chat.find('.edit textarea');
  await chat.page.keyboard.down('Control');
  await chat.page.keyboard.press('a');
  await chat.page.keyboard.up('Control');
  await chat.page.keyboard.type(CALCULATION);
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.waitForText('391');
}

test('message is edited by keyboard, and the pager switches between its versions after a restart', async () => {
  const chat = await getFixture().open();
  await askAndEdit(chat);
  await chat.waitForText('2 of 2');
  await waitForFocus(chat, 'Edit');
  const second = await chat.transcript();
  assert.ok(!second.includes('Danube'), second);
  await chat.waitForEvent('ubik-message-edited');
  await chat.page.keyboard.press('Tab');
  await waitForFocus(chat, 'Previous version');
  await chat.page.keyboard.press('ArrowLeft');
  await chat.waitForEvent('ubik-branch-switched');
  await chat.waitForText('Ukraine');
  await chat.waitForText('1 of 2');
  const first = await chat.transcript();
  assert.ok(!first.includes('391'), first);
  await waitForFocus(chat, 'Previous version');
  await getFixture().demo.restart();
  await chat.reload();
  await chat.waitForText('Ukraine');
  // Versions are loaded when the pager is visible.
  await chat.focus('.next-button');
  await chat.waitForText('1 of 2');
  assert.equal(await chat.transcript(), first);
  await chat.pressButton('Next version');
  await chat.waitForText('391');
  await chat.waitForText('2 of 2');
  assert.equal(await chat.transcript(), second);
  assert.deepEqual(chat.pageErrors, []);
});

test('regenerated answer keeps the previous one as a version', async () => {
  const chat = await getFixture().open();
  await chat.ask(CALCULATION);
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.regenerate-button[aria-disabled=false]');
  await tabBackTo(chat, 'Regenerate');
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-message-regenerated');
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.waitForText('2 of 2');
  await chat.find('.regenerate-button:focus');
  await chat.pressButton('Previous version');
  await chat.waitForText('1 of 2');
  await chat.waitForText('391');
  assert.deepEqual(chat.pageErrors, []);
});

test(
  'edit form still has the text and shows the error when the service rejects an edit',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
    await chat.ask(CALCULATION);
    await chat.waitForEvent('ubik-run-completed');
    await chat.find('.edit-button[aria-disabled=false]');
    await getFixture().demo.control({ faults: [{ kind: 'status', status: 422, path: '/edit' }] });
    await tabBackTo(chat, 'Edit');
    await chat.page.keyboard.press('Enter');
    await chat.find('.edit textarea');
    await chat.page.keyboard.type(' And 2 + 2?');
    await chat.page.keyboard.press('Enter');
    await chat.waitForText('The service refused this.');
    const text = await chat.page.$eval('ubik-chat >>> .edit textarea', (field) => field.value);
    assert.equal(text, `${CALCULATION} And 2 + 2?`);
  },
);

test('message actions are disabled during a run', onlyExhaustive, async () => {
  const chat = await getFixture().open();
  await chat.ask(CALCULATION);
  await chat.waitForEvent('ubik-run-completed');
  await getFixture().demo.control({ pause: { point: 'tool' } });
  await chat.ask(DANUBE);
  await getFixture().demo.control({ whenPaused: true });
  const reasons = await chat.page.evaluate(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const all = root?.querySelectorAll<HTMLElement>('.action-bar [aria-disabled=true]') ?? [];
    return [...all].map(({ title }) => title);
  });
  assert.ok(reasons.length >= 2, reasons.join());
  for (const reason of reasons)
    assert.match(reason, /not available while the assistant is working/);
  await getFixture().demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed', 2);
});

test('branch map switches versions by keyboard, also after a reload', onlyExhaustive, async () => {
  const chat = await getFixture().open();
  await askAndEdit(chat);
  await chat.waitForText('2 of 2');
  await chat.reload();
  await chat.waitForText('391');
  await chat.find('.map-button');
  await tabBackTo(chat, 'Branches');
  await chat.page.keyboard.press('Enter');
  const waitForFocusedPoint = (name: string): Promise<unknown> =>
    chat.page.waitForFunction(
      (wanted) => {
        const map = document
          .querySelector('ubik-chat')
          ?.shadowRoot?.querySelector('dialog ubik-branch-map')?.shadowRoot;
        const label = map?.activeElement?.ariaLabel ?? '';
        return wanted === '' ? map?.querySelector('.point') : label.includes(wanted);
      },
      {},
      name,
    );
  await waitForFocusedPoint('');
  await chat.page.keyboard.press('Tab');
  await waitForFocusedPoint(CALCULATION);
  await chat.page.keyboard.press('Home');
  await waitForFocusedPoint(DANUBE);
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-branch-switched');
  await chat.waitForText('Ukraine');
  assert.deepEqual(chat.pageErrors, []);
});
