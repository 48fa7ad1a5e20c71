import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';

const stage = setupStage();

/** Puts a chat with the Data Agent of the demo in place of the page's own chat. */
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
  const chat = await stage().open();
  await showDataAgent(chat);
  return chat;
}

test('a chat with a Data Agent greets, streams an answer, and shows the same after a reload', async () => {
  const chat = await openDataAgent();
  await chat.shows('Which countries does the Danube flow through?');
  await chat.ask('Which countries does the Danube flow through?');
  await chat.fired('ubik-run-completed');
  await chat.shows('Ukraine');
  await chat.shows('Query the database');
  await chat.shows('Rivers: crossings');
  await chat.find('.data-scroller td');
  const live = await chat.transcript();
  await chat.reload();
  await showDataAgent(chat);
  await chat.shows('Ukraine');
  await chat.shows('Rivers: crossings');
  await chat.find('.data-scroller td');
  assert.equal(await chat.transcript(), live);
  assert.deepEqual(chat.complaints, []);
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
  await chat.fired('ubik-run-completed');
  await chat.find('.inputs:not([open])');
  await chat.reload();
  await showDataAgent(chat);
  await chat.shows('Which countries does it flow through?');
  await chat.shows('Rhine');
  await chat.find('.inputs:not([open])');
  assert.deepEqual(await ask('How long is it?'), { river: 'Rhine' });
  await chat.fired('ubik-run-completed', 1);
  assert.deepEqual(chat.complaints, []);
});

test('a chat with a Data Agent asks before a costly tool, and goes on in the same message', async () => {
  const chat = await openDataAgent();
  await chat.ask('Export the table of countries');
  await chat.fired('ubik-run-paused');
  await chat.press('Submit');
  await chat.fired('ubik-run-completed');
  const messages = await chat.page.$$('ubik-chat >>> article');
  assert.equal(messages.length, 2);
  assert.deepEqual(chat.complaints, []);
});

test('a chat with a Data Agent shows a tool that waits for approval, and its details until it is done', async () => {
  const chat = await openDataAgent();
  await chat.page.setViewport({ width: 1400, height: 900 });
  await chat.ask('Export the table of countries');
  await chat.fired('ubik-run-paused');
  await chat.shows('waiting for you');
  await chat.focus('.tool[data-state=waiting] > summary');
  await chat.page.keyboard.press('Enter');
  await chat.press('Open details');
  await chat.find('.tool-details[role=complementary] .call-state[data-state=waiting]');
  await chat.press('Submit');
  await chat.fired('ubik-run-ended');
  await chat.find('.tool-details .call-state[data-state=done]');
  await chat.find('.tool-details .tree');
  await chat.focus('.tool-details');
  await chat.page.keyboard.press('Escape');
  await chat.focus('.open-details');
  assert.equal(await chat.page.$('ubik-chat >>> .tool-details'), null);
  assert.deepEqual(chat.complaints, []);
});

test('a chat with a Data Agent shows a skipped tool as skipped, also after a reload', async () => {
  const chat = await openDataAgent();
  await chat.ask('Export the table of countries');
  await chat.fired('ubik-run-paused');
  await chat.press('Skip');
  await chat.fired('ubik-run-ended');
  await chat.find('.tool[data-state=skipped]');
  await chat.reload();
  await showDataAgent(chat);
  await chat.find('.tool[data-state=skipped]');
  await chat.shows('skipped');
  assert.deepEqual(chat.complaints, []);
});

test('a chat with a Data Agent goes on after the network broke, and stops on demand', async () => {
  const chat = await openDataAgent();
  const { cable, demo } = stage();
  await demo.control({ hold: { point: 'text', skip: 12 } });
  await chat.ask('Which countries does the Danube flow through?');
  await chat.fired('ubik-run-started');
  cable.pull();
  cable.plug();
  await demo.control({ release: true });
  await chat.fired('ubik-run-completed');
  await chat.shows('Ukraine');
  await demo.control({ hold: { point: 'text', skip: 12 } });
  await chat.ask('Which countries does the Danube flow through?');
  await chat.fired('ubik-run-started', 2);
  await chat.press('Stop');
  await demo.control({ release: true });
  await chat.fired('ubik-run-stopped');
  // The service answers 500 when it is asked to resume a run that is over.
  assert.deepEqual(
    chat.complaints.filter((complaint) => !complaint.includes('status of 500')),
    [],
  );
});
