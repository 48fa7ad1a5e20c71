import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const getFixture = setupDemo();
const QUESTION = 'Which countries does the Danube flow through?';
const SECOND = 'What is 6 * 7?';
const THIRD = 'What is 8 * 9?';
const BETTER = 'What is 6 * 8?';
const ALL_QUESTIONS = [QUESTION, SECOND, THIRD, BETTER];

/** Returns the text of the composer. */
function readField({ page }: ChatPage): Promise<string> {
  return page.evaluate(
    () =>
      document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector<HTMLTextAreaElement>('.composer .field textarea')?.value ?? '',
  );
}

/** Waits until a number of messages are queued, and returns their texts. */
function waitForQueued(chat: ChatPage, count: number): Promise<string[]> {
  return chat.waitForTexts('ubik-chat', '.queue .queued', count);
}

/** Returns the questions in the transcript. */
async function questions(chat: ChatPage): Promise<string[]> {
  const lines = (await chat.transcript()).split('\n');
  return lines.flatMap((line) => ALL_QUESTIONS.find((text) => line.endsWith(text)) ?? []);
}

/** Starts a run that is paused in a tool, and sends messages meanwhile, which are queued unless `whileRunning` has another value. */
async function queueDuringRun(texts: readonly string[], whileRunning = ''): Promise<ChatPage> {
  const { demo, open } = getFixture();
  const chat = await open();
  await chat.page.evaluate((wanted) => {
    document.querySelector('ubik-chat')?.setAttribute('while-running', wanted);
  }, whileRunning);
  await demo.control({ pause: { point: 'tool' } });
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-started');
  await demo.control({ whenPaused: true });
  for (const [index, text] of texts.entries()) {
    // The first message stays in the field until the code of queues is loaded.
    if (index > 0) await waitForQueued(chat, index);
    await chat.ask(text);
  }
  return chat;
}

test('messages that are queued during an answer are sent after it, in order and once', async () => {
  const { demo } = getFixture();
  const chat = await queueDuringRun([SECOND, THIRD]);
  // A second Enter has nothing to send.
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await waitForQueued(chat, 2), [SECOND, THIRD]);
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed', 3);
  assert.deepEqual(await questions(chat), [QUESTION, SECOND, THIRD]);
  await demo.restart();
  await chat.reload();
  await chat.waitForText('72');
  assert.deepEqual(await questions(chat), [QUESTION, SECOND, THIRD]);
  assert.deepEqual(await waitForQueued(chat, 0), []);
});

test('queued message is edited and another one removed by keyboard', onlyExhaustive, async () => {
  const { demo } = getFixture();
  const chat = await queueDuringRun([SECOND, THIRD]);
  await waitForQueued(chat, 2);
  const press = async (...keys: ('Tab' | 'Enter' | 'Backspace')[]): Promise<void> => {
    for (const key of keys) await chat.page.keyboard.press(key);
  };
  await chat.page.keyboard.down('Shift');
  // From the field, past the buttons of the third message, to those of the second.
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
  assert.deepEqual(await waitForQueued(chat, 2), [BETTER, THIRD]);
  // Edit is followed by Remove and by the three buttons of the next message, of which the last is Remove.
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Enter');
  assert.deepEqual(await waitForQueued(chat, 1), [BETTER]);
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.waitForText('48');
  assert.deepEqual(await questions(chat), [QUESTION, BETTER]);
});

test(
  'message stops the run during a tool call and is sent with while-running="stop"',
  onlyExhaustive,
  async () => {
    const { demo } = getFixture();
    const chat = await queueDuringRun([SECOND], 'stop');
    await chat.waitForText('Stopping…');
    await demo.control({ resume: true });
    await chat.waitForEvent('ubik-run-stopped');
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText('42');
    assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  },
);

test(
  'text stays in the field during a run with while-running="draft"',
  onlyExhaustive,
  async () => {
    const { demo } = getFixture();
    const chat = await queueDuringRun([SECOND], 'draft');
    assert.equal(await readField(chat), SECOND);
    await demo.control({ resume: true });
    await chat.waitForEvent('ubik-run-completed');
    assert.equal(await readField(chat), SECOND);
    assert.deepEqual(await questions(chat), [QUESTION]);
  },
);

