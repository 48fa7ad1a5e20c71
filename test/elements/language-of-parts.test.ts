import { expect } from '@open-wc/testing';
import '../helpers/all-there.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { registerLocale } from '../../src/locales/locale.js';
import type { PartTree } from '../../src/model/part.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { setupChat } from './chat-stage.js';
import { findWrong, readAll, SAID } from './language-witness.js';

const code = `\`\`\`js\n${SAID}(1)\n\`\`\``;
const table = `| ${SAID} a | b ${SAID} |\n|---|---|\n| 1 ${SAID} | 2 ${SAID} |`;
const image = `![${SAID}](https://images.test/a.png)`;

const source = {
  kind: 'citation',
  label: '[1]',
  source: 'web',
  title: `Fonte ${SAID}`,
  url: 'https://sources.test/',
} as const;

/** An answer with a part of each kind. */
const parts: readonly PartTree[] = [
  { kind: 'thinking', state: 'closed', key: 'think', text: `Pensare ${SAID}.` },
  {
    kind: 'step',
    number: 1,
    title: `Passo ${SAID}`,
    single: false,
    state: 'completed',
    key: 'step:1',
    parts: [
      {
        kind: 'tool',
        name: 'rag_search',
        toolId: '1',
        state: 'done',
        input: `{"${SAID}":"${SAID}"}`,
        result: `[{"${SAID}":"${SAID} 1"},{"${SAID}":"${SAID} 2"}]`,
        key: 'tool:1',
      },
    ],
  },
  { kind: 'checkpoint', name: `Punto ${SAID}`, key: 'point' },
  {
    kind: 'input-request',
    prompt: `Quale ${SAID}?`,
    answer: `Questo ${SAID}.`,
    inputTypes: ['text'],
    checkpointName: null,
    key: 'ask',
  },
  { kind: 'error', message: `Rotto ${SAID}.`, details: null, key: 'error' },
  { kind: 'unknown', name: 'X', key: 'unknown', text: `Ignoto ${SAID}.` },
  {
    kind: 'text',
    key: 'text',
    text: `Detto ${SAID}[^1] \uE000c1\uE001.\n\n- [x] fatto ${SAID}\n\n${code}\n\n${table}\n\n${image}\n\n[^1]: Nota ${SAID}.`,
    marks: { c1: source },
  },
];

/** Opens a chat with a conversation of all kinds of parts. */
async function setupAll(prepare: (chat: UbikChat) => void = () => undefined) {
  const stage = await setupChat((chat) => {
    chat.followUps = [`Poi ${SAID}?`];
    prepare(chat);
  });
  const { backend, controller, settle } = stage;
  const question = {
    ...stored('q', 'user', `Chiedere ${SAID}`),
    attachments: [{ id: 'f', name: `${SAID}.pdf` }],
  };
  const content = contentOf('t', [question, { ...stored('a', 'assistant', ''), parts }]);
  backend.threads.set('t', content);
  await controller.openThread('t');
  await settle();
  for (const fold of stage.root.querySelectorAll('details')) fold.open = true;
  await settle();
  await settle();
  return stage;
}

describe('the language of parts', () => {
  const root = document.documentElement;
  const before = root.lang;
  afterEach(() => {
    root.lang = before;
  });

  it('is English for words of ours and that of the page for what others wrote, in Italian', async () => {
    root.lang = 'it';
    const { root: shadow, query } = await setupAll();
    expect(query('.ubik').lang).to.equal('en');
    if (CSS.supports('-webkit-locale', '"it"')) {
      const drawn = ['.ubik', 'slot[name="header"]', '.text'].map((name) =>
        getComputedStyle(query(name)).getPropertyValue('-webkit-locale'),
      );
      expect(drawn).to.deep.equal(['"en"', '"it"', '"it"']);
    }
    expect(findWrong(shadow, 'it')).to.deep.equal([]);
    expect([...readAll(shadow)].filter(([words]) => words.includes(SAID))).to.have.length.above(20);
  });

  it('is unknown for what others wrote in a page that says none', async () => {
    root.removeAttribute('lang');
    const { root: shadow, query } = await setupAll();
    const own = query('.ubik').lang;
    expect(own).to.match(/^en/);
    expect(findWrong(shadow, '', own)).to.deep.equal([]);
  });

  it('is not written where the page has the language of the words', async () => {
    root.lang = 'en-GB';
    const { root: shadow } = await setupAll();
    expect(shadow.querySelectorAll('[lang]')).to.have.length(0);
  });

  it('is that of the element where it has one', async () => {
    root.lang = 'en';
    const { root: shadow } = await setupAll((chat) => (chat.lang = 'it'));
    expect(findWrong(shadow, 'it')).to.deep.equal([]);
  });

  it('follows the page', async () => {
    root.lang = 'it';
    const { root: shadow, chat, settle, query } = await setupAll();
    const turn = async (lang: string): Promise<void> => {
      root.lang = lang;
      await loadLanguage(lang);
      await Promise.resolve();
      await chat.updateComplete;
      await settle();
      await settle();
    };
    await turn('de');
    expect([...shadow.querySelectorAll('[lang]')].map(({ outerHTML }) => outerHTML)).to.deep.equal(
      [],
    );
    expect(query('.plain > .meta').textContent).to.equal('Inhalt unbekannter Art: X');
    await turn('nl');
    expect(findWrong(shadow, 'nl')).to.deep.equal([]);
  });

  it('is that of the page for what is said aloud', async () => {
    root.lang = 'it';
    const { start, backend, settle, query } = await setupChat();
    await start();
    backend.stream.say(0, 'Una frase. ');
    await settle();
    const said = [...query('[aria-live]').children].map((node) => [
      node.textContent,
      (node.firstElementChild as HTMLElement | null)?.lang,
    ]);
    expect(said).to.deep.equal([
      ['Working…', undefined],
      ['Una frase.', 'it'],
    ]);
  });

  it('is that of words of the page when it has registered most of them', async () => {
    registerLocale('sv', { send: 'Skicka' });
    root.lang = 'sv';
    const { query } = await setupChat();
    // One word does not make a language.
    expect(query('.ubik').lang).to.equal('en');
  });
});
