import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const stage = setupStage();
const DANUBE = 'Which countries does the Danube flow through?';
const SUM = 'What is 17 * 23?';

/** What has the focus, by its name. */
function focused({ page }: ChatPage): Promise<string> {
  return page.evaluate(() => {
    const held = document.querySelector('ubik-chat')?.shadowRoot?.activeElement;
    return (
      held?.getAttribute('aria-label') ??
      (held?.textContent?.trim() || held?.getAttribute('title') || '')
    );
  });
}

/** Goes back with Tab, as a person with a keyboard alone, to the control with a name. */
async function tabBackTo(chat: ChatPage, name: string): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    if ((await focused(chat)) === name) return;
    await chat.page.keyboard.down('Shift');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.up('Shift');
  }
  assert.fail(`Tab does not lead to "${name}".`);
}

/** Asks, and edits the question with the keyboard alone. */
async function askTwice(chat: ChatPage): Promise<void> {
  await chat.ask(DANUBE);
  await chat.fired('ubik-run-ended');
  await chat.find('.edit-act[aria-disabled=false]');
  await tabBackTo(chat, 'Edit');
  await chat.page.keyboard.press('Enter');
  await chat.find('.edit textarea');
  await chat.page.keyboard.down('Control');
  await chat.page.keyboard.press('a');
  await chat.page.keyboard.up('Control');
  await chat.page.keyboard.type(SUM);
  await chat.page.keyboard.press('Enter');
  await chat.fired('ubik-run-ended', 2);
  await chat.shows('391');
}

test('edits a question with the keyboard, steps between its versions, and finds both after a restart', async () => {
  const chat = await stage().open();
  await askTwice(chat);
  await chat.shows('2 of 2');
  assert.equal(await focused(chat), 'Edit');
  const second = await chat.transcript();
  assert.ok(!second.includes('Danube'), second);
  await chat.fired('ubik-message-edited');
  await chat.page.keyboard.press('Tab');
  assert.equal(await focused(chat), 'Previous version');
  await chat.page.keyboard.press('ArrowLeft');
  await chat.fired('ubik-branch-navigated');
  await chat.shows('Ukraine');
  await chat.shows('1 of 2');
  const first = await chat.transcript();
  assert.ok(!first.includes('391'), first);
  assert.equal(await focused(chat), 'Previous version');
  await stage().demo.restart();
  await chat.reload();
  await chat.shows('Ukraine');
  // Versions are read when they come into sight.
  await chat.focus('.next-act');
  await chat.shows('1 of 2');
  assert.equal(await chat.transcript(), first);
  await chat.press('Next version');
  await chat.shows('391');
  await chat.shows('2 of 2');
  assert.equal(await chat.transcript(), second);
  assert.deepEqual(chat.complaints, []);
});

test('asks for another answer, and keeps the one before as a version', async () => {
  const chat = await stage().open();
  await chat.ask(SUM);
  await chat.fired('ubik-run-ended');
  await chat.find('.again-act[aria-disabled=false]');
  await tabBackTo(chat, 'Regenerate');
  await chat.page.keyboard.press('Enter');
  await chat.fired('ubik-message-regenerated');
  await chat.fired('ubik-run-ended', 2);
  await chat.shows('2 of 2');
  assert.equal(await focused(chat), 'Regenerate');
  await chat.press('Previous version');
  await chat.shows('1 of 2');
  await chat.shows('391');
  assert.deepEqual(chat.complaints, []);
});

test('says in the form that the service refused, and keeps the text', onlyExhaustive, async () => {
  const chat = await stage().open();
  await chat.ask(SUM);
  await chat.fired('ubik-run-ended');
  await chat.find('.edit-act[aria-disabled=false]');
  await stage().demo.control({ faults: [{ kind: 'status', status: 422, path: '/edit' }] });
  await tabBackTo(chat, 'Edit');
  await chat.page.keyboard.press('Enter');
  await chat.find('.edit textarea');
  await chat.page.keyboard.type(' And 2 + 2?');
  await chat.page.keyboard.press('Enter');
  await chat.shows('The service refused this.');
  const text = await chat.page.$eval('ubik-chat >>> .edit textarea', (field) => field.value);
  assert.equal(text, `${SUM} And 2 + 2?`);
});

test('has nothing of this while the agent is at work', onlyExhaustive, async () => {
  const chat = await stage().open();
  await chat.ask(SUM);
  await chat.fired('ubik-run-ended');
  await stage().demo.control({ hold: { point: 'tool' } });
  await chat.ask(DANUBE);
  await stage().demo.control({ held: true });
  const reasons = await chat.page.evaluate(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const all = root?.querySelectorAll<HTMLElement>('.acts [aria-disabled=true]') ?? [];
    return [...all].map(({ title }) => title);
  });
  assert.ok(reasons.length >= 2, reasons.join());
  for (const reason of reasons)
    assert.match(reason, /not available while the assistant is working/);
  await stage().demo.control({ release: true });
  await chat.fired('ubik-run-ended', 2);
});

test(
  'chooses in the map of versions with the keyboard, also after a reload',
  onlyExhaustive,
  async () => {
    const chat = await stage().open();
    await askTwice(chat);
    await chat.shows('2 of 2');
    await chat.reload();
    await chat.shows('391');
    await tabBackTo(chat, 'All versions');
    await chat.page.keyboard.press('Enter');
    const point = (part: string): Promise<unknown> =>
      chat.page.waitForFunction(
        (wanted) => {
          const map = document
            .querySelector('ubik-chat')
            ?.shadowRoot?.querySelector('dialog ubik-branch-map')?.shadowRoot;
          const held = map?.activeElement?.ariaLabel ?? '';
          return wanted === '' ? map?.querySelector('.point') : held.includes(wanted);
        },
        {},
        part,
      );
    await point('');
    await chat.page.keyboard.press('Tab');
    await point(SUM);
    await chat.page.keyboard.press('Home');
    await point(DANUBE);
    await chat.page.keyboard.press('Enter');
    await chat.fired('ubik-branch-navigated');
    await chat.shows('Ukraine');
    assert.deepEqual(chat.complaints, []);
  },
);
