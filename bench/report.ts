import type { Run } from './browser.js';
import type { Scenario } from './scenarios.js';

/** The runs of a subject in one scenario, one per repetition, in order. */
export interface SubjectRuns {
  readonly subject: string;
  readonly runs: readonly Run[];
}

/** The result of one scenario. */
export interface Result {
  readonly scenario: Scenario;
  readonly subjects: readonly SubjectRuns[];
}

/** Returns the runs of a subject; none when it did not run. */
export function runsOf({ subjects }: Result, name: string): readonly Run[] {
  return subjects.find(({ subject }) => subject === name)?.runs ?? [];
}

/**
 * Returns (subject − null) ÷ (base − null) of the CPU time in each repetition. A run of the subject that was stopped because it did not
 * keep up counts as `Infinity`. A repetition without a run of `null`, or without a complete run of the base, has no ratio and is omitted.
 */
export function ratiosOf(result: Result, subject: string, base: string): number[] {
  const empty = runsOf(result, 'null');
  const bases = runsOf(result, base);
  return runsOf(result, subject)
    .map((run, index) => ratioOf(run, bases[index], empty[index]))
    .filter((ratio) => !Number.isNaN(ratio));
}

function ratioOf(run: Run, base: Run | undefined, empty: Run | undefined): number {
  if (!base || !empty || base.measurements.fed < 1) return Number.NaN;
  if (run.measurements.fed < 1) return Infinity;
  return (run.cpu.task - empty.cpu.task) / (base.cpu.task - empty.cpu.task);
}

/** Cost of a chunk in 80–100 % of the stream ÷ its cost in 10–30 %; NaN when the run did not get that far. */
export function growthOf({ marks }: Run): number {
  const at = (share: number): number => {
    const [, task] = marks.find(([mark]) => Math.abs(mark - share) < 0.02) ?? [];
    return task ?? Number.NaN;
  };
  return (at(1) - at(0.8)) / (at(0.3) - at(0.1));
}

/** Returns the share of dropped frames at 60 Hz, where a frame takes 16.67 ms. */
export function droppedShare({ measurements: { gaps } }: Run): number {
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / 16.67) - 1), 0);
  return dropped / Math.max(1, dropped + gaps.length);
}

/** Returns the display lag in ms that 95 % of the marker words do not exceed; NaN when the run did not measure it. */
export function lagOf({ measurements: { lags } }: Run): number {
  return percentile(lags, 0.95);
}

/** The median of some values, with their extremes. All three are NaN without values. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Returns the median of numbers with their minimum and maximum. The median of an even count is the mean of the two middle values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
    count: sorted.length,
  };
}

/** Returns the median of numbers; NaN for an empty list. */
export function median(values: readonly number[]): number {
  return spreadOf(values).median;
}

/**
 * Returns the median with the ends of its 95 % confidence interval as minimum and maximum: the values between the ranks that a sign test
 * cannot exclude.
 */
export function confidenceOf(values: readonly number[]): Spread {
  const { length } = values;
  const excluded = Math.max(0, Math.floor((length - 1) / 2 - 0.98 * Math.sqrt(length)));
  const sorted = [...values].sort((left, right) => left - right);
  return { ...spreadOf(sorted.slice(excluded, length - excluded)), count: length };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Explanation of the subjects in a report. */
export const SUBJECT_NOTE = [
  'Subjects: `chat` is `<ubik-chat>` with a backend, without transport; `transport` is `<ubik-chat>` from the bytes of server-sent events of a local server to the pixels; `bare` is the renderer alone, `extended` the same with two Markdown extensions.',
  'The reference, `dom-replay-raf`, is a perfect DOM: it inserts the nodes of the known final DOM once per frame. It, `bare` and the other renderers have the style sheets of `<ubik-chat>` and the same ancestors; rules for the boxes that the renderer of this project puts around tables and code do not apply to the reference and to other renderers.',
].join('\n');

const HEAD =
  '| subject | runs | ÷ reference | min–max | ÷ bare | CPU s | style, layout s | busy | growth | long tasks (worst) | dropped frames | wait p95 | lag p95 | retained heap | nodes |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|';

/** Returns the result as a Markdown table. */
export function printResult(result: Result): string {
  const rows = result.subjects
    .filter(({ subject, runs }) => subject !== 'null' && runs.length > 0)
    .map((subject) => printRow(result, subject));
  return [`### ${result.scenario.name}`, '', HEAD, ...rows, ''].join('\n');
}

function printRow(result: Result, { subject, runs }: SubjectRuns): string {
  const middle = (read: (run: Run) => number): number => median(runs.map(read));
  const all = (read: (run: Run) => readonly number[]): number[] => runs.flatMap(read);
  const tasks = all(({ measurements }) => measurements.longTasks);
  const fed = Math.min(...runs.map(({ measurements }) => measurements.fed));
  const ratios = spreadOf(ratiosOf(result, subject, 'dom-replay-raf'));
  const cells = [
    subject,
    String(runs.length),
    fed < 1 ? `stopped at ${(100 * fed).toFixed(0)} %` : printNumber(ratios.median),
    printRange(ratios),
    printNumber(median(ratiosOf(result, subject, 'bare'))),
    middle(({ cpu }) => cpu.task).toFixed(2),
    `${middle(({ cpu }) => cpu.style).toFixed(2)}, ${middle(({ cpu }) => cpu.layout).toFixed(2)}`,
    `${middle(({ cpu, measurements }) => (100_000 * cpu.task) / measurements.took).toFixed(1)} %`,
    printNumber(middle(growthOf)),
    `${String(tasks.length)} (${Math.max(0, ...tasks).toFixed(0)} ms)`,
    `${(100 * middle(droppedShare)).toFixed(1)} %`,
    printNumber(
      percentile(
        all(({ measurements }) => measurements.waits),
        0.95,
      ),
      ' ms',
      1,
    ),
    printNumber(middle(lagOf), ' ms', 1),
    `${(middle(({ heap }) => heap) / 1e6).toFixed(1)} MB`,
    middle(({ nodes }) => nodes).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Prints a number; `–` for one that was not measured, `stopped` for a subject that did not keep up. */
export function printNumber(value: number, unit = '', digits = 2): string {
  if (Number.isNaN(value)) return '–';
  return value === Infinity ? 'stopped' : `${value.toFixed(digits)}${unit}`;
}

/** Prints the extremes of several values; `–` for a single one. */
export function printRange({ min, max, count }: Spread, unit = '', digits = 2): string {
  if (count < 2) return '–';
  return `${printNumber(min, '', digits)}–${printNumber(max, unit, digits)}`;
}
