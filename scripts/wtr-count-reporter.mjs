import { writeFileSync } from 'node:fs';

/**
 * A reporter of @web/test-runner that writes `{ passed, failed, skipped }` as JSON into the file named by `TEST_COUNT_FILE`, for
 * the closing line of `npm test`, and says the same on the console.
 */
export function countReporter() {
  return {
    onTestRunFinished({ sessions }) {
      const count = { passed: 0, failed: 0, skipped: 0 };
      for (const session of sessions) {
        if (session.testResults) countSuite(session.testResults, count);
        // A file that does not load has no tests to fail.
        if (!session.passed && !hasTests(session.testResults)) count.failed += 1;
      }
      console.log(`browser tests: ${JSON.stringify(count)}`);
      const file = process.env.TEST_COUNT_FILE;
      if (file) writeFileSync(file, JSON.stringify(count));
    },
  };
}

function hasTests(suite) {
  return Boolean(suite && (suite.tests.length > 0 || suite.suites.some(hasTests)));
}

function countSuite(suite, count) {
  for (const test of suite.tests) {
    if (test.skipped) count.skipped += 1;
    else if (test.passed) count.passed += 1;
    else count.failed += 1;
  }
  for (const inner of suite.suites) countSuite(inner, count);
}
