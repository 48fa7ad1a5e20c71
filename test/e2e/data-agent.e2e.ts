import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openVisitor, type ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';

const getFixture = setupDemo();
const LIST = 'ubik-thread-list';

/** Replaces the chat of the page by a chat with the Data Agent of the demo. */
async function showDataAgent(chat: ChatPage): Promise<void> {
  await chat.page.evaluate(() => {
    const before = document.querySelector('ubik-chat');
    const element = document.createElement('ubik-chat');
    element.setAttribute('service', 'data-agent');
    element.setAttribute('base-url', '/');
    element.setAttribute('agent-id', 'river-analyst');
    element.getToken = before?.getToken ?? null;
    before?.replaceWith(element);
  });
  await chat.find('.field textarea:not([disabled])');
}

async function openDataAgent(): Promise<ChatPage> {
  const chat = await getFixture().open();
  await showDataAgent(chat);
  return chat;
}

test('a chat with a Data Agent greets, streams an answer, and shows the same after a reload', async () => {
  const chat = await openDataAgent();
  await chat.waitForText('Hello! I query the river database');
  await chat.ask('Which countries does the Danube flow through?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Ukraine');
  await chat.waitForText('Query the database');
  await chat.waitForText('Countries');
  await chat.find('.data-scroller td');
  const live = await chat.transcript();
  await chat.reload();
  await showDataAgent(chat);
  await chat.waitForText('Ukraine');
  await chat.waitForText('Countries');
  await chat.find('.data-scroller td');
  assert.equal(await chat.transcript(), live);
  assert.deepEqual(chat.pageErrors, []);
});

test('a chat with a Data Agent greets in the language of the page, also when that changes, and keeps the conversation', async () => {
  const chat = await openDataAgent();
  const setLanguage = (lang: string): Promise<void> =>
    chat.page.evaluate((tag) => {
      document.documentElement.lang = tag;
    }, lang);
  await chat.waitForText('Hello! I query the river database');
  await setLanguage('zh');
  await chat.waitForText('你好！我可以查询河流数据库');
  await chat.waitForText('最长的五条河流是哪些？');
  await chat.ask('Hello');
  await chat.waitForEvent('ubik-run-completed');
  const before = await chat.page.evaluate(
    () => document.querySelector('ubik-chat')?.currentThreadId,
  );
  const english = chat.page.waitForResponse(
    (response) =>
      response.url().includes('/agent-market/') &&
      response.request().headers()['x-language'] === 'en-US',
  );
  await setLanguage('en');
  await english;
  await chat.waitForTexts('ubik-chat', '.message', 2);
  const after = await chat.page.evaluate(
    () => document.querySelector('ubik-chat')?.currentThreadId,
  );
  assert.equal(after, before);
  await chat.page.evaluate(() => document.querySelector('ubik-chat')?.startThread());
  await chat.waitForText('Hello! I query the river database');
  assert.deepEqual(chat.pageErrors, []);
});

test('a chat with a Data Agent shows the context of the page as a chip and sends it, until the user removes it', async () => {
  const chat = await openDataAgent();
  const ask = async (text: string, runs: number): Promise<Record<string, unknown>> => {
    const sent = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
    // A button of the page fills the field, and the user sends the message.
    await chat.page.evaluate(
      (filled) => document.querySelector('ubik-chat')?.compose({ text: filled, focus: true }),
      text,
    );
    await chat.page.keyboard.press('Enter');
    const body = JSON.parse((await sent).postData() ?? '{}') as Record<string, unknown>;
    await chat.waitForEvent('ubik-run-completed', runs);
    return body;
  };
  await chat.page.evaluate(() => {
    const element = document.querySelector('ubik-chat');
    if (element) element.context = { title: 'Danube', data: { river: 'Danube' } };
  });
  const [chip = ''] = await chat.waitForTexts('ubik-chat', '.composer .context .chip', 1);
  assert.match(chip, /Context: Danube/);
  const first = await ask('How long is it?', 1);
  assert.equal(first['query'], 'How long is it?');
  assert.deepEqual(first['custom_querys'], { river: 'Danube' });
  await chat.focus('.composer .context button');
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-context-removed');
  await chat.waitForTexts('ubik-chat', '.composer .context .chip', 0);
  assert.deepEqual((await ask('And the Rhine?', 2))['custom_querys'] ?? {}, {});
  const diagnostics = (await chat.events()).filter((type) => type === 'ubik-diagnostic');
  assert.deepEqual([diagnostics, chat.pageErrors], [[], []]);
});

