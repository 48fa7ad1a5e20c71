import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { openBench, readStructures, runOnce, type Run } from './browser.js';
import { makeDocument } from './documents.js';
import { printGoals } from './goals.js';
import { measureLongestTasks, printLongestTasks } from './longest-task.js';
import type { RunRequest } from './page/main.js';
import { growthOf, median, printResult, type Result } from './report.js';
import { QUICK, SCENARIOS, type Scenario } from './scenarios.js';
import { measureSize } from './size.js';
import { writeMarked } from '../scripts/marked-lines.mjs';

const SUBJECTS = [
  'null',
  'dom-replay-raf',
  'product',
  'element',
  'bare',
  'planted',
  'naive',
  'smd',
];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'longest-task': { type: 'boolean', default: false },
    subjects: { type: 'string', default: SUBJECTS.join() },
    only: { type: 'string', default: '' },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'bench/results' },
    // Writes the figures into docs/performance.md.
    write: { type: 'boolean', default: false },
  },
});

/** Everything printed so far, for the report. */
const printed: string[] = [];

function print(text: string): void {
  printed.push(text);
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<void> {
  await mkdir(options.out, { recursive: true });
  const machine = await describeMachine();
  print(
    `${machine}\nCPU figures exclude other processes; frames, delays and lag are valid only on an idle machine.\n`,
  );
  if (options['longest-task']) await runLongestTasks();
  else await runScenarios(machine);
  await writeFile(`${options.out}/report.md`, `${printed.join('\n')}\n`);
  process.stdout.write(`Report and raw runs: ${options.out}\n`);
}

async function runLongestTasks(): Promise<void> {
  const results = await measureLongestTasks();
  print(printLongestTasks(results));
  await writeFile(`${options.out}/longest-tasks.json`, JSON.stringify(results));
}

async function runScenarios(machine: string): Promise<void> {
  const subjects = options.subjects.split(',').filter((name) => SUBJECTS.includes(name));
  const scenarios = (options.quick ? QUICK : SCENARIOS).filter(({ name }) =>
    name.includes(options.only),
  );
  await checkStructure();
  const results: Result[] = [];
  for (const scenario of scenarios) {
    const result = await runScenario(scenario, subjects);
    results.push(result);
    print(printResult(result));
    checkRuns(result);
  }
  const goals = printGoals(results, await measureSize());
  print(goals);
  if (options.write) writeMarked('docs/performance.md', 'figures', `${machine}\n\n${goals}`);
  const raw = results.map(({ scenario, runs }) => ({
    scenario,
    runs: [...runs].map(([subject, all]) => ({
      subject,
      runs: all.map((run) => ({ ...run, marks: [...run.marks] })),
    })),
  }));
  await writeFile(`${options.out}/runs.json`, JSON.stringify(raw));
}

async function describeMachine(): Promise<string> {
  const { browser } = await openBench();
  const version = await browser.version();
  await browser.close();
  const cores = cpus();
  return `${version}, Node ${process.version}, ${String(cores.length)} cores (${cores[0]?.model ?? 'unknown'}), ${new Date().toISOString().slice(0, 10)}.`;
}

function fail(sentence: string): void {
  print(`**${sentence}**\n`);
  process.exitCode = 1;
}

/** Checks that the reference renderer shows the same content as the renderer; otherwise the ratios are meaningless. */
async function checkStructure(): Promise<void> {
  const { text } = makeDocument('mix10k', Number(options.seed));
  const { streamed, atOnce, reference } = await readStructures(text);
  if (streamed !== atOnce) fail('The streamed DOM differs from the one rendered at once.');
  if (streamed !== reference)
    fail('The renderer and the reference renderer show different documents.');
}

/** Fails for a run with a wrong result, and when the planted defect passes the growth check. */
function checkRuns({ scenario, runs }: Result): void {
  for (const [subject, all] of runs) {
    for (const { fault } of all) {
      if (fault !== null) fail(`${scenario.name}, ${subject}: shows ${fault}`);
    }
  }
  const planted = runs.get('planted') ?? [];
  // The limit of the growth in `goals.ts`.
  if (planted.length > 0 && median(planted.map(growthOf)) <= 1.3) {
    fail(`${scenario.name}: a variant that copies the whole text on every chunk passes the check`);
  }
}

async function runScenario(scenario: Scenario, subjects: readonly string[]): Promise<Result> {
  const chosen = subjects.filter((subject) => !scenario.without.includes(subject));
  const runs = new Map<string, Run[]>(chosen.map((subject) => [subject, []]));
  for (let round = 0; round < Number(options.repeat); round += 1) {
    const order = round % 2 === 0 ? chosen : [...chosen].reverse();
    for (const subject of order) {
      runs.get(subject)?.push(await runOnce(requestFor(scenario, subject)));
    }
  }
  return { scenario, runs };
}

function requestFor(scenario: Scenario, subject: string): RunRequest {
  const { text, markers } = makeDocument(scenario.document, Number(options.seed));
  const message = makeDocument('mix10k', 99).text.slice(0, 1500);
  return {
    subject,
    text,
    ahead: scenario.ahead,
    rate: scenario.rate,
    limit: scenario.limit,
    marks: scenario.growth ? [0.1, 0.3, 0.8, 1] : [],
    markers: scenario.lag ? markers : [],
    history: Array.from({ length: scenario.history }, () => message),
    warmUp: scenario.growth ? makeDocument('warm', 7).text : '',
  };
}

await main();
