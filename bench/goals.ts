import { figuresOf, type Figures, type Result } from './report.js';
import type { Size } from './size.js';

/** Reads a figure of a scenario, given the figures by subject; undefined when it was not measured. */
type Read = (of: (subject: string) => Figures | undefined) => number | undefined;

/** One figure with its limit and target. */
interface Goal {
  readonly what: string;
  /** Prefix of the name of the scenario. */
  readonly scenario: string;
  readonly limit: number;
  readonly target: number;
  readonly unit: string;
  readonly read: Read;
}

const ratio: Read = (of) => of('product')?.ratio;

/** Reads the cost of a subject relative to that of the bare renderer. */
function relativeToBare(subject: string): Read {
  return (of) => {
    const [whole, bare] = [of(subject), of('bare')];
    return whole && bare && whole.ratio / bare.ratio;
  };
}

/** Creates a row of the table from values in the order of its columns. */
function goal(
  [what, scenario]: readonly [string, string],
  [limit, target, unit = '']: readonly [number, number, string?],
  read = ratio,
): Goal {
  return { what, scenario, limit, target, unit, read };
}

const GOALS: readonly Goal[] = [
  goal(['200/s, first 32 KB ÷ reference', 'A: 200/s, first 32 KB'], [1.6, 1.3]),
  goal(['500/s, 100 KB ÷ reference', 'C:'], [1.4, 1.1]),
  goal(['500/s, 100 KB: tasks over 50 ms', 'C:'], [0, 0], (of) => of('product')?.longTasks),
  goal(
    ['500/s, 100 KB: dropped frames', 'C:'],
    [1, 1, ' %'],
    (of) => 100 * (of('product')?.dropped ?? NaN),
  ),
  goal(
    ['a chunk at 80–100 % ÷ at 10–30 %', 'C:'],
    [1.3, 1],
    (of) => of('product')?.growth ?? undefined,
  ),
  goal(['80 KB of open code ÷ reference', 'D:'], [0.4, 0.2]),
  goal(['900 KB in the message ÷ reference', 'G:'], [0.25, 0.17]),
  goal(['500-row table ÷ reference', 'fast table500'], [3, 1.5]),
  goal(['100 KB list ÷ reference', 'fast list100k'], [3, 1.5]),
  goal(['100 KB paragraph ÷ reference', 'fast para100k'], [3, 1.5]),
  goal(
    ['display lag p95 at 500/s', 'C with'],
    [40, 34, ' ms'],
    (of) => of('product')?.lagP95 ?? undefined,
  ),
  goal(
    ['retained heap after 100 KB', 'C:'],
    [5, 3, ' MB'],
    (of) => of('product')?.heap ?? undefined,
  ),
  goal(['500/s, 100 KB: element ÷ bare renderer', 'C:'], [1.2, 1.1], relativeToBare('element')),
];

/** Returns limits, targets and measured values as a Markdown table. Omits rows whose scenario did not run. */
export function printGoals(results: readonly Result[], size: Size): string {
  const rows = GOALS.flatMap((row) => {
    const result = results.find(({ scenario }) => scenario.name.startsWith(row.scenario));
    const figures = result ? figuresOf(result) : [];
    const value = row.read((name) => figures.find(({ subject }) => subject === name)) ?? NaN;
    return Number.isNaN(value) ? [] : [printRow(row, value)];
  });
  const bytes = { what: `${size.what}, gzip`, limit: 24, target: 20, unit: ' kB' };
  return [HEAD, ...rows, printRow(bytes, size.gzip / 1000), ''].join('\n');
}

const HEAD = '| what | limit | target | measured | |\n|---|--:|--:|--:|---|';

function printRow(
  { what, limit, target, unit }: Pick<Goal, 'what' | 'limit' | 'target' | 'unit'>,
  value: number,
): string {
  const verdict =
    value <= target
      ? 'meets the target'
      : value <= limit
        ? 'within the limit'
        : 'exceeds the limit';
  const shown = [limit, target].map((bound) => `≤ ${String(bound)}${unit}`);
  return `| ${[what, ...shown, `${value.toFixed(2)}${unit}`, verdict].join(' | ')} |`;
}
