import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { tallyReporter } from './scripts/browser-reporter.mjs';
import { bundledPages, recordCoverage } from './scripts/bundled-pages.mjs';
import { Coverage } from './scripts/coverage.mjs';
import { cpuClock } from './scripts/cpu-clock.mjs';
import { findChrome, flags, openPage } from './scripts/browser.mjs';

const step = process.env['COVERAGE_STEP'];
const measured = step ? { coverage: new Coverage(), step } : undefined;

const { from: _from, ...chrome } = await findChrome();

export default {
  // Tests that measure time have a separate step, in which nothing else runs.
  files: ['test/**/*.test.ts', '!test/performance/**'],
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [...bundledPages(measured), cpuClock()],
  browsers: [
    chromeLauncher({
      launchOptions: { ...chrome, args: flags },
      createPage: async ({ context }) => {
        const page = await openPage(context);
        if (measured) await recordCoverage(page, measured.coverage);
        return page;
      },
      concurrency: process.argv.includes('--files') ? 1 : 4,
    }),
  ],
  // Long timeouts, which only end what hangs, so that tests also pass on much slower machines.
  browserStartTimeout: 300_000,
  testsStartTimeout: 300_000,
  testsFinishTimeout: 1_200_000,
  reporters: [defaultReporter({ reportTestProgress: false }), tallyReporter()],
  testFramework: { config: { timeout: 180_000 } },
};
