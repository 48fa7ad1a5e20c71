import type { Run } from './browser.js';
import type { Scenario } from './scenarios.js';

/** The result of one scenario: runs by subject, one per repetition. */
export interface Result {
  readonly scenario: Scenario;
  readonly runs: ReadonlyMap<string, readonly Run[]>;
}

/** The figures of one subject in one scenario. */
export interface Figures {
  readonly subject: string;
  /** Share of the document that was rendered before the timeout. Only complete runs have ratios. */
  readonly fed: number;
  /** (subject − null) ÷ (reference − null), median over repetitions. */
  readonly ratio: number;
  /** CPU seconds of the main thread. */
  readonly cpu: number;
  /** Share of the wall time of the stream that the main thread was busy. */
  readonly busy: number;
  /** See {@link growthOf}; null when the scenario does not measure it. */
  readonly growth: number | null;
  readonly longTasks: number;
  /** Duration of the longest one in ms. */
  readonly worstTask: number;
  /** Share of the frames that were dropped. */
  readonly dropped: number;
  /** In ms; 95 % of the chunks waited less. */
  readonly waitP95: number;
  /** In ms; null when the scenario does not measure display lag. */
  readonly lagP95: number | null;
  /** Retained heap in MB. */
  readonly heap: number;
  readonly nodes: number;
}

/** Returns the figures of all subjects of a result except the empty feeder. */
export function figuresOf({ runs, scenario }: Result): Figures[] {
  const empty = runs.get('null') ?? [];
  const reference = runs.get('dom-replay-raf') ?? [];
  return [...runs]
    .filter(([subject, all]) => subject !== 'null' && all.length > 0)
    .map(([subject, all]) => {
      const ratio = median(all.map((run, index) => ratioOf(run, reference[index], empty[index])));
      const gaps = all.flatMap((run) => run.measurements.gaps);
      const tasks = all.flatMap((run) => run.measurements.longTasks);
      const lags = all.flatMap((run) => run.measurements.lags);
      return {
        subject,
        fed: Math.min(...all.map((run) => run.measurements.fed)),
        ratio,
        cpu: median(all.map((run) => run.cpu.task)),
        busy: median(all.map((run) => (1000 * run.cpu.task) / run.measurements.took)),
        growth: scenario.growth ? median(all.map(growthOf)) : null,
        longTasks: tasks.length,
        worstTask: Math.max(0, ...tasks),
        dropped: droppedShare(gaps),
        waitP95: percentile(
          all.flatMap((run) => run.measurements.waits),
          0.95,
        ),
        lagP95: lags.length > 0 ? percentile(lags, 0.95) : null,
        heap: median(all.map((run) => run.heap)) / 1e6,
        nodes: median(all.map((run) => run.nodes)),
      };
    });
}

function ratioOf(run: Run, reference: Run | undefined, empty: Run | undefined): number {
  const base = empty?.cpu.task ?? 0;
  return (run.cpu.task - base) / ((reference?.cpu.task ?? Number.NaN) - base);
}

/** Cost of a chunk in 80–100 % of the stream ÷ its cost in 10–30 %. */
export function growthOf(run: Run): number {
  const at = (share: number): number => {
    const [, task] = [...run.marks].find(([mark]) => Math.abs(mark - share) < 0.02) ?? [];
    return task ?? Number.NaN;
  };
  return (at(1) - at(0.8)) / (at(0.3) - at(0.1));
}

/** Returns the share of dropped frames at 60 Hz, where a frame takes 16.67 ms. */
function droppedShare(gaps: readonly number[]): number {
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / 16.67) - 1), 0);
  return dropped / Math.max(1, dropped + gaps.length);
}

/** Returns the median of numbers; NaN for an empty list. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

const HEAD =
  '| subject | ÷ reference | CPU s | busy | growth | long tasks (worst) | dropped frames | wait p95 | lag p95 | retained heap | nodes |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|';

/** Returns the result as a Markdown table. */
export function printResult(result: Result): string {
  const { scenario } = result;
  const goal =
    scenario.maxRatio === null
      ? ''
      : ` (limit ≤ ${String(scenario.maxRatio)}, target ${String(scenario.targetRatio)})`;
  const count = Math.max(...[...result.runs.values()].map((runs) => runs.length));
  const rows = figuresOf(result).map(printRow);
  return [`### ${scenario.name}${goal}, ${String(count)} run(s)`, '', HEAD, ...rows, ''].join('\n');
}

function printRow(figures: Figures): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const cells = [
    figures.subject,
    figures.fed < 1 ? `stopped at ${(100 * figures.fed).toFixed(0)} %` : figures.ratio.toFixed(2),
    figures.cpu.toFixed(2),
    `${(100 * figures.busy).toFixed(1)} %`,
    figures.growth?.toFixed(2) ?? '',
    `${String(figures.longTasks)} (${figures.worstTask.toFixed(0)} ms)`,
    `${(100 * figures.dropped).toFixed(1)} %`,
    ms(figures.waitP95),
    figures.lagP95 === null ? '' : ms(figures.lagP95),
    `${figures.heap.toFixed(1)} MB`,
    String(figures.nodes),
  ];
  return `| ${cells.join(' | ')} |`;
}
