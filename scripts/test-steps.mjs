/** The steps of `npm test`. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run-command.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} title
 * @property {readonly string[]} command empty when there is nothing to run, which is a failure
 * @property {boolean} [tallies] writes its own count of tests; other steps count as one
 * @property {boolean} [alone] runs without other steps, because it keeps both cores busy or measures time
 * @property {readonly string[]} [after] steps that must have ended first
 * @property {boolean} [prints] its output is shown even when it passes
 * @property {boolean} [covers] records line coverage, with `--coverage`
 * @property {boolean} [needsCoverage] runs only with `--coverage` or when it is named
 * @property {boolean} [separate] runs only in `npm run test:pages`, with `--exhaustive` or when it is named
 */

/** Timeout of a test file in seconds. It only ends files that hang, so it must hold on a machine that is many times slower. */
const TIMEOUT = 1200;

/** The slowest files start first, because a slow file that starts last would leave the other process idle. */
const LONGEST = [
  'test/simulation/random-actions.unit.ts',
  'test/faults/action-faults.unit.ts',
  'test/backends/ubik/content/linear.unit.ts',
  'test/conformance/ubik.unit.ts',
  'test/conformance/data-agent.unit.ts',
  'test/simulation/data-agent.unit.ts',
  'test/demo/questions-table.unit.ts',
  'test/demo/restart.unit.ts',
  'test/demo/runs.unit.ts',
  'test/e2e/data-agent.e2e.ts',
  'test/e2e/demo-page.e2e.ts',
  'test/hostile/rendering.e2e.ts',
  'test/hostile/large-reports.e2e.ts',
  'test/e2e/keyboard.e2e.ts',
  'test/e2e/conversation.e2e.ts',
  'test/e2e/threads.e2e.ts',
  'test/e2e/queue.e2e.ts',
  'test/e2e/requests.e2e.ts',
  'test/e2e/faults.e2e.ts',
  'test/e2e/refusing-pages.e2e.ts',
  'test/hostile/tag-floods.e2e.ts',
];

/** Files that measure memory, or that read or change globals, so that each needs a separate process. */
const SOLITARY = [
  'test/backends/ubik/run/event-limit.unit.ts',
  'test/controller/lazy-actions.unit.ts',
  'test/controller/memory.unit.ts',
  'test/controller/thread-actions.unit.ts',
  'test/message/unloaded-data-formats.unit.ts',
  'test/server/limits.unit.ts',
  'test/transport/abort-signals.unit.ts',
];

/** The files of `test/e2e` that `npm test` runs; `npm run test:pages` runs the others. */
const MAIN_PATHS = [
  'test/e2e/conversation.e2e.ts',
  'test/e2e/lazy-loading.e2e.ts',
  'test/e2e/long-thread.e2e.ts',
  'test/e2e/strict-page.e2e.ts',
];

/** The files of `test/performance` that `npm test` runs in a page; `npm run test:pages` runs the others. */
const CHAT_COSTS = ['test/performance/chat-frames.test.ts', 'test/performance/long-thread.test.ts'];

/** @param {string} file */
const isHostile = (file) => file.startsWith('test/hostile/');

/** @param {string} file */
const rankOf = (file) => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length);

/**
 * Files below `test/`, except those of `test/performance`, which measure time and have their own steps.
 *
 * @param {string} ending
 * @param {boolean} [measuring] only those of `test/performance`
 */
function listTests(ending, measuring = false) {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && file.startsWith('performance') === measuring)
    .map((file) => join('test', file))
    .sort()
    .sort((left, right) => rankOf(left) - rankOf(right));
}

/**
 * Joins the files of each folder into one process, because starting a process takes longer than most of them run; those of `LONGEST` and
 * `SOLITARY` stay alone.
 *
 * @param {readonly string[]} files
 */
function joinByFolder(files) {
  const alone = files.filter((file) => LONGEST.includes(file) || SOLITARY.includes(file));
  /** @type {Map<string, string[]>} */
  const folders = new Map();
  for (const file of files.filter((each) => !alone.includes(each))) {
    folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  }
  const joined = [...folders.values()].sort((left, right) => right.length - left.length);
  return [...alone, ...joined.map((group) => group.join(','))];
}

/**
 * Returns an empty command when there are no files, because Node would then search for tests itself and find this runner.
 *
 * @param {readonly string[]} files
 * @param {{ processes: number, seconds: number }} limits
 */
const runNode = (files, { processes, seconds }) =>
  files.length === 0
    ? []
    : [
        'node',
        '--enable-source-maps',
        // Skips the optimizing WebAssembly compiler, which takes a second per process for SQLite and does not pay off.
        '--liftoff-only',
        'scripts/run-tests.mjs',
        String(processes),
        String(seconds),
        ...files,
      ];

