import type { FirstAnswer } from './first-answer.js';
import type { Measurements } from './measurements.js';
import type { Opening } from './opening.js';
import {
  droppedShare,
  growthOf,
  lagOf,
  printNumber,
  printRange,
  ratiosOf,
  runsOf,
  spreadOf,
  type Spread,
} from './report.js';
import type { Run } from './browser.js';

/** Reads the values of a goal, one per repetition; none when it was not measured. */
type Read = (measurements: Measurements) => readonly number[];

/** A figure with its limit, which must hold, and its target. */
export interface Goal {
  readonly what: string;
  /** The measured subject, and the one by whose figure the figure is divided. */
  readonly subject: string;
  readonly limit: number;
  readonly target: number;
  readonly unit: string;
  /** Whether `--quick` measures it, too. */
  readonly isQuick: boolean;
  readonly read: Read;
}

/** A goal with what was measured. */
export interface JudgedGoal extends Goal {
  readonly spread: Spread;
  readonly verdict: 'meets the target' | 'within the limit' | 'exceeds the limit' | 'not measured';
}

/** Limit of the cost of a chunk at the end of a stream relative to its cost at the beginning. The planted defect must exceed it. */
export const GROWTH_LIMIT = 1.3;

const CHAT = '`chat`';
const REFERENCE = 'reference, same styles';

/** Returns the ratios of a subject to a base in the scenarios whose name starts with one of the prefixes. */
function ratio(prefixes: readonly string[], subject = 'chat', base = 'dom-replay-raf'): Read {
  return ({ results }) =>
    results
      .filter(({ scenario }) => prefixes.some((prefix) => scenario.name.startsWith(prefix)))
      .flatMap((result) => ratiosOf(result, subject, base));
}

/** Reads a figure of each run of the chat: `Infinity` for a run that was stopped, none for a run without the figure. */
function each(prefixes: readonly string[], read: (run: Run) => number): Read {
  return ({ results }) =>
    results
      .filter(({ scenario }) => prefixes.some((prefix) => scenario.name.startsWith(prefix)))
      .flatMap((result) => runsOf(result, 'chat'))
      .map((run) => (run.measurements.fed < 1 ? Infinity : read(run)))
      .filter((value) => !Number.isNaN(value));
}

function opening(name: string, read: (one: Opening) => number): Read {
  return ({ openings }) => openings.filter((one) => one.name === name).map(read);
}

function firstAnswer(read: (one: FirstAnswer) => number): Read {
  return ({ firstAnswers }) => firstAnswers.map(read);
}

/** Creates a row of the table from values in the order of its columns. */
function goal(
  [what, subject]: readonly [string, string],
  [limit, target, unit = '']: readonly [number, number, string?],
  read: Read,
  isQuick = false,
): Goal {
  return { what, subject, limit, target, unit, isQuick, read };
}

const toReference = `${CHAT} ÷ ${REFERENCE}`;
const fromBytes = `\`transport\` ÷ ${REFERENCE}`;
const toBare = `${CHAT} ÷ \`bare\`, same styles`;
/** Prefixes of the names of scenarios. */
const [A, C, D] = ['A:', 'C:', 'D:'];
const QUICK_C = 'quick: 500/s';
const QUICK_D = 'quick: 80 KB of open code';

