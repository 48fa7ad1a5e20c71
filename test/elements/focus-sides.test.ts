import '../../src/elements/window/chat-window.js';
import { UbikError } from '../../src/errors.js';
import { documentOf } from '../controller/scripted-backend.js';
import {
  checkGoings,
  keys,
  named,
  open,
  press,
  type FullStage,
  type Goings,
} from './focus-stage.js';
import { threadsOf } from './thread-stage.js';

/** Deletes what has the focus, for good. */
async function remove(stage: FullStage): Promise<void> {
  await press(stage, ['Delete']);
  stage.clock.pass(8);
  await stage.settle();
}

const THREADS: Goings = {
  'a name that was written anew': {
    at: '.thread-open',
    act: keys('F2', 'B', 'Enter'),
    to: '.thread-open',
  },
  'a conversation that is deleted for good': {
    at: '.thread-open',
    act: remove,
    to: '.thread-open',
  },
  'the only conversation, deleted for good': {
    at: '.thread-open',
    act: async (stage) => {
      for (let left = 3; left > 0; left -= 1) await remove(stage);
    },
    to: '.thread-new',
  },
  'what reads the list once more': {
    prepare: async ({ chat, backend, settle }) => {
      backend.answers.set('listThreads', () => Promise.reject(new UbikError('network')));
      chat.querySelector('ubik-thread-list')?.remove();
      const list = document.createElement('ubik-thread-list');
      list.slot = 'start';
      chat.append(list);
      await settle();
      await settle();
      const answer = { items: threadsOf(3), hasMore: false, total: 3 };
      backend.answers.set('listThreads', () => answer);
    },
    at: '.line button',
    act: keys('Enter'),
    to: '.thread-open',
  },
};

const removeName = (name: string): string => named(`Remove ${name} from this conversation`);

async function documents(stage: FullStage): Promise<void> {
  stage.backend.documents = ['a', 'b', 'c'].map((id) => documentOf(id));
  await open('t0', removeName('a.pdf'))(stage);
}

const DOCUMENTS: Goings = {
  'the last document, taken out': {
    prepare: documents,
    at: removeName('a.pdf'),
    act: keys('Enter'),
    to: named('Star b.pdf'),
  },
  'a document between others, taken out': {
    prepare: documents,
    at: removeName('b.pdf'),
    act: keys('Enter'),
    to: named('Star a.pdf'),
  },
  'the first document, taken out': {
    prepare: documents,
    at: removeName('c.pdf'),
    act: keys('Enter'),
    to: named('Star b.pdf'),
  },
};

const bubble =
  (isOpen: boolean, isTouched = false) =>
  async ({ chat, settle }: FullStage): Promise<void> => {
    const { matchMedia } = window;
    if (isTouched) {
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

const WINDOW: Goings = {
  'the button of a bubble, by a finger': {
    prepare: bubble(false, true),
    at: '.launcher',
    act: ({ query }) => query('.launcher').click(),
    to: '.window',
  },
  'the button of a bubble, by a key': {
    prepare: bubble(false),
    at: '.launcher',
    act: keys('Enter'),
    to: '.field textarea',
  },
  'the button that closes the window': {
    prepare: bubble(true),
    at: '.window-close',
    act: keys('Enter'),
    to: '.launcher',
  },
  'the field, when Escape closes the window': {
    prepare: bubble(true),
    at: '.field textarea',
    act: keys('Escape'),
    to: '.launcher',
  },
  'the field, when the button in the corner closes the window': {
    prepare: bubble(true),
    at: '.field textarea',
    act: ({ query }) => query('.launcher').click(),
    to: '.launcher',
  },
  'the field, when the page closes the window': {
    prepare: bubble(true),
    at: '.field textarea',
    act: ({ chat }) => (chat.open = false),
    to: '.launcher',
  },
};

describe('beside the messages the focus goes on from', () => {
  checkGoings(THREADS);
  checkGoings(DOCUMENTS);
  checkGoings(WINDOW);
});
