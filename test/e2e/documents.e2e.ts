import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
import type { ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';

const getFixture = setupDemo();

/** Chooses files in the documents panel. */
async function chooseFiles({ page }: ChatPage, ...paths: readonly string[]): Promise<void> {
  // Puppeteer's own wait does not follow changes in shadow roots.
  const field = await page.waitForFunction(
    () =>
      document
        .querySelector('ubik-documents')
        ?.shadowRoot?.querySelector<HTMLInputElement>('input[type=file]'),
    {},
  );
  await (field as ElementHandle<HTMLInputElement>).uploadFile(...paths);
}

/** The text of the documents panel. */
function panelText({ page }: ChatPage): Promise<string> {
  return page.evaluate(
    () => document.querySelector('ubik-documents')?.shadowRoot?.textContent ?? '',
  );
}

/** Focuses a button of the documents panel as soon as it can be focused: the panel may render before its column is shown. */
async function focusInPanel({ page }: ChatPage, name: string): Promise<void> {
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

/** Presses a button of the documents panel by keyboard. */
async function pressInPanel(chat: ChatPage, name: string): Promise<void> {
  await focusInPanel(chat, name);
  await chat.page.keyboard.press('Enter');
}

/** Writes a text file to upload. */
async function writeNote(name: string, text: string): Promise<string> {
  const path = join(getFixture().demo.dataDir, name);
  await writeFile(path, text);
  return path;
}

/** Opens the chat in a window that is wide enough for the documents panel. */
async function openWide(): Promise<ChatPage> {
  const chat = await getFixture().open();
  await chat.page.setViewport({ width: 1280, height: 800 });
  return chat;
}

test('documents panel uploads a file, shows when it is ready, and lists it after a restart', async () => {
  const { demo } = getFixture();
  const chat = await openWide();
  await chooseFiles(chat, await writeNote('herons.md', 'The grey heron nests in tall trees.'));
  await chat.waitForEvent('ubik-document-added');
  await chat.waitForEvent('ubik-document-ready');
  await chat.waitForText('Ready', 'ubik-documents');
  await chat.ask('Where does the grey heron nest?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('tall trees');
  await demo.restart();
  await chat.reload();
  await chat.waitForText('herons.md', 'ubik-documents');
  assert.deepEqual(chat.pageErrors, []);
});

test('citation opens its passage with the quote marked, by keyboard: beside the messages, or in a dialog on a phone', async () => {
  const chat = await openWide();
  await chat.ask('How does an answer survive a broken network?');
  await chat.waitForEvent('ubik-run-completed');
  const cited = await chat.find('button.cite');
  await chat.focus('button.cite');
  await chat.page.keyboard.press('Enter');
  const mark = await chat.find('.passage mark');
  const block = await cited.evaluate(
    (node) => node.closest('p, li, blockquote')?.textContent ?? '',
  );
  const quoted = await mark.evaluate((node) => node.textContent);
  assert.ok(
    block.replaceAll(/\s+/g, ' ').includes(quoted.split(' ').slice(0, 3).join(' ')),
    quoted,
  );
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
  assert.deepEqual(chat.pageErrors, []);
});

test(
  'attached file is shown in the composer until it is sent, and then in the message',
  onlyExhaustive,
  async () => {
    const chat = await openWide();
    const field = await chat.find('.composer input[type=file]');
    await (field as typeof field & { uploadFile(path: string): Promise<void> }).uploadFile(
      await writeNote('storks.md', 'White storks build their nests on roofs.'),
    );
    await chat.find('.attached .chip bdi');
    await chat.waitForEvent('ubik-document-ready');
    await chat.ask('Where do white storks build their nests?');
    const { detail } = await chat.waitForEvent('ubik-message-sent');
    const attachments = detail['attachments'] as readonly { name: string }[];
    assert.deepEqual(
      attachments.map(({ name }) => name),
      ['storks.md'],
    );
    await chat.waitForEvent('ubik-run-completed');
    await chat.find('.message.user .chip');
    await chat.waitForRendering();
    assert.equal(await chat.page.$('ubik-chat >>> .attached .chip'), null);
    assert.deepEqual(chat.pageErrors, []);
  },
);

test(
  'upload that was interrupted by the network stays listed and is retried on request',
  onlyExhaustive,
  async () => {
    const { proxy } = getFixture();
    const chat = await openWide();
    const path = await writeNote('large.md', `The otter sleeps by day. ${'x'.repeat(8_000_000)}`);
    proxy.disconnectAfter(5_000_000);
    await chooseFiles(chat, path);
    await chat.waitForEvent('ubik-document-failed');
    await chat.waitForText('The file could not be uploaded. Try again.', 'ubik-documents');
    proxy.reconnect();
    await pressInPanel(chat, 'Retry large.md');
    await chat.waitForEvent('ubik-document-added');
    assert.equal((await chat.events()).filter((type) => type === 'ubik-document-added').length, 1);
  },
);

test(
  'documents panel links and unlinks a document of another thread by keyboard',
  onlyExhaustive,
  async () => {
    const chat = await openWide();
    await chooseFiles(chat, await writeNote('beavers.md', 'Beavers build dams.'));
    await chat.waitForEvent('ubik-document-ready');
    await chat.page.evaluate(() => {
      document.querySelector('ubik-chat')?.startThread();
    });
    await focusInPanel(chat, 'From other conversations…');
    await chat.page.keyboard.press('Enter');
    await chat.waitForText('Searched 1 other conversation.', 'ubik-documents');
    await chat.page.keyboard.type('beav');
    await chat.page.keyboard.press('Tab');
    await chat.page.keyboard.press('Enter');
    await chat.waitForEvent('ubik-document-linked');
    await focusInPanel(chat, 'Star beavers.md');
    await chat.page.keyboard.press('Space');
    await chat.waitForEvent('ubik-document-starred');
    await getFixture().demo.restart();
    await chat.reload();
    await chat.page.waitForFunction(() =>
      document
        .querySelector('ubik-documents')
        ?.shadowRoot?.querySelector('[title="Star beavers.md"][aria-pressed=true]'),
    );
    await focusInPanel(chat, 'Remove beavers.md from this conversation');
    await chat.page.keyboard.press('Enter');
    await chat.waitForEvent('ubik-document-unlinked');
  },
);

test('documents of one user are not visible to another', async () => {
  const chat = await openWide();
  await chooseFiles(chat, await writeNote('secret.md', 'The key lies under the mat.'));
  await chat.waitForEvent('ubik-document-ready');
  const { detail } = await chat.waitForEvent('ubik-document-added');
  const other = await openWide();
  await focusInPanel(other, 'From other conversations…');
  await other.page.keyboard.press('Enter');
  await other.waitForText('Searched', 'ubik-documents');
  assert.equal((await panelText(other)).includes('secret.md'), false);
  const status = await other.page.evaluate(async (id) => {
    const token = (await (await fetch('/token', { method: 'POST' })).json()) as {
      access_token: string;
    };
    const headers = { authorization: `Bearer ${token.access_token}` };
    return (await fetch(`/api/v1/documents/${String(id)}`, { headers })).status;
  }, detail['documentId']);
  assert.equal(status, 404);
});
