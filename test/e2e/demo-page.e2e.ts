import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyExhaustive } from '../helpers/sample.js';
import type { ChatPage } from './chat-page.js';
import { setupDemo } from './setup.js';

const getFixture = setupDemo();

/** Opens the demo page with these choices in its address. */
async function openPage(choices: Readonly<Record<string, string>>): Promise<ChatPage> {
  const chat = await getFixture().open();
  await chat.page.goto(
    new URL(`/?${new URLSearchParams(choices).toString()}`, chat.page.url()).href,
    {
      waitUntil: 'load',
    },
  );
  await chat.find('.composer textarea:not([disabled])');
  return chat;
}

/** Follows a link of the page's header by its text. */
async function follow(chat: ChatPage, name: string): Promise<void> {
  const loaded = chat.page.waitForNavigation({ waitUntil: 'load' });
  await chat.page.evaluate((wanted) => {
    const links = [...document.querySelectorAll<HTMLElement>('header a')];
    links.find((link) => link.textContent.trim() === wanted)?.click();
  }, name);
  await loaded;
  await chat.find('.field textarea:not([disabled])');
}

/** The titles in the thread list of the page's chat, once there are `count`. */
function threads(chat: ChatPage, count: number): Promise<string[]> {
  return chat.waitForTexts('ubik-thread-list', '.thread-open .thread-title', count);
}

/** Replaces the value of a field of the form that the chat shows. */
async function fill(chat: ChatPage, field: string, value: string): Promise<void> {
  await chat.focus(`.request [name="${field}"]`);
  await chat.page.keyboard.down('Control');
  await chat.page.keyboard.press('a');
  await chat.page.keyboard.up('Control');
  await chat.page.keyboard.type(value);
}

/** Number of elements of the chat that match a selector. */
function count(chat: ChatPage, selector: string): Promise<number> {
  return chat.page.evaluate(
    (wanted) =>
      document.querySelector('ubik-chat')?.shadowRoot?.querySelectorAll(wanted).length ?? 0,
    selector,
  );
}

/** Questions and texts of the interface in the languages of the page. */
const LANGUAGES = [
  {
    lang: 'en',
    starter: 'Draw a pie chart of the rivers',
    question: 'Which countries does the Danube flow through?',
    contextQuestion: 'Which countries does it cross?',
    chart: 'Draw a pie chart of the rivers',
    costly: 'Export the table of countries',
    exported: 'The table countries is read.',
    skipped: 'I left the table alone.',
    texts: { submit: 'Submit', skip: 'Skip', stop: 'Stop', enlarge: 'Enlarge' },
  },
  {
    lang: 'zh',
    starter: '画一个河流的饼图',
    question: '多瑙河流经哪些国家？',
    contextQuestion: '它流经哪些国家？',
    chart: '画一个河流的饼图',
    costly: '导出整张国家表',
    exported: '已读取表 countries。',
    skipped: '已跳过，没有读取该表。',
    texts: { submit: '提交', skip: '跳过', stop: '停止', enlarge: '放大' },
  },
] as const;

test('the demo page switches between the services, each with its own threads, and remembers the last one', async () => {
  const chat = await getFixture().open();
  await chat.ask('What is 6 * 7?');
  await chat.waitForEvent('ubik-run-completed');
  await follow(chat, 'Data Agent');
  assert.match(chat.page.url(), /service=data-agent/u);
  await chat.waitForText('Draw a pie chart of the rivers');
  await threads(chat, 0);
  await chat.ask('Which countries does the Danube flow through?');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Ukraine');
  // The thread is untitled until the service has named it.
  await chat.waitForText('Danube', 'ubik-thread-list');
  await chat.page.goto(new URL('/', chat.page.url()).href, { waitUntil: 'load' });
  await chat.waitForText('Ukraine');
  await follow(chat, 'UBIK');
  await chat.waitForText('42');
  assert.deepEqual(chat.pageErrors, []);
});

