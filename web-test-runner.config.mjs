import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { tallyReporter } from './scripts/browser-reporter.mjs';
import { bundledPages, recordCoverage } from './scripts/bundled-pages.mjs';
import { Coverage } from './scripts/coverage.mjs';
import { cpuClock } from './scripts/cpu-clock.mjs';
import { findChrome, flags, openCachingPage } from './scripts/browser.mjs';
import { listSkipped, printSkipHook } from './scripts/engines/skipped-tests.mjs';
import { blankPage, createLauncher } from './scripts/engines/test-launchers.mjs';

const step = process.env['COVERAGE_STEP'];
const measured = step ? { coverage: new Coverage(), step } : undefined;

const isPartial = process.argv.includes('--files');
// Set by `scripts/test-engines.mjs` to test in another engine than Chromium.
const engine = process.env['ENGINE'];
const skipped = engine ? listSkipped(engine) : [];

async function createChromeLauncher() {
  const { from: _from, ...chrome } = await findChrome();
  return chromeLauncher({
    launchOptions: { ...chrome, args: flags },
    createPage: async ({ context }) => {
      const page = await openCachingPage(context);
      if (measured) await recordCoverage(page, measured.coverage);
      return page;
    },
    // More pages than cores, because pages mostly wait for frames. With `--files`, the option `--concurrency` of the command applies instead.
    concurrency: isPartial ? undefined : 6,
  });
}

/** Long files late in the alphabet, which start first, because a long file that starts last would leave the other core idle. */
const LONGEST = [
  'test/markdown/long-paragraph.test.ts',
  'test/elements/user-actions.test.ts',
  'test/markdown/hidden-characters.test.ts',
  'test/elements/thread-list.test.ts',
];

export default {
  // Tests that measure time have a separate step, in which nothing else runs.
  files: [...LONGEST, 'test/**/*.test.ts', '!test/performance/**'],
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [
    ...bundledPages(measured, skipped.length > 0 ? printSkipHook(skipped) : ''),
    engine ? blankPage : cpuClock(),
  ],
  browsers: [engine ? createLauncher(engine) : await createChromeLauncher()],
  // In ms. The timeouts are long, because they only end tests that hang: on a much slower machine, tests still pass. A file that hangs is
  // ended sooner in an engine, which runs one file at a time.
  browserStartTimeout: 300_000,
  testsStartTimeout: 300_000,
  testsFinishTimeout: engine ? 600_000 : 1_200_000,
  reporters: [
    defaultReporter({ reportTestProgress: false }),
    tallyReporter(isPartial ? [] : skipped),
  ],
  testFramework: { config: { timeout: 180_000 } },
};
