import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive, sampleOf } from '../helpers/sample.js';

const getFixture = setupDemo();
const QUESTION = 'Which countries does the Danube flow through?';

/** Returns the text of the composer. */
function readField(chat: ChatPage): Promise<string> {
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

test('chat reports that the address is not the service, and the text stays in the field', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ faults: [{ kind: 'html', path: '/agent-sessions', times: 9 }] });
  await chat.ask(QUESTION);
  await chat.waitForText('wasn’t found at this address');
  assert.equal(await readField(chat), QUESTION);
});

test('chat requests one new token after a rejected one, and continues', async () => {
  const { demo, open } = getFixture();
  let tokens = 0;
  const chat = await open(undefined, async (page) => {
    page.on('request', (request) => {
      if (request.url().endsWith('/token')) tokens += 1;
    });
    return Promise.resolve();
  });
  await demo.control({ faults: [{ kind: 'status', status: 401, path: '/messages' }] });
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Hungary');
  assert.equal(tokens, 2, 'the first token and one new one');
});

test(
  'chat reports that the user is not signed in when the new token is rejected, too',
  onlyExhaustive,
  async () => {
    const { demo, open } = getFixture();
    const chat = await open();
    const fault = { kind: 'status', status: 401, path: '/agent-sessions', times: 9 };
    await demo.control({ faults: [fault] });
    await chat.ask(QUESTION);
    await chat.waitForText('not signed in');
    assert.equal(await readField(chat), QUESTION);
  },
);

test('chat reports that the service cannot be reached, and the text can be sent when it is reachable', async () => {
  const { proxy, open } = getFixture();
  const chat = await open();
  // The lazy files must be loaded before the network is disconnected.
  await chat.ask('Hello');
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.message.assistant .text');
  await chat.page.evaluate(() => document.querySelector('ubik-chat')?.startThread());
  proxy.disconnect();
  await chat.ask(QUESTION);
  await chat.waitForText('cannot be reached');
  assert.equal(await readField(chat), QUESTION);
  proxy.reconnect();
  await chat.pressButton('Send');
  await chat.waitForText('Hungary');
});

test('chat reports too many requests, and the text stays in the field', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  const fault = { kind: 'status', status: 429, retryAfter: 30, path: '/messages' };
  await demo.control({ faults: [fault] });
  await chat.ask(QUESTION);
  await chat.waitForText('Too many requests');
  assert.equal(await readField(chat), QUESTION);
});

/** Faults of the stream after which a chat still has all content. */
const STREAM_FAULTS = [
  { kind: 'end', events: 4, method: 'POST', path: '/messages' },
  { kind: 'cut', bytes: 700, method: 'POST', path: '/messages' },
  { kind: 'duplicate', method: 'POST', path: '/messages' },
  { kind: 'malformed', method: 'POST', path: '/messages' },
  { kind: 'content-type', contentType: '', method: 'POST', path: '/messages' },
];
for (const fault of sampleOf(STREAM_FAULTS, 3)) {
  test(`chat neither loses nor duplicates content with the fault: ${fault.kind}`, async () => {
    const { demo, open } = getFixture();
    const chat = await open();
    await demo.control({ faults: [fault] });
    await chat.ask(QUESTION);
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText('Hungary');
    const live = await chat.transcript();
    await chat.reload();
    await chat.waitForText('Hungary');
    assert.equal(await chat.transcript(), live);
  });
}

test('text returns to the field when the stream ends at once and no run has started', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ faults: [{ kind: 'empty', method: 'POST', path: '/messages' }] });
  await chat.ask(QUESTION);
  await chat.waitForText('did not accept the message');
  assert.equal(await readField(chat), QUESTION);
});

test('incomplete result of a tool is shown when rejoining is given up, until the answer is loaded', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({
    // In pieces of 40 characters, 35 events end in the middle of the result of the query. A browser delivers all data before a clean end, but
    // not before a broken one: hence `end` and not `cut`.
    dialect: 'cut=40',
    faults: [
      { kind: 'end', events: 35, method: 'POST', path: '/messages' },
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
  await chat.waitForEvent('ubik-run-interrupted');
  assert.match(await readTool(), /Result incomplete \{"columns":\["Country",/);
  await demo.control({ reset: true });
  await chat.reload();
  await chat.waitForText('Hungary');
  const whole = await readTool();
  assert.match(whole, /Result columns 4 entries/);
  assert.doesNotMatch(whole, /incomplete/);
});

test('run is stopped on request while its stream delivers nothing', onlyExhaustive, async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ pause: { point: 'text', skip: 1 } });
  await chat.ask(QUESTION);
  await demo.control({ whenPaused: true });
  await chat.pressButton('Stop');
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-stopped');
});

test('composer does not send a message that consists of spaces', onlyExhaustive, async () => {
  const chat = await getFixture().open();
  await chat.ask('   ');
  assert.equal(await countOf(chat, 'ubik-message-send'), 0);
});

test(
  'message of 100,000 characters is sent, or returns to the field with the reason',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
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
    const length = (await readField(chat)).length + (await chat.transcript()).length;
    assert.ok(length >= 100_000, String(length));
  },
);

test(
  'chat reports that a conversation does not exist, or that its id is invalid',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
    await chat.page.evaluate(() => {
      document
        .querySelector('ubik-chat')
        ?.setAttribute('thread-id', '00000000-0000-4000-8000-000000000000');
    });
    await chat.waitForText('doesn’t exist');
    await chat.page.evaluate(() => {
      document.querySelector('ubik-chat')?.setAttribute('thread-id', '__proto__');
    });
    await chat.waitForText('refused');
    assert.deepEqual(
      chat.pageErrors.filter((text) => text.startsWith('uncaught')),
      [],
    );
  },
);
