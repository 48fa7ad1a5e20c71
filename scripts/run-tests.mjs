/**
 * Runs files of node:test, each in a process of its own, in the order in which they are given (`node --test` sorts them):
 * `node scripts/run-tests.mjs PROCESSES SECONDS FILE...`, so many seconds for a process at most. Files that are joined by commas
 * share one.
 */
import { rm } from 'node:fs/promises';
import { run } from 'node:test';
import { bundleTests } from './bundle-tests.mjs';
import report from './unit-reporter.mjs';

const [processes, seconds, ...sources] = process.argv.slice(2);
const { folder, files } = await bundleTests([...sources, 'demo/main.ts']);
process.env['DEMO_MAIN'] = files.pop();
const events = run({ files, concurrency: Number(processes), timeout: Number(seconds) * 1000 });
events.on('test:fail', ({ todo }) => {
  if (todo === undefined) process.exitCode = 1;
});
for await (const text of report(events)) process.stdout.write(text);
await rm(folder, { recursive: true });
