/**
 * The demo pages have a strict Content-Security-Policy: no inline scripts or styles, no HTML from strings, and no Trusted Types policy
 * except `ubik-elements`, which Lit uses. A whole conversation must not violate it.
 */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { waitForLoads } from '../helpers/wait-for-loads.js';
import type { ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';

/** One example of each construct that is rendered by different code. */
const ANSWER = [
  '# A heading\n\nA paragraph with *soft*, **strong**, `code` and a [link](https://example.com/).',
  '- one\n- two\n\n1. three\n\n- [x] done',
  '| river | length |\n|:--|--:|\n| Danube | 2850 |',
  '```js\nconst length = 2850;\n```',
  '> a quotation\n\n![a picture](https://example.com/picture.png)\n\n---\n\nThe end.',
].join('\n\n');

const model = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const content of ANSWER.match(/[^]{1,9}/g) ?? []) {
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
});
const settings: NodeJS.ProcessEnv = { OPENAI_MODEL: 'scripted', OPENAI_API_KEY: 'none' };
before(async () => {
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  const { port } = model.address() as AddressInfo;
  settings['OPENAI_BASE_URL'] = `http://127.0.0.1:${String(port)}/v1`;
});
after(() => model.close());
/** A demo whose agent is the scripted model; `getFixture` is one with the rule-based agent. */
const getModelFixture = setupDemo(settings);
const getFixture = setupDemo();

/** The policy violations that the browser reports, in the page and in the developer tools. */
interface Reports {
  /** Returns all reports, after pending ones have arrived. */
  all(): Promise<readonly string[]>;
  /** Resolves when a report with this text has arrived. */
  waitFor(word: string): Promise<void>;
}

/** Records every report of the browser. */
async function recordReports(chat: ChatPage): Promise<Reports> {
  const reports: string[] = [];
  const emitter = new EventEmitter();
  const record = (report: string): void => {
    reports.push(report);
    emitter.emit('report');
  };
  const session = await chat.page.createCDPSession();
  session.on('Audits.issueAdded', ({ issue }) => {
    if (issue.code === 'ContentSecurityPolicyIssue') record(JSON.stringify(issue.details));
  });
  await session.send('Audits.enable');
  await chat.page.exposeFunction('recordReport', record);
  const observeViolations = (): void => {
    const { recordReport } = window as unknown as { recordReport: (text: string) => void };
    document.addEventListener('securitypolicyviolation', (event) => {
      recordReport(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
    });
  };
  await chat.page.evaluateOnNewDocument(observeViolations);
  await chat.reload();
  return {
    all: async () => {
      await chat.page.evaluate(waitForLoads);
      return reports;
    },
    waitFor: async (word) => {
      while (!reports.some((report) => report.includes(word))) await once(emitter, 'report');
    },
  };
}

test('demo server sends the strict policy with its page', async () => {
  const response = await fetch(getFixture().demo.url);
  const policy = response.headers.get('content-security-policy') ?? '';
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.match(policy, /trusted-types ubik-elements(;|$)/);
  assert.match(policy, /script-src 'self'(;|$)/);
  assert.match(policy, /style-src 'self'(;|$)/);
  assert.doesNotMatch(policy, /unsafe/);
});

test('whole conversation violates no policy: citations, tools, a table, a form, a failure', async () => {
  const chat = await getFixture().open();
  const reports = await recordReports(chat);
  const ask = async (text: string, count: number): Promise<void> => {
    await chat.ask(text);
    await chat.waitForEvent('ubik-run-completed', count);
  };
  await ask('How does an answer survive a broken network?', 1);
  await (await chat.find('[part~=citation]')).hover();
  await ask('Which countries does the Danube flow through?', 2);
  await chat.find('table');
  await chat.ask('Which is the biggest river in Europe?');
  await chat.waitForEvent('ubik-run-paused');
  await (await chat.find('[part~=request] .choice-button')).click();
  await chat.waitForEvent('ubik-run-completed', 3);
  await ask('Draw a chart of the longest rivers', 4);
  await chat.ask('SQL: SELECT * FROM nowhere');
  await chat.waitForEvent('ubik-run-failed');
  assert.deepEqual([await reports.all(), chat.pageErrors], [[], []]);
});

test('answer with code, lists, images and quotations violates no policy, live and after a reload', async () => {
  const chat = await getModelFixture().open();
  const reports = await recordReports(chat);
  await chat.ask('Show me everything.');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('The end.');
  await chat.find('pre code');
  await chat.reload();
  await chat.find('pre code');
  assert.deepEqual([await reports.all(), chat.pageErrors], [[], []]);
});

test('recorder of policy violations records violations that are caused on purpose', async () => {
  const chat = await getFixture().open();
  const reports = await recordReports(chat);
  await chat.page.evaluate(() => {
    const box = document.createElement('div');
    try {
      box.innerHTML = '<b>planted</b>';
    } catch {
      box.setAttribute('style', 'color: red');
    }
    new Image().src = 'https://example.com/planted.png';
  });
  for (const kind of ['require-trusted-types-for', 'style-src-attr', 'img-src']) {
    await reports.waitFor(kind);
  }
  assert.ok(chat.pageErrors.length > 0);
});