test('the demo page shows the Data Agent as a Chinese side panel whose questions have the chosen context', async () => {
  const chat = await getFixture().open();
  await follow(chat, 'Data Agent');
  await follow(chat, 'Side panel');
  await follow(chat, '中文');
  await chat.waitForText('画一个河流的饼图');
  await chat.page.evaluate(() => document.querySelector<HTMLElement>('#rivers button')?.click());
  const sent = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
  await chat.ask('它流经哪些国家？');
  const body = JSON.parse((await sent).postData() ?? '{}') as Record<string, unknown>;
  assert.deepEqual(body['custom_querys'], { river: 'Danube', length_km: 2850 });
  assert.equal((await sent).headers()['x-language'], 'zh-CN');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('Ukraine');
  await chat.pressButton('移除上下文：多瑙河');
  await chat.waitForEvent('ubik-context-removed');
  await chat.pressButton('深度思考');
  const next = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
  await chat.ask('画一个河流的饼图');
  const later = JSON.parse((await next).postData() ?? '{}') as Record<string, unknown>;
  assert.deepEqual([later['custom_querys'], later['chat_mode']], [undefined, 'deep_thinking']);
  await chat.waitForEvent('ubik-run-completed', 2);
  const pressed = await chat.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#rivers button')].map(
      (button) => button.ariaPressed,
    ),
  );
  assert.deepEqual(new Set(pressed), new Set(['false']));
  assert.deepEqual(chat.pageErrors, []);
});

test('the address of the demo page has all choices, and opens the same page for another visitor', async () => {
  const chat = await openPage({ service: 'data-agent' });
  await follow(chat, 'Side panel');
  await follow(chat, '中文');
  const { search } = new URL(chat.page.url());
  assert.deepEqual(Object.fromEntries(new URLSearchParams(search)), {
    service: 'data-agent',
    layout: 'panel',
    lang: 'zh',
  });
  const other = await openPage(Object.fromEntries(new URLSearchParams(search)));
  await other.waitForText('画一个河流的饼图');
  assert.equal(
    await other.page.evaluate(() => document.querySelector('h1')?.textContent),
    '河流一览',
  );
});

test('the UBIK chat of the demo page greets, suggests and answers in the language of the page', async () => {
  const chat = await openPage({ lang: 'zh' });
  await chat.waitForText('可以询问欧洲的河流');
  await chat.pressButton('多瑙河流经哪些国家？');
  await chat.waitForEvent('ubik-run-completed');
  await chat.waitForText('共有 10 个国家符合条件');
  assert.deepEqual(chat.pageErrors, []);
});

for (const [lang, label, answer] of [
  ['en', 'Add a file with a table of lakes, and ask about it', 'Hornindalsvatnet'],
  ['zh', '添加一份湖泊资料并提问', '425'],
] as const) {
  test(`a starter of the page in ${lang} adds a file that the agent answers from`, async () => {
    const chat = await openPage({ lang });
    await chat.waitForTexts('ubik-chat', '.starter', 4);
    await chat.pressButton(label);
    await chat.waitForEvent('ubik-document-ready');
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText(answer);
    assert.deepEqual(chat.pageErrors, []);
  });
}

test('the page names the sample documents before the first question, and the documents panel lists them afterwards', async () => {
  const chat = await openPage({});
  const samples = (): Promise<string[] | null> =>
    chat.page.evaluate(() => {
      const section = document.querySelector<HTMLElement>('#samples');
      const items = [...(section?.querySelectorAll('li') ?? [])];
      return section?.hidden === false ? items.map((item) => item.textContent.trim()) : null;
    });
  const named = await samples();
  assert.deepEqual(named, [
    'rivers-of-europe.md',
    'kettle-manual.md',
    'the documentation of this project',
  ]);
  await chat.ask('Which is the longest river?');
  await chat.waitForEvent('ubik-run-completed');
  assert.equal(await samples(), null);
  for (const name of named.slice(0, 2)) await chat.waitForText(name, 'ubik-documents');
  assert.deepEqual(chat.pageErrors, []);
});

test('a starter of the page shows the checkpoints of its answer', async () => {
  const chat = await openPage({});
  await chat.pressButton('Summarise all documents, then go back to a checkpoint');
  await chat.waitForEvent('ubik-run-completed');
  const titles = await chat.waitForTexts('ubik-checkpoints', '.point .title', 3);
  assert.match(titles[0] ?? '', /^\s*After step 1: Read /u);
  const chosen = await chat.page.$eval('#tab-checkpoints', (tab) => tab.ariaSelected);
  assert.equal(chosen, 'true');
});

