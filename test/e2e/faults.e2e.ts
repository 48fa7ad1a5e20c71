import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';
import { onlyExhaustive, sampleOf } from '../helpers/sample.js';

const stage = setupStage();
const QUESTION = 'Which countries does the Danube flow through?';

/** What stands in the composer. */
function boxText(chat: ChatPage): Promise<string> {
  return chat.page.evaluate(
    () =>
      document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector<HTMLTextAreaElement>('.field textarea')?.value ?? '',
  );
}

async function countOf(chat: ChatPage, type: string): Promise<number> {
  return (await chat.events()).filter((seen) => seen === type).length;
}

test('says that the address is not the service, and keeps the text', async () => {
  const { demo, open } = stage();
  const chat = await open();
  await demo.control({ faults: [{ kind: 'html', path: '/agent-sessions', times: 9 }] });
  await chat.ask(QUESTION);
  await chat.shows('wasn’t found at this address');
  assert.equal(await boxText(chat), QUESTION);
});

test('asks once for a new token when one was refused, and goes on', async () => {
  const { demo, open } = stage();
  const chat = await open();
  await demo.control({ faults: [{ kind: 'status', status: 401, path: '/messages' }] });
  await chat.ask(QUESTION);
  await chat.fired('ubik-run-completed');
  await chat.shows('Hungary');
});

test(
  'says that the sign-in has expired when the new token is refused too',
  onlyExhaustive,
  async () => {
    const { demo, open } = stage();
    const chat = await open();
    const fault = { kind: 'status', status: 401, path: '/agent-sessions', times: 9 };
    await demo.control({ faults: [fault] });
    await chat.ask(QUESTION);
    await chat.shows('not signed in');
    assert.equal(await boxText(chat), QUESTION);
  },
);

test('says that the service cannot be reached, and sends what was kept when it can', async () => {
  const { cable, open } = stage();
  const chat = await open();
  // What the page fetches later is there before the network goes.
  await chat.ask('Hello');
  await chat.fired('ubik-run-completed');
  await chat.find('.message.assistant .text');
  await chat.page.evaluate(() => document.querySelector('ubik-chat')?.startThread());
  cable.disconnect();
  await chat.ask(QUESTION);
  await chat.shows('cannot be reached');
  assert.equal(await boxText(chat), QUESTION);
  cable.reconnect();
  await chat.press('Send');
  await chat.shows('Hungary');
});

test('waits as long as the service asks, then says so', async () => {
  const { demo, open } = stage();
  const chat = await open();
  const fault = { kind: 'status', status: 429, retryAfter: 30, path: '/messages' };
  await demo.control({ faults: [fault] });
  await chat.ask(QUESTION);
  await chat.shows('Too many requests');
  assert.equal(await boxText(chat), QUESTION);
});

const LOSSES = [
  { kind: 'end', events: 4, method: 'POST', path: '/messages' },
  { kind: 'cut', bytes: 700, method: 'POST', path: '/messages' },
  { kind: 'duplicate', method: 'POST', path: '/messages' },
  { kind: 'malformed', method: 'POST', path: '/messages' },
  { kind: 'content-type', contentType: '', method: 'POST', path: '/messages' },
];
for (const fault of sampleOf(LOSSES, 3)) {
  test(`loses and doubles nothing: ${fault.kind}`, async () => {
    const { demo, open } = stage();
    const chat = await open();
    await demo.control({ faults: [fault] });
    await chat.ask(QUESTION);
    await chat.fired('ubik-run-completed');
    await chat.shows('Hungary');
    const live = await chat.transcript();
    await chat.reload();
    await chat.shows('Hungary');
    assert.equal(await chat.transcript(), live);
  });
}

test('gives the text back when the stream ends at once and nothing was started', async () => {
  const { demo, open } = stage();
  const chat = await open();
  await demo.control({ faults: [{ kind: 'empty', method: 'POST', path: '/messages' }] });
  await chat.ask(QUESTION);
  await chat.shows('did not accept the message');
  assert.equal(await boxText(chat), QUESTION);
});

test('shows the incomplete result of a tool when reconnecting is given up, until the answer is read whole', async () => {
  const { demo, open } = stage();
  const chat = await open();
  await demo.control({
    // In pieces of 40 characters, 28 events end in the middle of the result of the query. A browser keeps what came before a clean end.
    dialect: 'cut=40',
    faults: [
      { kind: 'end', events: 28, method: 'POST', path: '/messages' },
      { kind: 'status', status: 403, path: '/stream', times: 9 },
      { kind: 'status', status: 500, method: 'GET', path: '/messages', times: 99 },
    ],
  });
  const readTool = async (): Promise<string> => {
    const tool = await chat.find('.message.assistant details.tool');
    await tool.evaluate((node) => {
      (node as HTMLDetailsElement).open = true;
    });
    // The code that renders the content is loaded with the first tool.
    await tool.waitForSelector('.payload > *');
    return tool.evaluate((node) => node.textContent?.replaceAll(/\s+/g, ' ') ?? '');
  };
  await chat.ask(QUESTION);
  await chat.fired('ubik-run-interrupted');
  assert.match(await readTool(), /Result incomplete \{"columns":\["River",/);
  await demo.control({ reset: true });
  await chat.reload();
  await chat.shows('Hungary');
  const whole = await readTool();
  assert.match(whole, /Result columns 3 entries/);
  assert.doesNotMatch(whole, /incomplete/);
});

test('can be stopped when the end never comes', onlyExhaustive, async () => {
  const { demo, open } = stage();
  const chat = await open();
  await demo.control({ hold: { point: 'text', skip: 1 } });
  await chat.ask(QUESTION);
  await demo.control({ held: true });
  await chat.press('Stop');
  await demo.control({ release: true });
  await chat.fired('ubik-run-stopped');
});

test('sends nothing for an empty message', onlyExhaustive, async () => {
  const chat = await stage().open();
  await chat.ask('   ');
  assert.equal(await countOf(chat, 'ubik-message-send'), 0);
});

test(
  'takes a message of 100,000 characters, or says why not, and loses none of it',
  onlyExhaustive,
  async () => {
    const chat = await stage().open();
    await chat.page.evaluate(() => {
      const box = document
        .querySelector('ubik-chat')
        ?.shadowRoot?.querySelector<HTMLTextAreaElement>('.field textarea');
      if (!box) return;
      box.focus();
      box.value = 'rivers '.repeat(14_286);
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await chat.page.keyboard.press('Enter');
    await chat.page.waitForFunction(() =>
      window.seenEvents.some(({ type }) => /^ubik-(run-completed|run-paused|error)$/.test(type)),
    );
    const kept = (await boxText(chat)).length + (await chat.transcript()).length;
    assert.ok(kept >= 100_000, String(kept));
  },
);

test('says that a conversation does not exist', onlyExhaustive, async () => {
  const chat = await stage().open();
  await chat.page.evaluate(() => {
    document
      .querySelector('ubik-chat')
      ?.setAttribute('thread-id', '00000000-0000-4000-8000-000000000000');
  });
  await chat.shows('doesn’t exist');
  await chat.page.evaluate(() => {
    document.querySelector('ubik-chat')?.setAttribute('thread-id', '__proto__');
  });
  await chat.shows('refused');
  assert.deepEqual(
    chat.complaints.filter((text) => text.startsWith('uncaught')),
    [],
  );
});
