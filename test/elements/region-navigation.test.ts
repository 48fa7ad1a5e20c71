import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../src/elements/branches/branch-map-panel.js';
import { lazyDocuments } from '../../src/elements/documents/attachment-controller.js';
import '../../src/elements/sides/side-panels.js';
import '../../src/elements/threads/threads-panel.js';
import {
  lazyKeyboardShortcuts,
  lazyRegionNavigation,
} from '../../src/elements/keyboard/lazy-keyboard.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, stored, type ScriptedBackend } from '../controller/scripted-backend.js';
import { deepActiveElement, nameOf } from '../helpers/deep-focus.js';
import { pressKey, setupChat } from './chat-fixture.js';
import { threadsOf } from './thread-fixture.js';

type Page = Readonly<Record<'start' | 'end' | 'before' | 'after', readonly string[]>>;

const TAGS = { list: 'ubik-thread-list', documents: 'ubik-documents', map: 'ubik-branch-map' };

function create(name: string, chat: UbikChat): HTMLElement {
  if (name in TAGS) {
    const made = document.createElement(TAGS[name as keyof typeof TAGS]);
    // A standalone element needs the controller.
    return Object.assign(made, { controller: chat.controller });
  }
  const button = document.createElement('button');
  button.textContent = name;
  return button;
}

function fill(chat: UbikChat, slot: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const box = document.createElement('div');
  box.slot = slot;
  box.append(...names.map((name) => create(name, chat)));
  chat.append(box);
}

/** A chat with some messages, with companion elements in its side panels and outside it. */
async function setupRegions(width: number, page: Partial<Page>) {
  await lazyDocuments.load();
  const fixture = await setupChat((chat) => {
    chat.style.width = `${width}px`;
    const { capabilities, responses: answers } = chat.controller?.backend as ScriptedBackend;
    for (const name of ['threads', 'documents', 'upload', 'branches'] as const) {
      capabilities.add(name);
    }
    answers.set('listThreads', () => ({ items: threadsOf(2), hasMore: false, total: 2 }));
    fill(chat, 'start', page.start ?? []);
    fill(chat, 'end', page.end ?? []);
  });
  const { chat, box, backend, controller, settle, field } = fixture;
  box.prepend(...(page.before ?? []).map((name) => create(name, chat)));
  box.append(...(page.after ?? []).map((name) => create(name, chat)));
  backend.threads.set(
    't',
    contentOf('t', [stored('m1', 'user', 'One'), stored('m2', 'assistant', 'Two')]),
  );
  await controller.openThread('t');
  await settle();
  await settle();
  field.focus();
  const press = async (key: 'F6' | 'Shift+F6'): Promise<string> => {
    if (key === 'Shift+F6') await sendKeys({ down: 'Shift' });
    await sendKeys({ press: 'F6' });
    if (key === 'Shift+F6') await sendKeys({ up: 'Shift' });
    await settle();
    return nameOf(deepActiveElement());
  };
  return {
    ...fixture,
    press,
    /** Presses a key until the message field is reached again. Resolves to the names of the nodes that were focused. */
    round: async (key: 'F6' | 'Shift+F6'): Promise<string[]> => {
      const names: string[] = [];
      do names.push(await press(key));
      while (deepActiveElement() !== field && names.length < 12);
      return names;
    },
  };
}

/** The name of the element that F6 focuses in each region. */
const LIST = 'New conversation';
const MESSAGES = 'Conversation';
const FIELD = 'Message';
const DOCUMENTS = 'Add files…';
const MAP = 'You: One 2 messages';

