import { runOnce, type Run } from './browser.js';
import { makeDocument } from './documents.js';
import type { RunRequest } from './page/main.js';
import { isInstalled } from './peers.js';
import type { Result } from './report.js';
import { ONCE, type Scenario } from './scenarios.js';

/** Options of {@link runScenario}. */
interface RunOptions {
  /** Subjects that may run. */
  readonly subjects: readonly string[];
  readonly repetitions: number;
  readonly seed: number;
}

/** Runs the subjects of a scenario, one after the other. Every second repetition reverses the order. */
export async function runScenario(
  scenario: Scenario,
  { subjects, repetitions, seed }: RunOptions,
): Promise<Result> {
  const chosen = scenario.subjects.filter((name) => subjects.includes(name) && isInstalled(name));
  const runs = new Map<string, Run[]>(chosen.map((subject) => [subject, []]));
  for (let round = 0; round < repetitions; round += 1) {
    const due = chosen.filter((subject) => round === 0 || !ONCE.includes(subject));
    for (const subject of round % 2 === 0 ? due : due.reverse()) {
      runs.get(subject)?.push(await runOnce(requestFor(scenario, subject, seed)));
    }
  }
  return { scenario, subjects: [...runs].map(([subject, all]) => ({ subject, runs: all })) };
}

function requestFor(scenario: Scenario, subject: string, seed: number): RunRequest {
  const { text, markers } = makeDocument(scenario.document, seed);
  const message = makeDocument('mix10k', 99).text.slice(0, 1500);
  return {
    subject,
    text,
    ahead: scenario.ahead,
    rate: scenario.rate,
    limit: scenario.limit,
    marks: scenario.growth ? [0.1, 0.3, 0.8, 1] : [],
    // Not related to `marks`: unique words of the text, for each of which the time until it is shown is measured.
    markers: scenario.lag ? markers : [],
    history: Array.from({ length: scenario.history }, () => message),
    warmUp: scenario.growth ? makeDocument('warm', 7).text : '',
  };
}
