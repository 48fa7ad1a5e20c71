/**
 * `npm test`: every check and every test, to the end whatever fails, then one line `N passed, N failed` over all of them.
 * With names of steps as arguments, only those: `node scripts/test.mjs unit lint`.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COUNTS = join(tmpdir(), `ubik-test-counts-${process.pid}.json`);

const nodeTests = (pattern, ...more) => [
  'node',
  '--import',
  'tsx',
  '--test',
  '--test-reporter',
  './scripts/count-reporter.mjs',
  ...more,
  ...listFiles(pattern),
];

/** Steps in order. Those with `counts` count each test, the others count as one. */
const STEPS = [
  { name: 'format', run: () => ['npx', 'prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'lint', run: () => ['npx', 'eslint', '.'] },
  { name: 'types', run: () => ['node', 'scripts/check-types.mjs'] },
  { name: 'unit', counts: true, run: () => nodeTests('.unit.ts') },
  { name: 'build', run: () => ['node', 'scripts/build.mjs'] },
  { name: 'browser', counts: true, run: () => ['npx', 'web-test-runner'] },
  { name: 'e2e', counts: true, run: () => nodeTests('.e2e.ts', '--test-concurrency=1') },
  { name: 'manifest', run: () => ['node', 'scripts/check-manifest.mjs'] },
  { name: 'publint', run: () => ['npx', 'publint', '--strict'] },
  { name: 'attw', run: () => ['npx', 'attw', '--pack', '.', '--profile', 'esm-only'] },
  { name: 'knip', run: () => ['npx', 'knip'] },
  { name: 'duplicates', run: () => ['npx', 'jscpd', 'src', 'server', 'demo', '--silent'] },
  { name: 'size', run: () => ['node', 'scripts/check-size.mjs'] },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(
    `No such step: ${unknown.join(', ')}. Steps: ${STEPS.map((step) => step.name).join(', ')}.`,
  );
  process.exit(1);
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const step of STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const started = Date.now();
  console.log(`\n── ${step.name}`);
  const count = await runStep(step);
  for (const kind of Object.keys(total)) total[kind] += count[kind];
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${step.name}: ${count.passed} passed, ${count.failed} failed in ${seconds} s`);
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function runStep(step) {
  rmSync(COUNTS, { force: true });
  const code = await runCommand(step.run());
  if (!step.counts) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  const count = existsSync(COUNTS)
    ? JSON.parse(readFileSync(COUNTS, 'utf8'))
    : { passed: 0, failed: 0, skipped: 0 };
  rmSync(COUNTS, { force: true });
  // A runner that broke, or that found no test, has not shown anything.
  const broke = (code !== 0 && count.failed === 0) || count.passed + count.failed === 0;
  return broke ? { ...count, failed: count.failed + 1 } : count;
}

function runCommand([command, ...args]) {
  const env = { ...process.env, TEST_COUNT_FILE: COUNTS, FORCE_COLOR: '0' };
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    child.on('error', (error) => {
      console.error(`${command} did not start: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function listFiles(ending) {
  return readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join('test', file))
    .sort();
}
