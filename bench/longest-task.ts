import type { Page } from 'puppeteer-core';
import { printEvent, startStubService } from '../test/helpers/stub-service.js';
import { openDemoPage, readDemoPages } from './demo-page.js';
import { cutText, makeDocument } from './documents.js';
import { readTasks, TRACE_CATEGORIES, type Task } from './trace.js';

/** Number of events in one network chunk. */
const EVENTS = 20_000;

/** The tasks of the page's main thread during a run whose events arrived in one chunk. */
export interface LongestTask {
  readonly name: string;
  readonly bytes: number;
  /** Longest first. */
  readonly tasks: readonly Task[];
  /** From the question to the end of the run, ms. */
  readonly took: number;
  /** Entries of a `longtask` observer in the page, in ms. */
  readonly observed: readonly number[];
}

/** Delivers runs of `EVENTS` events in one chunk to the chat of the demo, and measures the tasks of the main thread. */
export async function measureLongestTasks(): Promise<LongestTask[]> {
  const service = await startStubService({ files: await readDemoPages() });
  const results: LongestTask[] = [];
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

/** Runs with the same number of events: text alone, and text with steps, tools, thinking and progress. */
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

async function measure(url: string): Promise<Pick<LongestTask, 'tasks' | 'took' | 'observed'>> {
  const page = await openDemoPage(url);
  try {
    return await traceRun(page);
  } finally {
    await page.browser().close();
  }
}

async function traceRun(page: Page): Promise<Pick<LongestTask, 'tasks' | 'took' | 'observed'>> {
  await page.tracing.start({ categories: TRACE_CATEGORIES });
  const { took, observed } = await page.evaluate(sendAndWait);
  const trace = await page.tracing.stop();
  return { took, observed, tasks: readTasks(trace ?? new Uint8Array()) };
}

/** Runs in the page: sends a message and waits until everything is rendered. */
async function sendAndWait(): Promise<{ took: number; observed: number[] }> {
  const observed: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) observed.push(entry.duration);
  });
  observer.observe({ type: 'longtask' });
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
  observer.disconnect();
  return { took, observed };
}

/** Returns the result as a Markdown table. */
export function printLongestTasks(results: readonly LongestTask[]): string {
  const head =
    '| 20,000 events in one piece | kB | whole run | longest task (CPU) | tasks over 50 ms (CPU) | in it |\n|---|--:|--:|--:|--:|---|';
  const rows = results.map(({ name, bytes, took, tasks }) => {
    const byCpu = [...tasks].sort((left, right) => right.cpu - left.cpu);
    const [longest] = byCpu;
    const over = (time: (task: Task) => number): string =>
      String(tasks.filter((task) => time(task) > 50).length);
    const cells = [
      name,
      (bytes / 1000).toFixed(0),
      `${(took / 1000).toFixed(1)} s`,
      `${(tasks[0]?.wall ?? 0).toFixed(0)} ms (${(longest?.cpu ?? 0).toFixed(0)} ms)`,
      `${over((task) => task.wall)} (${over((task) => task.cpu)})`,
      longest?.within.join(', ') ?? '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, ...rows, ''].join('\n');
}
