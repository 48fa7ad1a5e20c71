import { expect } from '@open-wc/testing';
import '../../src/elements/window/chat-window.js';
import { UbikError } from '../../src/errors.js';
import { documentOf } from '../controller/scripted-backend.js';
import {
  testFocusCases,
  pressKeys,
  iconButton,
  openThread,
  press,
  setupAll,
  waitForFocus,
  type FullFixture,
  type FocusCases,
} from './focus-fixture.js';
import { threadsOf } from './thread-fixture.js';

/** Deletes the focused thread, without undo. */
async function deleteThread(fixture: FullFixture): Promise<void> {
  await press(fixture, ['Delete']);
  fixture.clock.pass(8);
  await fixture.settle();
}

const THREADS: FocusCases = {
  'a title that was renamed': {
    selector: '.thread-open',
    action: pressKeys('F2', 'B', 'Enter'),
    focused: '.thread-open',
  },
  'a thread that is deleted': {
    selector: '.thread-open',
    action: deleteThread,
    focused: '.thread-open',
  },
  'the only thread, deleted': {
    selector: '.thread-open',
    action: async (fixture) => {
      for (let left = 3; left > 0; left -= 1) await deleteThread(fixture);
    },
    focused: '.thread-new',
  },
  'the retry button of the list': {
    prepare: async ({ chat, backend, settle }) => {
      backend.responses.set('listThreads', () => Promise.reject(new UbikError('network')));
      chat.querySelector('ubik-thread-list')?.remove();
      const list = document.createElement('ubik-thread-list');
      list.slot = 'start';
      chat.append(list);
      await settle();
      await settle();
      const answer = { items: threadsOf(3), hasMore: false, total: 3 };
      backend.responses.set('listThreads', () => answer);
    },
    selector: '.line button',
    action: pressKeys('Enter'),
    focused: '.thread-open',
  },
};

const removeName = (name: string): string => iconButton(`Remove ${name} from this conversation`);

/** Shows three documents. The panel lists the newest one first: c, b, a. */
async function documents(fixture: FullFixture): Promise<void> {
  fixture.backend.documents = ['a', 'b', 'c'].map((id) => documentOf(id));
  await openThread('t0', removeName('a.pdf'))(fixture);
}

/** Removes the focused document, and waits until that can no longer be undone. */
async function removeDocument(fixture: FullFixture): Promise<void> {
  await pressKeys('Enter')(fixture);
  await fixture.settle();
  fixture.clock.pass(8);
}

const DOCUMENTS: FocusCases = {
  'the last document, removed': {
    prepare: documents,
    selector: removeName('a.pdf'),
    action: removeDocument,
    focused: iconButton('Star b.pdf'),
  },
  'a document between others, removed': {
    prepare: documents,
    selector: removeName('b.pdf'),
    action: removeDocument,
    focused: iconButton('Star a.pdf'),
  },
  'the first document, removed': {
    prepare: documents,
    selector: removeName('c.pdf'),
    action: removeDocument,
    focused: iconButton('Star b.pdf'),
  },
};

/** Returns an action that shows the chat as a bubble. With `isTouchScreen`, the screen counts as a touch screen until the window is open. */
const bubble =
  (isOpen: boolean, isTouchScreen = false) =>
  async ({ chat, settle }: FullFixture): Promise<void> => {
    const { matchMedia } = window;
    if (isTouchScreen) {
      window.matchMedia = (query) =>
        matchMedia.call(window, query === '(pointer: coarse)' ? 'all' : query);
      chat.addEventListener('ubik-chat-opened', () =>
        requestAnimationFrame(() => (window.matchMedia = matchMedia)),
      );
    }
    chat.layout = 'bubble';
    chat.open = isOpen;
    await settle();
    await settle();
  };

const WINDOW: FocusCases = {
  'the launcher, on touch': {
    prepare: bubble(false, true),
    selector: '.launcher',
    action: ({ query }) => query('.launcher').click(),
    focused: '.window',
  },
  'the launcher, with the keyboard': {
    prepare: bubble(false),
    selector: '.launcher',
    action: pressKeys('Enter'),
    focused: '.field textarea',
  },
  'the button that closes the window': {
    prepare: bubble(true),
    selector: '.window-close',
    action: pressKeys('Enter'),
    focused: '.launcher',
  },
  'the field, when Escape closes the window': {
    prepare: bubble(true),
    selector: '.field textarea',
    action: pressKeys('Escape'),
    focused: '.launcher',
  },
  'a link of the page in the footer, when Escape closes the window': {
    prepare: async (fixture) => {
      const link = fixture.chat.appendChild(document.createElement('a'));
      Object.assign(link, { slot: 'footer', id: 'imprint', href: '#', textContent: 'Imprint' });
      await bubble(true)(fixture);
    },
    selector: '#imprint',
    action: pressKeys('Escape'),
    focused: '.launcher',
  },
  'the field, when the launcher closes the window': {
    prepare: bubble(true),
    selector: '.field textarea',
    action: ({ query }) => query('.launcher').click(),
    focused: '.launcher',
  },
  'the field, when the host page closes the window': {
    prepare: bubble(true),
    selector: '.field textarea',
    action: ({ chat }) => (chat.open = false),
    focused: '.launcher',
  },
};

describe('focus in side panels moves when the focused control disappears:', () => {
  testFocusCases(THREADS);
  testFocusCases(DOCUMENTS);
});

describe('what covers the messages of a narrow chat', () => {
  for (const [name, opener, covering] of [
    ['an open drawer', '.side-toggle-start', '.side.start'],
    ['a passage', '.cite', '.passage'],
  ] as const) {
    for (const [method, act, focused] of [
      ['focus()', ({ chat }) => chat.focus(), '.field textarea'],
      ['focusComposer()', ({ chat }) => void chat.focusComposer(), '.field textarea'],
      ['showMessage()', ({ chat }) => chat.showMessage('a'), '.message.assistant'],
    ] satisfies [string, (fixture: FullFixture) => void, string][]) {
      it(`(${name}) is closed by ${method}, which focuses what is under it`, async () => {
        const fixture = await setupAll(400);
        await openThread('t0', '.cite')(fixture);
        fixture.query(opener).click();
        await waitForFocus(covering);
        act(fixture);
        await waitForFocus(focused);
        const node = fixture.root.querySelector(covering);
        expect(node?.checkVisibility() ?? false).to.equal(false);
      });
    }
  }
});

describe('focus of a bubble moves when the focused control disappears:', () => {
  testFocusCases(WINDOW);
});
