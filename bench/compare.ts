/**
 * Compares the CPU time of this build with that of another commit: `npm run bench:compare -- --before REF`. Without a commit it checks
 * itself: it compares this build with itself, once without and once with a planted slowdown. See docs/performance.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Frame } from 'puppeteer-core';
import { ROOT, runCommand } from '../scripts/run-command.mjs';
import { openBench, readMetrics, readScript, type Bench } from './browser.js';
import { cutText, makeDocument } from './documents.js';
import type { ComparedAnswer, Slice } from './page/compare.js';
import { confidenceOf, printNumber, printRange, type Spread } from './report.js';

/** A text that is streamed to both builds. */
interface Stream {
  readonly name: string;
  readonly document: string;
  /** UTF-16 units that are streamed. */
  readonly length: number;
  /** Chunks per second at 60 frames per second. */
  readonly rate: number;
}

/** One measured ratio: the cost of an answer in the second build relative to the first one. */
interface Row {
  readonly subject: ComparedAnswer['subject'];
  readonly stream: Stream;
  /** The folders of the builds. */
  readonly builds: readonly [before: string, after: string];
  /** Share by which the second build is slowed down. */
  readonly planted: number;
}

const SUBJECTS = ['bare', 'chat'] as const;

const MIX: Stream = { name: '500/s, 100 KB', document: 'mix100k', length: 100_000, rate: 500 };

const STREAMS: readonly Stream[] = [
  MIX,
  { name: '200/s, first 32 KB', document: 'mix100k', length: 32_000, rate: 200 },
  { name: '500/s, list of 64 KB', document: 'list100k', length: 64_000, rate: 500 },
  { name: '500/s, paragraph of 64 KB', document: 'para100k', length: 64_000, rate: 500 },
];

/** Frames per slice. Few, so that the speed of the machine hardly changes between the slices of both builds. */
const SLICE_FRAMES = 3;

/** Maximum number of pages per row. It is even, because the builds change sides with each page: the left frame costs more. */
const MAX_PAGES = 12;

/** No more pages are opened when both ends of the confidence interval of the ratio are this near to its median. */
const PRECISION = 0.02;

/** The command fails when the whole confidence interval of a ratio is above this. */
const LIMIT = 1.03;

/** Share of the cost of a chunk by which the self-check slows down the second build. It has to notice that. */
const PLANTED = 0.05;

const PAGE_SCRIPT = fileURLToPath(new URL('page/compare.ts', import.meta.url));

const FRAMES = `<!doctype html><style>body { display: flex; margin: 0; }
iframe { border: 0; width: 1000px; height: 800px; }</style><iframe src="/"></iframe><iframe src="/"></iframe>`;

const { values: options } = parseArgs({ options: { before: { type: 'string' } } });

const failures = await (options.before === undefined ? checkItself() : compareWith(options.before));
if (failures.length > 0) {
  process.stdout.write(`\n${failures.join('\n')}\n`);
  process.exitCode = 1;
}

async function compareWith(ref: string): Promise<string[]> {
  const builds = [await buildCommit(ref), ROOT] as const;
  const failed: string[] = [];
  for (const stream of STREAMS) {
    for (const subject of SUBJECTS) {
      const { min } = await printRow({ subject, stream, builds, planted: 0 });
      if (min > LIMIT) failed.push(`${subject}, ${stream.name}: more than ${String(LIMIT)}.`);
    }
  }
  return failed;
}

async function checkItself(): Promise<string[]> {
  const failed: string[] = [];
  for (const subject of SUBJECTS) {
    const row = { subject, stream: MIX, builds: [ROOT, ROOT] as const };
    const same = await printRow({ ...row, planted: 0 });
    if (Math.abs(same.median - 1) > PRECISION) failed.push(`${subject} differs from itself.`);
    const slowed = await printRow({ ...row, planted: PLANTED });
    if (slowed.min <= 1) failed.push(`The planted slowdown of ${subject} was not noticed.`);
  }
  return failed;
}

/** Builds a commit in a separate folder, unless it was built there before. Returns the folder. */
async function buildCommit(ref: string): Promise<string> {
  const commit = git('rev-parse', '--verify', `${ref}^{commit}`).toString().trim();
  const root = `${ROOT}.cache/compare/${commit}/`;
  if (!existsSync(root)) {
    await mkdir(root, { recursive: true });
    execFileSync('tar', ['-xf', '-', '-C', root], { input: git('archive', commit) });
    await symlink(`${ROOT}node_modules`, `${root}node_modules`, 'junction');
  }
  if (existsSync(`${root}dist`)) return root;
  const build = ['node', 'scripts/build.mjs', '--run-only'];
  const { code, output } = await runCommand(build, { cwd: root });
  if (code === 0) return root;
  await rm(`${root}dist`, { recursive: true, force: true });
  throw new Error(
    `${output}\n${ref} cannot be built with the packages that are installed here. Remove the link node_modules in ${root}, run npm ci there, and try again.`,
  );
}

