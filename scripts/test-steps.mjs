/** What `npm test` consists of. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run-command.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} title
 * @property {readonly string[]} command empty when there is nothing to run: the step has failed
 * @property {boolean} [tallies] it counts its own tests or checks; the others count as one
 * @property {boolean} [alone] nothing else runs beside it: it needs both cores
 * @property {boolean} [measures] only another one that measures runs beside it: each counts the CPU time of its own thread
 * @property {readonly string[]} [after] steps that must have ended before
 * @property {boolean} [prints] what it prints is shown also when it passes
 * @property {boolean} [covers] it writes which lines its tests have run
 */

/** Seconds for a file, to end one that hangs: a machine that is many times slower keeps within them. */
const PATIENCE = 1200;

/** Files that take longest come first: one that is begun last would keep one core waiting for the other. */
const LONGEST = [
  'test/steering/random-acts.unit.ts',
  'test/troubles/acts-in-trouble.unit.ts',
  'test/backends/ubik/content/linear.unit.ts',
  'test/conformance/ubik.unit.ts',
  'test/backends/ubik/event-order.unit.ts',
  'test/e2e/requests.e2e.ts',
  'test/e2e/queue.e2e.ts',
  'test/e2e/faults.e2e.ts',
  'test/e2e/threads.e2e.ts',
  'test/e2e/conversation.e2e.ts',
];

/** Files that measure memory, or change what their process has: no other may run beside them in it. */
const SOLITARY = [
  'test/backends/ubik/run/event-limit.unit.ts',
  'test/controller/memory.unit.ts',
  'test/controller/thread-actions.unit.ts',
  'test/server/limits.unit.ts',
  'test/transport/abort-signals.unit.ts',
];

/** @param {string} file */
const placeOf = (file) => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length);

/**
 * Files below `test/`, apart from those that measure: they come in steps of their own.
 *
 * @param {string} ending
 * @param {boolean} [measuring]
 */
function listTests(ending, measuring = false) {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && file.startsWith('performance') === measuring)
    .map((file) => join('test', file))
    .sort()
    .sort((left, right) => placeOf(left) - placeOf(right));
}

/**
 * The other files of a folder share a process, which takes longer to start than most of them take to run.
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
 * Without files there is no command: Node would look for tests of its own choice, and find this runner.
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
        // Each process that opens a database spends a second on optimizing it, and ends before that pays.
        '--liftoff-only',
        'scripts/run-tests.mjs',
        String(processes),
        String(seconds),
        ...files,
      ];

/** Tests that compare times: at most one process a core may run while they do. @returns {Step[]} */
function measuringSteps() {
  const units = listTests('.unit.ts', true);
  const pages = listTests('.test.ts', true);
  return [
    {
      name: 'cost',
      title: 'Shape of the cost',
      command: runNode(units, { processes: 1, seconds: PATIENCE }),
      tallies: true,
      measures: true,
    },
    {
      name: 'page-cost',
      title: 'Shape of the cost in a page',
      command: ['web-test-runner', '--files', ...pages],
      tallies: true,
      measures: true,
    },
  ].filter(({ name }) => (name === 'cost' ? units : pages).length > 0);
}

/**
 * In the order in which they are begun; those that may run beside others do, two at a time.
 *
 * @type {readonly Step[]}
 */
export const STEPS = [
  { name: 'build', title: 'Build', command: ['node', 'scripts/build.mjs'] },
  {
    name: 'types',
    title: 'Types, folder by folder',
    command: ['node', 'scripts/check-types.mjs'],
    tallies: true,
  },
  { name: 'lint', title: 'Lint', command: ['eslint', '.', '--max-warnings=0'] },
  {
    name: 'typed-lint',
    title: 'Lint that knows the types',
    command: [
      'oxlint',
      '--type-aware',
      '--deny-warnings',
      'src',
      'server',
      'demo',
      'test',
      'bench',
    ],
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
  { name: 'publint', title: 'Package', command: ['publint', '--strict'], after: ['build'] },
  {
    name: 'api',
    title: 'Exported names',
    command: ['node', 'scripts/api.mjs', '--check'],
    tallies: true,
    after: ['build'],
  },
  {
    name: 'attw',
    title: 'Types of the package',
    command: ['attw', '--pack', '.', '--profile', 'esm-only'],
    after: ['build'],
  },
  {
    name: 'unit',
    title: 'Unit tests',
    command: runNode(joinByFolder(listTests('.unit.ts')), { processes: 2, seconds: PATIENCE }),
    tallies: true,
    alone: true,
    covers: true,
  },
  {
    name: 'mutants',
    title: 'Mutants that the unit tests find',
    command: [
      'node',
      'scripts/mutate.mjs',
      ...['--room', 'model', '--room', 'transport', '--near'],
      ...['--count', '5', '--seed', '2'],
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
    title: 'Lines that the unit and browser tests run',
    command: ['node', 'scripts/coverage.mjs'],
    after: ['unit', 'dom'],
    prints: true,
  },
  {
    name: 'e2e',
    title: 'End-to-end tests',
    // One more than cores: they wait for frames and for the network now and then.
    command: runNode(listTests('.e2e.ts'), { processes: 3, seconds: PATIENCE }),
    tallies: true,
    alone: true,
    after: ['build'],
  },
  {
    name: 'visual',
    title: 'The gallery: pictures and axe',
    command: runNode(listTests('.visual.ts'), { processes: 3, seconds: PATIENCE }),
    tallies: true,
    alone: true,
    after: ['build'],
  },
  ...measuringSteps(),
];
