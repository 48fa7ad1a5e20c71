import { expect } from '@open-wc/testing';
import type { StoredMessage } from '../../src/backends/backend.js';
import { exportThread, type ExportedThread } from '../../src/index.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import type { RendererRule } from '../../src/message/parts/renderer-types.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { listAttacks } from '../hostile/attacks.js';
import { setupController } from './chat-fixture.js';
import '../helpers/load-lazy-modules.js';

/** A controller that shows a thread with these messages. */
async function setupThread(messages: readonly StoredMessage[], title = 'Refunds & more') {
  const { controller, backend } = setupController();
  const content = contentOf('t', messages);
  backend.threads.set('t', { ...content, thread: { ...content.thread, title } });
  await controller.openThread('t');
  return controller;
}

const read = (text: string): Document => new DOMParser().parseFromString(text, 'text/html');

/** An answer with thinking, a step with a tool call, an error and a text. */
function answerWithParts() {
  const answer = stored('a', 'assistant', '');
  const tool = {
    kind: 'tool',
    name: 'rag_search',
    toolId: '1',
    state: 'done',
    input: '{"query":"x"}',
    result: 'found <b>',
    key: 'tool:1',
  } as const;
  return {
    ...answer,
    parts: [
      { kind: 'thinking', state: 'closed', key: 'think', text: 'Let me see.' },
      {
        kind: 'step',
        number: 1,
        title: 'Search',
        single: false,
        state: 'completed',
        key: 'step:1',
        parts: [tool],
      },
      { kind: 'error', message: 'It broke.', details: '{"secret":1}', key: 'error' },
      { kind: 'text', key: 'text', text: '**Thirty** days.\n\n| a | b |\n|---|---|\n| 1 | 2 |' },
    ] as const,
  };
}

