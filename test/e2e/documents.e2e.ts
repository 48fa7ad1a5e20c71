import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChatPage } from './chat-page.js';
import { setupStage } from './setup.js';

const stage = setupStage();

/** Waits until the list of documents shows a text. */
async function lists({ page }: ChatPage, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.querySelector('ubik-documents')?.shadowRoot?.textContent?.includes(wanted) ?? false,
    { timeout: 30_000 },
    text,
  );
}

/** Has a file chosen in the list of documents. */
async function choose({ page }: ChatPage, ...paths: readonly string[]): Promise<void> {
  const field = await page.waitForSelector('ubik-documents >>> input[type=file]');
  await field?.uploadFile(...paths);
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
  await cited.focus();
  await chat.page.keyboard.press('Enter');
  const mark = await chat.find('.passage mark');
  const said = await cited.evaluate((node) => node.closest('p, li, blockquote')?.textContent ?? '');
  const quoted = await mark.evaluate((node) => node.textContent);
  assert.ok(said.replaceAll(/\s+/g, ' ').includes(quoted.split(' ').slice(0, 3).join(' ')), quoted);
  assert.equal(await mark.evaluate((node) => node.closest('aside')?.role), 'complementary');
  await chat.page.keyboard.press('Escape');
  assert.equal(await chat.page.$('ubik-chat >>> .passage'), null);
  assert.ok(
    await cited.evaluate((node) => (node.getRootNode() as ShadowRoot).activeElement === node),
  );
  await chat.page.setViewport({ width: 320, height: 640 });
  await cited.focus();
  await chat.page.keyboard.press('Enter');
  await chat.find('.passage[role=dialog][aria-modal=true] mark');
  await chat.page.keyboard.press('Escape');
  assert.deepEqual(chat.complaints, []);
});
