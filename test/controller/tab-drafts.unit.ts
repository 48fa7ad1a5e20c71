import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceEntry, findEntry } from '../../src/controller/messages/tab-entries.js';
import type { Json } from '../../src/model/json.js';
import type { TestEnvironment } from '../helpers/test-environment.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { recordKey } from './setup-queue.js';
import { contentOf, stored } from './scripted-backend.js';
import { draftOf, setupController, type ControllerFixture } from './setup-controller.js';

const TALK = [stored('m1', 'user', 'First'), stored('m2', 'assistant', 'Good day')];
const ID = 'thread-id-1';

/** A page in one of several tabs that share the storage. */
async function openTab(browser: TestEnvironment, tab: string): Promise<ControllerFixture> {
  const environment = Object.create(browser, {
    tabId: { value: () => Promise.resolve(tab) },
  }) as TestEnvironment;
  const fixture = setupController({ environment });
  fixture.backend.threads.set(ID, contentOf(ID, TALK));
  await fixture.controller.openThread(ID);
  await environment.settle();
  return { ...fixture, environment };
}

async function setDraftText(
  { controller, environment }: ControllerFixture,
  text: string,
): Promise<void> {
  controller.setDraft(draftOf(text));
  await environment.advance(1_000);
}

/** The draft of a tab after a reload. */
async function reloadDraft(browser: TestEnvironment, tab: string): Promise<string> {
  const { controller } = await openTab(browser, tab);
  const { text } = controller.getDraft();
  controller.close();
  return text;
}

test('two tabs of one thread restore their own drafts after a reload', async () => {
  const browser = createTestEnvironment();
  const [one, two] = [await openTab(browser, '1'), await openTab(browser, '2')];
  await setDraftText(one, 'one');
  await setDraftText(two, 'two');
  assert.deepEqual(
    [await reloadDraft(browser, '1'), await reloadDraft(browser, '2')],
    ['one', 'two'],
  );
});

test('a tab that clears its draft keeps that of another tab and stays empty', async () => {
  const browser = createTestEnvironment();
  const [one, two] = [await openTab(browser, '1'), await openTab(browser, '2')];
  await setDraftText(one, 'one');
  await setDraftText(two, 'two');
  await setDraftText(two, '');
  assert.deepEqual([await reloadDraft(browser, '1'), await reloadDraft(browser, '2')], ['one', '']);
});

test('a tab that sends its draft keeps that of another tab', async () => {
  const browser = createTestEnvironment();
  const [one, two] = [await openTab(browser, '1'), await openTab(browser, '2')];
  await setDraftText(one, 'one');
  await setDraftText(two, 'two');
  void two.controller.send(draftOf('two'));
  await browser.settle();
  two.backend.stream.begin();
  await browser.settle();
  assert.deepEqual([await reloadDraft(browser, '1'), await reloadDraft(browser, '2')], ['one', '']);
});

test('a new tab starts with the newest stored draft and removes it together with its own', async () => {
  const browser = createTestEnvironment();
  await setDraftText(await openTab(browser, '1'), 'old');
  await setDraftText(await openTab(browser, '2'), 'new');
  const three = await openTab(browser, '3');
  assert.equal(three.controller.getDraft().text, 'new');
  await setDraftText(three, 'newer');
  await setDraftText(three, '');
  assert.deepEqual(await Promise.all(['1', '4'].map((tab) => reloadDraft(browser, tab))), [
    'old',
    'old',
  ]);
});

test('a draft that has changed since another tab copied it stays when the copy is cleared', async () => {
  const browser = createTestEnvironment();
  const one = await openTab(browser, '1');
  await setDraftText(one, 'one');
  const two = await openTab(browser, '2');
  await setDraftText(one, 'one and more');
  await setDraftText(two, '');
  assert.equal(await reloadDraft(browser, '1'), 'one and more');
});

test('no record is stored when the last tab has cleared its draft', async () => {
  const browser = createTestEnvironment();
  const [one, two] = [await openTab(browser, '1'), await openTab(browser, '2')];
  await setDraftText(one, 'one');
  await setDraftText(two, 'two');
  await setDraftText(one, '');
  await setDraftText(two, '');
  assert.equal(await browser.storage.get(recordKey('draft')), null);
});

test('a draft in the earlier storage format is restored by any tab, and removed when one clears it', async () => {
  const browser = createTestEnvironment();
  await browser.storage.set(recordKey('draft'), JSON.stringify({ text: 'old', attachments: [] }));
  assert.equal(await reloadDraft(browser, '1'), 'old');
  await setDraftText(await openTab(browser, '2'), '');
  assert.equal(await reloadDraft(browser, '1'), '');
});

for (const tabEntries of [
  '[1, ["a"], ["b", {"pieces": [1, {"draft": {}}], "sending": [null]}]]',
  '"x"',
]) {
  test(`a stored draft that cannot be read is ignored: ${tabEntries}`, async () => {
    const browser = createTestEnvironment();
    await browser.storage.set(recordKey('draft'), tabEntries);
    assert.equal(await reloadDraft(browser, '1'), '');
  });
}

