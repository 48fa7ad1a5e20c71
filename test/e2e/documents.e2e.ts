import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ElementHandle } from 'puppeteer-core';
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
