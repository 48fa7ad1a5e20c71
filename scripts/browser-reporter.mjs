import { emptyTally, formatTally, writeTally } from './tally.mjs';

/**
 * The results of @web/test-runner, with the fields that are used.
 *
 * @typedef {{ name: string, passed: boolean, skipped: boolean }} TestResult
 * @typedef {{ name: string, tests: TestResult[], suites: Suite[] }} Suite
 * @typedef {{ passed?: boolean, testResults?: Suite }} Session
 */

/**
 * A reporter of @web/test-runner that counts tests and writes the tally for `npm test`. The default reporter prints failures.
 *
 * @param {readonly string[]} [skippedTitles] whole titles of tests that must exist and be skipped; a missing one counts as a failure
 */
export function tallyReporter(skippedTitles = []) {
  return {
    /** @param {{ sessions: Iterable<Session> }} run */
    onTestRunFinished({ sessions }) {
      const tally = emptyTally();
      const missing = new Set(skippedTitles);
      for (const { passed, testResults } of sessions) {
        const before = tally.failed + tally.passed + tally.skipped;
        const failedBefore = tally.failed;
        if (testResults) {
          addSuite(testResults, tally);
          for (const title of listSkipped(testResults, '')) missing.delete(title);
        }
        const hasNoTests = tally.failed + tally.passed + tally.skipped === before;
        // A file that does not load, throws outside of its tests, or has no tests counts as a failure.
        if (hasNoTests || (!passed && tally.failed === failedBefore)) tally.failed += 1;
      }
      for (const title of missing)
        console.log(`A test that must be skipped does not exist: ${title}`);
      tally.failed += missing.size;
      writeTally(tally);
      console.log(formatTally(tally));
    },
  };
}

/** @param {Suite} suite @param {import('./tally.mjs').Tally} tally */
function addSuite(suite, tally) {
  for (const test of suite.tests) {
    if (test.skipped) tally.skipped += 1;
    else if (test.passed) tally.passed += 1;
    else tally.failed += 1;
  }
  for (const inner of suite.suites) addSuite(inner, tally);
}

/** Returns the whole titles of the skipped tests. @param {Suite} suite @param {string} around @returns {string[]} */
function listSkipped({ name, tests, suites }, around) {
  const title = `${around} ${name}`.trim();
  return [
    ...tests.filter(({ skipped }) => skipped).map((test) => `${title} ${test.name}`.trim()),
    ...suites.flatMap((inner) => listSkipped(inner, title)),
  ];
}