test('entries of too many tabs are removed, empty and oldest ones first', () => {
  let tabEntries: Json = null;
  for (let tab = 0; tab < 20; tab++)
    tabEntries = replaceEntry(tabEntries, String(tab), { tab }, null);
  assert.equal((tabEntries as unknown[]).length, 16);
  assert.equal(findEntry(tabEntries, '3')?.tab, '19');
  assert.deepEqual(findEntry(tabEntries, '4'), { tab: '4', entry: { tab: 4 } });
  tabEntries = replaceEntry(replaceEntry(tabEntries, '5', null, null), 'new', { tab: 'new' }, null);
  assert.deepEqual(findEntry(tabEntries, '4'), { tab: '4', entry: { tab: 4 } });
  assert.equal(findEntry(tabEntries, '5')?.tab, 'new');
});

test('the oldest entries of a long record are removed, the newest one stays whatever its length', () => {
  const long = 'x'.repeat(60_000);
  let tabEntries: Json = null;
  for (const tab of ['1', '2', '3']) tabEntries = replaceEntry(tabEntries, tab, { long }, null);
  assert.deepEqual(
    (tabEntries as [string, Json][]).map(([tab]) => tab),
    ['2', '3'],
  );
  tabEntries = replaceEntry(tabEntries, '4', { long: 'x'.repeat(200_000) }, null);
  assert.deepEqual(
    (tabEntries as [string, Json][]).map(([tab]) => tab),
    ['4'],
  );
});

/** A message of unknown delivery, whose run could not be rejoined, and another one that is being sent after it. */
async function setupGivenUp(): Promise<ControllerFixture> {
  const fixture = setupController();
  const { backend, controller, environment, start } = fixture;
  await start('First');
  backend.stream.finish('complete');
  await environment.settle();
  void controller.send(draftOf('Second')).catch(() => undefined);
  await environment.settle();
  for (let tries = 0; tries < 10 && controller.thread?.run.state !== 'interrupted'; tries++) {
    backend.stream.fail();
    await environment.advance(60_000);
  }
  assert.equal(controller.thread?.run.state, 'interrupted');
  void controller.send(draftOf('Third')).catch(() => undefined);
  await environment.settle();
  return fixture;
}

for (const isAccepted of [false, true]) {
  test(`a message of unknown delivery is restored after a reload when another one ${isAccepted ? 'was accepted' : 'is being sent'} after it`, async () => {
    const { backend, controller, environment } = await setupGivenUp();
    if (isAccepted) backend.stream.begin('task-3');
    await environment.settle();
    controller.close();
    for (const load of [1, 2]) {
      const reloaded = setupController({ environment });
      const talk = isAccepted ? [...TALK, stored('m3', 'user', 'Third')] : TALK;
      reloaded.backend.threads.set(ID, contentOf(ID, talk));
      await reloaded.controller.openThread(ID);
      const wanted = isAccepted ? 'Second' : 'Second\n\nThird';
      assert.equal(reloaded.controller.getDraft().text, wanted, `load ${load}`);
      reloaded.controller.close();
      await environment.settle();
    }
  });
}

test('of two messages of unknown delivery the delivered one is not restored', async () => {
  const { controller, environment } = await setupGivenUp();
  controller.close();
  const reloaded = setupController({ environment });
  const more = [stored('m3', 'user', 'Second'), stored('m4', 'assistant', '')];
  reloaded.backend.threads.set(ID, contentOf(ID, [...TALK, ...more]));
  await reloaded.controller.openThread(ID);
  assert.equal(reloaded.controller.getDraft().text, 'Third');
});

test('a record is shortened by whole entries until it has the maximum length', () => {
  const limit = 2 ** 17;
  const entryOf = (length: number) => ({ text: 'x'.repeat(length) });
  const empty = JSON.stringify(['1', '2'].map((tab) => [tab, entryOf(0)])).length;
  for (const [more, wanted] of [
    [0, ['1', '2']],
    [1, ['2']],
  ] as const) {
    let tabEntries: Json = null;
    const lengths = [10, 1_000, limit - empty - 1_000 + more];
    for (const [tab, length] of lengths.entries())
      tabEntries = replaceEntry(tabEntries, String(tab), entryOf(length), null);
    const tabs = (tabEntries as [string, Json][]).map(([tab]) => tab);
    assert.deepEqual(tabs, wanted, `${more} above the limit`);
  }
});

test('entries without the id of a tab, or without an object, are removed from a record', () => {
  const record = [[1, { text: 'a' }], ['b', 'text'], ['c'], [null, null], ['d', { text: 'd' }]];
  const tabEntries = replaceEntry(record, 'e', { text: 'e' }, null);
  assert.deepEqual(tabEntries, [
    ['d', { text: 'd' }],
    ['e', { text: 'e' }],
  ]);
});
