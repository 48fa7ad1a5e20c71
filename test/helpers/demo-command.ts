/** Arguments for Node that start the local agent from the top of the repository, as `npm start` does. */
export const DEMO_FROM_SOURCES: readonly string[] = ['--import', 'tsx', 'demo/main.ts'];

/** The same, compiled once for all files by their runner (`scripts/run-tests.mjs`): it starts in a fifth of the time. */
export const DEMO_COMMAND: readonly string[] = process.env['DEMO_MAIN']
  ? ['--liftoff-only', process.env['DEMO_MAIN']]
  : DEMO_FROM_SOURCES;
