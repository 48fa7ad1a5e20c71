/** Lazy loading: files are requested only on demand, and nothing is lost when one cannot be loaded. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openPage } from '../../scripts/browser.mjs';
import { FIRST_ANSWER_FILES } from '../../scripts/lazy-files.mjs';
import type { ElementHandle, HTTPRequest, JSHandle, Page } from 'puppeteer-core';
import { openVisitor, type ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';
import { onlyExhaustive } from '../helpers/sample.js';
import { defineName } from '../helpers/define-name.js';

const getFixture = setupDemo();
const QUESTION = 'Which countries does the Danube flow through?';

/**
 * Records the lazy files that the page requests, by their names up to the first hyphen, and can block files by these names: `block` replaces
 * the list of blocked ones.
 */
async function watchParts(
  chat: ChatPage,
): Promise<{ requested: string[]; block(...names: string[]): void }> {
  const requested: string[] = [];
  let blocked: readonly string[] = [];
  await chat.page.setRequestInterception(true);
  chat.page.on('request', (request: HTTPRequest) => {
    const name = /\/parts\/(\w+)/.exec(request.url())?.[1] ?? '';
    if (name) requested.push(name);
    void (blocked.includes(name) ? request.abort() : request.continue());
  });
  return { requested, block: (...names) => (blocked = names) };
}

test('page requests the code that renders messages only when the user writes', async () => {
  const chat = await getFixture().open();
  const before = await chat.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  assert.ok(before.includes('/dist/bundle/ubik-elements.min.js'));
  const rendering = before.filter((path) => /parts\/(?:views|markdown)-/.test(path));
  assert.deepEqual(rendering, []);
  const { requested } = await watchParts(chat);
  await (await chat.find('.field textarea')).type(QUESTION.slice(0, 1));
  await chat.page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/parts/views-')),
  );
  await chat.ask(QUESTION.slice(1));
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.message.assistant .text');
  for (const name of ['views', 'markdown']) assert.ok(requested.includes(name), name);
  assert.deepEqual(chat.pageErrors, []);
});

test(
  'chat reports that messages cannot be rendered, and renders them when their code can be loaded',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
    const parts = await watchParts(chat);
    await chat.ask(QUESTION);
    await chat.waitForEvent('ubik-run-completed');
    parts.block('views');
    await chat.reload();
    await chat.waitForText('Part of this chat could not be loaded.');
    await chat.waitForEvent('ubik-error');
    const question = await chat.find('.question-placeholder');
    assert.equal(await question.evaluate((node) => node.textContent), QUESTION);
    parts.block();
    await chat.pressButton('Retry');
    await chat.find('.message.assistant .text');
    await chat.page.waitForFunction(
      () =>
        !document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.question-placeholder'),
    );
  },
);

test(
  'chunk that several lazy files use is requested again after a failure',
  onlyExhaustive,
  async () => {
    const chat = await getFixture().open();
    const parts = await watchParts(chat);
    parts.block('common');
    await chat.reload();
    await chat.ask(QUESTION);
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText('Part of this chat could not be loaded.');
    parts.block();
    await chat.pressButton('Retry');
    await chat.find('.message.assistant .text');
  },
);

test('message is shown as plain text when the Markdown renderer cannot be loaded', async () => {
  const chat = await getFixture().open();
  (await watchParts(chat)).block('markdown');
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  const text = await chat.find('.message.assistant .text.plain');
  assert.match(await text.evaluate((node) => node.textContent ?? ''), /Hungary/);
});

test('message stays in the field when the backend cannot be loaded, and is sent when it can', async () => {
  const chat = await getFixture().open();
  const parts = await watchParts(chat);
  // The backend was loaded with the page, for the thread list; after the reload it is blocked.
  parts.block('ubik');
  await chat.reload();
  await chat.ask(QUESTION);
  await chat.waitForText('Not sent.');
  const box = await chat.find('.field textarea');
  assert.equal(await box.evaluate((node) => (node as HTMLTextAreaElement).value), QUESTION);
  parts.block();
  await chat.pressButton('Send');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Hungary');
});

