import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { contentOf, stored } from '../controller/scripted-backend.js';
import {
  lazyKeyboardShortcuts,
  lazyShortcutsDialog,
} from '../../src/elements/keyboard/lazy-keyboard.js';
import { SHORTCUTS } from '../../src/elements/keyboard/shortcuts-dialog.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import type { LazyModule } from '../../src/dom/lazy-module.js';
import { UbikError } from '../../src/errors.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { nameOf } from '../helpers/deep-focus.js';
import { Deferred } from '../helpers/deferred.js';
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
      const hasShift = key.startsWith('Shift+');
      if (hasShift) await sendKeys({ down: 'Shift' });
      await sendKeys({ press: key.replace('Shift+', '') });
      if (hasShift) await sendKeys({ up: 'Shift' });
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
    const { query, press, at, focused, field, chat } = await setupMessages(6);
    const passed: string[] = [];
    chat.addEventListener('keydown', ({ key }) => passed.push(key));
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
    // Neither a hidden control nor one outside the tab order gets the focus.
    const skipped = [{ hidden: true }, { tabIndex: -1 }].map((state) =>
      Object.assign(document.createElement('button'), state),
    );
    message.prepend(...skipped);
    expect(pressKey(message, 'Enter').defaultPrevented).to.equal(true);
    expect(passed, 'a handled key reaches nothing else').to.deep.equal([]);
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
    const lines = [...dialog.querySelectorAll('caption, tr')].map((line) =>
      line.textContent.replace(/\s+/g, ' ').trim(),
    );
    expect(lines).to.deep.equal([
      'In the whole chat',
      'Next section F6',
      'Previous section Shift+F6',
      'Repeat the newest message (screen reader) F8',
      'Keyboard shortcuts (not while typing) ?',
      'Close panel or dialog Esc',
      'In the messages',
      'Previous or next message ↑ ↓',
      'First or newest message Home End',
      'Enter message Enter',
      'Leave message Esc',
      'In the message field',
      'Send Enter',
      'New line Shift+Enter',
      'Earlier question, in an empty field ↑',
      'In the list of conversations',
      'Previous or next conversation ↑ ↓',
      'Rename the conversation F2',
      'Delete the conversation Delete',
    ]);
    const table = dialog.querySelector('table') as Element;
    expect(getComputedStyle(table).borderCollapse).to.equal('collapse');
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
      expect(pressKey(focused(), mark).defaultPrevented).to.equal(true);
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
    expect(pressKey(query('.scroller'), 'F8').defaultPrevented).to.equal(true);
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

  it('do nothing with a modifier, in an IME composition, or where they have no function', async () => {
    const { query, press, focused, root } = await setupMessages(4);
    query('.scroller').focus();
    await press('ArrowUp');
    const message = focused();
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'isComposing']) {
      for (const key of ['ArrowUp', 'Enter', 'F8', '?', 'Escape'])
        expect(pressKey(message, key, { [modifier]: true }).defaultPrevented, key).to.equal(false);
    }
    expect(pressKey(message, 'ArrowUp', { shiftKey: true }).defaultPrevented).to.equal(false);
    expect(pressKey(message, 'x').defaultPrevented).to.equal(false);
    const link = message.querySelector('a');
    for (const key of ['ArrowUp', 'Home', 'Enter'])
      expect(pressKey(link, key).defaultPrevented, `${key} on a link`).to.equal(false);
    for (const key of ['Escape', 'Enter', 'x'])
      expect(pressKey(query('.scroller'), key).defaultPrevented, key).to.equal(false);
    expect(pressKey(query('.send'), 'ArrowUp').defaultPrevented, 'elsewhere').to.equal(false);
    expect(focused()).to.equal(message);
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('');
    expect(root.querySelector('dialog')).to.equal(null);
  });

  it('do not apply in a dialog', async () => {
    const { query, press, root, settle } = await setupMessages(2);
    query('.scroller').focus();
    await press('?');
    const button = query('dialog.shortcuts button');
    expect(root.activeElement).to.equal(button);
    expect(pressKey(button, 'F8').defaultPrevented).to.equal(false);
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('');
    expect(query('dialog h2').id).to.equal(query('dialog').getAttribute('aria-labelledby'));
    button.click();
    await settle();
    expect(root.querySelector('dialog') === null).to.equal(true);
    expect(root.activeElement).to.equal(query('.scroller'));
  });

  it('do not apply in a dialog of an element in a slot', async () => {
    const { chat, query, root, settle } = await setupMessages(2);
    query('.scroller').focus();
    await settle();
    const slotted = chat.appendChild(document.createElement('div'));
    slotted.slot = 'footer';
    const dialog = document.createElement('dialog');
    slotted.attachShadow({ mode: 'open' }).append(dialog);
    dialog.showModal();
    expect(pressKey(dialog, '?').defaultPrevented).to.equal(false);
    expect(root.querySelector('dialog')).to.equal(null);
    dialog.close();
  });

  it('include the question mark in a checkbox or on a button, but not in a field for text or a select', async () => {
    const { query, settle, root } = await setupMessages(2);
    query('.scroller').focus();
    await settle();
    const message = query('.message.assistant');
    for (const [html, isShown] of [
      ['<input type="checkbox">', true],
      ['<input type="radio">', true],
      ['<input type="text">', false],
      ['<input>', false],
      ['<select></select>', false],
      ['<textarea></textarea>', false],
      ['<p contenteditable tabindex="0"></p>', false],
      ['<button></button>', true],
    ] as const) {
      const box = document.createElement('div');
      box.innerHTML = html;
      message.append(box);
      const target = box.firstElementChild as HTMLElement;
      target.focus();
      pressKey(target, '?');
      expect(root.querySelector('dialog') !== null, html).to.equal(isShown);
      root.querySelector('dialog')?.querySelector('button')?.click();
      await settle();
      box.remove();
    }
  });

  it('start at the message that is being read, the newest or the first one', async () => {
    const { query, focused, settle, chat, scroller } = await setupMessages(40).then((made) => ({
      ...made,
      scroller: made.query('.scroller'),
    }));
    scroller.focus();
    await settle();
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop = scroller.scrollHeight / 2;
    await settle();
    const visible = Number(chat.currentMessageId?.slice(1)) + 1;
    expect(visible).to.be.within(2, 39);
    pressKey(scroller, 'ArrowDown');
    expect(focused().ariaLabel).to.match(new RegExp(`^(You|Assistant), ${visible} of 40`));
    for (const [key, number] of [
      ['ArrowUp', 40],
      ['Home', 1],
      ['End', 40],
    ] as const) {
      scroller.focus();
      expect(pressKey(scroller, key).defaultPrevented).to.equal(true);
      expect(focused().ariaLabel, key).to.match(new RegExp(`^(You|Assistant), ${number} of 40`));
    }
    expect(scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop).to.be.at.most(1);
    expect(query('.scroll-to-end').hidden).to.equal(true);
    const { scrollTop } = scroller;
    pressKey(focused(), 'ArrowUp');
    expect(focused().ariaLabel).to.contain('39 of 40');
    expect(scroller.scrollTop, 'a visible message is not scrolled').to.equal(scrollTop);
  });

  it('let the browser scroll to the end of a message that is taller than the viewport', async () => {
    const { query, focused, settle, backend, controller } = await setupMessages(0);
    backend.threads.set(
      'tall',
      contentOf('tall', [
        stored('a', 'user', 'First'),
        stored('b', 'assistant', 'Paragraph.\n\n'.repeat(60)),
        stored('c', 'user', 'Last'),
      ]),
    );
    await controller.openThread('tall');
    await settle();
    const scroller = query('.scroller');
    scroller.focus();
    await settle();
    pressKey(scroller, 'Home');
    expect(focused().ariaLabel).to.contain('1 of 3');
    expect(pressKey(focused(), 'ArrowDown').defaultPrevented).to.equal(true);
    const tall = focused();
    expect(tall.ariaLabel).to.contain('2 of 3');
    const fromTop = (): number =>
      tall.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    expect(fromTop(), 'shows its beginning').to.be.within(-1, 40);
    expect(pressKey(tall, 'ArrowDown').defaultPrevented, 'its end is not visible').to.equal(false);
    scroller.scrollTop += 200;
    await settle();
    expect(pressKey(tall, 'ArrowUp').defaultPrevented, 'its start is not visible').to.equal(false);
    expect(focused()).to.equal(tall);
    const edges = (): readonly [DOMRect, DOMRect] => [
      tall.getBoundingClientRect(),
      scroller.getBoundingClientRect(),
    ];
    scroller.scrollTop += edges()[0].top - edges()[1].top;
    expect(pressKey(tall, 'ArrowUp').defaultPrevented, 'starts at the top').to.equal(true);
    expect(focused().ariaLabel).to.contain('1 of 3');
    tall.focus({ preventScroll: true });
    scroller.scrollTop += edges()[0].bottom - edges()[1].bottom;
    expect(pressKey(tall, 'ArrowDown').defaultPrevented, 'ends at the bottom').to.equal(true);
    expect(focused().ariaLabel).to.contain('3 of 3');
    tall.focus({ preventScroll: true });
    scroller.scrollTop = scroller.scrollHeight;
    await settle();
    expect(pressKey(tall, 'ArrowDown').defaultPrevented).to.equal(true);
    expect(focused().ariaLabel).to.contain('3 of 3');
    pressKey(focused(), 'ArrowUp');
    expect(focused()).to.equal(tall);
    // Home and End skip the rest of the message.
    expect(pressKey(tall, 'End').defaultPrevented).to.equal(true);
    expect(focused().ariaLabel).to.contain('3 of 3');
  });

  it('do not leave a control that is in no message', async () => {
    const { query } = await setupMessages(0, (chat) => {
      chat.starters = ['What?'];
    });
    query('.starter').focus();
    expect(pressKey(query('.starter'), 'Escape').defaultPrevented).to.equal(false);
  });

  it('shorten the names of long messages, and restore them afterwards', async () => {
    const { query, focused, settle, backend, controller, root, press } = await setupMessages(0);
    backend.threads.set(
      'long',
      contentOf('long', [stored('a', 'user', ''), stored('b', 'assistant', 'word '.repeat(1500))]),
    );
    await controller.openThread('long');
    await settle();
    query('.scroller').focus();
    await press('ArrowUp');
    const answer = focused();
    expect(answer.ariaLabel).to.equal(`Assistant, 2 of 2: ${'word '.repeat(32)}`);
    await press('F8');
    const announced = root.querySelector('[aria-live]')?.textContent ?? '';
    expect(announced.length).to.be.within(4000, 4020);
    await press('ArrowUp');
    expect(focused().ariaLabel).to.equal('You, 1 of 2');
    expect(answer.ariaLabel).to.equal('Assistant');
  });

  it('announce that there is no message', async () => {
    const { query, press, root } = await setupMessages(0);
    query('.scroller').focus();
    await press('F8');
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('No messages yet.');
    expect(pressKey(query('.scroller'), 'ArrowUp').defaultPrevented).to.equal(false);
  });

  it('return to the field when the node that had the focus before is gone', async () => {
    const { query, press, root, field, chat, settle } = await setupMessages(4);
    const outside = document.createElement('button');
    chat.before(outside);
    // The first focus loads the shortcuts.
    field.focus();
    await settle();
    for (const [act, expected] of [
      [() => undefined, outside],
      [() => (outside.hidden = true), field],
      [
        () => {
          outside.remove();
        },
        field,
      ],
    ] as const) {
      outside.hidden = false;
      outside.focus();
      query('.scroller').focus();
      await press('ArrowUp');
      act();
      await press('Escape');
      const active = document.activeElement === chat ? root.activeElement : document.activeElement;
      expect(active).to.equal(expected);
    }
  });
});

