/**
 * Runs test files of node:test, each in a separate process, in the given order (`node --test` would sort them):
 * `node scripts/run-tests.mjs PROCESSES SECONDS FILE...`, with a number of concurrent processes and a timeout for each. Files that are
 * joined by commas share a process. The environment variable `COVERAGE_STEP` names the step whose coverage is written; `SLOW_FILES` delays
 * responses of the servers in these processes (`slow-responses.mjs`).
 */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { bundleTests } from './bundle-tests.mjs';
import { addNodeReports, Coverage, readCompiled } from './coverage.mjs';
import report from './unit-reporter.mjs';

const [processes, seconds, ...sources] = process.argv.slice(2);
// The demo server is compiled too, for the tests that start it.
const { folder, files } = await bundleTests([...sources, 'demo/main.ts']);
process.env['DEMO_MAIN'] = files.pop();
const step = process.env['COVERAGE_STEP'];
const coverageFolder = step ? await mkdtemp(join(tmpdir(), 'ubik-coverage-')) : undefined;
if (coverageFolder) process.env['NODE_V8_COVERAGE'] = coverageFolder;
if (process.env['SLOW_FILES']) {
  process.env['NODE_OPTIONS'] = `--import ${new URL('slow-responses.mjs', import.meta.url).href}`;
}
const events = run({ files, concurrency: Number(processes), timeout: Number(seconds) * 1000 });
events.on('test:fail', ({ todo }) => {
  if (todo === undefined) process.exitCode = 1;
});
for await (const text of report(events)) process.stdout.write(text);
if (step && coverageFolder) {
  const coverage = new Coverage();
  addNodeReports(coverage, coverageFolder, readdirSync(coverageFolder), folder);
  coverage.write(step, readCompiled);
  await rm(coverageFolder, { recursive: true });
}
await rm(folder, { recursive: true });
