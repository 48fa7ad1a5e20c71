import { figuresOf, type Figures, type Result } from './report.js';
import type { Size } from './size.js';

/** One figure that was promised. */
interface Goal {
  readonly what: string;
  /** Part of the name of the scenario that it is read from. */
  readonly scenario: string;
  readonly must: number;
  readonly aim: number;
  readonly unit?: string;
  read(product: Figures, bare: Figures | undefined): number | null;
}

const ratio = ({ ratio }: Figures): number => ratio;

const GOALS: readonly Goal[] = [
  {
    what: '200/s, first 32 KB ÷ perfect DOM',
    scenario: 'A: 200/s, first 32 KB',
    must: 1.6,
    aim: 1.3,
    read: ratio,
  },
  { what: '500/s, 100 KB ÷ perfect DOM', scenario: 'C:', must: 1.4, aim: 1.1, read: ratio },
  {
    ...{ what: '500/s, 100 KB: tasks over 50 ms', scenario: 'C:', must: 0, aim: 0 },
    read: ({ longTasks }) => longTasks,
  },
  {
    ...{ what: '500/s, 100 KB: dropped frames', scenario: 'C:', must: 1, aim: 1, unit: ' %' },
    read: ({ dropped }) => 100 * dropped,
  },
  {
    ...{ what: 'a chunk at 80–100 % ÷ at 10–30 %', scenario: 'C:', must: 1.3, aim: 1 },
    read: ({ growth }) => growth,
  },
  { what: '80 KB of open code ÷ perfect DOM', scenario: 'D:', must: 0.4, aim: 0.2, read: ratio },
  { what: '1 MB in the message ÷ perfect DOM', scenario: 'G:', must: 0.25, aim: 0.17, read: ratio },
  {
    what: '500-row table ÷ perfect DOM',
    scenario: 'fast table500',
    must: 3,
    aim: 1.5,
    read: ratio,
  },
  { what: '100 KB list ÷ perfect DOM', scenario: 'fast list100k', must: 3, aim: 1.5, read: ratio },
  {
    ...{ what: '100 KB paragraph ÷ perfect DOM', scenario: 'fast para100k', must: 3, aim: 1.5 },
    read: ratio,
  },
  {
    ...{ what: 'display lag p95 at 500/s', scenario: 'C with', must: 40, aim: 34, unit: ' ms' },
    read: ({ lagP95 }) => lagP95,
  },
  {
    ...{ what: 'heap kept after 100 KB', scenario: 'C:', must: 5, aim: 3, unit: ' MB' },
    read: ({ heap }) => heap,
  },
  {
    ...{ what: 'element ÷ bare renderer', scenario: 'C:', must: 1.2, aim: 1.1 },
    read: ({ ratio }, bare) => (bare ? ratio / bare.ratio : null),
  },
];

/** What was promised beside what was measured, as a Markdown table. Rows whose scenario did not run are left out. */
export function printGoals(results: readonly Result[], size: Size): string {
  const rows = GOALS.flatMap((goal) => {
    const result = results.find(({ scenario }) => scenario.name.startsWith(goal.scenario));
    const figures = result ? figuresOf(result) : [];
    const product = figures.find(({ subject }) => subject === 'product');
    const bare = figures.find(({ subject }) => subject === 'bare');
    const value = product ? goal.read(product, bare) : null;
    return value === null ? [] : [printRow(goal, value)];
  });
  const bytes = { what: `${size.what}, gzip`, must: 24, aim: 20, unit: ' kB' };
  return [HEAD, ...rows, printRow(bytes, size.gzip / 1000), ''].join('\n');
}

const HEAD = '| what | must | aim | measured | |\n|---|--:|--:|--:|---|';

function printRow(
  { what, must, aim, unit = '' }: Pick<Goal, 'what' | 'must' | 'aim' | 'unit'>,
  value: number,
): string {
  const verdict = value <= aim ? 'aim reached' : value <= must ? 'reached' : 'not reached';
  const shown = [must, aim].map((bound) => `≤ ${String(bound)}${unit}`);
  return `| ${[what, ...shown, `${value.toFixed(2)}${unit}`, verdict].join(' | ')} |`;
}