test(
  'queue is paused when the user stops the run, and sent on request',
  onlyExhaustive,
  async () => {
    const { demo } = getFixture();
    const chat = await queueDuringRun([SECOND]);
    await waitForQueued(chat, 1);
    await chat.pressButton('Stop');
    await chat.waitForText('Stopping…');
    await demo.control({ resume: true });
    await chat.waitForEvent('ubik-run-stopped');
    await chat.waitForText('1 message hasn’t been sent.');
    assert.deepEqual(await questions(chat), [QUESTION]);
    await chat.focus('.queue [role=status] button');
    await chat.page.keyboard.press('Enter');
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText('42');
    assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  },
);

test('queued messages are restored after a reload during the answer, and sent once', async () => {
  const { demo } = getFixture();
  const chat = await queueDuringRun([SECOND]);
  await waitForQueued(chat, 1);
  await chat.reload();
  assert.deepEqual(await waitForQueued(chat, 1), [SECOND]);
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.waitForText('42');
  await chat.reload();
  await chat.waitForText('42');
  assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  assert.deepEqual(await waitForQueued(chat, 0), []);
});

test('queued messages are kept when a restart of the service interrupts the answer, and sent on request', async () => {
  const { demo } = getFixture();
  const chat = await queueDuringRun([SECOND]);
  await waitForQueued(chat, 1);
  await demo.restart('SIGKILL');
  await chat.waitForEvent('ubik-run-failed');
  await chat.waitForText('1 message hasn’t been sent.');
  await chat.pressButton('Send');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('42');
  assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
});

/** Why a queued message is not sent, by the status of the response. After a 503, the chat first looks for a run that the request may have started. */
const REASONS = {
  429: 'Too many requests. Wait a moment and try again.',
  503: 'The service has a problem. Try again later.',
};
for (const [status, reason] of Object.entries(REASONS)) {
  test(`queued message that the service rejects with ${status} is shown with the reason`, async () => {
    const { demo } = getFixture();
    const chat = await queueDuringRun([SECOND]);
    await waitForQueued(chat, 1);
    const fault = { kind: 'status', status: Number(status), path: '/messages', method: 'POST' };
    await demo.control({ faults: [fault] });
    await demo.control({ resume: true });
    const [text = ''] = await chat.waitForTexts('ubik-chat', '.queue li .error-text', 1);
    assert.equal(text.trim(), `Not sent. ${reason}`);
    assert.deepEqual(await waitForQueued(chat, 1), [SECOND]);
    await chat.pressButton('Send');
    await chat.waitForEvent('ubik-run-completed', 2);
    assert.deepEqual(await questions(chat), [QUESTION, SECOND]);
  });
}

test(
  'message that is sent while offline stays in the field, and is sent on request',
  onlyExhaustive,
  async () => {
    const { open } = getFixture();
    const chat = await open();
    await chat.page.setOfflineMode(true);
    await chat.ask(SECOND);
    await chat.waitForText('Not sent.');
    assert.equal(await readField(chat), SECOND);
    await chat.page.setOfflineMode(false);
    await chat.page.waitForFunction(() => navigator.onLine);
    assert.deepEqual(await questions(chat), []);
    await chat.pressButton('Send');
    await chat.waitForEvent('ubik-run-completed');
    assert.deepEqual(await questions(chat), [SECOND]);
  },
);

/** User actions that can send a message twice by mistake. */
const TWICE: Readonly<Record<string, (chat: ChatPage) => Promise<unknown>>> = {
  Enter: ({ page: { keyboard } }) =>
    Promise.all([keyboard.press('Enter'), keyboard.press('Enter')]),
  click: async (chat) => {
    // The composer moves when the thread list appears beside it.
    await chat.page.waitForFunction(
      () => (document.querySelector('ubik-thread-list')?.getBoundingClientRect().width ?? 0) > 0,
    );
    await (await chat.find('.send')).click({ count: 2 });
  },
};

for (const [action, doTwice] of Object.entries(TWICE)) {
  test(`message is sent once after a double ${action} and a reload before the response`, async () => {
    const { demo, open } = getFixture();
    const chat = await open();
    await demo.control({ pause: { point: 'start' } });
    await chat.focus('.field textarea');
    await chat.page.keyboard.type(SECOND);
    await doTwice(chat);
    await chat.waitForEvent('ubik-message-send');
    await demo.control({ whenPaused: true });
    await chat.reload();
    await demo.control({ resume: true });
    await chat.waitForText('42');
    assert.deepEqual(await questions(chat), [SECOND]);
    assert.equal(await readField(chat), '');
  });
}
