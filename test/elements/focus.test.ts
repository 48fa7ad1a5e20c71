import '../../src/elements/window/chat-window.js';
import {
  findVisible,
  waitForFocus,
  openThread,
  press,
  setupAll,
  type FullFixture,
} from './focus-fixture.js';

/**
 * An element that is opened and closed by keys. `at`: selector of the control that has the focus before; `inside`: where the focus is after
 * opening; `back`: where it is after closing, by default `at`.
 */
interface OpeningCase {
  readonly prepare?: (fixture: FullFixture) => unknown;
  readonly at: string;
  readonly open: readonly string[];
  readonly inside: string;
  readonly leave?: readonly string[];
  readonly back?: string;
  readonly width?: number;
}

const OPEN_THREAD = openThread('t0', '.cite');
const MORE = '.assistant .more';
const OPENINGS: Readonly<Record<string, OpeningCase>> = {
  'the shortcuts dialog': { at: '.scroller', open: ['?'], inside: '.shortcuts button' },
  'the shortcuts dialog, by the menu': {
    prepare: OPEN_THREAD,
    at: MORE,
    open: ['Enter', 'K', 'Enter'],
    inside: '.shortcuts button',
    leave: ['Enter'],
  },
  'the message menu': {
    prepare: OPEN_THREAD,
    at: MORE,
    open: ['Enter'],
    inside: '[role=menuitem]',
  },
  'the feedback form': {
    prepare: OPEN_THREAD,
    at: '.bad-button',
    open: ['Enter'],
    inside: '.feedback textarea',
  },
  'the feedback form, submitted': {
    prepare: OPEN_THREAD,
    at: '.good-button',
    open: ['Enter'],
    inside: '.feedback textarea',
    leave: ['Tab', 'Enter'],
  },
  'the edit form': {
    prepare: OPEN_THREAD,
    at: '.edit-button',
    open: ['Enter'],
    inside: '.edit textarea',
  },
  'the branch map': {
    prepare: OPEN_THREAD,
    at: '.map-button',
    open: ['Enter'],
    inside: '.map button',
  },
  'the branch map, closed by its button': {
    prepare: OPEN_THREAD,
    at: '.map-button',
    open: ['Enter'],
    inside: '.map button',
    leave: ['Enter'],
  },
  'the restore dialog': {
    prepare: openThread('t', '.divider button'),
    at: '.divider button',
    open: ['Enter'],
    inside: '.restore textarea',
  },
  'a passage': { prepare: OPEN_THREAD, at: '.cite', open: ['Enter'], inside: '.passage' },
  'a passage, left by its button': {
    prepare: OPEN_THREAD,
    at: '.cite',
    open: ['Enter', 'Tab'],
    inside: '.passage button',
    leave: ['Enter'],
  },
  'a drawer': { width: 400, at: '.side-toggle-start', open: ['Enter'], inside: '.side.start' },
  'the button in place of a column that is collapsed': {
    at: '.start > .side-edge',
    open: ['Enter'],
    inside: '.side-toggle-start',
    leave: ['Enter'],
  },
  'the form for a new name': {
    at: '.thread-open',
    open: ['F2'],
    inside: '.thread-form input',
    back: '.thread-open',
  },
  'the actions of a conversation': {
    at: '.thread-more',
    open: ['Enter', 'Tab'],
    inside: '.thread .buttons button',
    back: '.thread-open',
  },
  'the button that undoes a deletion': {
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
    prepare: OPEN_THREAD,
    at: '.documents .buttons [aria-expanded]',
    open: ['Enter'],
    inside: '.picker [type=search]',
  },
};

describe('focus', () => {
  for (const [name, opening] of Object.entries(OPENINGS)) {
    const { prepare, at, open: keys, inside, leave = ['Escape'], back, width } = opening;
    it(`enters ${name}, and returns when it is closed`, async () => {
      const fixture = await setupAll(width);
      await fixture.settle();
      await prepare?.(fixture);
      await fixture.settle();
      findVisible(at)?.focus();
      await waitForFocus(at);
      await press(fixture, keys);
      await waitForFocus(inside);
      await press(fixture, leave);
      await waitForFocus(back ?? at);
    });
  }
});