/** Holds back the requests for the code of a module. Returns what answers all of them, by default with the module. */
function holdBack<T>(module: LazyModule<T>) {
  const { value } = module;
  const requests: Deferred<T>[] = [];
  module.value = undefined;
  module.load = () => {
    const request = new Deferred<T>();
    requests.push(request);
    return request.promise;
  };
  return {
    requests,
    answer: (error?: UbikError): void => {
      for (const { resolve, reject } of requests.splice(0)) {
        if (error) reject(error);
        else resolve(value as T);
      }
    },
    restore: (): void => {
      Reflect.deleteProperty(module, 'load');
      module.value = value;
    },
  };
}

describe('the code of the keyboard shortcuts', () => {
  let shortcuts: ReturnType<typeof holdBack>;
  let dialogs: ReturnType<typeof holdBack>;

  beforeEach(() => {
    shortcuts = holdBack(lazyKeyboardShortcuts as LazyModule<unknown>);
    dialogs = holdBack(lazyShortcutsDialog as LazyModule<unknown>);
  });
  afterEach(() => {
    shortcuts.restore();
    dialogs.restore();
  });

  /** A chat that has loaded the shortcuts, but not their list. */
  async function setupLoaded() {
    const fixture = await setupMessages(2);
    const scroller = fixture.query('.scroller');
    scroller.focus();
    shortcuts.answer();
    await fixture.settle();
    const open = async (answer: () => void): Promise<number> => {
      pressKey(scroller, '?');
      answer();
      await fixture.settle();
      return fixture.root.querySelectorAll('dialog').length;
    };
    return { ...fixture, open };
  }

  it('is loaded with the first focus outside of the field, once', async () => {
    const { field, query, settle } = await setupMessages(2);
    field.focus();
    expect(shortcuts.requests.length).to.equal(0);
    query('.scroller').focus();
    expect(shortcuts.requests.length).to.equal(1);
    shortcuts.answer();
    await settle();
    field.focus();
    query('.scroller').focus();
    expect(shortcuts.requests.length).to.equal(0);
    expect(pressKey(query('.scroller'), 'ArrowUp').defaultPrevented).to.equal(true);
  });

  it('is loaded by F8 in the field, which repeats the newest message, and by no other key', async () => {
    const { field, query, settle, root, box } = await setupMessages(2);
    field.focus();
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'isComposing'])
      expect(pressKey(field, 'F8', { [modifier]: true }).defaultPrevented).to.equal(false);
    for (const key of ['F7', '?', 'Home'])
      expect(pressKey(field, key).defaultPrevented, key).to.equal(false);
    expect(pressKey(query('.scroller'), 'F8').defaultPrevented, 'elsewhere').to.equal(false);
    const prevent = (event: Event): void => {
      event.preventDefault();
    };
    box.addEventListener('keydown', prevent, true);
    pressKey(field, 'F8');
    box.removeEventListener('keydown', prevent, true);
    expect(shortcuts.requests.length, 'handled by the page').to.equal(0);
    expect(pressKey(field, 'F8').defaultPrevented).to.equal(true);
    expect(shortcuts.requests.length).to.equal(1);
    shortcuts.answer();
    await settle();
    expect(root.querySelector('[aria-live]')?.textContent).to.equal('Assistant: Words 1. Link');
  });

  it('names the message that has the focus when the code is loaded, and not one that has lost it by then', async () => {
    for (const isLost of [false, true]) {
      const { chat, field, query, settle } = await setupMessages(2);
      const outside = document.createElement('button');
      chat.before(outside);
      outside.focus();
      const message = query('.message.assistant');
      message.tabIndex = -1;
      message.focus();
      if (isLost) field.focus();
      shortcuts.answer();
      await settle();
      expect(message.ariaLabel).to.equal(isLost ? 'Assistant' : 'Assistant, 2 of 2: Words 1. Link');
      if (isLost) continue;
      pressKey(message, 'Escape');
      expect(document.activeElement === outside, 'back to where it was').to.equal(true);
    }
  });

  it('is loaded again with the next focus when that has failed', async () => {
    const { field, query, settle, names } = await setupMessages(2);
    const scroller = query('.scroller');
    for (const [error, isHandled] of [
      [new UbikError('load-failed'), false],
      [undefined, true],
    ] as const) {
      field.focus();
      scroller.focus();
      expect(shortcuts.requests.length).to.equal(1);
      shortcuts.answer(error);
      await settle();
      expect(pressKey(scroller, 'ArrowUp').defaultPrevented).to.equal(isHandled);
    }
    expect(names()).not.to.include('ubik-error');
  });

  it('requests the list once while it is loading, and again after a failure', async () => {
    const { open, query, settle } = await setupLoaded();
    expect(await open(() => pressKey(query('.scroller'), '?'))).to.equal(0);
    expect(dialogs.requests.length).to.equal(1);
    dialogs.answer(new UbikError('load-failed'));
    await settle();
    expect(await open(() => undefined)).to.equal(0);
    expect(dialogs.requests.length, 'after the failure').to.equal(1);
    expect(await open(dialogs.answer)).to.equal(1);
    query('dialog button').click();
    expect(await open(dialogs.answer)).to.equal(1);
  });

  it('opens no list in a chat that was removed while it was loading', async () => {
    const { chat, open } = await setupLoaded();
    const count = await open(() => {
      chat.remove();
      dialogs.answer();
    });
    expect(count).to.equal(0);
  });
});
