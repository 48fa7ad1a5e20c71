import { writeFileSync } from 'node:fs';

/**
 * A reporter of node:test: says only what failed, and writes `{ passed, failed, skipped }` into the file named by
 * `TEST_COUNT_FILE`. Suites are not counted, only tests; a file that could not be loaded counts as failed.
 */
export default async function* countReporter(source) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of source) {
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') continue;
    if (data.skip !== undefined || data.todo !== undefined) count.skipped += 1;
    else if (type === 'test:pass') count.passed += 1;
    else {
      count.failed += 1;
      yield describeFailure(data);
    }
  }
  if (process.env.TEST_COUNT_FILE) {
    writeFileSync(process.env.TEST_COUNT_FILE, JSON.stringify(count));
  }
  yield `tests: ${JSON.stringify(count)}\n`;
}

function describeFailure({ name, file, line, details }) {
  const error = details?.error?.cause ?? details?.error;
  const text = error?.stack ?? String(error?.message ?? error);
  return `✖ ${name}\n  ${file ?? ''}:${line ?? ''}\n${String(text).slice(0, 4000)}\n\n`;
}
