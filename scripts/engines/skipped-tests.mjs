/** The browser tests that cannot run in an engine, with the reason: all of them are here, by their titles. */

/**
 * @typedef {object} SkippedTests
 * @property {readonly string[]} engines
 * @property {string} reason
 * @property {readonly string[]} titles whole titles, with those of the suites
 */

/** @type {readonly SkippedTests[]} */
const SKIPPED = [
  {
    engines: ['firefox', 'webkit'],
    reason: 'Only the DevTools protocol of Chromium can emulate media.',
    titles: [
      'accessibility nothing moves when the user prefers reduced motion',
      'details of a tool call are omitted from a printed page',
      'long thread prints all messages and nothing else',
      'printed Markdown shows all of code and tables, without buttons',
      'tool part prints its input and result without the disclosure icon',
    ],
  },
  {
    engines: ['firefox'],
    reason: 'In Firefox, a synthetic paste event has no data.',
    titles: [
      'a long paste is attached to the message as a document',
      'a long paste stays text below the limit, with Shift, or when the service has no uploads',
      'attachments of the composer upload a pasted file, but insert pasted text into the field',
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
];

/** The titles that are skipped in an engine. @param {string} engine */
export const listSkipped = (engine) =>
  SKIPPED.filter(({ engines }) => engines.includes(engine)).flatMap(({ titles }) => titles);

/**
 * Code that is appended to each test file: skips these tests, without their hooks.
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