/**
 * Runs end-to-end tests, in one process more than other steps, because these tests sometimes wait for frames and the network.
 *
 * @param {readonly string[]} files
 */
const runPages = (files) => runNode(files, { processes: 3, seconds: TIMEOUT });

/** Returns the steps with tests that compare times. They run two processes or pages, and no other step, so that each has a core. @returns {Step[]} */
function measuringSteps() {
  const units = listTests('.unit.ts', true);
  const others = listTests('.test.ts', true).filter((file) => !CHAT_COSTS.includes(file));
  /** @param {readonly string[]} files */
  const measureInPages = (files) => ['web-test-runner', '--concurrency', '2', '--files', ...files];
  return [
    {
      name: 'cost',
      title: 'Performance ratios',
      command: runNode(units, { processes: 2, seconds: TIMEOUT }),
      tallies: true,
      alone: true,
    },
    {
      name: 'page-cost',
      title: 'Performance ratios of the chat',
      command: measureInPages(CHAT_COSTS),
      tallies: true,
      alone: true,
    },
    {
      name: 'more-cost',
      title: 'Further performance ratios in a page',
      command: measureInPages(others),
      tallies: true,
      alone: true,
      separate: true,
    },
  ];
}

/**
 * All steps in order. Those that may run concurrently do, two at a time.
 *
 * @type {readonly Step[]}
 */
export const STEPS = [
  { name: 'build', title: 'Build', command: ['node', 'scripts/build.mjs'] },
  {
    name: 'e2e',
    title: 'End-to-end tests of the main paths and of hostile content',
    // As early as possible, because it waits more than it computes while other steps run beside it.
    command: runPages([...listTests('.e2e.ts').filter(isHostile), ...MAIN_PATHS]),
    tallies: true,
    after: ['build'],
  },
  {
    name: 'types',
    title: 'Types, and lint of all TypeScript',
    command: ['node', 'scripts/check-types.mjs'],
    tallies: true,
  },
  {
    name: 'lint',
    title: 'Lint',
    // ESLint has no rules for tests.
    command: ['eslint', '.', '--ignore-pattern', '{test,bench}/**/*.ts', '--max-warnings=0'],
  },
  {
    name: 'format',
    title: 'Format',
    command: ['oxfmt', '--check'],
  },
  {
    name: 'manifest',
    title: 'Manifest of the elements',
    command: ['node', 'scripts/check-manifest.mjs'],
    tallies: true,
  },
  { name: 'unused', title: 'Unused files, exports and packages', command: ['knip'] },
  {
    name: 'duplicates',
    title: 'Duplicate code',
    command: ['jscpd', '--config', '.jscpd.json', 'src', 'server'],
  },
  { name: 'size', title: 'Size', command: ['node', 'scripts/check-size.mjs'], after: ['build'] },
  {
    name: 'api',
    title: 'Exported names',
    command: ['node', 'scripts/api.mjs', '--check'],
    tallies: true,
    after: ['build'],
  },
  {
    name: 'package',
    title: 'Size, files, entry points and types of the packed package',
    command: ['node', 'scripts/check-package.mjs'],
    tallies: true,
    after: ['build'],
  },
  {
    name: 'samples',
    title: 'Samples in the documents',
    command: ['node', 'scripts/check-samples.mjs'],
    tallies: true,
    after: ['build'],
  },
  {
    name: 'unit',
    title: 'Unit tests',
    command: runNode(joinByFolder(listTests('.unit.ts')), { processes: 2, seconds: TIMEOUT }),
    tallies: true,
    covers: true,
  },
  {
    name: 'mutants',
    title: 'Mutation sample',
    command: [
      'node',
      'scripts/mutate.mjs',
      ...['--module', 'model', '--module', 'transport', '--near'],
      ...['--count', '5', '--seed', '3'],
    ],
    tallies: true,
    alone: true,
  },
  {
    name: 'dom',
    title: 'Browser tests',
    command: ['web-test-runner'],
    tallies: true,
    alone: true,
    covers: true,
  },
  {
    name: 'coverage',
    title: 'Line coverage of unit and browser tests',
    command: ['node', 'scripts/coverage.mjs'],
    after: ['unit', 'dom'],
    prints: true,
    needsCoverage: true,
  },
  {
    name: 'paths',
    title: 'End-to-end tests of all other paths',
    command: runPages(
      listTests('.e2e.ts').filter((file) => !isHostile(file) && !MAIN_PATHS.includes(file)),
    ),
    tallies: true,
    after: ['build'],
    separate: true,
  },
  {
    name: 'visual',
    title: 'Gallery: screenshots and axe',
    // Runs beside the end-to-end tests, because it mostly waits for frames.
    command: runNode(listTests('.visual.ts'), { processes: 1, seconds: TIMEOUT }),
    tallies: true,
    after: ['build'],
    separate: true,
  },
  ...measuringSteps(),
];
