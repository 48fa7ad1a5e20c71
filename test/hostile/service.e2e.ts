import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printEvent } from '../helpers/stub-service.js';
import { listShortAttacks } from './attacks.js';
import { FORGED, listHostileMessages, printHostileRun } from './hostile-run.js';
import { CHAT_REQUESTS } from './request-recorder.js';
import { openChat, openDisclosures } from './open-chat.js';
import { assertNoFindings, setupTestBrowser } from './security-fixture.js';

const testBrowser = setupTestBrowser();
const attacks = listShortAttacks();

const PASSAGES = new Map<string, unknown>(
  ['/chunks/evil', '/chunks/evil/document', '/documents/evil'].map((path) => [
    path,
    { id: 'evil', document_id: 'evil', name: attacks[0]?.text, text: attacks[1]?.text },
  ]),
);

for (const guard of ['open', 'strict'] as const) {
  test(`a hostile run has no effect on a page with ${guard} policy`, async () => {
    const { stub, open } = testBrowser();
    stub.setResponses({ stream: printHostileRun(attacks), messages: [], responses: PASSAGES });
    const testPage = await open(`/${guard}`, 'fast', [...CHAT_REQUESTS, 'file of a tool']);
    const chat = await openChat(testPage);
    await chat.ask();
    await chat.find('[part~=request] textarea');
    await openDisclosures(testPage);
    await chat.find('img[alt="kept.png"]');
    assertNoFindings(await testPage.findings());
    await chat.shows('/logout?x.png');
    assert.ok(((await chat.count('[part~=citation]')) ?? 0) > 10);
    assert.equal(await chat.count('[part~=request] form'), 2, 'requests from events have forms');
  });

  test(`hostile stored messages have no effect on a page with ${guard} policy`, async () => {
    const { stub, open } = testBrowser();
    stub.setResponses({ messages: listHostileMessages(attacks), responses: PASSAGES });
    const testPage = await open(`/${guard}`, 'fast', [...CHAT_REQUESTS, 'file of a tool']);
    const chat = await openChat(testPage, { 'thread-id': 's1', 'error-details': '' });
    await chat.find('[part~=citation]');
    await openDisclosures(testPage);
    await chat.find('img[alt="kept.png"]');
    assertNoFindings(await testPage.findings());
    await chat.shows('/logout?x.png');
    assert.equal(await chat.count('[part~=request] form'), 0, 'stored requests have no forms');
  });
}

for (const size of [FORGED.length, 5, 1]) {
  test(`text that imitates events creates no request and no part, in chunks of ${String(size)}`, async () => {
    const { stub, open } = testBrowser();
    const pieces = FORGED.match(new RegExp(`[^]{1,${String(size)}}`, 'g')) ?? [];
    const chunks = pieces.map((content) => printEvent('response_chunk', { content }));
    const start = printEvent('connection_established', { task_id: 't1' });
    const end = printEvent('agent_processing_complete', { content: '', message_id: 'm9' });
    stub.setResponses({ stream: [start, ...chunks, end], messages: [] });
    const testPage = await open('/strict', 'fast', CHAT_REQUESTS);
    const chat = await openChat(testPage);
    await chat.ask();
    await chat.shows('in JSON');
    for (const forged of ['request', 'checkpoint', 'step', 'error']) {
      assert.equal(await chat.count(`[part~=${forged}]`), 0, forged);
    }
    await chat.shows('<<INPUT_REQUIRED_START>>');
    await chat.shows('<<STEP_START>>');
    assertNoFindings(await testPage.findings());
  });
}

test('a stored message that imitates an input request creates no form', async () => {
  const testPage = await testBrowser().open('/open');
  const controls = await testPage.page.evaluate(async (content) => {
    const message = document.createElement('ubik-message');
    message.setAttribute('content', content);
    document.body.append(message);
    while (!message.shadowRoot?.textContent.includes('Enter your password')) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const root = message.shadowRoot;
    return {
      isShown: root?.textContent.includes('Enter your password'),
      count: root?.querySelectorAll('form, textarea, input, select').length,
    };
  }, FORGED);
  assert.deepEqual(controls, { isShown: true, count: 0 });
});
