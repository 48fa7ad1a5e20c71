/** One user with several tabs of the same page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatPage, Prepare } from './chat-page.js';
import { setupDemo } from './setup.js';

const getFixture = setupDemo();
const QUESTION = 'Which countries does the Danube flow through?';
const SECOND = 'What is 6 * 7?';

/** A page without a `userKey`: its tabs share nothing, and nothing is stored longer than a tab. */
const withoutUserKey: Prepare = async (page) => {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().endsWith('/demo.js')) return void request.continue();
    void fetch(request.url())
      .then((response) => response.text())
      .then((script) =>
        request.respond({
          contentType: 'text/javascript',
          body: script.replace("chat.userKey = 'visitor';", ''),
        }),
      );
  });
};

/** Waits until a number of messages are queued, and returns their texts. */
function readQueue(chat: ChatPage, count: number): Promise<string[]> {
  return chat.waitForTexts('ubik-chat', '.queue .queued', count);
}

/** Returns the questions in the transcript. */
async function questions(chat: ChatPage): Promise<string[]> {
  const lines = (await chat.transcript()).split('\n');
  return lines.flatMap((line) => [QUESTION, SECOND].find((text) => line.endsWith(text)) ?? []);
}

/** Records from now on which tabs send a message. */
function watchPosts(tabs: Readonly<Record<string, ChatPage>>): string[] {
  const posts: string[] = [];
  for (const [name, { page }] of Object.entries(tabs)) {
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/messages')) posts.push(name);
    });
  }
  return posts;
}

test('queued messages belong to the tab in which they were written, also when another tab is opened from it', async () => {
  const { demo, open } = getFixture();
  const original = await open(undefined, withoutUserKey);
  assert.equal(
    await original.page.$eval('ubik-chat', (chat) => Reflect.get(chat, 'userKey')),
    null,
  );
  await demo.control({ pause: { point: 'tool' } });
  await original.ask(QUESTION);
  await original.waitForEvent('ubik-run-started');
  await demo.control({ whenPaused: true });
  await original.ask(SECOND);
  assert.deepEqual(await readQueue(original, 1), [SECOND]);
  const copy = await original.openTab(withoutUserKey);
  const posts = watchPosts({ original, copy });
  await copy.waitForEvent('ubik-run-started');
  assert.deepEqual(await readQueue(copy, 0), []);
  await original.reload();
  assert.deepEqual(await readQueue(original, 1), [SECOND]);
  await demo.control({ resume: true });
  await copy.waitForEvent('ubik-run-completed');
  await original.waitForEvent('ubik-run-completed', 2);
  await copy.reload();
  await copy.waitForText('42');
  assert.deepEqual(posts, ['original']);
  assert.deepEqual(await readQueue(copy, 0), []);
  assert.deepEqual(await questions(copy), [QUESTION, SECOND]);
  await copy.close();
});

/** Types into the composer without sending, and waits until the field contains the text. */
async function write(chat: ChatPage, text: string): Promise<void> {
  await chat.focus('.field textarea:not([disabled])');
  await chat.page.keyboard.type(text);
  await waitForDraft(chat, text);
}

/** Waits until the field of the composer contains a text. */
async function waitForDraft({ page }: ChatPage, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const root = document.querySelector('ubik-chat')?.shadowRoot;
      return root?.querySelector<HTMLTextAreaElement>('.field textarea')?.value === wanted;
    },
    {},
    text,
  );
}

test('two tabs of one user each restore their draft after a reload', async () => {
  const { open } = getFixture();
  const one = await open();
  await one.ask(QUESTION);
  await one.waitForEvent('ubik-run-completed');
  const two = await one.openTab();
  // The thread list shows the question as a title before the thread and its draft are loaded.
  await two.page.$eval('ubik-chat', (chat) => Reflect.get(chat, 'ready'));
  await two.waitForText(QUESTION);
  await write(one, 'draft of the first tab');
  await write(two, 'draft of the second tab');
  await one.reload();
  await two.reload();
  await waitForDraft(one, 'draft of the first tab');
  await waitForDraft(two, 'draft of the second tab');
  // Sends the draft.
  await one.ask('');
  await one.waitForEvent('ubik-run-completed');
  await two.reload();
  await waitForDraft(two, 'draft of the second tab');
  await one.reload();
  await one.waitForText(QUESTION);
  await waitForDraft(one, '');
  await two.close();
});
