import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAttacks, listShortAttacks } from './attacks.js';
import {
  createHostileReply,
  listHostileResponses,
  printReply,
  type HostileEnd,
} from './hostile-reply.js';
import { openChat, openDisclosures } from './open-chat.js';
import { DATA_AGENT_REQUESTS } from './request-recorder.js';
import { assertNoFindings, setupTestBrowser } from './security-fixture.js';

const testBrowser = setupTestBrowser();
/** Texts for every field, among them all markup of the collection. */
const attacks = [
  ...listShortAttacks(),
  ...listAttacks().filter(({ name }) => name.startsWith('markup')),
];
const DATA_AGENT = { service: 'data-agent', 'agent-id': 'a' };

/** The event of a chat for each end of a run. */
const ENDS: Readonly<Record<HostileEnd, string>> = {
  complete: 'ubik-run-completed',
  failed: 'ubik-run-failed',
  waiting: 'ubik-run-paused',
};

for (const [guard, end] of [
  ['open', 'complete'],
  ['strict', 'complete'],
  ['open', 'failed'],
  ['open', 'waiting'],
] as const) {
  test(`a hostile answer of a Data Agent with the end "${end}" has no effect on a page with ${guard} policy`, async () => {
    const { stub, open } = testBrowser();
    const reply = createHostileReply(attacks, end);
    stub.setResponses({
      stream: printReply(reply),
      responses: listHostileResponses(attacks, reply),
    });
    const before = stub.requests.length;
    const testPage = await open(`/${guard}`, 'fast', DATA_AGENT_REQUESTS);
    const chat = await openChat(testPage, DATA_AGENT);
    const ended = chat.next(ENDS[end]);
    await chat.ask();
    await ended;
    await chat.find('.message.assistant canvas');
    await openDisclosures(testPage);
    assertNoFindings(await testPage.findings());
    const own = stub.requests.slice(before).filter((line) => line.includes(' /api/'));
    const starts = own.filter((line) => line.startsWith('POST '));
    assert.deepEqual(starts, [
      'POST /api/agent-factory/v1/app/a/conversation',
      'POST /api/agent-factory/v1/app/a/chat/completion',
    ]);
    assert.equal(new Set(own).size, own.length, 'each request is sent once');
    assert.equal(await chat.count('iframe'), 0, 'a page is loaded on request only');
  });
}

for (const guard of ['open', 'strict'] as const) {
  test(`a hostile conversation of a Data Agent has no effect on a page with ${guard} policy`, async () => {
    const { stub, open } = testBrowser();
    const responses = listHostileResponses(attacks, createHostileReply(attacks, 'complete'));
    stub.setResponses({ responses });
    const testPage = await open(`/${guard}`, 'fast', DATA_AGENT_REQUESTS);
    const chat = await openChat(testPage, {
      ...DATA_AGENT,
      'thread-id': 'c1',
      'error-details': '',
    });
    await chat.find('.message.assistant canvas');
    await openDisclosures(testPage);
    assertNoFindings(await testPage.findings());
  });

  test(`a hostile greeting of a Data Agent has no effect on a page with ${guard} policy`, async () => {
    const { stub, open } = testBrowser();
    const responses = listHostileResponses(attacks, createHostileReply(attacks, 'complete'));
    stub.setResponses({ responses });
    const testPage = await open(`/${guard}`, 'fast', DATA_AGENT_REQUESTS);
    const chat = await openChat(testPage, DATA_AGENT);
    await chat.shows('<img src=x onerror=');
    assertNoFindings(await testPage.findings());
  });
}

test('the script and a chat add no style sheet to the page', async () => {
  const testPage = await testBrowser().open('/open', 'fast', DATA_AGENT_REQUESTS);
  const countSheets = (): Promise<number[]> =>
    testPage.page.evaluate(() => [
      document.styleSheets.length,
      document.adoptedStyleSheets.length,
      document.querySelectorAll('style, link[rel=stylesheet]').length,
    ]);
  assert.deepEqual(await countSheets(), [0, 0, 0]);
  await openChat(testPage, DATA_AGENT);
  assert.deepEqual(await countSheets(), [0, 0, 0]);
});
