import '../../src/elements/window/chat-window.js';
import { find, lands, open, press, setupAll, type FullStage } from './focus-stage.js';

/** What is opened by keys: from where, where the focus is then, and how it is left, with the focus where it was or as named. */
interface Opening {
  readonly prepare?: (stage: FullStage) => unknown;
  readonly at: string;
  readonly open: readonly string[];
  readonly inside: string;
  readonly leave?: readonly string[];
  readonly back?: string;
  readonly width?: number;
}

const TWO = open('t0', '.cite');
const MORE = '.assistant .more';
const OPENINGS: Readonly<Record<string, Opening>> = {
  'the map of the keys': { at: '.scroller', open: ['?'], inside: '.shortcuts button' },
  'the map of the keys, by its button': {
    at: '.to-keys',
    open: ['Enter'],
    inside: '.shortcuts button',
    leave: ['Enter'],
  },
  'the menu of a message': { prepare: TWO, at: MORE, open: ['Enter'], inside: '[role=menuitem]' },
  'the form for a reason': {
    prepare: TWO,
    at: MORE,
    open: ['Enter', 'B', 'Enter'],
    inside: '.feedback textarea',
  },
  'the form for a reason, sent': {
    prepare: TWO,
    at: MORE,
    open: ['Enter', 'G', 'Enter'],
    inside: '.feedback textarea',
    leave: ['Tab', 'Enter'],
  },
  'the form of an edit': {
    prepare: TWO,
    at: '.edit-act',
    open: ['Enter'],
    inside: '.edit textarea',
  },
  'the tree of versions': { prepare: TWO, at: '.map-act', open: ['Enter'], inside: '.map button' },
  'the tree of versions, left by its button': {
    prepare: TWO,
    at: '.map-act',
    open: ['Enter'],
    inside: '.map button',
    leave: ['Enter'],
  },
  'the way back to a checkpoint': {
    prepare: open('t', '.divider button'),
    at: '.divider button',
    open: ['Enter'],
    inside: '.restore textarea',
  },
  'a passage': { prepare: TWO, at: '.cite', open: ['Enter'], inside: '.passage' },
  'a passage, left by its button': {
    prepare: TWO,
    at: '.cite',
    open: ['Enter', 'Tab'],
    inside: '.passage button',
    leave: ['Enter'],
  },
  'a drawer': { width: 400, at: '.to-start', open: ['Enter'], inside: '.side.start' },
  'a folded column': {
    at: '.start > .side-edge',
    open: ['Enter'],
    inside: '.to-start',
    leave: ['Enter'],
  },
  'a new name': {
    at: '.thread-open',
    open: ['F2'],
    inside: '.thread-form input',
    back: '.thread-open',
  },
  'what can be done with a conversation': {
    at: '.thread-more',
    open: ['Enter', 'Tab'],
    inside: '.thread .buttons button',
    back: '.thread-open',
  },
  'a deletion': {
    at: '.thread-open',
    open: ['Delete'],
    inside: '.thread-undo',
    leave: ['Enter'],
    back: '.thread-open',
  },
  'the window of a bubble': {
    prepare: async ({ chat, settle }) => {
      chat.layout = 'bubble';
      await settle();
    },
    at: '.launcher',
    open: ['Enter'],
    inside: '.field textarea',
  },
  'the search of documents': {
    prepare: TWO,
    at: '.documents .buttons [aria-expanded]',
    open: ['Enter'],
    inside: '.picker [type=search]',
  },
};

describe('the focus', () => {
  for (const [name, opening] of Object.entries(OPENINGS)) {
    const { prepare, at, open: keys, inside, leave = ['Escape'], back, width } = opening;
    it(`goes into ${name}, and back to where it was`, async () => {
      const stage = await setupAll(width);
      await stage.settle();
      await prepare?.(stage);
      await stage.settle();
      find(at)?.focus();
      await lands(at);
      await press(stage, keys);
      await lands(inside);
      await press(stage, leave);
      await lands(back ?? at);
    });
  }
});