for (const { lang, texts, ...expected } of LANGUAGES) {
  // Tests that do not depend on the language run in English only, unless all tests run.
  const inEnglish = lang === 'en' ? {} : onlyExhaustive;
  for (const layout of ['page', 'panel'] as const) {
    const isSampled = (layout === 'page') === (lang === 'en');
    test(
      `the Data Agent answers in the layout "${layout}" of the page in ${lang}, live as after a reload`,
      isSampled ? {} : onlyExhaustive,
      async () => {
        const chat = await openPage({ service: 'data-agent', layout, lang });
        await chat.waitForText(expected.starter);
        await chat.ask(expected.question);
        await chat.waitForEvent('ubik-run-completed');
        await chat.find('.data table');
        const live = await chat.transcript();
        assert.match(live, /Ukraine/u);
        await chat.reload();
        await chat.find('.data table');
        assert.equal(await chat.transcript(), live);
        assert.deepEqual(chat.pageErrors, []);
      },
    );
  }

  test(`a question in the side panel of the page in ${lang} has the chosen river as context`, async () => {
    const chat = await openPage({ service: 'data-agent', layout: 'panel', lang });
    await chat.page.evaluate(() => document.querySelector<HTMLElement>('#rivers button')?.click());
    const sent = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
    await chat.ask(expected.contextQuestion);
    const body = JSON.parse((await sent).postData() ?? '{}') as Record<string, unknown>;
    assert.deepEqual(body['custom_querys'], { river: 'Danube', length_km: 2850 });
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText('Ukraine');
    assert.deepEqual(chat.pageErrors, []);
  });

  test(`a costly tool runs after approval on the page in ${lang}, with the arguments that the user edits`, async () => {
    const chat = await openPage({ service: 'data-agent', lang });
    await chat.ask(expected.costly);
    await chat.waitForEvent('ubik-run-paused');
    await chat.pressButton(texts.submit);
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText(expected.exported);
    assert.equal(await count(chat, 'article'), 2);
    await chat.ask(expected.costly);
    await chat.waitForEvent('ubik-run-paused', 2);
    await fill(chat, 'field-0', 'rivers');
    await fill(chat, 'field-1', '4');
    const sent = chat.page.waitForRequest((request) => request.url().endsWith('/chat/completion'));
    await chat.pressButton(texts.submit);
    const body = JSON.parse((await sent).postData() ?? '{}') as {
      resume_interrupt_info?: Record<string, unknown>;
    };
    assert.deepEqual(body.resume_interrupt_info?.['modified_args'], [
      { key: 'table', value: 'rivers' },
      { key: 'max_rows', value: 4 },
    ]);
    await chat.waitForEvent('ubik-run-completed', 2);
    await chat.waitForText(expected.exported.replace('countries', 'rivers'));
    assert.deepEqual(chat.pageErrors, []);
  });

  test(`a costly tool that is skipped on the page in ${lang} is not run`, inEnglish, async () => {
    const chat = await openPage({ service: 'data-agent', lang });
    await chat.ask(expected.costly);
    await chat.waitForEvent('ubik-run-paused');
    await chat.pressButton(texts.skip);
    await chat.waitForEvent('ubik-run-completed');
    await chat.waitForText(expected.skipped);
    assert.deepEqual(chat.pageErrors, []);
  });

  test(
    `Stop on the page in ${lang} ends an answer that stays as it is after a reload`,
    inEnglish,
    async () => {
      const chat = await openPage({ service: 'data-agent', lang });
      const { demo } = getFixture();
      await demo.control({ pause: { point: 'text', skip: 12 } });
      await chat.ask(expected.question);
      await demo.control({ whenPaused: true });
      await chat.pressButton(texts.stop);
      await chat.waitForEvent('ubik-run-stopped');
      await demo.control({ resume: true });
      await chat.find('.data table');
      const stopped = await chat.transcript();
      // Only the rows of the query name the country: the text after them was not written.
      assert.equal(stopped.split('Ukraine').length - 1, 1);
      await chat.reload();
      await chat.find('.data table');
      assert.equal(await chat.transcript(), stopped);
    },
  );

  test(
    `a reload in the middle of an answer on the page in ${lang} resumes it`,
    inEnglish,
    async () => {
      const chat = await openPage({ service: 'data-agent', lang });
      const { demo } = getFixture();
      await demo.control({ pause: { point: 'text', skip: 12 } });
      await chat.ask(expected.question);
      await demo.control({ whenPaused: true });
      // Wait for the response, not for the request: a run that ends before the request arrives cannot be resumed.
      const resumed = chat.page.waitForResponse((response) =>
        response.url().endsWith('/chat/resume'),
      );
      await chat.reload();
      await resumed;
      await demo.control({ resume: true });
      await chat.waitForEvent('ubik-run-completed');
      // The question is shown before the views of the messages are loaded.
      await chat.find('.data table');
      await chat.waitForText('Ukraine');
      assert.equal(await count(chat, 'article'), 2);
      assert.deepEqual(chat.pageErrors, []);
    },
  );

  test(`a chart on the page in ${lang} switches to a table and another type, and is enlarged until Escape`, async () => {
    const chat = await openPage({ service: 'data-agent', lang });
    await chat.ask(expected.chart);
    await chat.waitForEvent('ubik-run-completed');
    await chat.find('.chart .hidden table');
    const type = await chat.find('.chart select');
    await type.select('table');
    await chat.find('.chart figure > :not(.hidden) table, .chart figure > table');
    await type.select('column');
    await chat.find('.chart .plot:not([hidden])');
    await chat.pressButton(texts.enlarge);
    await chat.find('.chart dialog[open]');
    await chat.page.keyboard.press('Escape');
    await chat.find('.chart > figure');
    const focused = await chat.page.evaluate(
      () =>
        document.querySelector('ubik-chat')?.shadowRoot?.activeElement?.textContent?.trim() ?? '',
    );
    assert.equal(focused, texts.enlarge);
    assert.deepEqual(chat.pageErrors, []);
  });
}

