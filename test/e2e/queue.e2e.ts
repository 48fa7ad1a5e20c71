import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const stage = setupStage();
const QUESTION = 'Which countries does the Danube flow through?';
const SECOND = 'What is 6 * 7?';
const THIRD = 'What is 8 * 9?';
const BETTER = 'What is 6 * 8?';
const ASKED = [QUESTION, SECOND, THIRD, BETTER];

/** Returns the text of the composer. */
function boxText({ page }: ChatPage): Promise<string> {
  return page.evaluate(
    () =>
      document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector<HTMLTextAreaElement>('.composer .field textarea')?.value ?? '',
  );
}

/** Waits until a number of messages are queued, and returns their texts. */
function waiting(chat: ChatPage, count: number): Promise<string[]> {
  return chat.texts('ubik-chat', '.queue .queued', count);
}

/** Returns the questions in the transcript. */
async function questions(chat: ChatPage): Promise<string[]> {
  const lines = (await chat.transcript()).split('\n');
  return lines.flatMap((line) => ASKED.find((text) => line.endsWith(text)) ?? []);
}

/** Starts a run that is paused in a tool, and queues messages meanwhile. */
async function writeAhead(texts: readonly string[], way = ''): Promise<ChatPage> {
  const { demo, open } = stage();
  const chat = await open();
  await chat.page.evaluate((wanted) => {
    document.querySelector('ubik-chat')?.setAttribute('while-running', wanted);
  }, way);
  await demo.control({ hold: { point: 'tool' } });
  await chat.ask(QUESTION);
  await chat.fired('ubik-run-started');
  await demo.control({ held: true });
  for (const text of texts) await chat.ask(text);
  return chat;
}

test('messages that are queued during an answer are sent after it, in order and once', async () => {
  const { demo } = stage();
  const chat = await writeAhead([SECOND, THIRD]);
  // A second Enter has nothing to send.
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await waiting(chat, 2), [SECOND, THIRD]);
  await demo.control({ release: true });
  await chat.fired('ubik-run-completed', 3);
  assert.deepEqual(await questions(chat), [QUESTION, SECOND, THIRD]);
  await demo.restart();
  await chat.reload();
  await chat.shows('72');
  assert.deepEqual(await questions(chat), [QUESTION, SECOND, THIRD]);
  assert.deepEqual(await waiting(chat, 0), []);
});

test('queued message is edited and another one removed by keyboard', onlyExhaustive, async () => {
  const { demo } = stage();
  const chat = await writeAhead([SECOND, THIRD]);
  await waiting(chat, 2);
  const press = async (...keys: ('Tab' | 'Enter' | 'Backspace')[]): Promise<void> => {
    for (const key of keys) await chat.page.keyboard.press(key);
  };
  await chat.page.keyboard.down('Shift');
  // From the field, over the buttons of the third message and of the second.
  for (let at = 0; at < 9; at++) {
    const name = await chat.page.evaluate(
      () =>
        document.querySelector('ubik-chat')?.shadowRoot?.activeElement?.getAttribute('title') ?? '',
    );
    if (name === `Edit: ${SECOND}`) break;
    await press('Tab');
  }
  await chat.page.keyboard.up('Shift');
  await press('Enter');
  await chat.find('.queue textarea');
  await chat.page.keyboard.press('End');
  await press('Backspace', 'Backspace');
  await chat.page.keyboard.type('8?');
  await press('Enter');
  assert.deepEqual(await waiting(chat, 2), ['What is 6 * 8?', THIRD]);
  // After Edit follow Remove and the buttons of the next message.
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Enter');
  assert.deepEqual(await waiting(chat, 1), [BETTER]);
  await demo.control({ release: true });
  await chat.fired('ubik-run-completed', 2);
  await chat.shows('48');
  assert.deepEqual(await questions(chat), [QUESTION, BETTER]);
});

test(
  'message stops the run during a tool call and is sent with while-running="stop"',
  onlyExhaustive,
  async () => {
    const { demo } = stage();
    const chat = await writeAhead([SECOND], 'stop');
    await chat.shows('Stopping…');
    await demo.control({ release: true });
    await chat.fired('ubik-run-stopped');
    await chat.fired('ubik-run-completed');
    await chat.shows('42');
    assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  },
);

