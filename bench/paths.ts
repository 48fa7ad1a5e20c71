/**
 * Counts the files and functions of the package that run for a chunk, a stop, a restore and an upload, in a browser with precise
 * coverage: `npm run bench:paths`. A longer path is harder to follow. docs/architecture.md shows the path of a chunk.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'puppeteer-core';
import { launchChrome, openPage } from '../scripts/browser.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** The page: the published modules, and a service that is simulated in the page. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Paths</title>
<script type="importmap">${JSON.stringify({
  imports: {
    lit: '/node_modules/lit/index.js',
    'lit/': '/node_modules/lit/',
    'lit-html': '/node_modules/lit-html/lit-html.js',
    'lit-html/': '/node_modules/lit-html/',
    'lit-element/': '/node_modules/lit-element/',
    '@lit/reactive-element': '/node_modules/@lit/reactive-element/reactive-element.js',
    '@lit/reactive-element/': '/node_modules/@lit/reactive-element/',
    'eventsource-parser': '/node_modules/eventsource-parser/dist/index.js',
  },
})}</script>
<script>
  const requests = [];
  let stream;
  const event = (value) => new TextEncoder().encode('data: ' + JSON.stringify(value) + '\\n\\n');
  const responses = {
    'POST /api/agent-sessions': () => ({ id: 's1', title: 'Paths', status: 'active' }),
    'GET /api/agent-sessions/s1': () => ({ id: 's1', title: 'Paths', status: 'active' }),
    'GET /api/agent-sessions/s1/messages': () => ({ items: [], active_head_id: null }),
    'GET /api/agent-sessions/s1/checkpoints': () => ({
      checkpoints: [{ checkpoint_name: 'after-step-1', task_id: 't1', created_at: '2026-01-01T00:00:00Z' }],
    }),
    'GET /api/agent-sessions/s1/documents': () => ({ items: [], total: 0, page: 1, limit: 20 }),
    'POST /api/agent-sessions/s1/stop': () => ({}),
    'POST /api/agent-sessions/s1/upload': () => ({ id: 'd1', name: 'notes.txt', status: 'completed' }),
  };
  window.fetch = async (url, options = {}) => {
    const { pathname } = new URL(url, location.href);
    const name = (options.method ?? 'GET') + ' ' + pathname;
    requests.push(name);
    if (/POST .*\\/(messages|navigate-to-checkpoint)$/.test(name)) {
      const body = new ReadableStream({ start: (controller) => (stream = controller) });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    return name in responses ? Response.json(responses[name]()) : new Response('', { status: 404 });
  };
  window.paths = { requests, push: (value) => stream.enqueue(event(value)) };
</script>
<script type="module" src="/dist/define.js"></script>
<ubik-chat base-url="/api" style="height: 600px"></ubik-chat>`;

async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end(PAGE);
      return;
    }
    readFile(join(ROOT, path)).then(
      (body) => response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain').end(body),
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Path {
  readonly files: number;
  readonly functions: number;
  readonly fileNames: readonly string[];
}

/** Counts the files and functions of the package that run during an action. */
async function trace(session: CDPSession, work: () => Promise<unknown>): Promise<Path> {
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.send('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.send('Profiler.takePreciseCoverage');
  await session.send('Profiler.stopPreciseCoverage');
  const scripts = result.flatMap(({ url, functions }) => {
    const file = /\/dist\/((?!bundle\/).*)$/.exec(url)?.[1];
    // The first function of a script is its top level.
    const run = functions.filter(({ ranges, functionName }, at) => {
      return (ranges[0]?.count ?? 0) > 0 && (at > 0 || functionName !== '');
    });
    return file && run.length > 0 ? [{ file, functions: run.length }] : [];
  });
  return {
    files: scripts.length,
    functions: scripts.reduce((sum, { functions }) => sum + functions, 0),
    fileNames: scripts.map(({ file }) => file),
  };
}

/** Resolves when pending changes are rendered. */
const waitForFrames = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  });