describe('exported thread', () => {
  it('is serialized as Markdown', async () => {
    const controller = await setupThread(
      [stored('q', 'user', 'How long?'), stored('a', 'assistant', '**Thirty** days.')],
      'Re*funds*',
    );
    expect(await exportThread(controller, 'markdown')).to.equal(
      '# Re\\*funds\\*\n\n## You\n\nHow long?\n\n## Assistant\n\n**Thirty** days.\n',
    );
  });

  it('is serialized as JSON with all contents and without error details', async () => {
    const controller = await setupThread([stored('q', 'user', 'How long?'), answerWithParts()]);
    const exported = JSON.parse(await exportThread(controller, 'json')) as ExportedThread;
    expect(exported).to.include({
      format: 'ubik-thread',
      version: 1,
      id: 't',
      title: 'Refunds & more',
    });
    expect(exported.messages.map(({ id, role }) => [id, role])).to.deep.equal([
      ['q', 'user'],
      ['a', 'assistant'],
    ]);
    expect(exported.messages[0]?.createdAt).to.equal('1970-01-01T00:00:00.001Z');
    expect(exported.messages[1]?.parts.map(({ kind }) => kind)).to.deep.equal([
      'thinking',
      'step',
      'error',
      'text',
    ]);
    expect(JSON.stringify(exported)).to.not.contain('secret');
  });

  it('is serialized as an HTML page that works without scripts', async () => {
    const controller = await setupThread([stored('q', 'user', 'How\nlong?'), answerWithParts()]);
    const text = await exportThread(controller, 'html', { lang: 'de' });
    const page = read(text);
    expect(page.documentElement.lang).to.equal('de');
    expect(page.title).to.equal('Refunds & more');
    expect([...page.querySelectorAll('article')].map(({ className }) => className)).to.deep.equal([
      'user',
      'assistant',
    ]);
    expect(page.querySelector('.user .plain')?.textContent).to.equal('How\nlong?');
    expect(page.querySelector('.assistant strong')?.textContent).to.equal('Thirty');
    expect(page.querySelectorAll('.assistant td')).to.have.length(2);
    expect(page.querySelector('section h3')?.textContent).to.equal('Schritt 1 · Search');
    expect(page.querySelector('section details summary')?.textContent).to.equal(
      'Dokumente durchsuchen',
    );
    expect(page.querySelectorAll('section pre')[1]?.textContent).to.equal('found <b>');
    expect(page.querySelector('.error')?.textContent).to.equal('It broke.');
    expect(page.querySelectorAll('button, script, link, img, svg')).to.have.length(0);
    expect(text).to.not.contain('secret');
  });

  it('marks the language of the interface and of the content', async () => {
    const controller = await setupThread(
      [stored('q', 'user', 'Perché?'), answerWithParts()],
      'Titolo',
    );
    const page = read(await exportThread(controller, 'html', { lang: 'it' }));
    expect(page.documentElement.lang).to.equal('en');
    const contentNodes = [...page.querySelectorAll('h1, .plain, pre, .error, .assistant > div')];
    expect(contentNodes).to.have.length(6);
    for (const node of contentNodes)
      expect(node.closest('[lang]')?.getAttribute('lang')).to.equal('it');
    for (const node of page.querySelectorAll('h2, summary')) {
      expect(node.closest('[lang]')?.getAttribute('lang')).to.equal('en');
    }
    const unknown = read(await exportThread(controller, 'html', { contentLang: '' }));
    expect(unknown.querySelector('.plain')?.getAttribute('lang')).to.equal('');
    // English strings replace missing ones, even if the content is English.
    const english = await exportThread(controller, 'html', { lang: 'it', contentLang: 'en' });
    expect(read(english).documentElement.lang).to.equal('en');
    const same = read(await exportThread(controller, 'html'));
    expect(same.querySelectorAll('body [lang]')).to.have.length(0);
  });

  it('contains nothing that runs code, loads resources, or links to unsafe URLs', async () => {
    const texts = listAttacks().map(({ text }) => text);
    const messages = texts.flatMap((text, at) => [
      stored(`q${at}`, 'user', text),
      stored(`a${at}`, 'assistant', text),
    ]);
    const controller = await setupThread(messages, texts[0]);
    const page = read(await exportThread(controller, 'html'));
    const allowed =
      'a,article,b,bdi,blockquote,body,br,code,del,details,div,em,footer,h1,h2,h3,h4,h5,h6,head,header,hr,html,i,li,main,meta,ol,p,pre,section,span,strong,style,sub,summary,sup,table,tbody,td,th,thead,time,title,tr,ul'.split(
        ',',
      );
    for (const node of page.querySelectorAll('*')) {
      expect(allowed).to.include(node.localName);
      for (const { name, value } of node.attributes) {
        expect(name).to.not.match(/^on|^style$|^src|^srcdoc/);
        if (name === 'href') expect(value).to.match(/^(https?:\/\/|mailto:|tel:|#)/i);
      }
    }
    expect(page.querySelectorAll('article')).to.have.length(messages.length);
    expect(page.querySelectorAll('style')).to.have.length(1);
    expect(page.querySelectorAll('meta')).to.have.length(3);
  });

  it('shows the URL of a source whose title contains another host', async () => {
    const title = 'bank.example';
    const mark = { kind: 'citation', label: '1', id: '1', title, url: 'https://attack.example/' };
    const cited = stored('a', 'assistant', 'Thirty days\uE0001\uE001.');
    const parts = cited.parts.map((one) => ({ ...one, marks: { 1: mark } })) as never;
    const controller = await setupThread([stored('q', 'user', 'How long?'), { ...cited, parts }]);
    const page = read(await exportThread(controller, 'html'));
    expect(page.querySelector('footer li')?.textContent).to.equal(
      '[1] bank.example · attack.example',
    );
  });

  it('loads the code of what it contains first, and no other code', async () => {
    const { lazyHostPart, lazyToolContent } = await lazyViews.load();
    const loaded: string[] = [];
    for (const [name, module] of [
      ['host parts', lazyHostPart],
      ['tools', lazyToolContent],
    ] as const) {
      const load = module.load.bind(module) as () => Promise<never>;
      Object.assign(module, { load: () => load().finally(() => void loaded.push(name)) });
    }
    try {
      const controller = await setupThread([stored('q', 'user', 'How?'), answerWithParts()]);
      await exportThread(controller, 'markdown');
      expect(loaded.splice(0)).to.deep.equal(['tools']);
      const renderers = [
        { kind: 'text', renderer: { mount: () => undefined } },
      ] as unknown as RendererRule[];
      await exportThread(controller, 'markdown', { renderers });
      expect(loaded).to.deep.equal(['host parts', 'tools']);
    } finally {
      for (const module of [lazyHostPart, lazyToolContent]) Reflect.deleteProperty(module, 'load');
    }
  });

  it('is rejected when no thread is shown, or when the format is unknown', async () => {
    const { controller } = setupController();
    const failure = async (act: Promise<unknown>): Promise<unknown> =>
      act.then(
        () => null,
        (error: unknown) => (error as Error).name,
      );
    expect(await failure(exportThread(controller, 'html'))).to.equal('RangeError');
    expect(await failure(exportThread(controller, 'pdf' as never))).to.equal('TypeError');
  });
});
