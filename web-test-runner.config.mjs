import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { tallyReporter } from './scripts/browser-reporter.mjs';
import { bundledPages } from './scripts/bundled-pages.mjs';
import { cpuClock } from './scripts/cpu-clock.mjs';
import { findChrome, flags, openPage } from './scripts/browser.mjs';

const { from: _from, ...chrome } = await findChrome();

export default {
  // Those that measure come in a step of their own, in which nothing runs beside them.
  files: ['test/**/*.test.ts', '!test/performance/**'],
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [...bundledPages(), cpuClock()],
  browsers: [
    chromeLauncher({
      launchOptions: { ...chrome, args: flags },
      createPage: ({ context }) => openPage(context),
      concurrency: process.argv.includes('--files') ? 1 : 4,
    }),
  ],
  // These only end what hangs: a machine that is many times slower keeps them.
  browserStartTimeout: 300_000,
  testsStartTimeout: 300_000,
  testsFinishTimeout: 1_200_000,
  reporters: [defaultReporter({ reportTestProgress: false }), tallyReporter()],
  testFramework: { config: { timeout: 180_000 } },
};
