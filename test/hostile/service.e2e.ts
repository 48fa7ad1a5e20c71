import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printEvent } from '../helpers/stub-service.js';
import { listShortAttacks } from './attacks.js';
import {
  HOSTILE_TOOLS,
  listRendererMessages,
  printRendererRun,
  registerHostileRenderers,
} from './hostile-renderers.js';
import { FORGED, listHostileMessages, printHostileRun } from './hostile-run.js';
import { CHAT_REQUESTS } from './request-recorder.js';
import { openChat, openDisclosures } from './open-chat.js';
import { assertNoFindings, setupTestBrowser, type TestPage } from './security-fixture.js';

type OpenedChat = Awaited<ReturnType<typeof openChat>>;

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
  test(`text that imitates events creates no request, checkpoint, step or error, in chunks of ${String(size)}`, async () => {
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

/** What a chat with hostile renderers shows, and what they have done. */
function readRenderers() {
  const chat = document.querySelector('ubik-chat');
  const { errors, changes, failedMatches } = document.hostileRenderers;
  return {
    errors,
    changes,
    failedMatches,
    text: [...(chat?.shadowRoot?.querySelectorAll('[part~=answer] [part~=text]') ?? [])].map(
      ({ textContent }) => textContent.trim(),
    ),
    tools: chat?.shadowRoot?.querySelectorAll('.tool').length,
    // Without the nodes that a renderer has put next to the boxes.
    boxes: [...(chat?.children ?? [])]
      .filter((node) => node.checkVisibility() && node.textContent)
      .map(({ textContent }) => textContent),
  };
}

/** Scrolls away from the pending question, and presses the bar that leads to it. */
async function pressRequestBar({ page }: TestPage, chat: OpenedChat): Promise<void> {
  await page.evaluate(() => {
    const scroller = document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.scroller');
    scroller?.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller?.scrollTo(0, 0);
  });
  await chat.find('.request-bar');
  await page.evaluate(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    root?.querySelector<HTMLElement>('.request-bar')?.click();
  });
}

/** Closes the thread, then lets the renderers write into the boxes that they have kept. Returns what is shown of it. */
async function writeLate() {
  const chat = document.querySelector('ubik-chat');
  chat?.startThread();
  await chat?.updateComplete;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const { leaks } = document.hostileRenderers;
  for (const { box, context } of leaks) {
    box.append('late');
    context.standard().append('late');
    context.decline();
  }
  return {
    isAborted: leaks.every(({ context }) => context.signal.aborted),
    visible: [...(chat?.children ?? [])]
      .filter((node) => node.checkVisibility())
      .map(({ localName }) => localName),
    parts: chat?.shadowRoot?.querySelectorAll('[part~=message], .host, .tool').length,
  };
}

for (const [guard, how] of [
  ['open', 'live'],
  ['strict', 'stored'],
] as const) {
  test(`hostile renderers of ${how} parts affect nothing but their part, on a page with ${guard} policy`, async () => {
    const { stub, open } = testBrowser();
    const messages = how === 'stored' ? listRendererMessages() : [];
    stub.setResponses({ stream: printRendererRun(), messages });
    // For a stored question, the chat looks for its checkpoint.
    const testPage = await open(`/${guard}`, 'fast', [...CHAT_REQUESTS, 'checkpoints']);
    await testPage.page.evaluate(registerHostileRenderers);
    const chat = await openChat(testPage, {
      steps: 'list',
      ...(how === 'stored' && { 'thread-id': 's1' }),
    });
    if (how === 'live') await chat.ask();
    await chat.shows('After well-behaved.');
    await testPage.page.waitForFunction(() =>
      document.querySelector('ubik-chat')?.textContent.includes('Card: done'),
    );
    // Each renderer gets an update, in which some throw.
    await testPage.page.evaluate(() => {
      document.querySelector('ubik-chat')?.setAttribute('density', 'compact');
    });
    await testPage.page.waitForFunction(() => document.hostileRenderers.errors.length >= 6);
    // A stored question is not pending.
    if (how === 'live') {
      await pressRequestBar(testPage, chat);
      await chat.find('.request textarea:focus');
    }
    assertNoFindings(await testPage.findings());
    const shown = await testPage.page.evaluate(readRenderers);
    const names = [...HOSTILE_TOOLS, 'well-behaved'];
    assert.deepEqual(
      shown.text,
      names.map((name) => `After ${name}.`),
    );
    assert.equal(shown.tools, names.length, 'each call is shown once');
    assert.deepEqual(shown.boxes, [
      'Card: done',
      // After its error, the built-in view has taken its place.
      ...(how === 'live' ? [] : ['Question of the page']),
    ]);
    assert.ok(shown.failedMatches >= names.length, 'a match throws for each call');
    assert.deepEqual(shown.changes, []);
    assert.deepEqual(new Set(shown.errors), new Set(['renderer']));
    const texts = await testPage.page.evaluate(
      () => document.querySelector('ubik-chat')?.messages.map(({ text }) => text) ?? [],
    );
    assert.equal(texts.at(-1)?.match(/After [\w-]+\./g)?.length, names.length);
    assert.ok(texts.at(-1)?.includes('**Card**'));
    const late = await testPage.page.evaluate(writeLate);
    assert.deepEqual(late, { isAborted: true, visible: [], parts: 0 });
    const { errors, ...rest } = await testPage.findings();
    // What the formats of a renderer throw is reported as uncaught.
    assert.deepEqual(new Set(errors), new Set(['uncaught: Error: Uncaught Error: hostile']));
    assertNoFindings({ ...rest, errors: [] });
  });
}
