import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const stage = setupStage();

/** Waits until the list of documents shows a text. */
async function lists({ page }: ChatPage, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector('ubik-documents')?.shadowRoot?.textContent?.includes(wanted) ?? false,
    {},
    text,
  );
}

/** Has a file chosen in the list of documents. */
async function choose({ page }: ChatPage, ...paths: readonly string[]): Promise<void> {
  // Asked each frame: a wait for a selector does not see what changes in a shadow root.
  const field = await page.waitForFunction(
    () =>
      document
        .querySelector('ubik-documents')
        ?.shadowRoot?.querySelector<HTMLInputElement>('input[type=file]'),
    {},
  );
  await (field as ElementHandle<HTMLInputElement>).uploadFile(...paths);
}

/** All that the list of documents says. */
function listText({ page }: ChatPage): Promise<string> {
  return page.evaluate(
    () => document.querySelector('ubik-documents')?.shadowRoot?.textContent ?? '',
  );
}

/** Puts the focus on a button of the list of documents, as soon as it takes it: the list may come before its column. */
async function focusInList({ page }: ChatPage, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const root = document.querySelector('ubik-documents')?.shadowRoot;
      const found = [...(root?.querySelectorAll('button') ?? [])].find(
        (button) =>
          [button.ariaLabel, button.title].includes(wanted) ||
          button.textContent?.trim() === wanted,
      );
      found?.focus();
      return found !== undefined && root?.activeElement === found;
    },
    {},
    name,
  );
}

/** Presses a button of the list of documents by the keyboard. */
async function pressInList(chat: ChatPage, name: string): Promise<void> {
  await focusInList(chat, name);
  await chat.page.keyboard.press('Enter');
}

/** Writes a file that the agent can read. */
async function writeNote(name: string, text: string): Promise<string> {
  const path = join(stage().demo.dataDir, name);
  await writeFile(path, text);
  return path;
}

/** Opens the chat where it has room for the documents beside the messages. */
async function openWide(): Promise<ChatPage> {
  const chat = await stage().open();
  await chat.page.setViewport({ width: 1280, height: 800 });
  return chat;
}

test('adds a file, follows it until it was read, and finds it again after a restart', async () => {
  const { demo } = stage();
  const chat = await openWide();
  await choose(chat, await writeNote('herons.md', 'The grey heron nests in tall trees.'));
  await chat.fired('ubik-document-added');
  await chat.fired('ubik-document-ready');
  await lists(chat, 'Ready');
  await chat.ask('Where does the grey heron nest?');
  await chat.fired('ubik-run-ended');
  await chat.shows('tall trees');
  await demo.restart();
  await chat.reload();
  await lists(chat, 'herons.md');
  assert.deepEqual(chat.complaints, []);
});

test('opens what a citation points to at the side, with the quoted words marked, by the keyboard alone', async () => {
  const chat = await openWide();
  await chat.ask('How does an answer survive a broken network?');
  await chat.fired('ubik-run-ended');
  const cited = await chat.find('button.cite');
  await chat.focus('button.cite');
  await chat.page.keyboard.press('Enter');
  const mark = await chat.find('.passage mark');
  const said = await cited.evaluate((node) => node.closest('p, li, blockquote')?.textContent ?? '');
  const quoted = await mark.evaluate((node) => node.textContent);
  assert.ok(said.replaceAll(/\s+/g, ' ').includes(quoted.split(' ').slice(0, 3).join(' ')), quoted);
  assert.equal(await mark.evaluate((node) => node.closest('section')?.role), 'complementary');
  await chat.page.keyboard.press('Escape');
  assert.equal(await chat.page.$('ubik-chat >>> .passage'), null);
  assert.ok(
    await cited.evaluate((node) => (node.getRootNode() as ShadowRoot).activeElement === node),
  );
  await chat.page.setViewport({ width: 320, height: 640 });
  await chat.focus('button.cite');
  await chat.page.keyboard.press('Enter');
  await chat.find('.passage[role=dialog][aria-modal=true] mark');
  await chat.page.keyboard.press('Escape');
  assert.deepEqual(chat.complaints, []);
});

test(
  'sends a chosen file along with a message, as a chip above the text and then above the question',
  onlyExhaustive,
  async () => {
    const chat = await openWide();
    const field = await chat.find('.composer input[type=file]');
    await (field as typeof field & { uploadFile(path: string): Promise<void> }).uploadFile(
      await writeNote('storks.md', 'White storks build their nests on roofs.'),
    );
    await chat.find('.attached .chip bdi');
    await chat.fired('ubik-document-ready');
    await chat.ask('Where do white storks build their nests?');
    const { detail } = await chat.fired('ubik-message-sent');
    const attachments = detail['attachments'] as readonly { name: string }[];
    assert.deepEqual(
      attachments.map(({ name }) => name),
      ['storks.md'],
    );
    await chat.fired('ubik-run-ended');
    await chat.find('.message.user .chip');
    await chat.drawn();
    assert.equal(await chat.page.$('ubik-chat >>> .attached .chip'), null);
    assert.deepEqual(chat.complaints, []);
  },
);

test(
  'keeps a file that the network has cut off, and sends it again on request',
  onlyExhaustive,
  async () => {
    const { cable } = stage();
    const chat = await openWide();
    const path = await writeNote('large.md', `The otter sleeps by day. ${'x'.repeat(8_000_000)}`);
    cable.pullAfter(5_000_000);
    await choose(chat, path);
    await chat.fired('ubik-document-failed');
    await lists(chat, 'The file did not arrive. Try again.');
    cable.plug();
    await pressInList(chat, 'Retry large.md');
    await chat.fired('ubik-document-retried');
    assert.equal((await chat.events()).filter((type) => type === 'ubik-document-added').length, 0);
  },
);

test(
  'takes a document of another conversation in and out again, by the keyboard alone',
  onlyExhaustive,
  async () => {
    const chat = await openWide();
    await choose(chat, await writeNote('beavers.md', 'Beavers build dams.'));
    await chat.fired('ubik-document-ready');
    await chat.page.evaluate(() => {
      document.querySelector('ubik-chat')?.startThread();
    });
    await focusInList(chat, 'From other conversations…');
    await chat.page.keyboard.press('Enter');
    await lists(chat, 'Searched 1 other conversation.');
    await chat.page.keyboard.type('beav');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Enter');
    await chat.fired('ubik-document-linked');
    await focusInList(chat, 'Star beavers.md');
    await chat.page.keyboard.press('Space');
    await chat.fired('ubik-document-starred');
    await stage().demo.restart();
    await chat.reload();
    await lists(chat, '★');
    await focusInList(chat, 'Remove beavers.md from this conversation');
    await chat.page.keyboard.press('Enter');
    await chat.fired('ubik-document-unlinked');
  },
);

test('shows nobody the documents of somebody else', async () => {
  const chat = await openWide();
  await choose(chat, await writeNote('secret.md', 'The key lies under the mat.'));
  await chat.fired('ubik-document-ready');
  const { detail } = await chat.fired('ubik-document-added');
  const other = await openWide();
  await focusInList(other, 'From other conversations…');
  await other.page.keyboard.press('Enter');
  await lists(other, 'Searched');
  assert.equal((await listText(other)).includes('secret.md'), false);
  const status = await other.page.evaluate(async (id) => {
    const token = (await (await fetch('/token', { method: 'POST' })).json()) as {
      access_token: string;
    };
    const headers = { authorization: `Bearer ${token.access_token}` };
    return (await fetch(`/api/v1/documents/${String(id)}`, { headers })).status;
  }, detail['documentId']);
  assert.equal(status, 404);
});