test('a chat with a Data Agent sends the inputs of a thread with each message, also after a reload', async () => {
  const chat = await openDataAgent();
  const ask = async (text: string): Promise<unknown> => {
    const sent = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
    await chat.ask(text);
    return (JSON.parse((await sent).postData() ?? '{}') as Record<string, unknown>)[
      'custom_querys'
    ];
  };
  await chat.focus('.inputs[open] textarea');
  await chat.page.keyboard.type('Rhine');
  assert.deepEqual(await ask('Which countries does it flow through?'), { river: 'Rhine' });
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.inputs:not([open])');
  await chat.reload();
  await showDataAgent(chat);
  await chat.waitForText('Which countries does it flow through?');
  await chat.waitForText('Rhine');
  await chat.find('.inputs:not([open])');
  assert.deepEqual(await ask('How long is it?'), { river: 'Rhine' });
  await chat.waitForEvent('ubik-run-completed', 1);
  assert.deepEqual(chat.pageErrors, []);
});

test('a chat with a Data Agent shows why a run has failed, the same after a reload, and retries it', async () => {
  const chat = await openDataAgent();
  await chat.ask('sql: SELECT * FROM nowhere');
  await chat.waitForEvent('ubik-run-failed');
  const reason = 'A tool failed. Change the question or try again.';
  const readError = async (): Promise<string> => {
    await chat.waitForText('AgentAPP.Agent.SkillExecption');
    const [text = ''] = await chat.waitForTexts('ubik-chat', '.error', 1);
    return text.replaceAll(/\s+/g, ' ').trim();
  };
  const live = await readError();
  assert.match(live, new RegExp(reason.replaceAll('.', '\\.'), 'u'));
  assert.match(live, /Code: AgentAPP\.Agent\.SkillExecption/u);
  await chat.reload();
  await showDataAgent(chat);
  assert.equal(await readError(), live);
  await chat.pressButton('Retry');
  await chat.waitForEvent('ubik-run-started');
  await chat.waitForEvent('ubik-run-failed');
  assert.equal(await readError(), live);
  assert.deepEqual(chat.pageErrors, []);
});

test('a chat with a Data Agent shows totals and related questions, the same after a reload', async () => {
  const chat = await openDataAgent();
  await chat.ask('Which countries does the Danube flow through?');
  await chat.waitForEvent('ubik-run-completed');
  const read = async (): Promise<string[]> => [
    ...(await chat.waitForTexts('ubik-chat', '.usage', 1)),
    ...(await chat.waitForTexts('ubik-chat', '.follow-ups button', 2)).map((text) => text.trim()),
  ];
  const live = await read();
  assert.match(live[0] ?? '', /^[\d.]+s · [\d,]+ tokens$/u);
  await chat.reload();
  await showDataAgent(chat);
  assert.deepEqual(await read(), live);
  await chat.focus('.follow-ups button');
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForTexts('ubik-chat', 'article', 4);
  assert.deepEqual(chat.pageErrors, []);
});

test('a thread list of a Data Agent shows a run that another page has left, and its answer as unread until it is opened', async () => {
  const { demo, open } = getFixture();
  const visitor = await openVisitor();
  const openList = async (): Promise<ChatPage> => {
    const chat = await open(visitor);
    await showDataAgent(chat);
    await chat.page.evaluate(() => {
      const list = document.createElement('ubik-thread-list');
      list.slot = 'start';
      document.querySelector('ubik-chat')?.append(list);
    });
    await chat.waitForTexts(LIST, '.thread-title', 1);
    return chat;
  };
  const before = await open(visitor);
  await showDataAgent(before);
  await demo.control({ pause: { point: 'text', skip: 12 } });
  await before.ask('Which countries does the Danube flow through?');
  await before.waitForEvent('ubik-run-started');
  await before.page.goto('about:blank');
  const chat = await openList();
  assert.deepEqual(await chat.waitForTexts(LIST, '.thread-status .hidden', 1), [', Working']);
  await demo.control({ resume: true });
  await chat.waitForTexts(LIST, '[data-status="unread"] .thread-status', 1);
  const marked = chat.page.waitForResponse((response) => response.url().endsWith('/mark_read'));
  await chat.focus('.thread-open', LIST);
  await chat.page.keyboard.press('Enter');
  await chat.waitForText('Ukraine');
  assert.equal((await marked).status(), 204);
  const later = await openList();
  await later.waitForTexts(LIST, '.thread-status', 0);
  assert.deepEqual([...chat.pageErrors, ...later.pageErrors], []);
});

test('a chat with a Data Agent asks for approval of a costly tool, and continues in the same message', async () => {
  const chat = await openDataAgent();
  await chat.ask('Export the table of countries');
  await chat.waitForEvent('ubik-run-paused');
  await chat.pressButton('Submit');
  await chat.waitForEvent('ubik-run-completed');
  const messages = await chat.page.$$('ubik-chat >>> article');
  assert.equal(messages.length, 2);
  assert.deepEqual(chat.pageErrors, []);
});

