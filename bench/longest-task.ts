import type { Page } from 'puppeteer-core';
import { printEvent, startStubService } from '../test/helpers/stub-service.js';
import { openDemoPage, readDemoPages } from './demo-page.js';
import { cutText, makeDocument } from './documents.js';
import { readTasks, TRACE_CATEGORIES, type Task } from './trace.js';

/** Number of events in one network chunk. */
const EVENTS = 20_000;

/** The tasks of the page's main thread during a run whose events arrived in one chunk. */
export interface RunTasks {
  readonly name: string;
  readonly bytes: number;
  /** Longest first. */
  readonly tasks: readonly Task[];
  /** From the question to the end of the run, ms. */
  readonly took: number;
}

/** Delivers runs of `EVENTS` events in one chunk to the chat of the demo, and measures the tasks of the main thread. */
export async function measureLongestTasks(): Promise<RunTasks[]> {
  const service = await startStubService({ files: await readDemoPages() });
  const results: RunTasks[] = [];
  try {
    for (const [name, print] of RUNS) {
      const stream = print();
      service.setResponses({ stream: [stream] });
      results.push({ name, bytes: Buffer.byteLength(stream), ...(await measure(service.url)) });
    }
  } finally {
    await service.close();
  }
  return results;
}

const START = printEvent('connection_established', { task_id: 't1' });
const END = printEvent('agent_processing_complete', { message_id: 'm1', content: '' });

/** Returns a number of chunks of the document, which is repeated as often as necessary. */
function listChunks(count: number): string[] {
  const chunks = cutText(makeDocument('mix1m').text);
  return Array.from({ length: count }, (_, index) => chunks[index % chunks.length] ?? '');
}

/** Runs with the same number of events: text alone, and text with steps, tools, checkpoints and progress. */
const RUNS: readonly (readonly [string, () => string])[] = [
  [
    'text alone',
    () => {
      const chunks = listChunks(EVENTS - 2);
      return (
        START + chunks.map((content) => printEvent('response_chunk', { content })).join('') + END
      );
    },
  ],
  [
    'steps and tools',
    () => {
      const events = [START];
      const chunks = listChunks(EVENTS);
      for (let step = 1; events.length < EVENTS - 1; step += 1) {
        // With ten other events, a step has 200.
        events.push(...listStep(step, chunks.slice(events.length, events.length + 190)));
      }
      return events.slice(0, EVENTS - 1).join('') + END;
    },
  ],
];

function listStep(step: number, chunks: readonly string[]): string[] {
  const id = `c${String(step)}`;
  const tool = { tool_execution_id: id, tool_name: 'find' };
  const chunk = (content: string): string => printEvent('response_chunk', { step, content });
  return [
    printEvent('agent_step_started', { step, description: `Step ${String(step)}` }),
    chunk(`<<TOOL_STEP_START/find:${id}>>\n<<TOOL_STEP_INPUT_START>>\n{"q":${String(step)}}\n`),
    chunk('<<TOOL_STEP_INPUT_END>>\n'),
    printEvent('tool_update', { ...tool, data: { phase: 'LOOK', status: 'started' } }),
    printEvent('tool_partial_update', { ...tool, data: { content: 'out', output_key: 'a' } }),
    chunk(`<<TOOL_STEP_RESULT_START>>\n{"rows":[1,2,3]}\n<<TOOL_STEP_RESULT_END>>\n`),
    chunk(`<<TOOL_STEP_END/find:${id}>>\n`),
    ...chunks.map(chunk),
    printEvent('agent_step_completed', { step, progress: 100, completed: true }),
    printEvent('checkpoint_created', { checkpoint_name: `after ${String(step)}` }),
    printEvent('agent_progress', { step, total_steps: 100, progress: step, description: 'on it' }),
  ];
}

async function measure(url: string): Promise<Pick<RunTasks, 'tasks' | 'took'>> {
  const page = await openDemoPage(url);
  try {
    return await traceRun(page);
  } finally {
    await page.browser().close();
  }
}

async function traceRun(page: Page): Promise<Pick<RunTasks, 'tasks' | 'took'>> {
  await page.tracing.start({ categories: TRACE_CATEGORIES });
  const took = await page.evaluate(sendAndWait);
  const trace = await page.tracing.stop();
  return { took, tasks: readTasks(trace ?? new Uint8Array()) };
}

/** Runs in the page: sends a message and waits until everything is rendered. Returns the duration of the run in ms. */
async function sendAndWait(): Promise<number> {
  const chat = document.querySelector('ubik-chat');
  const field = chat?.shadowRoot?.querySelector('textarea');
  if (!chat || !field) throw new Error('There is no chat.');
  const ended = new Promise((resolve) => {
    for (const type of ['ubik-run-completed', 'ubik-run-failed', 'ubik-error']) {
      chat.addEventListener(type, resolve, { once: true });
    }
  });
  field.value = 'Go on.';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  const start = performance.now();
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }),
  );
  await ended;
  const took = performance.now() - start;
  // Time for rendering after the end of the run.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return took;
}

/** Returns the result as a Markdown table. */
export function printLongestTasks(results: readonly RunTasks[]): string {
  const head =
    '| 20,000 events in one chunk | kB | whole run | longest wall time of a task | longest CPU time of a task | tasks over 50 ms of wall time | of CPU time | in the task with the longest CPU time, ms of wall time |\n|---|--:|--:|--:|--:|--:|--:|---|';
  const rows = results.map(({ name, bytes, took, tasks }) => {
    const [longest] = tasks;
    const [busiest] = [...tasks].sort((left, right) => right.cpu - left.cpu);
    const countLong = (time: 'wall' | 'cpu'): string =>
      String(tasks.filter((task) => task[time] > 50).length);
    const cells = [
      name,
      (bytes / 1000).toFixed(0),
      `${(took / 1000).toFixed(1)} s`,
      `${(longest?.wall ?? 0).toFixed(0)} ms`,
      `${(busiest?.cpu ?? 0).toFixed(0)} ms`,
      countLong('wall'),
      countLong('cpu'),
      busiest?.within.join(', ') ?? '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, ...rows, ''].join('\n');
}
