import { emptyTally, printTally, writeTally } from './tally.mjs';

/**
 * The results of @web/test-runner, with the fields that are used.
 *
 * @typedef {{ passed: boolean, skipped: boolean }} TestResult
 * @typedef {{ tests: TestResult[], suites: Suite[] }} Suite
 * @typedef {{ passed?: boolean, testResults?: Suite }} Session
 */

/** A reporter of @web/test-runner that counts tests and writes the tally for `npm test`. The default reporter prints failures. */
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
        // A file that does not load, throws outside of its tests, or has no tests counts as a failure.
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
