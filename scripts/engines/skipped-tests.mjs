/** The browser tests that cannot run in an engine, by their titles, with the reason. No other file skips tests of an engine. */

/**
 * @typedef {object} SkippedTests
 * @property {readonly string[]} engines
 * @property {string} reason
 * @property {readonly string[]} titles whole titles, including those of the suites
 */

/** The states of a chat whose width is tested. */
const STATES = [
  'empty',
  'with an active run',
  'with everything expanded',
  'with an answer',
  'with an input request',
  'with an error',
  'with a message that was not sent',
  'with a broken connection',
  'with the restore dialog',
];

/** @type {readonly SkippedTests[]} */
const SKIPPED = [
  {
    engines: ['firefox', 'webkit'],
    reason: 'Only the DevTools protocol of Chromium can emulate media.',
    titles: [
      'a chat with the layout bubble opens and closes within 150 ms, without an animation for users who prefer none',
      'a diagram is printed in the colours of the light scheme and in the width of the page, without its label',
      'accessibility nothing moves when the user prefers reduced motion',
      'the accent colour of the page is copied when an element is connected or moved, and when the colour scheme changes',
      'details of a tool call are omitted from a printed page',
      'a chat with the layout bubble is printed while it is open, without its title bar',
      'the gate of a chat hides the conversation also in print',
      'long thread is not printed where the page hides it',
      'long thread prints all messages and nothing else',
      'passages part prints the full text of a long passage once, without its button and the button for more entries',
      'printed Markdown shows all of code and tables, without buttons',
      'tool part prints its input and result without the disclosure icon',
    ],
  },
  {
    engines: ['webkit'],
    reason: 'In WebKit, only `getComposedRanges` reads a selection in a shadow tree.',
    titles: [
      'hasSelection and isSelected read the selection in a browser without getComposedRanges',
    ],
  },
  {
    engines: ['firefox'],
    reason: 'In Firefox, a synthetic paste event has no data.',
    titles: [
      'a long paste is attached to the message as a document',
      'a long paste is inserted as text when the page accepts no such file, or the code for it cannot be loaded',
      'a long paste is inserted as text when the page prevents its upload',
      'a long paste that is refused after another thread was opened is kept for the new conversation',
      'a long paste that is refused after another thread was opened is kept in the draft of its thread',
      'a long paste that is refused while another thread is loading is kept for the new conversation',
      'a long paste stays text up to the limit, with Shift, or when the service has no uploads',
      'attachments of the composer are created from a pasted file that the system has copied together with its name',
      'attachments of the composer are created from a pasted file, but not from pasted text',
      'files for <ubik-documents> are pasted, unless there is text, which office programs copy with a picture of it',
    ],
  },
  {
    engines: ['firefox'],
    reason:
      'In a dialog, F6 is left to the browser. In Firefox it moves the focus to the toolbar, from which a test cannot return it.',
    titles: [
      'F6 moves between the regions of a chat and stays in a modal dialog',
      'keyboard shortcuts of a chat are listed in a dialog that returns the focus',
    ],
  },
  {
    engines: ['firefox'],
    reason:
      'In a text of both directions, Firefox aligns a line that begins with an element differently after the text has grown (docs/browsers.md).',
    titles: ['very long open paragraph has the same layout as when it is rendered at once (both)'],
  },
  {
    engines: ['webkit'],
    reason:
      'In WebKit, a layout break in a text without spaces may end a line early (docs/browsers.md).',
    titles: [
      'very long open paragraph has the same layout as when it is rendered at once (Chinese)',
    ],
  },
  {
    engines: ['webkit'],
    reason: 'The window of MiniBrowser is at least 447 pixels wide.',
    titles: [
      'a chat with the layout bubble fills the viewport of a phone',
      'a chat with the layout bubble keeps what covers it out of the safe areas of a phone',
      'attachments of the composer scroll in a low window, with room for focus rings, and leave room for messages and field',
      'follow-up questions scroll in a low window, with room for focus rings, and leave room for messages and field',
      ...STATES.map(
        (state) =>
          `accessibility a chat ${state} clips nothing at 320 px with maximum text spacing`,
      ),
    ],
  },
  {
    engines: ['webkit'],
    reason: 'WebKitGTK has touch events, but scripts cannot create them.',
    titles: [
      'following the end of a growing box ends with a touch that moves down',
      'transcript stops following on a finger, and keeps the scroll position',
    ],
  },
  {
    engines: ['webkit'],
    reason:
      'WebKit has no scroll anchoring: what is read moves when something above it changes its height (docs/browsers.md).',
    titles: [
      'scroll position while an answer streams does not jump when content above grows, such as an image or a formula',
      'scroll position while an answer streams does not jump when a step above collapses',
      'scroll position while an answer streams does not jump when the steps above are collapsed at the end of the run',
    ],
  },
  {
    engines: ['webkit'],
    reason: 'The error of WebKit does not name the module that cannot be loaded.',
    titles: [
      'loadExtra imports from the folder beside the script by default',
      'loadExtra rejects when the file is missing',
    ],
  },
  {
    engines: ['webkit'],
    reason: 'WebKit clips a group of blocks with `content-visibility` (docs/browsers.md).',
    titles: [
      'buttons of a table can be clicked when the table is the first of a group with content-visibility',
    ],
  },
];

/** Returns the titles that are skipped in an engine. @param {string} engine */
export const listSkipped = (engine) =>
  SKIPPED.filter(({ engines }) => engines.includes(engine)).flatMap(({ titles }) => titles);

/**
 * Returns code that is appended to each test file and skips these tests, without running their hooks.
 *
 * @param {readonly string[]} titles
 */
export const printSkipHook = (titles) => `
{
  const skipped = new Set(${JSON.stringify(titles)});
  beforeEach(function () {
    if (skipped.has(this.currentTest?.fullTitle())) this.skip();
  });
}`;