test('edit form whose code cannot be loaded gives the reason, and opens with the next press of its button', async () => {
  const chat = await getFixture().open();
  const parts = await watchParts(chat);
  parts.block('action');
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  await chat.pressButton('Edit');
  await chat.waitForText('Part of this chat could not be loaded.');
  parts.block();
  await chat.pressButton('Edit');
  const field = await chat.find('.edit textarea');
  assert.equal(await field.evaluate((node) => (node as HTMLTextAreaElement).value), QUESTION);
});

test('chat is in English when the strings of a language cannot be loaded, dispatches a diagnostic, and tries again', async () => {
  const chat = await getFixture().open();
  const parts = await watchParts(chat);
  const setLanguage = (lang: string): Promise<void> =>
    chat.page.evaluate((tag) => void (document.documentElement.lang = tag), lang);
  parts.block('de');
  await setLanguage('de-AT');
  await chat.waitForEvent('ubik-diagnostic');
  await chat.find('.send[title="Send"]');
  parts.block();
  await setLanguage('de-CH');
  await chat.find('.send[title="Senden"]');
});

test('script that is included twice runs once', onlyExhaustive, async () => {
  const chat = await getFixture().open();
  await chat.page.setBypassCSP(true);
  await chat.reload();
  const isSame = await chat.page.evaluate(async () => {
    const page = window as unknown as { UbikElements: object };
    const first = page.UbikElements;
    if (!('registerBackend' in first)) return false;
    const script = document.createElement('script');
    const isLoaded = new Promise((resolve) => script.addEventListener('load', resolve));
    script.src = '/dist/bundle/ubik-elements.min.js?again';
    document.head.append(script);
    await isLoaded;
    return page.UbikElements === first;
  });
  assert.ok(isSame);
  const names = await chat.page.evaluate(async () => {
    const module = '/dist/bundle/ubik-elements.min.mjs';
    return Object.keys((await import(module)) as object);
  });
  assert.ok(names.includes('registerPartRenderer'));
  await chat.ask(QUESTION);
  await chat.waitForText('Hungary');
  assert.deepEqual(chat.pageErrors, []);
});

/** Waits for an element in the chat of a page, or in the placeholder of a bubble. */
function findIn(page: Page, selector: string): Promise<JSHandle<Element | null | undefined>> {
  return page.waitForFunction(
    (wanted) => {
      const chat = document.querySelector('ubik-chat')?.shadowRoot;
      const placeholder = [...(chat?.children ?? [])].find((child) => child.shadowRoot)?.shadowRoot;
      return placeholder?.querySelector(wanted) ?? chat?.querySelector(wanted);
    },
    {},
    selector,
  );
}

test('bubble loads the chat when its button is focused, and can be used by keyboard afterwards', async () => {
  const opened = await getFixture().open();
  const { page, pageErrors } = opened;
  await page.goto(new URL('bubble.html', page.url()).href);
  const files = (): Promise<string[]> =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.startsWith('/dist/')),
    );
  const launcher = (await findIn(page, '.launcher')).asElement() as ElementHandle<HTMLElement>;
  assert.deepEqual(await files(), ['/dist/bundle/ubik-bubble.min.js']);
  assert.equal(await page.$eval('ubik-chat', (node) => node.matches(':defined')), false);
  await launcher.focus();
  await page.waitForFunction(() => document.querySelector('ubik-chat')?.matches(':defined'));
  await findIn(page, '.window-head');
  await page.keyboard.press('Enter');
  await findIn(page, 'textarea:focus');
  await page.keyboard.type(QUESTION);
  await page.keyboard.press('Enter');
  await opened.find('.message.assistant .text table');
  await page.keyboard.press('Escape');
  await findIn(page, '.launcher:focus');
  assert.deepEqual(pageErrors, []);
});

