/** The first example of the README, with its commands, its markup and its script unchanged. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'puppeteer-core';
import { startStubService, type StubService } from '../helpers/stub-service.js';
import {
  ANSWER_STREAM,
  ask,
  CORS,
  HOSTS_FOLDER,
  launchBrowser,
  openHost,
  readFiles,
  startSite,
  waitForContent,
} from './host-site.js';

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const [, section = ''] = readFileSync(README, 'utf8').split('## Embed it in a page');

/** The first sample in a language. */
function readSample(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section) ?? [];
  assert.ok(code, `The example has no sample in ${language}.`);
  return code;
}

let browser: Browser;
let service: StubService;
let site: StubService;

before(async () => {
  const cwd = join(HOSTS_FOLDER, 'package');
  const [install, ...commands] = readSample('sh').trim().split('\n');
  // The package is installed already, from the tarball instead of the registry.
  assert.equal(install, 'npm install ubik-elements');
  for (const command of commands) execFileSync('sh', ['-c', command], { cwd });
  browser = await launchBrowser();
  service = await startStubService({ files: new Map(), stream: ANSWER_STREAM, headers: CORS });
  const lines = readSample('html').replace('https://agents.example.com', service.url).split('\n');
  const [script = '', token = '', ...chat] = lines;
  const printPage = (body: readonly string[]) => ({
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><link rel="icon" href="data:,">${body.join('\n')}`,
    headers: { 'content-security-policy': "script-src 'self'" },
  });
  site = await startSite(
    new Map([
      ...readFiles(join(cwd, 'public')),
      ['/assets/chat-token.js', { type: 'text/javascript', body: readSample('js') }],
      ['/', printPage(lines)],
      ['/token-first', printPage([token, script, ...chat])],
    ]),
  );
});

after(async () => {
  await browser.close();
  await site.close();
  await service.close();
});

for (const [path, how] of [
  ['/', 'unchanged'],
  ['/token-first', 'with its scripts in the other order'],
] as const) {
  test(`the first example of the README, ${how}, has a chat that answers under script-src 'self'`, async () => {
    const requestsBefore = site.requests.length;
    const { page, warnings, errors } = await openHost(browser, `${site.url}${path}`);
    await ask(page, 'What is it?');
    await waitForContent(page, '.message strong', 'forty-two');
    const [height, windowHeight] = await page.evaluate(() => [
      document.querySelector('ubik-chat')?.getBoundingClientRect().height ?? 0,
      innerHeight,
    ]);
    // 40 rem, at most as high as the window.
    assert.equal(height, Math.min(640, windowHeight ?? 0));
    assert.ok(site.requests.slice(requestsBefore).includes('POST /agent-token'));
    assert.deepEqual([warnings, errors], [[], []]);
    await page.close();
  });
}