test(
  'text stays in the field during a run with while-running="draft"',
  onlyExhaustive,
  async () => {
    const { demo } = stage();
    const chat = await writeAhead([SECOND], 'draft');
    assert.equal(await boxText(chat), SECOND);
    await demo.control({ release: true });
    await chat.fired('ubik-run-completed');
    assert.equal(await boxText(chat), SECOND);
    assert.deepEqual(await questions(chat), [QUESTION]);
  },
);

test(
  'queue is paused when the user stops the run, and sent on request',
  onlyExhaustive,
  async () => {
    const { demo } = stage();
    const chat = await writeAhead([SECOND]);
    await waiting(chat, 1);
    await chat.press('Stop');
    await chat.shows('Stopping…');
    await demo.control({ release: true });
    await chat.fired('ubik-run-stopped');
    await chat.shows('1 message hasn’t been sent.');
    assert.deepEqual(await questions(chat), [QUESTION]);
    await chat.focus('.queue [role=status] button');
    await chat.page.keyboard.press('Enter');
    await chat.fired('ubik-run-completed');
    await chat.shows('42');
    assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  },
);

test('queued messages are restored after a reload during the answer, and sent once', async () => {
  const { demo } = stage();
  const chat = await writeAhead([SECOND]);
  await waiting(chat, 1);
  await chat.reload();
  assert.deepEqual(await waiting(chat, 1), [SECOND]);
  await demo.control({ release: true });
  await chat.fired('ubik-run-completed', 2);
  await chat.shows('42');
  await chat.reload();
  await chat.shows('42');
  assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  assert.deepEqual(await waiting(chat, 0), []);
});

test('queued messages are restored after a restart of the service, which interrupts the answer', async () => {
  const { demo } = stage();
  const chat = await writeAhead([SECOND]);
  await waiting(chat, 1);
  await demo.restart('SIGKILL');
  await chat.fired('ubik-run-failed');
  await chat.shows('1 message hasn’t been sent.');
  await chat.press('Send');
  await chat.fired('ubik-run-completed');
  await chat.shows('42');
  assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
});

test(
  'queued message that the service rejects is shown with the reason',
  onlyExhaustive,
  async () => {
    const { demo } = stage();
    const chat = await writeAhead([SECOND]);
    await waiting(chat, 1);
    const fault = { kind: 'status', status: 429, path: '/messages', method: 'POST' };
    await demo.control({ faults: [fault] });
    await demo.control({ release: true });
    await chat.find('.queue .error-text');
    assert.deepEqual(await waiting(chat, 1), [SECOND]);
    await chat.press('Send');
    await chat.fired('ubik-run-completed', 2);
    assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  },
);

test(
  'message without a network stays in the field, and is sent on request',
  onlyExhaustive,
  async () => {
    const { open } = stage();
    const chat = await open();
    await chat.page.setOfflineMode(true);
    await chat.ask(SECOND);
    await chat.shows('Not sent.');
    assert.equal(await boxText(chat), SECOND);
    await chat.page.setOfflineMode(false);
    await chat.page.waitForFunction(() => navigator.onLine);
    assert.deepEqual(await questions(chat), []);
    await chat.press('Send');
    await chat.fired('ubik-run-completed');
    assert.deepEqual(await questions(chat), [SECOND]);
  },
);

/** User actions that can send a message twice by mistake. */
const TWICE: Readonly<Record<string, (chat: ChatPage) => Promise<unknown>>> = {
  Enter: ({ page: { keyboard } }) =>
    Promise.all([keyboard.press('Enter'), keyboard.press('Enter')]),
  click: async (chat) => (await chat.find('.send')).click({ count: 2 }),
};

for (const [way, doTwice] of Object.entries(TWICE)) {
  test(`message is sent once on a double ${way} and a reload during it`, async () => {
    const { demo, open } = stage();
    const chat = await open();
    await demo.control({ hold: { point: 'start' } });
    await chat.focus('.field textarea');
    await chat.page.keyboard.type(SECOND);
    await doTwice(chat);
    await chat.fired('ubik-message-send');
    await demo.control({ held: true });
    await chat.reload();
    await demo.control({ release: true });
    await chat.shows('42');
    assert.deepEqual(await questions(chat), [SECOND]);
    assert.equal(await boxText(chat), '');
  });
}
