/** Node arguments that start the demo server from the root of the repository, as `npm start` does. */
export const DEMO_FROM_SOURCES: readonly string[] = ['--import', 'tsx', 'demo/main.ts'];

/** Node arguments for the demo server as `scripts/run-tests.mjs` has compiled it, which starts five times as fast. */
export const DEMO_COMMAND: readonly string[] = process.env['DEMO_MAIN']
  ? ['--liftoff-only', process.env['DEMO_MAIN']]
  : DEMO_FROM_SOURCES;
