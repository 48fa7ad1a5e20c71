import { expect } from '@open-wc/testing';
import '../helpers/load-lazy-modules.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { en } from '../../src/locales/en.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { registerLocale } from '../../src/locales/locale.js';
import { loadView } from '../../src/message/data/data-kinds.js';
import { lazyDataKinds } from '../../src/message/data/data-part-view.js';
import type { PartTree } from '../../src/model/part.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupChat } from './chat-fixture.js';
import { waitFor } from '../helpers/wait-for.js';
import { findWrongLanguages, readTexts, CONTENT_MARK } from './read-languages.js';

const code = `\`\`\`js\n${CONTENT_MARK}(1)\n\`\`\``;
const table = `| ${CONTENT_MARK} a | b ${CONTENT_MARK} |\n|---|---|\n| 1 ${CONTENT_MARK} | 2 ${CONTENT_MARK} |`;
const image = `![${CONTENT_MARK}](https://images.test/a.png)`;

const source = {
  kind: 'citation',
  label: '[1]',
  source: 'web',
  title: `Fonte ${CONTENT_MARK}`,
  url: 'https://sources.test/',
} as const;

const dataset = {
  columns: [
    { name: `Fiume ${CONTENT_MARK}`, type: 'text' },
    { name: `Lunghezza ${CONTENT_MARK}`, type: 'number' },
  ],
  rows: [[`Reno ${CONTENT_MARK}`, 1233]],
} as const;

/** A part of each kind of data and sources. */
const dataParts: readonly PartTree[] = [
  {
    ...dataset,
    kind: 'table',
    key: 'table',
    title: `Fiumi ${CONTENT_MARK}`,
    description: `Misurati ${CONTENT_MARK}`,
    total: 1,
    source: `SELECT ${CONTENT_MARK}`,
  },
  {
    ...dataset,
    kind: 'chart',
    key: 'chart',
    title: `Fiumi ${CONTENT_MARK}`,
    chartType: 'column',
    dimension: `Fiume ${CONTENT_MARK}`,
    measures: [`Lunghezza ${CONTENT_MARK}`],
    groupBy: null,
  },
  {
    kind: 'code',
    key: 'code',
    language: 'python',
    code: `${CONTENT_MARK}()`,
    output: `Fatto ${CONTENT_MARK}`,
    error: `Rotto ${CONTENT_MARK}`,
  },
  {
    ...dataset,
    kind: 'metric',
    key: 'metric',
    title: `Livello ${CONTENT_MARK}`,
    unit: 'm',
    query: `avg(${CONTENT_MARK})`,
  },
  {
    kind: 'web-search',
    key: 'web',
    query: `Fiumi ${CONTENT_MARK}`,
    state: 'done',
    results: [
      {
        title: `Il Reno ${CONTENT_MARK}`,
        url: `https://${CONTENT_MARK}.test/`,
        snippet: `Nasce ${CONTENT_MARK}`,
        site: `Atlante ${CONTENT_MARK}`,
        icon: '',
      },
    ],
  },
  {
    kind: 'passages',
    key: 'passages',
    title: `Corso ${CONTENT_MARK}`,
    passages: [
      {
        title: `Il corso ${CONTENT_MARK}`,
        text: `Scorre ${CONTENT_MARK}`,
        source: `fiumi-${CONTENT_MARK}.pdf`,
        score: 0.9,
        url: '',
      },
    ],
  },
  { kind: 'page', key: 'page', title: `Livelli ${CONTENT_MARK}`, url: 'https://pages.test/' },
];

/** An answer with a part of each kind. */
const parts: readonly PartTree[] = [
  { kind: 'thinking', state: 'closed', key: 'think', text: `Pensare ${CONTENT_MARK}.` },
  {
    kind: 'step',
    number: 1,
    title: `Passo ${CONTENT_MARK}`,
    single: false,
    state: 'completed',
    key: 'step:1',
    parts: [
      {
        kind: 'tool',
        name: 'rag_search',
        toolId: '1',
        state: 'done',
        input: `{"${CONTENT_MARK}":"${CONTENT_MARK}"}`,
        result: `[{"${CONTENT_MARK}":"${CONTENT_MARK} 1"},{"${CONTENT_MARK}":"${CONTENT_MARK} 2"}]`,
        key: 'tool:1',
      },
    ],
  },
  { kind: 'checkpoint', name: `Punto ${CONTENT_MARK}`, key: 'point' },
  {
    kind: 'input-request',
    prompt: `Quale ${CONTENT_MARK}?`,
    answer: `Questo ${CONTENT_MARK}.`,
    inputTypes: ['text'],
    checkpointName: null,
    key: 'ask',
  },
  { kind: 'error', message: `Rotto ${CONTENT_MARK}.`, details: null, key: 'error' },
  { kind: 'unknown', name: 'X', key: 'unknown', text: `Ignoto ${CONTENT_MARK}.` },
  {
    kind: 'text',
    key: 'text',
    text: `Detto ${CONTENT_MARK}[^1] \uE000c1\uE001.\n\n- [x] fatto ${CONTENT_MARK}\n\n${code}\n\n${table}\n\n${image}\n\n[^1]: Nota ${CONTENT_MARK}.`,
    marks: { c1: source },
  },
  ...dataParts,
];

