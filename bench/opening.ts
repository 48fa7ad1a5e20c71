import type { Page } from 'puppeteer-core';
import { startStubService } from '../test/helpers/stub-service.js';
import { openDemoPage, readDemoPages } from './demo-page.js';
import { makeDocument } from './documents.js';
import { readTasks, TRACE_CATEGORIES } from './trace.js';

/** The tasks of the page's main thread while a long thread opens. */
export interface Opening {
  readonly name: string;
  /** Longest CPU time of a task in ms. */
  readonly longestTask: number;
  /** The events that took longest in that task, as in `Task.within`. */
  readonly within: readonly string[];
  /** CPU time of all tasks in ms. */
  readonly cpu: number;
  /** Until all messages are in the page, in ms of wall time. */
  readonly took: number;
}

/** A thread of some messages of one length, in UTF-16 units. */
interface LongThread {
  readonly name: string;
  readonly count: number;
  readonly length: number;
}

/** The threads that are opened. */
export const LONG_THREADS: readonly LongThread[] = [
  { name: 'opening 10,000 messages', count: 10_000, length: 2000 },
  { name: 'opening 300 long messages', count: 300, length: 100_000 },
];

/**
 * Opens a long thread of a UBIK service in the demo page, and measures the tasks of the main thread. `prepare` may change the page before
 * that.
 */
export async function measureOpening(
  thread: LongThread,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Opening> {
  const service = await startStubService({
    files: await readDemoPages(),
    messages: listMessages(thread),
  });
  try {
    const page = await openDemoPage(service.url);
    try {
      await prepare?.(page);
      return { name: thread.name, ...(await traceOpening(page, thread.count)) };
    } finally {
      await page.browser().close();
    }
  } finally {
    await service.close();
  }
}

/** Stored messages in the wire format: questions and answers, each with another part of a long document. */
function listMessages({ count, length }: LongThread): object[] {
  const { text } = makeDocument('mix1m');
  return Array.from({ length: count }, (_, index) => {
    const start = (index * length) % (text.length - length);
    return {
      id: `m${String(index)}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: text.slice(start, start + length),
      parent_id: index === 0 ? null : `m${String(index - 1)}`,
      created_at: '2026-01-01T00:00:00Z',
    };
  });
}

async function traceOpening(page: Page, count: number): Promise<Omit<Opening, 'name'>> {
  await page.tracing.start({ categories: TRACE_CATEGORIES });
  const took = await page.evaluate(openAndWait, count);
  const tasks = readTasks((await page.tracing.stop()) ?? new Uint8Array());
  const [longest] = [...tasks].sort((left, right) => right.cpu - left.cpu);
  if (!longest) throw new Error('The trace contains no task.');
  return {
    longestTask: longest.cpu,
    within: longest.within,
    cpu: tasks.reduce((sum, { cpu }) => sum + cpu, 0),
    took,
  };
}

/** Runs in the page: opens the thread, waits until all messages are in the page, and then until the browser is idle. */
async function openAndWait(count: number): Promise<number> {
  const chat = document.querySelector('ubik-chat');
  if (!chat) throw new Error('There is no chat.');
  const start = performance.now();
  chat.threadId = 's1';
  while ((chat.shadowRoot?.querySelectorAll('.message').length ?? 0) < count) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const took = performance.now() - start;
  await new Promise((resolve) => requestIdleCallback(resolve));
  return took;
}

/** Returns the results as a Markdown table. */
export function printOpenings(openings: readonly Opening[]): string {
  const rows = openings.map(({ name, longestTask, within, cpu, took }) => {
    const cells = [
      name,
      `${longestTask.toFixed(0)} ms`,
      `${(cpu / 1000).toFixed(1)} s`,
      `${(took / 1000).toFixed(1)} s`,
      within.join(', '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| thread | longest CPU time of a task | CPU time of all tasks | until complete | in the task with the longest CPU time, ms of wall time |\n|---|--:|--:|--:|---|',
    ...rows,
    '',
  ].join('\n');
}
