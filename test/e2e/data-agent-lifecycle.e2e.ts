import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';

const getFixture = setupDemo();
const QUESTION = 'Which countries does the Danube flow through?';

/** Opens the demo page with its Data Agent. */
async function openDataAgent(): Promise<ChatPage> {
  const chat = await getFixture().open();
  const { href } = new URL('/?service=data-agent', chat.page.url());
  await chat.page.goto(href, { waitUntil: 'load' });
  await chat.find('.composer textarea:not([disabled])');
  return chat;
}

/** The text in the message field. */
async function readField(chat: ChatPage): Promise<string> {
  const field = await chat.find('.composer textarea:not([name])');
  return field.evaluate((node) => (node as HTMLTextAreaElement).value);
}

/** The id of the thread that the chat shows. */
function readThreadId(chat: ChatPage): Promise<string> {
  return chat.page.evaluate(() => document.querySelector('ubik-chat')?.currentThreadId ?? '');
}

test('a question that the Data Agent rejects returns to the field, with an error', async () => {
  const { demo } = getFixture();
  const chat = await openDataAgent();
  await demo.control({
    faults: [{ kind: 'status', status: 503, path: '/chat/completion', times: 9 }],
  });
  await chat.ask(QUESTION);
  await chat.waitForText('Not sent. Internal error. Try again later.');
  assert.equal(await readField(chat), QUESTION);
  await demo.control({ reset: true });
  await chat.pressButton('Send');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Ukraine');
});

test('a queued message that the Data Agent rejects says why, and is sent on request', async () => {
  const { demo } = getFixture();
  const chat = await openDataAgent();
  await demo.control({ pause: { point: 'text', skip: 12 } });
  await chat.ask(QUESTION);
  await demo.control({ whenPaused: true });
  await chat.ask('Hello');
  await chat.waitForTexts('ubik-chat', '.queue .queued', 1);
  await demo.control({
    faults: [{ kind: 'status', status: 503, path: '/chat/completion', times: 9 }],
  });
  await demo.control({ resume: true });
  const [reason = ''] = await chat.waitForTexts('ubik-chat', '.queue li .error-text', 1);
  assert.equal(reason.trim(), 'Not sent. Internal error. Try again later.');
  await demo.control({ reset: true });
  await chat.pressButton('Send');
  await chat.waitForEvent('ubik-run-completed', 2);
  assert.equal((await chat.transcript()).split('\n').length, 4);
});

test('an answer of the Data Agent that fails keeps its text and shows the reason', async () => {
  const { demo } = getFixture();
  const chat = await openDataAgent();
  await demo.control({ faults: [{ kind: 'blank-message', events: 30, path: '/chat/completion' }] });
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-failed');
  await chat.waitForText('Internal error.');
  const [, answer = ''] = (await chat.transcript()).split('\n');
  assert.match(answer, /10 countries/u);
  await chat.ask('Hello');
  await chat.waitForEvent('ubik-run-completed');
});

test('an answer of the Data Agent continues after a reload of the page', async () => {
  const { demo } = getFixture();
  const chat = await openDataAgent();
  await demo.control({ pause: { point: 'text', skip: 12 } });
  await chat.ask(QUESTION);
  await demo.control({ whenPaused: true });
  await chat.reload();
  const { detail } = await chat.waitForEvent('ubik-run-started');
  assert.equal(detail['resumed'], true);
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Ukraine');
  assert.equal((await chat.transcript()).split('\n').length, 2);
});

test('a conversation that is opened while the Data Agent answers in another one shows nothing of that answer', async () => {
  const { demo } = getFixture();
  const chat = await openDataAgent();
  await chat.ask('Hello');
  await chat.waitForEvent('ubik-run-completed');
  const greeting = await chat.transcript();
  const first = await readThreadId(chat);
  await chat.page.evaluate(() => document.querySelector('ubik-chat')?.startThread());
  await demo.control({ pause: { point: 'text', skip: 12 } });
  await chat.ask(QUESTION);
  await demo.control({ whenPaused: true });
  const second = await readThreadId(chat);
  const open = (id: string): Promise<void> =>
    chat.page.evaluate((thread) => document.querySelector('ubik-chat')?.openThread(thread), id);
  await open(first);
  assert.equal(await chat.transcript(), greeting);
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed', 2);
  assert.equal(await chat.transcript(), greeting);
  await open(second);
  await chat.waitForText('Ukraine');
});

test('a chat shows the conversation of the Data Agent in `thread-id`, which the host page sets before it inserts the chat', async () => {
  const chat = await openDataAgent();
  await chat.ask('Hello');
  await chat.waitForEvent('ubik-run-completed');
  const greeting = await chat.transcript();
  const id = await readThreadId(chat);
  await chat.page.evaluate((thread) => {
    const before = document.querySelector('ubik-chat');
    const after = document.createElement('ubik-chat');
    for (const name of ['service', 'base-url', 'agent-id']) {
      after.setAttribute(name, before?.getAttribute(name) ?? '');
    }
    after.setAttribute('thread-id', thread);
    after.getToken = before?.getToken ?? null;
    before?.replaceWith(after);
  }, id);
  await chat.find('.message.assistant');
  assert.equal(await chat.transcript(), greeting);
  assert.equal(await readThreadId(chat), id);
});