test(
  'bubble reports that the chat cannot be loaded, and tries again when it is pressed again',
  onlyExhaustive,
  async () => {
    const { page } = await getFixture().open();
    let isBlocking = true;
    await page.setRequestInterception(true);
    page.on('request', (request: HTTPRequest) => {
      const isBlocked = isBlocking && request.url().includes('ubik-elements.min.mjs');
      void (isBlocked ? request.abort() : request.continue());
    });
    await page.goto(new URL('bubble.html', page.url()).href);
    const launcher = (await findIn(page, '.launcher')).asElement() as ElementHandle<HTMLElement>;
    await launcher.click();
    const shown = await findIn(page, '.window:not([hidden])');
    await page.waitForFunction(
      (frame) => frame?.textContent?.includes('could not be loaded'),
      {},
      shown.asElement(),
    );
    isBlocking = false;
    await launcher.click();
    await findIn(page, '.window-head');
  },
);

/** The files that register the backend with its capabilities, before the rest of its code is needed. */
const REGISTRATION = ['lazy-data-agent.ts', 'options.ts'];

/** The source files of the Data Agent's backend whose code a page has fetched, according to the source maps of the scripts. */
async function listDataAgentSources(chat: ChatPage): Promise<string[]> {
  const addresses = await chat.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const scripts = addresses.filter((path) => /^\/dist\/.*js$/u.test(path));
  assert.ok(scripts.length > 1, scripts.join());
  const sources = scripts.flatMap((path) => {
    const map = readFileSync(new URL(`../..${path}.map`, import.meta.url), 'utf8');
    return (JSON.parse(map) as { readonly sources: readonly string[] }).sources;
  });
  assert.ok(sources.some((source) => source.includes('/src/backends/ubik/')));
  return sources.flatMap((source) => /\/src\/backends\/data-agent\/(.*)/u.exec(source)?.[1] ?? []);
}

test('page with UBIK requests no code of the Data Agent but its registration, and a page with a Data Agent does', async () => {
  const chat = await getFixture().open();
  await chat.ask(QUESTION);
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.message.assistant .text');
  assert.deepEqual((await listDataAgentSources(chat)).sort(), REGISTRATION);
  const { href } = new URL('/?service=data-agent', chat.page.url());
  await chat.page.goto(href, { waitUntil: 'load' });
  await chat.waitForText('Draw a pie chart of the rivers');
  const sources = await listDataAgentSources(chat);
  for (const name of [...REGISTRATION, 'data-agent-backend.ts', 'projection/skills.ts']) {
    assert.ok(sources.includes(name), name);
  }
  // The code that sends an approval is loaded with the first one.
  assert.ok(!sources.includes('run/provide-input.ts'));
});

/** The box of the message field, in px. */
async function readFieldBox(chat: ChatPage): Promise<readonly number[]> {
  const field = await chat.find('.composer .field');
  return field.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left, top, width, height];
  });
}

for (const [title, operate] of [
  ['beside its columns', undefined],
  ['beside a column that the user has made wider', 'ArrowRight'],
  ['beside a column that the user has collapsed', 'Enter'],
] as const) {
  test(`message field ${title} does not move when the code of the columns is loaded`, async () => {
    const chat = await getFixture().open();
    const { page } = chat;
    await page.setViewport({ width: 1280, height: 800 });
    if (operate) {
      await chat.focus('.start > .side-edge');
      await page.keyboard.press(operate);
    }
    const withheld = await withhold(chat, 'side-');
    await page.reload({ waitUntil: 'domcontentloaded' });
    await chat.find('.field textarea:not([disabled])');
    await page.waitForFunction(() => document.querySelector('ubik-thread-list:defined'));
    await chat.waitForRendering();
    const before = await readFieldBox(chat);
    assert.equal(withheld.length, 1);
    for (const request of withheld) await request.continue();
    await chat.find(operate === 'Enter' ? '.side-toggles .is-collapsed' : '.start > .side-edge');
    await chat.waitForRendering();
    assert.deepEqual(await readFieldBox(chat), before);
  });
}