/** All goals, in the order in which they are printed. */
export const GOALS: readonly Goal[] = [
  goal(['200/s, first 32 KB', toReference], [1.25, 1.15], ratio([A])),
  goal(['500/s, 100 KB', toReference], [1, 0.95], ratio([C])),
  goal(['200/s, first 32 KB', toBare], [1.15, 1.05], ratio([A], 'chat', 'bare')),
  goal(['500/s', toBare], [1.15, 1.05], ratio([C, QUICK_C], 'chat', 'bare'), true),
  goal(['200/s, first 32 KB', fromBytes], [1.4, 1.3], ratio([A], 'transport')),
  goal(['500/s, 100 KB', fromBytes], [1.2, 1.1], ratio([C], 'transport')),
  goal(
    ['opening 10,000 messages of 2 kB: longest task', 'UBIK service, CPU time'],
    [50, 30, ' ms'],
    opening('opening 10,000 messages', ({ longestTask }) => longestTask),
  ),
  goal(
    ['opening 300 messages of 100 kB: longest task', 'UBIK service, CPU time'],
    [50, 30, ' ms'],
    opening('opening 300 long messages', ({ longestTask }) => longestTask),
  ),
  goal(
    ['500/s, 100 KB with two Markdown extensions', `\`extended\` ÷ ${REFERENCE}`],
    [1.3, 1],
    ratio(['H:'], 'extended'),
  ),
  goal(['900 KB in the message', toReference], [0.22, 0.17], ratio(['G:'])),
  goal(['100 KB list', toReference], [1.7, 1.4], ratio(['fast list100k'])),
  goal(
    ['Enter to the first words, slow line', 'page with a chat, UBIK service'],
    [1, 0.8, ' s'],
    firstAnswer(({ firstWords }) => firstWords / 1000),
  ),
  goal(
    ['requests from Enter to the first words', 'page with a chat, UBIK service'],
    [10, 10],
    firstAnswer(({ requests }) => requests),
  ),
  // As long as this goal is not reached, the limit of the size check (scripts/check-size.mjs) is higher.
  goal(
    ['script until an answer is complete, gzip', 'page with a chat, UBIK service'],
    [105, 95, ' kB'],
    firstAnswer(({ scriptBytes }) => scriptBytes / 1000),
  ),
  goal(
    ['500/s, 100 KB: tasks over 50 ms', CHAT],
    [0, 0],
    each([C], ({ measurements }) => measurements.longTasks.length),
  ),
  goal(
    ['500/s, 100 KB: dropped frames', CHAT],
    [1, 1, ' %'],
    each([C], (run) => 100 * droppedShare(run)),
  ),
  goal(
    ['a chunk at 80–100 % of the stream ÷ at 10–30 %', CHAT],
    [GROWTH_LIMIT, 1],
    each([C, QUICK_C], growthOf),
    true,
  ),
  goal(['80 KB of open code', toReference], [0.4, 0.2], ratio([D, QUICK_D]), true),
  goal(['500-row table', toReference], [3, 1.5], ratio(['fast table500'])),
  goal(['100 KB paragraph', toReference], [3, 1.5], ratio(['fast para100k'])),
  goal(['display lag p95 at 500/s', CHAT], [40, 34, ' ms'], each(['C with'], lagOf)),
  goal(
    ['retained heap after 100 KB', CHAT],
    [5, 3, ' MB'],
    each([C], ({ heap }) => heap / 1e6),
  ),
  goal(['renderer and server-sent events, gzip', 'minified bundle'], [24, 20, ' kB'], ({ size }) =>
    size === null ? [] : [size / 1000],
  ),
];

/** Judges the medians. A goal without values is `not measured`; it is omitted if the scope of the measurements does not require it. */
export function judgeGoals(
  measurements: Measurements,
  goals: readonly Goal[] = GOALS,
): JudgedGoal[] {
  return goals
    .map((goal) => {
      const spread = spreadOf(goal.read(measurements));
      return { ...goal, spread, verdict: judge(goal, spread.median) };
    })
    .filter(({ verdict, isQuick }) => {
      if (measurements.scope === 'full' || verdict !== 'not measured') return true;
      return measurements.scope === 'quick' && isQuick;
    });
}

function judge({ limit, target }: Goal, value: number): JudgedGoal['verdict'] {
  if (Number.isNaN(value)) return 'not measured';
  if (value <= target) return 'meets the target';
  return value <= limit ? 'within the limit' : 'exceeds the limit';
}

/** Returns a sentence for each goal whose limit was exceeded or which was not measured. */
export function listFailures(goals: readonly JudgedGoal[]): string[] {
  return goals.flatMap(({ what, subject, unit, limit, spread, verdict }) => {
    const name = `${what} (${subject})`;
    if (verdict === 'not measured') return [`Not measured: ${name}.`];
    if (verdict !== 'exceeds the limit') return [];
    return [
      // Three digits, so that a figure just above its limit does not look equal to it.
      `Limit exceeded: ${name} is ${printNumber(spread.median, unit, 3)}, the limit is ${String(limit)}${unit}.`,
    ];
  });
}

const HEAD =
  '| what | subject | limit | target | median | min–max | runs | |\n|---|---|--:|--:|--:|--:|--:|---|';

/** Returns limits, targets and medians with their spread as a Markdown table. */
export function printGoals(goals: readonly JudgedGoal[]): string {
  return [HEAD, ...goals.map(printRow), ''].join('\n');
}

function printRow({ what, subject, limit, target, unit, spread, verdict }: JudgedGoal): string {
  const cells = [
    what,
    subject,
    ...[limit, target].map((bound) => `≤ ${String(bound)}${unit}`),
    printNumber(spread.median, unit),
    printRange(spread, unit),
    String(spread.count),
    verdict,
  ];
  return `| ${cells.join(' | ')} |`;
}