for (const service of ['ubik', 'data-agent']) {
  test(`the page with the service ${service} has one bar on a phone, with the header of the page and the buttons of the drawers`, async () => {
    const chat = await openPage({ service });
    await chat.page.setViewport({ width: 375, height: 720, isMobile: true, hasTouch: true });
    await chat.find('.side-toggle-start');
    await chat.waitForTexts('ubik-thread-list', '.thread-new', 1);
    await chat.page.waitForFunction(
      () => document.querySelector('header')?.parentElement?.localName === 'ubik-chat',
    );
    const { top, overflow, names } = await chat.page.evaluate(() => {
      const root = document.querySelector('ubik-chat')?.shadowRoot;
      const roots = [document, root, document.querySelector('ubik-thread-list')?.shadowRoot];
      const buttons = roots.flatMap((each) => [...(each?.querySelectorAll('button') ?? [])]);
      return {
        names: buttons.map(({ textContent }) => textContent.trim()),
        top: root?.querySelector('.transcript')?.getBoundingClientRect().top ?? Infinity,
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      };
    });
    assert.ok(top > 0 && top <= 60, `messages begin at ${String(top)} px`);
    assert.equal(overflow, 0);
    assert.equal(names.filter((name) => name === 'New conversation').length, 1);
    await chat.pressButton(service === 'ubik' ? 'Details panel' : 'Conversations');
    await chat.find('.side.open');
    await chat.page.keyboard.press('Escape');
    await chat.page.setViewport({ width: 1280, height: 720 });
    await chat.page.waitForFunction(
      () => document.querySelector('header')?.parentElement === document.body,
    );
    assert.deepEqual(chat.pageErrors, []);
  });
}

test('the header of the demo page is one row on a phone, and a menu has the other choices', async () => {
  const chat = await openPage({ service: 'data-agent' });
  for (const width of [320, 390]) {
    await chat.page.setViewport({ width, height: 720, isMobile: true, hasTouch: true });
    await chat.find('.composer textarea');
    const { height, overflow } = await chat.page.evaluate(() => ({
      height: document.querySelector('header')?.getBoundingClientRect().height ?? 0,
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }));
    assert.ok(height <= 60, `${String(height)} px at a width of ${String(width)}`);
    assert.equal(overflow, 0);
  }
  await chat.page.click('#more');
  const isInView = await chat.page.evaluate(() => {
    const box = document.querySelector('#options')?.getBoundingClientRect();
    return box !== undefined && box.width > 0 && box.left >= 0 && box.right <= innerWidth;
  });
  assert.ok(isInView);
  await follow(chat, '中文');
  await chat.waitForText('画一个河流的饼图');
  assert.deepEqual(chat.pageErrors, []);
});