/** Withholds the requests for the lazy files whose names begin with a prefix, until they are continued. */
async function withhold(chat: ChatPage, prefix: string): Promise<HTTPRequest[]> {
  const withheld: HTTPRequest[] = [];
  await chat.page.setRequestInterception(true);
  chat.page.on('request', (request) => {
    if (request.url().includes(`/parts/${prefix}`)) withheld.push(request);
    else void request.continue();
  });
  return withheld;
}

test('messages in a narrow chat do not move when the code of the drawers is loaded', async () => {
  const chat = await getFixture().open();
  const { page } = chat;
  await page.setViewport({ width: 390, height: 800 });
  const withheld = await withhold(chat, 'side-');
  await page.reload({ waitUntil: 'domcontentloaded' });
  await chat.find('.field textarea:not([disabled])');
  await page.waitForFunction(() => document.querySelector('ubik-thread-list:defined'));
  await chat.waitForRendering();
  const readTop = async (): Promise<number> => {
    const transcript = await chat.find('.transcript');
    return transcript.evaluate((node) => node.getBoundingClientRect().top);
  };
  const before = await readTop();
  assert.equal(withheld.length, 1);
  for (const request of withheld) await request.continue();
  await chat.find('.side-toggle-start');
  await chat.waitForRendering();
  assert.equal(await readTop(), before);
});

/** Returns the name of the only lazy file that begins with `run-` and contains a text: `runSteps` is in the one that renders the line above an answer. */
function findPart(text: string): string {
  const folder = new URL('../../dist/bundle/parts/', import.meta.url);
  const isFound = (name: string): boolean =>
    /^run-.*\.js$/u.test(name) && readFileSync(new URL(name, folder), 'utf8').includes(text);
  const found = readdirSync(folder).filter(isFound);
  assert.equal(found.length, 1);
  return found[0] ?? '';
}

/** Whether the header of a step is visible in an element. */
function showsSteps(chat: ChatPage, tag: string): Promise<boolean> {
  return chat.page.evaluate((name) => {
    const steps = document.querySelector(name)?.shadowRoot?.querySelectorAll('.step > summary');
    return [...(steps ?? [])].some((step) => step.checkVisibility());
  }, tag);
}

test('steps of a standalone message are collapsed when they are shown first', async () => {
  const chat = await getFixture().open();
  const summary = findPart('runSteps');
  const withheld = await withhold(chat, summary);
  const isRequested = chat.page.waitForRequest((request) => request.url().includes(summary));
  await chat.page.evaluate(() => {
    const message = document.createElement('ubik-message');
    const steps = [1, 2].map(
      (at) => `<<STEP_START>>\nStep ${at}: Look it up ✓\nA note.\n<<STEP_END>>\n`,
    );
    message.content = `${steps.join('')}The answer is **14 days**.`;
    document.body.append(message);
  });
  await isRequested;
  await chat.page.waitForFunction(() => window.pendingFrames.size === 0);
  assert.equal(await showsSteps(chat, 'ubik-message'), false);
  for (const request of withheld) await request.continue();
  await chat.page.waitForFunction(() =>
    document.querySelector('ubik-message')?.shadowRoot?.querySelector('.run')?.checkVisibility(),
  );
  assert.equal(await showsSteps(chat, 'ubik-message'), false);
});

test('steps of a finished answer are collapsed when they are shown first, after a reload', async () => {
  const chat = await getFixture().open();
  await chat.ask('How does an answer survive a broken network?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.find('.run');
  const summary = findPart('runSteps');
  const withheld = await withhold(chat, summary);
  const isRequested = chat.page.waitForRequest((request) => request.url().includes(summary));
  // The event `load` waits for the withheld file.
  await chat.page.reload({ waitUntil: 'domcontentloaded' });
  await isRequested;
  await chat.page.waitForFunction(() => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const shown = root?.querySelector('.message, .question-placeholder:not([hidden])');
    return shown && window.pendingFrames.size === 0;
  });
  assert.equal(await showsSteps(chat, 'ubik-chat'), false);
  await chat.find('.question-placeholder:not([hidden])');
  for (const request of withheld) await request.continue();
  await chat.find('.run');
  assert.equal(await showsSteps(chat, 'ubik-chat'), false);
  await chat.page.waitForFunction(
    () => !document.querySelector('ubik-chat')?.shadowRoot?.querySelector('.question-placeholder'),
  );
});