function git(...words: string[]): Buffer {
  return execFileSync('git', words, { cwd: ROOT, maxBuffer: 2 ** 30 });
}

/** Measures pages until the ratio is precise enough, and prints it. */
async function printRow(row: Row): Promise<Spread> {
  const ratios: number[] = [];
  let differs = false;
  for (let page = 0; page < MAX_PAGES && (page % 2 > 0 || !isPrecise(ratios)); page += 1) {
    const measured = await measurePage(row, page % 2 === 0 ? [0, 1] : [1, 0]);
    ratios.push(...measured.ratios);
    differs ||= measured.differs;
  }
  const ratio = confidenceOf(ratios);
  const notes = [
    `${row.subject}, ${row.stream.name}`,
    ...(row.planted > 0 ? [`planted: ${String(row.planted)}`] : []),
    ...(differs ? ['different content'] : []),
    ...(isPrecise(ratios) ? [] : ['imprecise']),
  ];
  process.stdout.write(
    `${printNumber(ratio.median, '', 3)} (${printRange(ratio, '', 3)}, ${String(ratio.count)} pairs) ${notes.join('; ')}\n`,
  );
  return ratio;
}

function isPrecise(ratios: readonly number[]): boolean {
  const { median, min, max } = confidenceOf(ratios);
  return Math.max(max - median, median - min) <= PRECISION;
}

/** Streams a text to both builds in a new page, slice by slice in turn. `sides` has the number of the frame of each build. */
async function measurePage(
  { subject, stream, builds, planted }: Row,
  sides: readonly [before: number, after: number],
): Promise<{ readonly ratios: readonly number[]; readonly differs: boolean }> {
  const bench = await openBench();
  try {
    const [before, after] = await openFrames(bench, builds, sides);
    const pace = stream.rate / 60;
    const begin = async (text: string): Promise<number> => {
      for (const frame of [before, after])
        await frame.evaluate((opened) => window.compareOpen(opened), { subject, text, pace });
      return cutText(text).length;
    };

    // Warms up both frames, so that the code is compiled.
    const end = await begin(makeDocument('warm', 7).text);
    const middle = end >> 1;
    for (const frame of [before, after])
      await costOf(bench, frame, { from: 0, to: middle, extra: 0 });
    const extra = planted > 0 ? planted * (await countSteps(bench, after, middle, end)) : 0;

    const ratios: number[] = [];
    const size = Math.round(SLICE_FRAMES * pace);
    const count = await begin(makeDocument(stream.document).text.slice(0, stream.length));
    for (let from = 0; from + size <= count; from += size) {
      const slice = { from, to: from + size, extra: 0 };
      const playBefore = (): Promise<number> => costOf(bench, before, slice);
      const playAfter = (): Promise<number> => costOf(bench, after, { ...slice, extra });
      if (ratios.length % 2 === 0) {
        const cost = await playBefore();
        ratios.push((await playAfter()) / cost);
      } else {
        const cost = await playAfter();
        ratios.push(cost / (await playBefore()));
      }
    }
    const [shown, expected] = [await after.evaluate(readShown), await before.evaluate(readShown)];
    return { ratios, differs: shown !== expected };
  } finally {
    await bench.close();
  }
}

/** Adds a frame for each build to the page. */
async function openFrames(
  { page }: Bench,
  builds: Row['builds'],
  sides: readonly [before: number, after: number],
): Promise<readonly [before: Frame, after: Frame]> {
  await page.setViewport({ width: 2000, height: 800 });
  await page.setContent(FRAMES);
  const frames = page.mainFrame().childFrames();
  const [before, after] = sides.map((side) => frames[side]);
  if (!before || !after) throw new Error('The page has no frames.');
  await before.addScriptTag({ content: await readScript(PAGE_SCRIPT, builds[0]) });
  await after.addScriptTag({ content: await readScript(PAGE_SCRIPT, builds[1]) });
  return [before, after];
}

/** Renders a slice in a frame, with its styles and layout. Returns the CPU time of the page's main thread in s. */
async function costOf({ cdp }: Bench, frame: Frame, slice: Slice): Promise<number> {
  const { task } = await readMetrics(cdp);
  await frame.evaluate((played) => window.comparePlay(played), slice);
  return (await readMetrics(cdp)).task - task;
}

/** Returns how many steps of useless work cost as much as a chunk. */
async function countSteps(bench: Bench, frame: Frame, from: number, end: number): Promise<number> {
  const [to, extra] = [(from + end) >> 1, 100_000];
  const plain = (await costOf(bench, frame, { from, to, extra: 0 })) / (to - from);
  const slow = (await costOf(bench, frame, { from: to, to: end, extra })) / (end - to);
  return (plain * extra) / (slow - plain);
}

function readShown(): string {
  return window.compareShown();
}
