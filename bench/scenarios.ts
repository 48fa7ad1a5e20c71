/** One scenario of the benchmark: a document, a rate, and the initial content. */
export interface Scenario {
  readonly name: string;
  readonly document: string;
  /** Chunks of 16 UTF-16 units per second; `fast`: one per turn of the event loop. */
  readonly rate: number | 'fast';
  /** Duration of the stream in ms; 0 for the whole document. */
  readonly limit: number;
  /** UTF-16 units in the message before the measurement starts. */
  readonly ahead: number;
  /** Number of earlier, complete messages. */
  readonly history: number;
  /** Whether display lag is measured, which costs up to 2 % of the time. */
  readonly lag: boolean;
  /** Whether growth is measured: cost in 80–100 % ÷ cost in 10–30 % of the stream. */
  readonly growth: boolean;
  /** Limit and target of product ÷ reference; null when the figure is only reported. */
  readonly maxRatio: number | null;
  readonly targetRatio: number | null;
  /** Subjects that do not run in this scenario. */
  readonly without: readonly string[];
}

/** A stream without a rate. The planted defect is only for the growth check; the naive subject would take minutes. */
const FAST = { rate: 'fast' as const, without: ['planted', 'naive'] };
const BASE = {
  ...{
    limit: 0,
    ahead: 0,
    history: 0,
    lag: false,
    growth: false,
    maxRatio: null,
    targetRatio: null,
  },
  without: ['planted'],
};

/** The only scenario that is the same in `SCENARIOS` and `QUICK`. It includes the planted defect, because it measures growth. */
const FAST_MIX: Scenario = {
  ...BASE,
  ...FAST,
  name: 'fast mix100k',
  document: 'mix100k',
  growth: true,
  without: ['naive'],
};

/** All scenarios, in the order in which they are printed. */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...BASE,
    name: 'A: 200/s, first 32 KB',
    without: ['planted'],
    document: 'mix100k',
    rate: 200,
    limit: 10_000,
    maxRatio: 1.6,
    targetRatio: 1.3,
  },
  {
    ...BASE,
    name: 'B: 200/s, 64 KB ahead',
    document: 'mix100k',
    rate: 200,
    limit: 8000,
    ahead: 64_000,
  },
  {
    ...BASE,
    name: 'C: 500/s, 100 KB',
    document: 'mix100k',
    rate: 500,
    growth: true,
    without: ['planted'],
    maxRatio: 1.4,
    targetRatio: 1.1,
  },
  { ...BASE, name: 'C with display lag', document: 'mix100k', rate: 500, lag: true },
  {
    ...BASE,
    name: 'D: 80 KB of open code',
    document: 'code100k',
    rate: 200,
    limit: 5000,
    ahead: 80_000,
    maxRatio: 0.4,
    targetRatio: 0.2,
  },
  {
    ...BASE,
    name: 'E: 80 KB of open paragraph',
    document: 'para100k',
    rate: 200,
    limit: 5000,
    ahead: 80_000,
  },
  {
    ...BASE,
    name: 'F: 20 KB of open table',
    document: 'table500',
    rate: 200,
    limit: 5000,
    ahead: 20_000,
  },
  {
    ...BASE,
    name: 'G: 900 KB in the message',
    document: 'mix1m',
    rate: 200,
    limit: 5000,
    ahead: 900_000,
    maxRatio: 0.25,
    targetRatio: 0.17,
  },
  FAST_MIX,
  { ...BASE, ...FAST, name: 'fast table500', document: 'table500', maxRatio: 3, targetRatio: 1.5 },
  { ...BASE, ...FAST, name: 'fast list100k', document: 'list100k', maxRatio: 3, targetRatio: 1.5 },
  { ...BASE, ...FAST, name: 'fast para100k', document: 'para100k', maxRatio: 3, targetRatio: 1.5 },
  { ...BASE, ...FAST, name: 'fast mix1m', document: 'mix1m', growth: true },
  {
    ...BASE,
    name: '1,000 messages before',
    document: 'mix10k',
    rate: 200,
    history: 1000,
    without: ['element', 'planted', 'naive'],
  },
];

/** A selection that takes up to 90 s: one run of each of the shortest informative scenarios. */
export const QUICK: readonly Scenario[] = [
  {
    ...BASE,
    name: 'A: 200/s, first 10 KB',
    document: 'mix10k',
    rate: 200,
    limit: 2000,
    without: ['element', 'planted', 'naive'],
  },
  {
    ...BASE,
    name: 'D: 80 KB of open code',
    document: 'code100k',
    rate: 200,
    limit: 2000,
    ahead: 80_000,
    without: ['element', 'planted', 'naive'],
  },
  FAST_MIX,
  {
    ...BASE,
    name: 'fast table500',
    document: 'table500',
    rate: 'fast',
    without: ['element', 'planted', 'naive'],
  },
];
