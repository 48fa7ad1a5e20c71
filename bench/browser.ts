import { build, type Plugin } from 'esbuild';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer-core';
import { findChrome, flags } from '../scripts/browser.mjs';
import type { RunRequest } from './page/main.js';
import type { StreamMeasurements } from './page/feeder.js';

/** CPU seconds of the page's main thread, by kind. */
export interface Cpu {
  readonly task: number;
  readonly layout: number;
  readonly style: number;
}

/** One finished run. */
export interface Run {
  readonly measurements: StreamMeasurements & { readonly chunks: number };
  /** How the rendered content differs from the document; null when it does not. */
  readonly fault: string | null;
  readonly cpu: Cpu;
  /** Task seconds at each requested mark. */
  readonly marks: ReadonlyMap<number, number>;
  /** Growth of the JS heap in bytes, after a forced garbage collection. */
  readonly heap: number;
  readonly nodes: number;
}

let script: string | null = null;

/** Returns the code of the page, which is bundled once per process. */
async function pageScript(): Promise<string> {
  script ??= await bundle();
  return script;
}

async function bundle(): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('page/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    conditions: ['production', 'browser'],
    plugins: [useBuiltModules],
  });
  return result.outputFiles[0]?.text ?? '';
}

/** Bundles the built modules of the package instead of the sources, and omits the optional modules, so that no code is highlighted during a measurement. */
const useBuiltModules: Plugin = {
  name: 'built-modules',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/src\// }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path).replace(/\/src\//, '/dist/'),
    }));
    onResolve({ filter: /\/extra-files\.js$/ }, () => ({
      path: fileURLToPath(new URL('../src/dom/extra-files.ts', import.meta.url)),
    }));
  },
};

const STYLE = `
body { margin: 0; font: 16px/1.5 sans-serif; }
.scroller { width: 1000px; height: 800px; overflow: auto; }`;

/** Opens a fresh browser with an empty page for the benchmark, and a DevTools session that measures CPU time. */
export async function openBench(): Promise<{ page: Page; cdp: CDPSession; browser: Browser }> {
  const { from: _from, ...chrome } = await findChrome();
  const browser = await puppeteer.launch({ ...chrome, args: flags, defaultViewport: null });
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 800 });
  await page.setContent(`<!doctype html><title>bench</title><style>${STYLE}</style><body></body>`);
  const cdp = await page.createCDPSession();
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, cdp, browser };
}

/** Runs one request in a fresh browser. */
export async function runOnce(request: RunRequest): Promise<Run> {
  const { page, cdp, browser } = await openBench();
  try {
    const marks = new Map<number, number>();
    const readings = new Map<number, Metrics>();
    await page.exposeFunction('benchMark', async (share: number) => {
      if (share === -1) await cdp.send('HeapProfiler.collectGarbage');
      const metrics = await readMetrics(cdp);
      if (share === -1 || share === 2) readings.set(share, metrics);
      else marks.set(share, metrics.task);
    });
    await page.addScriptTag({ content: await pageScript() });
    const measurements = await page.evaluate((wanted) => window.benchRun(wanted), request);
    await cdp.send('HeapProfiler.collectGarbage');
    const last = await readMetrics(cdp);
    const [before, after] = [readings.get(-1), readings.get(2)];
    if (!before || !after) throw new Error('The page did not report its start and end.');
    const cpu = {
      task: after.task - before.task,
      layout: after.layout - before.layout,
      style: after.style - before.style,
    };
    const fault = await page.evaluate(() => window.benchCheck());
    return { measurements, fault, cpu, marks, heap: last.heap - before.heap, nodes: last.nodes };
  } finally {
    await browser.close();
  }
}

interface Metrics extends Cpu {
  readonly heap: number;
  readonly nodes: number;
}

async function readMetrics(cdp: CDPSession): Promise<Metrics> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = new Map(metrics.map((metric) => [metric.name, metric.value]));
  return {
    task: value.get('TaskDuration') ?? 0,
    layout: value.get('LayoutDuration') ?? 0,
    style: value.get('RecalcStyleDuration') ?? 0,
    heap: value.get('JSHeapUsedSize') ?? 0,
    nodes: value.get('Nodes') ?? 0,
  };
}

/** Returns the structures of one document: streamed, rendered at once, and rendered by marked. */
export async function readStructures(
  text: string,
): Promise<{ streamed: string; atOnce: string; reference: string }> {
  const { page, browser } = await openBench();
  try {
    await page.addScriptTag({ content: await pageScript() });
    return await page.evaluate((document) => window.benchStructure(document), text);
  } finally {
    await browser.close();
  }
}