test('a chat with a Data Agent shows a tool that waits for approval, and its details, which follow it until it is done', async () => {
  const chat = await openDataAgent();
  await chat.page.setViewport({ width: 1400, height: 900 });
  await chat.ask('Export the table of countries');
  await chat.waitForEvent('ubik-run-paused');
  await chat.waitForText('waiting for you');
  await chat.focus('.tool[data-state=waiting] > summary');
  await chat.page.keyboard.press('Enter');
  await chat.pressButton('Open details');
  await chat.find('.tool-details[role=complementary] .call-state[data-state=waiting]');
  await chat.pressButton('Submit');
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.tool-details .call-state[data-state=done]');
  await chat.find('.tool-details .tree');
  await chat.focus('.tool-details');
  await chat.page.keyboard.press('Escape');
  await chat.focus('.open-details');
  assert.equal(await chat.page.$('ubik-chat >>> .tool-details'), null);
  assert.deepEqual(chat.pageErrors, []);
});

test('a chat with a Data Agent shows a skipped tool as skipped, also after a reload', async () => {
  const chat = await openDataAgent();
  await chat.ask('Export the table of countries');
  await chat.waitForEvent('ubik-run-paused');
  await chat.pressButton('Skip');
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.tool[data-state=skipped]');
  await chat.reload();
  await showDataAgent(chat);
  await chat.find('.tool[data-state=skipped]');
  await chat.waitForText('skipped');
  assert.deepEqual(chat.pageErrors, []);
});

const APPROVAL_LABEL = 'Question from the assistant (Export table)';

test('a chat with a Data Agent asks again for an approval in another tab, which continues the run with changed arguments', async () => {
  const visitor = await openVisitor();
  const before = await getFixture().open(visitor);
  await showDataAgent(before);
  await before.ask('Export the table of countries');
  await before.waitForEvent('ubik-run-paused');
  await before.waitForText(APPROVAL_LABEL);
  const id = await before.page.evaluate(() => document.querySelector('ubik-chat')?.currentThreadId);
  await before.page.goto('about:blank');
  const chat = await getFixture().open(visitor);
  await showDataAgent(chat);
  await chat.page.evaluate(
    (thread) => document.querySelector('ubik-chat')?.openThread(thread),
    id ?? '',
  );
  await chat.waitForText(APPROVAL_LABEL);
  const field = await chat.find('.request input[name=field-1]');
  assert.equal(await field.evaluate((node) => (node as HTMLInputElement).value), '200');
  await field.evaluate((node) => {
    (node as HTMLInputElement).value = '';
  });
  await chat.pressButton('Submit');
  await chat.waitForTexts('ubik-chat', '.request input[aria-invalid=true]', 1);
  await field.focus();
  await chat.page.keyboard.type('3');
  const sent = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
  await chat.pressButton('Submit');
  const body = JSON.parse((await sent).postData() ?? '{}') as {
    resume_interrupt_info?: { action?: unknown; modified_args?: unknown };
  };
  const { action, modified_args: changed } = body.resume_interrupt_info ?? {};
  assert.deepEqual([action, changed], ['confirm', [{ key: 'max_rows', value: 3 }]]);
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.tool[data-state=done]');
  await chat.waitForTexts('ubik-chat', '.message', 2);
  assert.deepEqual([...before.pageErrors, ...chat.pageErrors], []);
});

test('a chat with a Data Agent skips a tool whose approval was requested before a reload', async () => {
  const chat = await openDataAgent();
  await chat.ask('Export the table of countries');
  await chat.waitForEvent('ubik-run-paused');
  await chat.reload();
  await showDataAgent(chat);
  await chat.waitForText(APPROVAL_LABEL);
  await chat.pressButton('Skip');
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.tool[data-state=skipped]');
  await chat.waitForTexts('ubik-chat', '.message', 2);
});

test('a chat with a Data Agent rejoins a run after a network failure, and stops another one on request', async () => {
  const chat = await openDataAgent();
  const { proxy, demo } = getFixture();
  await demo.control({ pause: { point: 'text', skip: 12 } });
  await chat.ask('Which countries does the Danube flow through?');
  await chat.waitForEvent('ubik-run-started');
  proxy.disconnect();
  proxy.reconnect();
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Ukraine');
  await demo.control({ pause: { point: 'text', skip: 12 } });
  await chat.ask('Which countries does the Danube flow through?');
  await chat.waitForEvent('ubik-run-started', 2);
  await chat.pressButton('Stop');
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-stopped');
  // The service responds with 500 to a request to resume a run that has ended.
  assert.deepEqual(
    chat.pageErrors.filter((error) => !error.includes('status of 500')),
    [],
  );
});
