import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { HTTPResponse, Page } from 'puppeteer-core';
import { printEvent, startStubService, type StubService } from '../test/helpers/stub-service.js';
import { readScript } from './browser.js';
import { openWindow } from './demo-page.js';
import type { AnswerTimes } from './page/watch-first-answer.js';

/** The wait of a visitor who sends a first message as soon as the field is shown, and the scripts that are fetched. */
export interface FirstAnswer {
  /** From Enter to the first frame with words of the answer, in ms of wall time. */
  readonly firstWords: number;
  /** Number of requests in that time. */
  readonly requests: number;
  /** Scripts of the package that were fetched until the answer was complete, compressed, in bytes. */
  readonly scriptBytes: number;
  /** These scripts with their compressed sizes. */
  readonly scripts: readonly (readonly [path: string, bytes: number])[];
}

/** A slow mobile network: 1.6 Mbit/s down, 150 ms. Bytes per second and ms. */
const SLOW_LINE = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
};

/** How much slower than this machine the processor of the visitor is. */
const SLOW_PROCESSOR = 4;

/** A page with nothing but a chat, as in the README. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>First answer</title>
<script src="/dist/bundle/ubik-elements.min.js" defer></script>
<ubik-chat base-url="/api" style="height: 100vh"></ubik-chat>
<script>
  document.querySelector('ubik-chat').getToken = async () => {
    const response = await fetch('/token', { method: 'POST' });
    return (await response.json()).access_token;
  };
</script>`;

const FILES = new Map([
  ['/', { type: 'text/html', body: PAGE }],
  ['/token', { type: 'application/json', body: '{"access_token":"bench"}' }],
]);

/** Sends the message in the first frame with a field, and records the times. */
const WATCH_SCRIPT = fileURLToPath(new URL('page/watch-first-answer.ts', import.meta.url));

const ANSWER = [
  printEvent('connection_established', { task_id: 't1' }),
  ...['The ', '**Danube** ', 'flows ', 'through ten countries.'].map((content) =>
    printEvent('response_chunk', { content }),
  ),
  printEvent('agent_processing_complete', { message_id: 'm1', content: '' }),
];

/** Opens a page with a chat on a slow line with an empty cache, and sends a message at once. */
export async function measureFirstAnswer(): Promise<FirstAnswer> {
  const service = await startStubService({
    files: FILES,
    stream: ANSWER,
    compress: true,
  });
  try {
    const page = await openWindow();
    try {
      return await sendFirstMessage(page, service);
    } finally {
      await page.browser().close();
    }
  } finally {
    await service.close();
  }
}

async function sendFirstMessage(page: Page, service: StubService): Promise<FirstAnswer> {
  const cdp = await page.createCDPSession();
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', SLOW_LINE);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PROCESSOR });
  const sent: number[] = [];
  cdp.on('Network.requestWillBeSent', ({ wallTime }) => sent.push(1000 * wallTime));
  const responses: HTTPResponse[] = [];
  page.on('response', (response) => responses.push(response));
  await page.evaluateOnNewDocument(await readScript(WATCH_SCRIPT));
  await page.goto(service.url, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => window.firstAnswer.shownAt && window.firstAnswer.completedAt);
  const times: AnswerTimes = await page.evaluate(() => window.firstAnswer);
  const scripts = await listScripts(responses);
  return {
    firstWords: times.shownAt - times.pressedAt,
    requests: sent.filter((at) => at >= times.pressedAt && at <= times.shownAt).length,
    scriptBytes: scripts.reduce((sum, [, bytes]) => sum + bytes, 0),
    scripts,
  };
}

async function listScripts(responses: readonly HTTPResponse[]): Promise<[string, number][]> {
  const scripts: [string, number][] = [];
  for (const response of responses) {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/dist/') || !pathname.endsWith('js') || !response.ok()) continue;
    const body = await response.buffer();
    scripts.push([pathname.slice('/dist/'.length), gzipSync(body, { level: 9 }).length]);
  }
  return scripts.sort(([, left], [, right]) => right - left);
}

/** Returns the results as Markdown: the times, and the scripts of the first repetition. */
export function printFirstAnswers(answers: readonly FirstAnswer[]): string {
  const rows = answers.map(
    ({ firstWords, requests, scriptBytes }) =>
      `| ${(firstWords / 1000).toFixed(2)} s | ${String(requests)} | ${(scriptBytes / 1000).toFixed(1)} kB |`,
  );
  const scripts = (answers[0]?.scripts ?? []).map(
    ([path, bytes]) => `| ${path} | ${(bytes / 1000).toFixed(1)} kB |`,
  );
  return [
    '| Enter to the first words | requests | scripts until the answer is complete, gzip |\n|--:|--:|--:|',
    ...rows,
    '',
    '| script | gzip |\n|---|--:|',
    ...scripts,
    '',
  ].join('\n');
}
