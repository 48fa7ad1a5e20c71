import { build, type Plugin } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { launchChrome } from '../scripts/browser.mjs';
import { startStubService } from '../test/helpers/stub-service.js';
import type { RunRequest } from './page/main.js';
import type { StreamMeasurements } from './page/feeder.js';
import { createAnswers, type Answer } from './answers.js';
import { cutText, listChunks, makeDocument } from './documents.js';
import { findScript } from './peers.js';

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
  /** Each requested mark with the CPU time (`task`) at that time. */
  readonly marks: readonly (readonly [share: number, task: number])[];
  /** Growth of the JS heap in bytes, after a forced garbage collection. */
  readonly heap: number;
  /** Number of DOM nodes at the end. */
  readonly nodes: number;
}

const PAGE_SCRIPT = fileURLToPath(new URL('page/main.ts', import.meta.url));

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Bundled scripts by their path and the folder of their build. */
const bundles = new Map<string, Promise<string>>();

/**
 * Returns the code of a script of a page. Each script is bundled once per process.
 *
 * @param root The folder of a repository whose built modules the script uses; this one by default.
 */
export function readScript(path: string, root = ROOT): Promise<string> {
  const key = `${root} ${path}`;
  const content = bundles.get(key) ?? bundle(path, root);
  bundles.set(key, content);
  return content;
}

async function addScript(page: Page, path: string): Promise<void> {
  await page.addScriptTag({ content: await readScript(path) });
}

async function bundle(path: string, root: string): Promise<string> {
  const result = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    conditions: ['production', 'browser'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [useBuiltModules(root)],
  });
  return result.outputFiles[0]?.text ?? '';
}

/**
 * Bundles the built modules of the package instead of the sources, and omits the optional modules, so that no code is highlighted during a
 * measurement.
 */
const useBuiltModules = (root: string): Plugin => ({
  name: 'built-modules',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[./]+\/src\// }, ({ path }) => ({
      path: join(root, path.replace(/^[./]+\/src\//, 'dist/')),
    }));
    onResolve({ filter: /\/extra-files\.js$/ }, () => ({
      path: join(root, 'src/dom/extra-files.ts'),
    }));
  },
});

const PAGE = `<!doctype html><title>bench</title><style>
body { margin: 0; font: 16px/1.5 sans-serif; }</style><body></body>`;

/** A page for one run: in a fresh browser, from a server that is also the UBIK service of the page. */
export interface Bench {
  readonly page: Page;
  /** A DevTools session that measures CPU time. */
  readonly cdp: CDPSession;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Opens an empty page for the benchmark. The service responds to each message with what `stream` yields. */
export async function openBench(
  stream: AsyncIterable<string> = createAnswers([]).stream,
): Promise<Bench> {
  const service = await startStubService({
    files: new Map([['/', { type: 'text/html', body: PAGE }]]),
    stream,
  });
  const browser = await launchChrome({ defaultViewport: null });
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 800 });
  await page.goto(service.url);
  const cdp = await page.createCDPSession();
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const close = async (): Promise<void> => {
    await browser.close();
    await service.close();
  };
  return { page, cdp, browser, close };
}

/** Returns the version of the browser. */
export async function readBrowserVersion(): Promise<string> {
  const { browser, close } = await openBench();
  try {
    return await browser.version();
  } finally {
    await close();
  }
}

/** Runs one request in a fresh browser. */
export async function runOnce(request: RunRequest): Promise<Run> {
  const answers = createAnswers(request.subject === 'transport' ? listAnswers(request) : []);
  const { page, cdp, close } = await openBench(answers.stream);
  try {
    const marks: [number, number][] = [];
    const readings = new Map<number, Metrics>();
    // See `benchMark` in page/main.ts: -1 before the stream, 2 after it.
    await page.exposeFunction('benchMark', async (share: number) => {
      if (share === -1) await cdp.send('HeapProfiler.collectGarbage');
      const metrics = await readMetrics(cdp);
      if (share === -1 || share === 2) readings.set(share, metrics);
      else marks.push([share, metrics.task]);
    });
    await page.exposeFunction('benchAnswer', answers.begin);
    await addScript(page, PAGE_SCRIPT);
    const script = findScript(request.subject);
    if (script !== undefined) await addScript(page, script);
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
    answers.abort();
    await close();
  }
}

/** The answers that the service streams in a run of the subject `transport`: one for the warm-up, if there is one, and the document. */
function listAnswers({ warmUp, text, rate, limit, ahead }: RunRequest): Answer[] {
  const measured = { chunks: listChunks({ text, ahead, rate, limit }), rate };
  return warmUp === ''
    ? [measured]
    : [{ chunks: cutText(warmUp), rate: 'fast' as const }, measured];
}

interface Metrics extends Cpu {
  readonly heap: number;
  readonly nodes: number;
}

/** Reads the CPU time of the page's main thread and the size of its heap. */
export async function readMetrics(cdp: CDPSession): Promise<Metrics> {
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
  const { page, close } = await openBench();
  try {
    await addScript(page, PAGE_SCRIPT);
    return await page.evaluate((document) => window.benchStructure(document), text);
  } finally {
    await close();
  }
}

/** Returns the computed styles of a document by subject: see `stylesOf`. */
export async function readStyles(
  text: string,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { page, close } = await openBench();
  try {
    await addScript(page, PAGE_SCRIPT);
    const styles = new Map<string, string>();
    for (const subject of subjects) {
      const read = await page.evaluate(
        (...request) => window.benchStyles(...request),
        subject,
        text,
      );
      styles.set(subject, read);
    }
    return styles;
  } finally {
    await close();
  }
}

/**
 * Checks that the renderer shows the same content streamed and at once, and that the reference renderer shows it, too.
 *
 * @throws When a content differs, because all ratios would be meaningless.
 */
export async function checkStructure(seed: number): Promise<void> {
  const { streamed, atOnce, reference } = await readStructures(makeDocument('mix10k', seed).text);
  if (streamed !== atOnce)
    throw new Error('The streamed DOM differs from the one rendered at once.');
  if (streamed !== reference)
    throw new Error('The renderer and the reference renderer show different documents.');
}
