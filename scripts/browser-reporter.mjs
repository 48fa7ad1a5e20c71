import { emptyTally, printTally, writeTally } from './tally.mjs';

/**
 * As much of the results of @web/test-runner as is read here.
 *
 * @typedef {{ passed: boolean, skipped: boolean }} TestResult
 * @typedef {{ tests: TestResult[], suites: Suite[] }} Suite
 * @typedef {{ passed?: boolean, testResults?: Suite }} Session
 */

/** A reporter of @web/test-runner that counts tests and writes the tally for `npm test`; the default reporter says what failed. */
export function tallyReporter() {
  return {
    /** @param {{ sessions: Iterable<Session> }} run */
    onTestRunFinished({ sessions }) {
      const tally = emptyTally();
      for (const { passed, testResults } of sessions) {
        const before = tally.failed + tally.passed + tally.skipped;
        const failedBefore = tally.failed;
        if (testResults) addSuite(testResults, tally);
        const none = tally.failed + tally.passed + tally.skipped === before;
        // A file that does not load, or breaks beside its tests, or holds none, shows nothing.
        if (none || (!passed && tally.failed === failedBefore)) tally.failed += 1;
      }
      writeTally(tally);
      console.log(printTally(tally));
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
