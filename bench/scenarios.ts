/** One scenario of the benchmark: a document, a rate, the initial content, and the subjects. */
export interface Scenario {
  readonly name: string;
  readonly document: string;
  /** Chunks of 16 UTF-16 units per second; `fast`: one per macrotask. */
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
  /** Number of repetitions without `--repeat`. */
  readonly repeat: number;
  /** See {@link SUBJECTS}. */
  readonly subjects: readonly string[];
}

/** Other renderers. */
export const PEERS: readonly string[] = ['naive', 'smd', 'streamdown'];

/** Subjects that run in the first repetition only, because they decide about no goal and some of them take minutes. */
export const ONCE: readonly string[] = ['planted', ...PEERS];

const OURS = ['null', 'dom-replay-raf', 'chat', 'bare'];
const EXTENDED = ['null', 'dom-replay-raf', 'bare', 'extended'];

/** All subjects, in the order in which they run and are printed. */
export const SUBJECTS: readonly string[] = [...OURS, 'extended', 'transport', 'planted', ...PEERS];

/** Repetitions of a scenario that decides about a goal. */
const DECISIVE = { repeat: 5 };

const BASE = {
  limit: 0,
  ahead: 0,
  history: 0,
  lag: false,
  growth: false,
  repeat: 1,
  subjects: [...OURS, ...PEERS],
};

/** A stream without a rate. Most peers would take minutes. */
const FAST = { ...BASE, rate: 'fast' as const, subjects: [...OURS, 'smd'] };

/** All scenarios, in the order in which they are printed. The names are stable, because the goals refer to them. */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...BASE,
    ...DECISIVE,
    name: 'A: 200/s, first 32 KB',
    document: 'mix100k',
    rate: 200,
    limit: 10_000,
    subjects: [...OURS, 'transport', ...PEERS],
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
    ...DECISIVE,
    name: 'C: 500/s, 100 KB',
    document: 'mix100k',
    rate: 500,
    growth: true,
    subjects: [...OURS, 'transport', 'planted', ...PEERS],
  },
  {
    ...BASE,
    ...DECISIVE,
    name: 'C with display lag',
    document: 'mix100k',
    rate: 500,
    lag: true,
    subjects: OURS,
  },
  {
    ...BASE,
    ...DECISIVE,
    name: 'D: 80 KB of open code',
    document: 'code100k',
    rate: 200,
    limit: 5000,
    ahead: 80_000,
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
    ...DECISIVE,
    name: 'G: 900 KB in the message',
    document: 'mix1m',
    rate: 200,
    limit: 5000,
    ahead: 900_000,
    subjects: [...OURS, 'smd'],
  },
  {
    ...BASE,
    ...DECISIVE,
    name: 'H: 500/s, 100 KB with two Markdown extensions',
    document: 'extended100k',
    rate: 500,
    subjects: EXTENDED,
  },
  {
    ...FAST,
    name: 'fast mix100k',
    document: 'mix100k',
    growth: true,
    subjects: [...OURS, 'planted', 'smd'],
  },
  { ...FAST, ...DECISIVE, name: 'fast table500', document: 'table500' },
  { ...FAST, ...DECISIVE, name: 'fast list100k', document: 'list100k' },
  { ...FAST, ...DECISIVE, name: 'fast para100k', document: 'para100k' },
  { ...FAST, name: 'fast mix1m', document: 'mix1m', growth: true },
  {
    ...BASE,
    name: '1,000 messages before',
    document: 'mix10k',
    rate: 200,
    history: 1000,
    subjects: [...OURS, 'smd'],
  },
];

/** Scenarios of up to 90 s in total on an idle machine, one run of each subject. They measure the goals with `isQuick`. */
export const QUICK: readonly Scenario[] = [
  {
    ...BASE,
    name: 'quick: 500/s, first 32 KB',
    document: 'mix100k',
    rate: 500,
    limit: 4000,
    growth: true,
    subjects: ['null', 'chat', 'bare', 'planted'],
  },
  {
    ...BASE,
    name: 'quick: 80 KB of open code',
    document: 'code100k',
    rate: 200,
    limit: 4000,
    ahead: 80_000,
    subjects: ['null', 'dom-replay-raf', 'chat'],
  },
];
