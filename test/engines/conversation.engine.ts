import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENGINE, setupEngine } from './engine-fixture.js';

const getFixture = setupEngine();

const QUESTION = 'How does an answer survive a broken network?';

test('chat answers with citations, and shows the same after a reload', async () => {
  const chat = await getFixture().open();
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Sources');
  await chat.compareAfterReload();
});

test('run is stopped during a tool call', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ pause: { point: 'tool' } });
  await chat.ask('Which countries does the Danube flow through?');
  await demo.control({ whenPaused: true });
  await chat.pressButton('Stop');
  await chat.waitForText('Stopping…');
  await demo.control({ resume: true });
  await chat.waitForEvent('ubik-run-stopped');
});

test('active run is rejoined after a reload', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  await demo.control({ pause: { point: 'text', skip: 3 } });
  await chat.ask(QUESTION);
  await demo.control({ whenPaused: true });
  await chat.reload();
  await chat.waitFor(
    () => document.querySelector('ubik-chat')?.shadowRoot?.querySelector('[title=Stop]') != null,
  );
  await demo.control({ resume: true });
  await chat.waitForText('Sources');
});

test('checkpoint is restored with a hint by keyboard', async () => {
  const chat = await getFixture().open();
  await chat.ask('Summarise all documents');
  await chat.waitForEvent('ubik-run-completed');
  // The steps of the finished run are collapsed.
  await chat.focus('.run > summary');
  await chat.page.keyboard.press('Enter');
  await chat.waitFor(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const [, second] = root?.querySelectorAll<HTMLElement>('.divider button') ?? [];
    second?.focus();
    return second !== undefined && root?.activeElement === second;
  });
  await chat.page.keyboard.press('Enter');
  await chat.waitFor(
    () =>
      document
        .querySelector('ubik-chat')
        ?.shadowRoot?.activeElement?.matches('.restore textarea') === true,
  );
  await chat.page.keyboard.type('use only the second document');
  await chat.page.keyboard.press('Enter');
  await chat.waitForEvent('ubik-checkpoint-restored');
  await chat.waitForEvent('ubik-run-completed', 2);
  await chat.waitForText('with the hint: use only the second document');
});

test('document is uploaded, and the agent answers from it', async () => {
  const { demo, open } = getFixture();
  const chat = await open();
  const path = join(demo.dataDir, 'herons.md');
  await writeFile(path, 'The grey heron nests in tall trees.');
  await chat.waitFor(
    () =>
      document.querySelector('ubik-documents')?.shadowRoot?.querySelector('input[type=file]') !=
      null,
  );
  const field = await chat.page.evaluateHandle(() =>
    document.querySelector('ubik-documents')?.shadowRoot?.querySelector('input[type=file]'),
  );
  await field.uploadFile(path);
  await chat.waitForEvent('ubik-document-ready');
  await chat.ask('Where does the grey heron nest?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('tall trees');
});

test('keyboard moves the focus to the messages, into a message, and back to the field', async () => {
  const chat = await getFixture().open();
  const { keyboard } = chat.page;
  await chat.ask('What is 12 * (3 + 4)?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('84');
  await chat.pressWith('Shift', 'F6');
  await chat.waitForFocus(/^Conversation$/);
  await keyboard.press('ArrowUp');
  await chat.waitForFocus(/^Assistant, 2 of 2/);
  await keyboard.press('Enter');
  await chat.waitForFocus(/^(?!Assistant, 2 of 2)/);
  await keyboard.press('Escape');
  await chat.waitForFocus(/^Assistant, 2 of 2/);
  await keyboard.press('Escape');
  await chat.waitForFocus(/^Message$/);
  await chat.pressWith('Shift', 'Tab');
  await chat.waitForFocus(/^(?!Message$)/);
  await keyboard.press('Tab');
  await chat.waitForFocus(/^Message$/);
});

const withClipboard = {
  skip: ENGINE === 'chrome' && 'Chromium without a window denies the use of the clipboard',
};

test('answer is copied, and pasted into the message field', withClipboard, async () => {
  const chat = await getFixture().open();
  await chat.ask('What is 12 * (3 + 4)?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.focus('.message.assistant [title=Copy]');
  await chat.page.keyboard.press('Enter');
  await chat.waitFor(
    () => document.querySelector('ubik-chat')?.shadowRoot?.querySelector('[title=Copied]') != null,
  );
  await chat.focus('.field textarea:not([disabled])');
  await chat.pressWith('Control', 'v');
  await chat.waitFor(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    return root?.querySelector<HTMLTextAreaElement>('.field textarea')?.value.includes('84');
  });
});