declare global {
  interface Window {
    /**
     * Times in ms since the epoch: Enter was pressed, words of the answer were shown, the buttons of the complete answer were shown; and the
     * number of frames until the question was shown.
     */
    firstExchange: {
      pressedAt: number;
      shownAt: number;
      completedAt: number;
      questionFrames: number;
    };
  }
}

/** Runs in a page before its scripts: sends a message in the first frame that shows the field, and records when words of the answer are shown. */
function sendAtOnce(): void {
  const times = { pressedAt: 0, shownAt: 0, completedAt: 0, questionFrames: 0 };
  let frames = 0;
  window.firstExchange = times;
  const now = (): number => performance.timeOrigin + performance.now();
  const check = (): void => {
    const root = document.querySelector('ubik-chat')?.shadowRoot;
    const field = root?.querySelector('textarea');
    if (times.pressedAt > 0) frames += 1;
    const isAsked = root?.querySelector('.scroller')?.textContent?.includes('Thank you');
    if (isAsked) times.questionFrames ||= frames;
    if (field && times.pressedAt === 0) {
      times.pressedAt = now();
      field.focus();
      field.value = 'Thank you';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const enter = { key: 'Enter', bubbles: true, composed: true };
      field.dispatchEvent(new KeyboardEvent('keydown', enter));
    }
    if (root?.querySelector('.message.assistant .text')?.textContent) times.shownAt ||= now();
    if (root?.querySelector('.message.assistant .message-footer [title="Regenerate"]'))
      times.completedAt = now();
    else requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}

/** What a browser fetches for a first answer. */
interface FirstAnswer {
  /** Paths of the requests from Enter until words of the answer are shown. */
  readonly requests: readonly string[];
  /** The scripts that are fetched until the answer with its buttons is complete, by path, with the bytes of their gzipped code and those on the network. */
  readonly scripts: ReadonlyMap<string, { readonly gzip: number; readonly transferred: number }>;
}

/** Options of a page with nothing but a chat. */
interface PlainPageOptions {
  /** Attributes of the chat, as HTML. */
  readonly attributes?: string;
  /** Code that the page runs in its module script. */
  readonly script?: string;
  /** Whether a request for this path gets no response. */
  readonly isSilent?: (path: string) => boolean;
}

/** Opens a page with nothing but a chat, as in the README, in which a message is sent as soon as there is a field. */
async function openPlainPage(
  page: Page,
  { attributes = '', script = '', isSilent = () => false }: PlainPageOptions = {},
): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) => {
    const { pathname } = new URL(request.url());
    if (isSilent(pathname)) return;
    if (pathname !== '/plain.html') return void request.continue();
    void request.respond({
      contentType: 'text/html',
      body: `<!doctype html><link rel="icon" href="data:,"><title>Plain</title>
<script defer src="/dist/bundle/ubik-elements.min.js"></script>
<ubik-chat base-url="/api/v1" ${attributes} style="height: 100vh"></ubik-chat>
<script type="module">
  const chat = document.querySelector('ubik-chat');
  chat.getToken = async () => {
    const response = await fetch('/token', { method: 'POST' });
    return (await response.json()).access_token;
  };
  ${script}
</script>`,
    });
  });
  await defineName(page);
  await page.evaluateOnNewDocument(sendAtOnce);
  await page.goto(`${getFixture().proxy.url}/plain.html`, { waitUntil: 'domcontentloaded' });
}

/** Opens an empty page for a new visitor, and closes it after `use`. */
async function withPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const visitor = await openVisitor();
  try {
    return await use(await openPage(visitor));
  } finally {
    await visitor.close();
  }
}

/** Whether a script is requested when a run has ended, for what may follow. An answer with its buttons is complete without it. */
const isAfterAnswer = (path: string): boolean => /\/parts\/(?:stored|request|action)-/u.test(path);