describe('F6 moves between the regions of a chat', () => {
  const layouts: readonly (readonly [string, number, Partial<Page>, readonly string[]])[] = [
    ['with columns', 1300, { start: ['list'], end: ['documents'] }, [DOCUMENTS, LIST, MESSAGES]],
    [
      'with several elements in a column, each a region',
      1300,
      { end: ['Tabs of the page', 'documents', 'map'] },
      [DOCUMENTS, MAP, MESSAGES],
    ],
    [
      'with content of the page around an element, which is entered at its start',
      1300,
      { end: ['Tabs of the page', 'documents'] },
      ['Tabs of the page', MESSAGES],
    ],
    [
      'with drawers, whose buttons are regions in their place',
      400,
      { start: ['list'], end: ['documents'] },
      ['Conversations', 'Details panel', MESSAGES],
    ],
    [
      'with elements elsewhere in the page',
      500,
      { before: ['Another', 'list'], after: ['documents', 'map'] },
      [DOCUMENTS, MAP, LIST, MESSAGES],
    ],
  ];
  for (const [name, width, page, wanted] of layouts) {
    it(name, async () => {
      const { round } = await setupRegions(width, page);
      expect(await round('F6')).to.deep.equal([...wanted, FIELD]);
      expect(await round('Shift+F6')).to.deep.equal([...wanted.toReversed(), FIELD]);
    });
  }

  it('and uses the button of a side panel that is a drawer', async () => {
    const { round, query, settle, field } = await setupRegions(1300, {
      start: ['list'],
      end: ['documents'],
    });
    query('.end > .side-collapse').click();
    await settle();
    field.focus();
    expect(await round('F6')).to.deep.equal([LIST, 'Details panel', MESSAGES, FIELD]);
  });

  it('and returns to the control that had the focus in each region', async () => {
    const { press } = await setupRegions(1300, { start: ['list'] });
    await press('F6');
    await sendKeys({ press: 'Tab' });
    expect(nameOf(deepActiveElement())).to.equal('Search conversations');
    await press('F6');
    await sendKeys({ press: 'ArrowUp' });
    expect(nameOf(deepActiveElement())).to.equal('Assistant, 2 of 2: Two');
    await press('F6');
    expect(await press('F6')).to.equal('Search conversations');
    expect(await press('F6')).to.equal('Assistant, 2 of 2: Two');
  });

  it('and enters a region at its first control when the one that had the focus is hidden or removed', async () => {
    for (const hide of [
      (control: HTMLElement) => (control.style.display = 'none'),
      (control: HTMLElement) => control.remove(),
    ]) {
      const { press } = await setupRegions(1300, { start: ['list'] });
      await press('F6');
      await sendKeys({ press: 'Tab' });
      const control = deepActiveElement();
      expect(nameOf(control)).to.equal('Search conversations');
      expect(await press('F6')).to.equal(MESSAGES);
      hide(control);
      await press('F6');
      expect(await press('F6')).to.equal(LIST);
    }
  });

  it('and continues from content of the host page between two regions', async () => {
    const { press, chat } = await setupRegions(1300, { start: ['list'] });
    const header = create('Of the page', chat);
    header.slot = 'header';
    chat.append(header);
    header.focus();
    expect(await press('F6')).to.equal(MESSAGES);
    header.focus();
    expect(await press('Shift+F6')).to.equal(LIST);
  });

  it('and between standalone elements', async () => {
    const { chat, box, controller, settle, press } = await setupRegions(1300, {
      after: ['documents'],
    });
    for (const tag of ['ubik-composer', 'ubik-transcript'] as const) {
      const made = document.createElement(tag);
      made.controller = controller;
      box.prepend(made);
    }
    chat.remove();
    await settle();
    box.querySelector('ubik-documents')?.shadowRoot?.querySelector('button')?.focus();
    expect(await press('F6')).to.equal(MESSAGES);
    expect(await press('F6')).to.equal(FIELD);
    expect(await press('F6')).to.equal(DOCUMENTS);
  });

  it('and in a chat that is in a dialog of the host page', async () => {
    const { box, chat, field, press } = await setupRegions(1300, { start: ['list'] });
    const dialog = document.createElement('dialog');
    box.append(dialog);
    dialog.append(chat);
    dialog.showModal();
    field.focus();
    expect(await press('F6')).to.equal(LIST);
    expect(await press('F6')).to.equal(MESSAGES);
  });

  it('but not with another modifier, in an IME composition, or when the page has handled the key', async () => {
    const { box, field, settle } = await setupRegions(1300, { start: ['list'] });
    const isHandled = async (init: KeyboardEventInit): Promise<boolean> => {
      field.focus();
      pressKey(field, 'F6', init);
      await settle();
      return deepActiveElement() !== field;
    };
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey', 'isComposing'])
      expect(await isHandled({ [modifier]: true }), modifier).to.equal(false);
    field.focus();
    expect(pressKey(field, 'F7').defaultPrevented).to.equal(false);
    expect(pressKey(field, 'F6').defaultPrevented).to.equal(true);
    await settle();
    const prevent = (event: Event): void => {
      event.preventDefault();
    };
    box.addEventListener('keydown', prevent, true);
    expect(await isHandled({}), 'handled by the page').to.equal(false);
    box.removeEventListener('keydown', prevent, true);
    expect(await isHandled({})).to.equal(true);
  });

  it('also when the shortcuts cannot be loaded, but not when its own code cannot', async () => {
    const { press, field, query } = await setupRegions(500, {});
    const fail = (): Promise<never> => Promise.reject(new UbikError('load-failed'));
    try {
      lazyKeyboardShortcuts.load = fail;
      expect(await press('F6')).to.equal(MESSAGES);
      lazyRegionNavigation.load = fail;
      await press('F6');
      expect(deepActiveElement()).to.equal(query('.scroller'));
    } finally {
      Reflect.deleteProperty(lazyKeyboardShortcuts, 'load');
      Reflect.deleteProperty(lazyRegionNavigation, 'load');
    }
    await press('F6');
    expect(deepActiveElement(), 'loaded again').to.equal(field);
  });

  it('and stays in a modal dialog', async () => {
    const { query, settle, press } = await setupRegions(400, {
      start: ['list'],
      after: ['documents'],
    });
    query('.side-toggle-start').click();
    await settle();
    const inside = deepActiveElement();
    await press('F6');
    expect(deepActiveElement()).to.equal(inside);
  });
});
