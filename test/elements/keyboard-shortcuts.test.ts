import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { SHORTCUTS } from '../../src/elements/keyboard/shortcuts-dialog.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { nameOf } from '../helpers/deep-focus.js';
import { pressKey, setupChat } from './chat-fixture.js';

/** A chat with a number of messages, and the focused node in it. */
async function setupMessages(count: number, prepare?: (chat: UbikChat) => void) {
  const fixture = await setupChat(prepare);
  const messages = Array.from({ length: count }, (_, at) =>
    stored(`m${at}`, at % 2 ? 'assistant' : 'user', `Words **${at}**. [Link](https://a.example/)`),
  );
  fixture.backend.threads.set('t', contentOf('t', messages));
  if (count > 0) await fixture.controller.openThread('t');
  await fixture.settle();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      const isBack = key.startsWith('Shift+');
      if (isBack) await sendKeys({ down: 'Shift' });
      await sendKeys({ press: key.replace('Shift+', '') });
      if (isBack) await sendKeys({ up: 'Shift' });
    }
    await fixture.settle();
  };
  const focused = (): HTMLElement => fixture.root.activeElement as HTMLElement;
  return {
    ...fixture,
    press,
    focused,
    /** Short name of the focused node. */
    at: (): string => (focused() ? nameOf(focused()) : ''),
  };
}

describe('keyboard shortcuts of a chat', () => {
  it('move between messages, into a message and out of it', async () => {
    const { query, press, at, focused, field } = await setupMessages(6);
    field.focus();
    query('.scroller').focus();
    const seen: string[] = [];
    for (const key of ['ArrowUp', 'ArrowUp', 'Home', 'ArrowUp', 'ArrowDown', 'End']) {
      await press(key);
      seen.push(at().split(':')[0] ?? '');
    }
    expect(seen).to.deep.equal([
      'Assistant, 6 of 6',
      'You, 5 of 6',
      'You, 1 of 6',
      'You, 1 of 6',
      'Assistant, 2 of 6',
      'Assistant, 6 of 6',
    ]);
    const message = focused();
    await press('Enter');
    expect(focused().localName).to.equal('a');
    expect(message.ariaLabel).to.equal('Assistant');
    await press('Escape');
    expect(focused()).to.equal(message);
    await press('Escape');
    expect(focused()).to.equal(field);
  });

  it('reach the first of many messages, which is a placeholder', async () => {
    const { query, press, at, focused } = await setupMessages(300);
    query('.scroller').focus();
    await press('Home');
    expect(at()).to.equal('You, 1 of 300: Words 0. Link');
    expect(focused().matches('.placeholder')).to.equal(false);
    await press('ArrowDown', 'ArrowDown');
    expect(at()).to.equal('You, 3 of 300: Words 2. Link');
  });

  it('are listed in a dialog that returns the focus', async () => {
    const { query, press, root, focused, field } = await setupMessages(2);
    field.focus();
    await press('?');
    expect(root.querySelector('dialog')).to.equal(null);
    expect(field.value).to.equal('?');
    query('.scroller').focus();
    await press('?');
    const dialog = query<HTMLDialogElement>('dialog.shortcuts');
    expect(dialog.open).to.equal(true);
    expect(dialog.querySelectorAll('tbody tr, table > tr').length).to.equal(
      SHORTCUTS.flatMap(([, rows]) => rows).length,
    );
    await expect(dialog).to.be.accessible();
    await press('F6', '?');
    expect(root.querySelectorAll('dialog').length).to.equal(1);
    await press('Escape');
    expect(root.querySelector('dialog')).to.equal(null);
    expect(focused()).to.equal(query('.scroller'));
  });

  it('are named by the key labels of the language', async () => {
    const { query, press, settle } = await setupMessages(0, (made) => {
      made.lang = 'de';
    });
    await loadLanguage('de');
    await settle();
    query('.scroller').focus();
    await press('?');
    const caps = [...query('dialog').querySelectorAll('kbd')].map(({ textContent }) => textContent);
    expect(caps).to.include.members(['Umschalt', 'Eingabe', 'Pos1', 'Ende', 'Entf', 'F6', '?']);
    expect(caps).not.to.include('Shift');
  });

  it('are listed when the question mark of another script is typed', async () => {
    const { query, press, root, focused, settle } = await setupMessages(2);
    for (const mark of ['؟', '？']) {
      query('.scroller').focus();
      await press('Home');
      // The test keyboard has no such key.
      pressKey(focused(), mark);
      await settle();
      expect(root.querySelectorAll('dialog.shortcuts').length).to.equal(1);
      await press('Escape');
    }
  });

  it('are listed in reading order, with combinations in keyboard order', async () => {
    const { query, press } = await setupMessages(2);
    query('.scroller').focus();
    await press('?');
    const dialog = query('dialog.shortcuts');
    /** Keys of each row with several keys, from left to right. */
    const linesFor = (dir: string): string[] => {
      dialog.dir = dir;
      const leftOf = (one: Element): number => one.getBoundingClientRect().left;
      return [...dialog.querySelectorAll('tr')]
        .map((row) => [...row.querySelectorAll('kbd')].sort((a, b) => leftOf(a) - leftOf(b)))
        .filter(({ length }) => length > 1)
        .map((keys) => keys.map(({ textContent }) => textContent).join(' '));
    };
    const together = ['Shift F6', 'Shift Enter'];
    expect(linesFor('ltr')).to.include.members([...together, '↑ ↓', 'Home End']);
    expect(linesFor('rtl')).to.include.members([...together, '↓ ↑', 'End Home']);
  });

  it('announce the newest message again', async () => {
    const { query, press, root } = await setupMessages(2);
    query('.scroller').focus();
    await press('F8');
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('Assistant: Words 1. Link');
  });

  it('announce the author of the newest message when it has no text', async () => {
    const inEnglish = (chat: UbikChat) => (chat.lang = 'en');
    const { query, press, root, backend, controller } = await setupMessages(0, inEnglish);
    backend.threads.set('t', contentOf('t', [stored('a', 'assistant', '')]));
    await controller.openThread('t');
    query('.scroller').focus();
    await press('F8');
    expect(root.querySelector('[aria-live]')?.textContent).to.match(/^Assistant/);
  });
});