/** Opens a chat with a thread that has all kinds of parts. */
async function setupAll(prepare: (chat: UbikChat) => void = () => undefined) {
  const fixture = await setupChat((chat) => {
    chat.followUps = [`Poi ${CONTENT_MARK}?`];
    prepare(chat);
  });
  const { backend, controller, settle } = fixture;
  const question = {
    ...stored('q', 'user', `Chiedere ${CONTENT_MARK}`),
    attachments: [{ id: 'f', name: `${CONTENT_MARK}.pdf` }],
  };
  const content = contentOf('t', [question, { ...stored('a', 'assistant', ''), parts }]);
  backend.threads.set('t', content);
  await controller.openThread('t');
  await settle();
  for (const details of fixture.root.querySelectorAll('details')) details.open = true;
  await settle();
  // Lazily loaded views are rendered later than the others.
  await waitFor(() => readContent(fixture.root).length >= CONTENT_TEXTS);
  return fixture;
}

/** Number of rendered texts that come from the content. */
const CONTENT_TEXTS = 53;

/** Returns the rendered texts that come from the content. */
const readContent = (root: ShadowRoot): readonly string[] =>
  [...readTexts(root)].map(([text]) => text).filter((text) => text.includes(CONTENT_MARK));

describe('lang attributes in messages', () => {
  const root = document.documentElement;
  const pageLang = root.lang;
  before(async () => {
    await lazyDataKinds.load();
    const kinds = ['table', 'chart', 'code', 'metric', 'web-search', 'passages', 'page'] as const;
    await Promise.all(kinds.map(loadView));
  });
  afterEach(() => {
    root.lang = pageLang;
  });

  it('are English for the interface and Italian for content on an Italian page', async () => {
    root.lang = 'it';
    const { root: shadow, query } = await setupAll();
    expect(query('.ubik').lang).to.equal('en');
    if (CSS.supports('-webkit-locale', '"it"')) {
      const locales = ['.ubik', 'slot[name="header"]', '.text'].map((name) =>
        // Chromium serializes the value with quotes, WebKit without.
        getComputedStyle(query(name)).getPropertyValue('-webkit-locale').replaceAll('"', ''),
      );
      expect(locales).to.deep.equal(['en', 'it', 'it']);
    }
    expect(findWrongLanguages(shadow, 'it')).to.deep.equal([]);
    const content = readContent(shadow);
    const loaded = ['Misurati', 'Lunghezza', 'Fatto', 'Livello', 'Nasce', 'Scorre', 'Livelli'];
    expect(
      loaded.filter((text) => !content.some((found) => found.startsWith(`${text} `))),
    ).to.deep.equal([]);
  });

  it('are empty for content on a page without a language', async () => {
    root.removeAttribute('lang');
    const { root: shadow, query } = await setupAll();
    const own = query('.ubik').lang;
    expect(own).to.match(/^en/);
    expect(findWrongLanguages(shadow, '', own)).to.deep.equal([]);
  });

  it('are absent when the page has the language of the interface', async () => {
    root.lang = 'en-GB';
    const { root: shadow } = await setupAll();
    expect(shadow.querySelectorAll('[lang]')).to.have.length(0);
  });

  it('use the lang of the element when it has one', async () => {
    root.lang = 'en';
    const { root: shadow } = await setupAll((chat) => (chat.lang = 'it'));
    expect(findWrongLanguages(shadow, 'it')).to.deep.equal([]);
  });

  it('follow a change of the page language', async () => {
    root.lang = 'it';
    const { root: shadow, chat, settle, query } = await setupAll();
    const switchTo = async (lang: string): Promise<void> => {
      root.lang = lang;
      await loadLanguage(lang);
      await Promise.resolve();
      await chat.updateComplete;
      await settle();
      await settle();
    };
    await switchTo('de');
    expect([...shadow.querySelectorAll('[lang]')].map(({ outerHTML }) => outerHTML)).to.deep.equal(
      [],
    );
    expect(query('.plain > .meta').textContent).to.equal('Nicht unterstützter Inhalt: X');
    await switchTo('nl');
    expect(findWrongLanguages(shadow, 'nl')).to.deep.equal([]);
  });

  it('are those of the page in announcements', async () => {
    root.lang = 'it';
    const { start, backend, settle, query } = await setupChat();
    await start();
    backend.stream.append(0, 'Una frase. ');
    await settle();
    const announcements = [...query('[aria-live]').children].map((node) => [
      node.textContent,
      (node.firstElementChild as HTMLElement | null)?.lang,
    ]);
    expect(announcements).to.deep.equal([
      ['Working…', undefined],
      ['Una frase.', 'it'],
    ]);
  });

  it('use a registered language when the page has registered most of the strings that each page needs', async () => {
    registerLocale('sv', { send: 'Skicka' });
    root.lang = 'sv';
    const { query, settle } = await setupChat();
    // A single registered string is not a translation.
    expect(query('.ubik').lang).to.equal('en');
    registerLocale('sv', en);
    await settle();
    // The language of the page, so no attribute is needed.
    expect(query('.ubik').lang).to.equal('');
  });
});
