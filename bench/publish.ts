import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeMarked } from '../scripts/marked-lines.mjs';
import { printFirstAnswers } from './first-answer.js';
import { GROWTH_LIMIT, judgeGoals, listFailures, printGoals } from './goals.js';
import { printLongestTasks } from './longest-task.js';
import type { Measurements } from './measurements.js';
import { printOpenings } from './opening.js';
import { isInstalled } from './peers.js';
import {
  growthOf,
  median,
  printNumber,
  printResult,
  ratiosOf,
  runsOf,
  SUBJECT_NOTE,
  type Result,
} from './report.js';
import { PEERS } from './scenarios.js';

const DOCUMENT = 'docs/performance.md';

/** Prints the report of some measurements and stores it beside them. Returns a sentence for each failure. */
export async function writeReport(
  folder: string,
  measured: Measurements,
): Promise<readonly string[]> {
  const goals = judgeGoals(measured);
  const failures = [...measured.results.flatMap(listFaults), ...listFailures(goals)];
  const missing = measured.results.length > 0 ? PEERS.filter((peer) => !isInstalled(peer)) : [];
  const report = [
    measured.machine,
    'CPU figures exclude other processes; frames, delays, lag and the first answer are valid only on an idle machine.',
    ...(measured.results.length > 0 ? [SUBJECT_NOTE] : []),
    ...missing.map((peer) => `${peer} did not run: npm ci --prefix bench/peers installs it.`),
    '',
    ...measured.results.map(printResult),
    ...(measured.openings.length > 0 ? [printOpenings(measured.openings)] : []),
    ...(measured.firstAnswers.length > 0 ? [printFirstAnswers(measured.firstAnswers)] : []),
    ...(measured.longestTasks.length > 0 ? [printLongestTasks(measured.longestTasks)] : []),
    ...(goals.length > 0 ? [printGoals(goals)] : []),
    ...failures.map((sentence) => `**${sentence}**\n`),
  ].join('\n');
  await writeFile(join(folder, 'report.md'), report);
  process.stdout.write(`${report}\nReport and measurements: ${folder}\n`);
  return failures;
}

/** Returns a sentence for each run with a wrong result, and one when the planted defect passes the growth check. */
function listFaults(result: Result): string[] {
  const { name } = result.scenario;
  const faults = result.subjects.flatMap(({ subject, runs }) =>
    runs.flatMap(({ fault }) => (fault === null ? [] : [`${name}, ${subject}: shows ${fault}`])),
  );
  const planted = runsOf(result, 'planted').map(growthOf);
  return median(planted) <= GROWTH_LIMIT
    ? [...faults, `${name}: a variant that copies the whole text on every chunk passes the check`]
    : faults;
}

/**
 * Writes the figures of docs/performance.md that were measured.
 *
 * @throws When only some of the scenarios were run, because the table of the goals would be incomplete.
 */
export function writeFigures(measured: Measurements): void {
  if (measured.scope !== 'full' && measured.results.length > 0)
    throw new Error(
      '--write requires a complete run: without --quick, --only, --subjects, --repeat.',
    );
  const { results, openings, firstAnswers, longestTasks, machine } = measured;
  const write = (name: string, table: string): void => {
    writeMarked(DOCUMENT, name, `${machine}\n\n${table}`);
  };
  if (results.length > 0) {
    write('figures', printGoals(judgeGoals(measured)));
    write('renderers', printPeers(results));
  }
  if (openings.length > 0) write('long threads', printOpenings(openings));
  if (firstAnswers.length > 0) write('first answer', printFirstAnswers(firstAnswers));
  if (longestTasks.length > 0) write('20,000 events', printLongestTasks(longestTasks));
}

/** Returns the ratios of the renderers of this project and of others to the reference, in the scenarios in which at least one of the others was measured. */
export function printPeers(results: readonly Result[]): string {
  const columns = ['bare', 'chat', ...PEERS];
  const ratioOf = (result: Result, name: string): number =>
    median(ratiosOf(result, name, 'dom-replay-raf'));
  const rows = results
    .filter((result) => PEERS.some((peer) => !Number.isNaN(ratioOf(result, peer))))
    .map((result) => {
      const cells = columns.map((name) => printNumber(ratioOf(result, name)));
      return `| ${[result.scenario.name, ...cells].join(' | ')} |`;
    });
  const names = [
    'bare renderer',
    '`<ubik-chat>`',
    'marked, DOMPurify, `innerHTML`',
    'streaming-markdown',
    'Streamdown',
  ];
  return [
    `| ÷ reference, same styles | ${names.join(' | ')} |`,
    `|---|${'--:|'.repeat(names.length)}`,
    ...rows,
    '',
  ].join('\n');
}