const pushEvent = (page: Page, value: object): Promise<unknown> =>
  page.evaluate((event) => {
    (window as unknown as { paths: { push(value: object): void } }).paths.push(event);
  }, value);

async function measure(page: Page): Promise<Readonly<Record<string, Path>>> {
  const session = await page.createCDPSession();
  await session.send('Profiler.enable');
  const waitForRequest = (name: string): Promise<unknown> =>
    page.waitForFunction(
      (wanted) =>
        (window as unknown as { paths: { requests: string[] } }).paths.requests.some((one) =>
          one.endsWith(wanted),
        ),
      { polling: 'raf' },
      name,
    );
  const chat = await page.waitForSelector('ubik-chat');
  if (!chat) throw new Error('The page has no chat.');
  await page.evaluate(() => customElements.whenDefined('ubik-chat').then(() => undefined));
  await waitForFrames(page);
  void page.evaluate(
    (element) => (element as unknown as { send(text: string): Promise<boolean> }).send('Hello'),
    chat,
  );
  await waitForRequest('/messages');
  await pushEvent(page, { type: 'connection_established', session_id: 's1', task_id: 't1' });
  await pushEvent(page, { type: 'response_stream_start', message_id: 'm1', task_id: 't1' });
  for (let at = 0; at < 20; at += 1) {
    await pushEvent(page, { type: 'response_chunk', content: `word ${at} ` });
    await waitForFrames(page);
  }
  const chunk = await trace(session, async () => {
    await pushEvent(page, { type: 'response_chunk', content: 'one more ' });
    await waitForFrames(page);
  });
  const stop = await trace(session, async () => {
    await page.evaluate((element) => {
      element.shadowRoot?.querySelector<HTMLElement>('[part~="send"]')?.click();
    }, chat);
    await waitForRequest('/stop');
    await waitForFrames(page);
  });
  await pushEvent(page, { type: 'agent_stop_requested', task_id: 't1' });
  await pushEvent(page, {
    type: 'checkpoint_created',
    checkpoint_name: 'after-step-1',
    created_at: '2026-01-01T00:00:00Z',
  });
  await pushEvent(page, { type: 'agent_processing_complete', message_id: 'm1', content: '' });
  await waitForFrames(page);
  const upload = await trace(session, async () => {
    await page.evaluate((element) => {
      const data = new DataTransfer();
      data.items.add(new File(['notes'], 'notes.txt', { type: 'text/plain' }));
      const field = element.shadowRoot?.querySelector('textarea');
      field?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, composed: true }),
      );
    }, chat);
    await waitForRequest('/upload');
    await waitForFrames(page);
  });
  const restore = await trace(session, async () => {
    await page.evaluate((element) => {
      element.shadowRoot?.querySelector<HTMLElement>('[part~="checkpoint"] button')?.click();
    }, chat);
    await page.waitForFunction(
      (element) => element.shadowRoot?.querySelector('dialog[open] button.primary'),
      { polling: 'raf' },
      chat,
    );
    await page.evaluate((element) => {
      element.shadowRoot?.querySelector<HTMLElement>('dialog[open] button.primary')?.click();
    }, chat);
    await waitForRequest('/navigate-to-checkpoint');
    await waitForFrames(page);
  });
  return { chunk, stop, restore, upload };
}

const server = await serve();
const browser = await launchChrome();
try {
  const page = await openPage(browser);
  page.on('pageerror', (error) => process.stderr.write(`${String(error)}\n`));
  await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
  const paths = await measure(page);
  for (const [name, { files, functions, fileNames }] of Object.entries(paths)) {
    process.stdout.write(`${name}: ${String(files)} files, ${String(functions)} functions\n`);
    if (process.argv.includes('--files')) process.stdout.write(`  ${fileNames.join('\n  ')}\n`);
  }
} finally {
  await browser.close();
  server.close();
}
