import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { openBench, readStructures, runOnce, type Run } from './browser.js';
import { makeDocument } from './documents.js';
import type { RunRequest } from './page/main.js';
import { printResult, type Result } from './report.js';
import { QUICK, SCENARIOS, type Scenario } from './scenarios.js';

const SUBJECTS = ['null', 'dom-replay-raf', 'product', 'bare', 'planted', 'naive', 'smd'];
/** Not worth minutes where they are known not to keep up. */
const SLOW = new Set(['naive', 'planted']);

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    subjects: { type: 'string', default: 'null,dom-replay-raf,product,bare,smd' },
    only: { type: 'string', default: '' },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'bench/results' },
  },
});

async function main(): Promise<void> {
  const subjects = options.subjects.split(',').filter((name) => SUBJECTS.includes(name));
  const scenarios = (options.quick ? QUICK : SCENARIOS).filter(({ name }) =>
    name.includes(options.only),
  );
  await describeMachine();
  await checkStructure();
  const results: Result[] = [];
  for (const scenario of scenarios) {
    const result = await runScenario(scenario, subjects);
    results.push(result);
    console.log(printResult(result));
  }
  await mkdir(options.out, { recursive: true });
  const raw = results.map(({ scenario, runs }) => ({
    scenario,
    runs: [...runs].map(([subject, all]) => ({
      subject,
      runs: all.map((run) => ({ ...run, marks: [...run.marks] })),
    })),
  }));
  await writeFile(`${options.out}/runs.json`, JSON.stringify(raw));
  console.log(`Raw runs: ${options.out}/runs.json`);
}

async function describeMachine(): Promise<void> {
  const { browser } = await openBench();
  const version = await browser.version();
  await browser.close();
  const cores = cpus();
  console.log(
    `${version}, Node ${process.version}, ${String(cores.length)} cores (${cores[0]?.model ?? 'unknown'}), ${new Date().toISOString().slice(0, 10)}.\n` +
      'CPU figures hold beside other work; frames, waits and lag only on an idle machine.\n',
  );
}

/** A fast run with a wrong result is a failed run: the streamed DOM must mean what the one-shot DOM and marked's mean. */
async function checkStructure(): Promise<void> {
  const { product, oneShot } = await readStructures(
    makeDocument('mix10k', Number(options.seed)).text,
  );
  if (product !== oneShot) {
    console.error(
      'The streamed DOM differs from the one-shot DOM: the figures below are worthless.',
    );
    process.exitCode = 1;
  }
}

async function runScenario(scenario: Scenario, subjects: readonly string[]): Promise<Result> {
  const runs = new Map<string, Run[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < Number(options.repeat); round += 1) {
    const order = round % 2 === 0 ? subjects : [...subjects].reverse();
    for (const subject of order) {
      if (SLOW.has(subject) && scenario.document === 'mix1m') continue;
      runs.get(subject)?.push(await runOnce(requestFor(scenario, subject)));
    }
  }
  return { scenario, runs };
}

function requestFor(scenario: Scenario, subject: string): RunRequest {
  const { text, markers } = makeDocument(scenario.document, Number(options.seed));
  const past = makeDocument('mix10k', 99).text.slice(0, 1500);
  return {
    subject,
    text,
    ahead: scenario.ahead,
    rate: scenario.rate,
    limit: scenario.limit,
    marks: scenario.growth ? [0.1, 0.3, 0.8, 1] : [],
    markers: scenario.lag ? markers : [],
    history: Array.from({ length: scenario.history }, () => past),
  };
}

await main();