/** Returns what a browser fetches for a first answer on a plain page, without the scripts that it requests for what follows. */
function fetchFirstAnswer(options: PlainPageOptions = {}): Promise<FirstAnswer> {
  return withPage(async (page) => {
    const cdp = await page.createCDPSession();
    await cdp.send('Network.enable');
    const sent = new Map<string, { readonly at: number; readonly path: string }>();
    const lengths = new Map<string, number>();
    cdp.on('Network.requestWillBeSent', ({ requestId, request: { url }, wallTime }) => {
      if (!url.startsWith('http')) return;
      sent.set(requestId, { at: 1000 * wallTime, path: new URL(url).pathname });
    });
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      lengths.set(requestId, encodedDataLength);
    });
    await openPlainPage(page, { isSilent: isAfterAnswer, ...options });
    await page.waitForFunction(() => window.firstExchange.completedAt > 0);
    const { pressedAt, shownAt, completedAt } = await page.evaluate(() => window.firstExchange);
    const sizeOf = (path: string): number => {
      const code = readFileSync(new URL(`../..${path}`, import.meta.url));
      return gzipSync(code, { level: 9 }).length;
    };
    return {
      requests: [...sent.values()]
        .filter(({ at }) => at >= pressedAt && at <= shownAt)
        .map(({ path }) => path),
      scripts: new Map(
        [...sent]
          .filter(([, { at, path }]) => at <= completedAt && /^\/dist\/.*js$/u.test(path))
          .filter(([, { path }]) => !isAfterAnswer(path))
          .map(([id, { path }]) => {
            const transferred = lengths.get(id) ?? Infinity;
            return [path, { gzip: sizeOf(path), transferred }];
          }),
      ),
    };
  });
}

/** Maximum number of requests from Enter until the first words of an answer. */
const MAX_REQUESTS = 10;

/** Throws unless a browser has fetched what the size check counts, compressed, with few requests and one token. */
function checkFirstAnswer({ requests, scripts }: FirstAnswer): void {
  const names = [...scripts.keys()].flatMap((path) => {
    return /\/parts\/([\w-]+)-[\w-]{8}\.js$/u.exec(path)?.[1] ?? [];
  });
  assert.deepEqual(names.sort(), [...FIRST_ANSWER_FILES].sort());
  assert.ok(requests.length <= MAX_REQUESTS, requests.join('\n'));
  assert.equal(requests.filter((path) => path === '/token').length, 1, requests.join('\n'));
  for (const [path, { gzip, transferred }] of scripts) {
    // Headers, and the faster compression of the server.
    assert.ok(transferred < 1.1 * gzip + 1000, `${path}: ${String(transferred)} bytes`);
  }
}

test('browser fetches the files that the size check counts for a first answer, with at most 10 requests and one token', async () => {
  checkFirstAnswer(await fetchFirstAnswer());
});

test('check of a first answer finds a further file and a further token', async () => {
  const withCounter = await fetchFirstAnswer({ attributes: 'max-length="1000"' });
  assert.throws(() => {
    checkFirstAnswer(withCounter);
  }, /composer/u);
  // Another function drops the token, because it may return that of another user.
  const withTokens = await fetchFirstAnswer({
    script: `(function replace() {
      chat.getToken = chat.getToken.bind(chat);
      requestAnimationFrame(replace);
    })();`,
  });
  assert.throws(() => {
    checkFirstAnswer(withTokens);
  }, /token/u);
});

test('question is shown in the next frame although neither the service nor the lazy files respond', async () => {
  await withPage(async (page) => {
    const isSilent = (path: string): boolean =>
      !/^\/(?:plain\.html|dist\/bundle\/[^/]+)$/u.test(path);
    await openPlainPage(page, { isSilent });
    const frames = await page.waitForFunction(() => window.firstExchange.questionFrames);
    // The first callback may run before the one that renders.
    assert.ok((await frames.jsonValue()) <= 2);
  });
});
