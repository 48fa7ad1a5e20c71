/** Tests the page recorder and the request recorder: each kind of damage is done on purpose and must be found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAttacks, type Attack } from './attacks.js';
import { PAGE_FILES } from './request-recorder.js';
import { assertNoFindings, setupTestBrowser } from './security-fixture.js';

declare global {
  interface Window {
    /** The unsafe renderer. */
    show: (text: string) => void;
  }
}

const testBrowser = setupTestBrowser();
const attacks = listAttacks();

function showUnsafely(all: readonly Attack[]): number {
  let rejected = 0;
  for (const { text } of all) {
    try {
      window.show(text);
    } catch {
      rejected += 1;
    }
  }
  return rejected;
}

test('the page recorder finds what an unsafe renderer runs, requests and inserts', async () => {
  const testPage = await testBrowser().open('/open-unsafe', 'real');
  // Attacks that remove the whole page would remove the page recorder.
  const survivable = attacks.filter(({ text }) => !/<meta|<base|frame/i.test(text));
  await testPage.page.evaluate(showUnsafely, survivable);
  const { ran, requests, dom, reports } = await testPage.findings();
  const kinds = new Set(ran.map((name) => name.replace(/\d+$/, '')));
  assert.ok(ran.length > 20, `only ${String(ran.length)} attacks ran`);
  assert.ok(kinds.size > 1, [...kinds].join());
  assert.ok(requests.length > 20, `only ${String(requests.length)} requests`);
  assert.ok(dom.some((finding) => /^href: javascript:/i.test(finding)));
  // No attack with a frame was shown.
  assert.ok(dom.includes('<script>') && !dom.includes('<iframe>'));
  assert.deepEqual(reports, []);
});

test('the page recorder finds an unsafe renderer by the reports of a strict page', async () => {
  const testPage = await testBrowser().open('/strict-unsafe', 'real');
  const rejected = await testPage.page.evaluate(showUnsafely, attacks.slice(0, 20));
  const { reports, errors } = await testPage.findings();
  assert.equal(rejected, 20);
  assert.ok(reports.some((report) => report.startsWith('require-trusted-types-for')));
  assert.ok(errors.some((line) => line.includes('TrustedHTML')));
  // The browser sends its reports to the server, too.
  await testBrowser().stub.reportReceived;
});

for (const [name, guard, harm, kind, trace] of [
  ['a name on the window', 'open', () => Reflect.set(window, 'leak', 1), 'globals', 'leak'],
  [
    'a polluted prototype',
    'open',
    () => Reflect.set(Object.prototype, 'polluted', 1),
    'globals',
    'Object.prototype.polluted',
  ],
  [
    'a built-in that was replaced',
    'open',
    () => Reflect.set(Array.prototype, 'findLast', () => null),
    'globals',
    'Array.prototype.findLast',
  ],
  [
    'a node outside of the elements',
    'open',
    () => document.body.append('x'),
    'globals',
    'the page around the elements',
  ],
  [
    'a DNS prefetch',
    'open',
    () => {
      const link = document.createElement('link');
      link.rel = 'dns-prefetch';
      document.querySelector('.unsafe')?.append(link);
    },
    'dom',
    '<link>',
  ],
  [
    'another address on a link of a footnote',
    'open',
    () => {
      const link = document.createElement('a');
      link.role = 'doc-noteref';
      link.setAttribute('href', '#ubik-1-note-1');
      link.setAttribute('formaction', 'javascript:ran()');
      document.querySelector('.unsafe')?.append(link);
    },
    'dom',
    'formaction: javascript:ran()',
  ],
  [
    'a picture that loads by itself',
    'strict',
    () => {
      new Image().src = 'https://evil.test/pixel';
    },
    'reports',
    'img-src: https://evil.test/pixel ',
  ],
  [
    'a style in an attribute',
    'strict',
    () => document.querySelector('.unsafe')?.setAttribute('style', 'color: red'),
    'reports',
    'style-src-attr: inline ',
  ],
] as const) {
  test(`the page recorder finds ${name}`, async () => {
    const testPage = await testBrowser().open(`/${guard}-unsafe`, 'real');
    await testPage.page.evaluate(harm);
    assert.ok((await testPage.findings())[kind].includes(trace), trace);
  });
}

for (const [name, harm, trace] of [
  ['picture', () => void (new Image().src = '/logout?x.png'), 'GET /logout?x.png'],
  ['fetch', () => void fetch('/logout?x.png', { keepalive: true }), 'GET /logout?x.png'],
  ['beacon', () => void navigator.sendBeacon('/logout'), 'POST /logout'],
  ['event stream', () => void new EventSource('/logout'), 'GET /logout'],
  ['socket', () => void new WebSocket(location.origin.replace('http', 'ws')), 'GET /'],
] as const) {
  test(`the request recorder names an unexpected same-origin ${name}`, async () => {
    const testPage = await testBrowser().open('/open-unsafe', 'real');
    await testPage.page.evaluate(harm);
    const findings = await testPage.findings();
    assert.ok(findings.requests.includes(trace), findings.requests.join());
    assert.throws(() => {
      assertNoFindings(findings);
    });
  });
}

test('the request recorder accepts a request only on pages that expect it', async () => {
  const open = async (...expected: ['session'] | []): Promise<readonly string[]> => {
    const testPage = await testBrowser().open('/open-unsafe', 'real', [...PAGE_FILES, ...expected]);
    await testPage.page.evaluate(async () => void (await fetch('/api/agent-sessions/s1')));
    return (await testPage.findings()).requests;
  };
  assert.deepEqual(await open('session'), []);
  assert.deepEqual(await open(), ['GET /api/agent-sessions/s1']);
});
