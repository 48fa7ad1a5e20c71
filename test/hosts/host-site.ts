import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { launchChrome } from '../../scripts/browser.mjs';
import { openObservedPage, type ObservedPage } from '../helpers/observed-page.js';
import {
  printEvent,
  startStubService,
  type StubFile,
  type StubService,
} from '../helpers/stub-service.js';

/** The folder in which `scripts/test-hosts.mjs` has built the apps. */
export const HOSTS_FOLDER = fileURLToPath(new URL('../../.cache/hosts/', import.meta.url));

/** The folder of the installed package. */
export const PACKAGE_FOLDER = join(HOSTS_FOLDER, 'package/node_modules/ubik-elements');

/** Names of the hosts to test. */
export const hosts: readonly string[] = (process.env['HOSTS'] ?? '').split(',').filter(Boolean);

const TYPES = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
  ['css', 'text/css'],
  ['json', 'application/json'],
]);

/** All files of a folder by path of the URL, below a prefix such as `/assets`. The page of a folder is also found by its path. */
export function readFiles(folder: string, prefix = ''): Map<string, StubFile> {
  const files = new Map<string, StubFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const type = TYPES.get(name.split('.').at(-1) ?? '') ?? 'application/octet-stream';
    const file: StubFile = { type, body: readFileSync(path) };
    const url = `${prefix}/${name.replaceAll('\\', '/')}`;
    files.set(url, file);
    if (url.endsWith('/index.html')) files.set(url.slice(0, -'index.html'.length), file);
  }
  return files;
}

/** The text of the complete answer. */
const ANSWER = 'It is **forty-two**.\n\n```js\nlet a = 42;\n```';

/** The stream of a complete answer. */
export const ANSWER_STREAM = [
  printEvent('agent_processing_started', { task_id: 't1' }),
  printEvent('agent_processing_complete', { message_id: 'a1', content: ANSWER, result: {} }),
];

/** The stream of an answer with a call of the tool `get_weather`. */
export const TOOL_STREAM = [
  printEvent('agent_processing_started', { task_id: 't1' }),
  printEvent('agent_processing_complete', {
    message_id: 'a1',
    content:
      '<<TOOL_STEP_START/get_weather:c1>><<TOOL_STEP_INPUT_START>>{"city":"Vienna"}<<TOOL_STEP_INPUT_END>>' +
      '<<TOOL_STEP_RESULT_START>>{"temperature":21}<<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/get_weather:c1>>\nWarm.',
    result: {},
  }),
];

/** The stream of a run that waits for an email address. */
export const REQUEST_STREAM = [
  printEvent('connection_established', { task_id: 't1' }),
  printEvent('agent_step_started', { step: 1, description: 'Ask', single_step_agent: false }),
  printEvent('agent_step_completed', { step: 1, progress: 100, completed: true }),
  printEvent('input_required', {
    checkpoint_name: 'wait_for_email',
    prompt: 'Your email address?',
    input_types: ['text'],
  }),
];

/** The messages of a stored thread with one question and one answer. */
export const STORED_MESSAGES = [
  {
    id: 'q1',
    role: 'user',
    content: 'What is it?',
    created_at: '2026-01-01T00:01:00Z',
    parent_id: null,
    sibling_ids: [],
  },
  {
    id: 'a1',
    role: 'assistant',
    content: 'A stored answer.',
    created_at: '2026-01-01T00:01:30Z',
    parent_id: 'q1',
    sibling_ids: [],
  },
];

/** Headers of a service on another origin. */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
};

/** Starts a site with the given files, a token route and the stub service below `/api`. */
export function startSite(files: ReadonlyMap<string, StubFile>): Promise<StubService> {
  const token: StubFile = { type: 'application/json', body: '{"access_token":"secret"}' };
  return startStubService({
    files: new Map([...files, ['/agent-token', token]]),
    stream: ANSWER_STREAM,
  });
}

/** Waits until a server prints a text, and returns the text. Rejects with its output when it ends before. */
export function readOutput(server: ChildProcess, expected: RegExp): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const [found] = expected.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.once('exit', () => reject(new Error(`The server has ended:\n${output}`)));
  });
}

/** Starts the browser. */
export async function launchBrowser(): Promise<Browser> {
  return launchChrome();
}

/** Opens a page of a site. In a browser context, the page has only the cookies of that context. */
export async function openHost(
  browser: Browser | BrowserContext,
  url: string,
): Promise<ObservedPage> {
  const observed = await openObservedPage(browser);
  await observed.page.goto(url);
  return observed;
}

/** Types a message into the chat and sends it. */
export async function ask(page: Page, text: string): Promise<void> {
  const field = await page.waitForSelector('ubik-chat >>> textarea', { visible: true });
  await field?.focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Waits until an element in the chat matches a selector and contains a text. */
export async function waitForContent(page: Page, selector: string, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted, content) => {
      const found = document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll(wanted) ?? [];
      return [...found].some((element) => element.textContent.includes(content));
    },
    {},
    selector,
    text,
  );
}

/** Waits until an element of the host page has exactly this text. */
export async function waitForText(page: Page, selector: string, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted, content) => document.querySelector(wanted)?.textContent.trim() === content,
    {},
    selector,
    text,
  );
}
