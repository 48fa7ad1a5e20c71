import { expect } from '@open-wc/testing';
import { serializeHtml } from '../../src/message/export/serialize-html.js';
import {
  listModules,
  serializeThread,
  type ExportedThread,
} from '../../src/message/export/serialize-thread.js';
import type { Change } from '../../src/model/change.js';
import type { Json } from '../../src/model/json.js';
import type { MessageFields } from '../../src/model/message.js';
import {
  ACTIVITY,
  type CitationMark,
  type PartFields,
  type PartTree,
} from '../../src/model/part.js';
import type { Thread } from '../../src/model/thread.js';
import { isLeftToRight } from '../helpers/reading-order.js';
import { threadOf } from './thread-of.js';

const cite = (label: string, more: Partial<CitationMark>): CitationMark => ({
  ...{ kind: 'citation', label: `[${label}]`, source: '' },
  ...more,
});

/** A thread with an answer of these parts. */
const threadWith = (parts: readonly PartTree[], fields: Partial<MessageFields> = {}): Thread =>
  threadOf('a', { a: fields }, { type: 'content', message: 'a', parts });

const parse = (text: string): Document => new DOMParser().parseFromString(text, 'text/html');

/** Exports a thread as HTML and shows it in a frame. */
async function showPage(thread: Thread): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.srcdoc = await serializeThread(thread, 'html', {});
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  return frame;
}

describe('HTML export', () => {
  it('needs the modules for the data and the tools of the exported branch', () => {
    const tool: PartTree = {
      ...{ kind: 'tool', key: 'tool', name: 'chart', toolId: '', state: 'done' },
      ...{ input: null, result: null },
    };
    const page: PartTree = { kind: 'page', key: 'page', title: '', url: 'https://a.example/' };
    const step: PartTree = {
      ...{ kind: 'step', key: 'step', number: 1, title: '', single: false, state: 'completed' },
      parts: [tool],
    };
    const text: PartTree = { kind: 'text', key: 't', text: 'x' };
    expect(listModules(threadWith([text]), {})).to.deep.equal([]);
    expect(listModules(threadWith([step, tool]), {})).to.deep.equal(['lazyToolContent']);
    expect(listModules(threadWith([page, text]), {})).to.deep.equal(['lazyDataKinds']);
  });

  it('lists each cited source once, as a link only where its URL is allowed', async () => {
    const marks = {
      a: cite('1', { title: 'Web page', url: 'https://a.example/x' }),
      b: cite('2', { title: 'Script', url: 'javascript:alert(1)' }),
      c: cite('3', {}),
      d: cite('4', { url: 'https://b.example/' }),
    };
    const text =
      'x \uE000a\uE001 \uE000b\uE001 \uE000c\uE001 \uE000d\uE001 \uE000a\uE001 \uE000e\uE001';
    const page = parse(
      await serializeThread(threadWith([{ kind: 'text', key: 't', text, marks }]), 'html', {}),
    );
    const rows = [...page.querySelectorAll('article footer li')];
    expect(rows.map(({ textContent }) => textContent)).to.deep.equal([
      '[1] Web page',
      '[2] Script',
      '[3] Document',
      '[4] https://b.example/',
    ]);
    expect(rows.map((row) => row.querySelector('a')?.getAttribute('href') ?? null)).to.deep.equal([
      'https://a.example/x',
      null,
      null,
      'https://b.example/',
    ]);
    expect([...page.querySelectorAll('sup')].map(({ textContent }) => textContent)).to.deep.equal([
      '[1]',
      '[2]',
      '[3]',
      '[4]',
      '[1]',
    ]);
  });

  it('has no sources, time and attachments when there are none', async () => {
    const thread = threadWith([{ kind: 'text', key: 't', text: 'x' }], { createdAt: null });
    const page = parse(await serializeThread(thread, 'html', {}));
    expect(page.querySelector('footer, time, ul')).to.equal(null);
  });

  it('lists attachments, and has the time of a message', async () => {
    const attachments = [{ id: '1', name: 'a <b>.pdf' }];
    const thread = threadWith([], { role: 'user', attachments, createdAt: 0 });
    const page = parse(await serializeThread(thread, 'html', {}));
    expect(page.querySelector('ul li')?.textContent).to.equal('a <b>.pdf');
    expect(page.querySelector('time')?.dateTime).to.equal('1970-01-01T00:00:00.000Z');
  });

  it('has the answers to requests as the message shows them, and no secret one', async () => {
    const request = (key: string, answer: string | null): PartTree => ({
      ...{ kind: 'input-request', key, prompt: key, inputTypes: ['text'] },
      ...{ checkpointName: null, answer },
    });
    const activity = (part: string, schema: Json): Change => ({
      ...{ type: 'part', message: 'a', part: `@${part}`, parent: ACTIVITY, before: null },
      value: {
        ...{ kind: 'request-activity', part, state: 'answered', answer: '{"input":"x"}', schema },
      } as PartFields,
    });
    const parts = [
      request('text', '{"type":"input","input":"By train"}'),
      request('choice', '{"input":true}'),
      request('none', '{"type":"declined"}'),
      request('secret', '{"input":"hunter2"}'),
      request('known', null),
      request('pending', null),
    ];
    const thread = threadOf(
      'a',
      { a: {} },
      { type: 'content', message: 'a', parts },
      activity('secret', { type: 'string', format: 'password' }),
      activity('known', null),
    );
    const page = parse(await serializeThread(thread, 'html', {}));
    const shown = [...page.querySelectorAll('.box')].map((box) =>
      [...box.querySelectorAll('p')].map(({ textContent }) => textContent).join(': '),
    );
    expect(shown).to.deep.equal([
      'text: By train',
      'choice: Yes',
      'none: Skipped',
      'secret: Answered',
      'known: x',
      'pending',
    ]);
  });

  it('has an element for thinking, steps, checkpoints, requests and unknown parts', async () => {
    const page = parse(
      await serializeThread(
        threadWith([
          { kind: 'thinking', key: 'th', state: 'closed', text: 'A thought' },
          {
            ...{ kind: 'step', key: 's1', number: 1, title: '', single: false, state: 'completed' },
            parts: [{ kind: 'text', key: 's1t', text: 'Inner' }],
          },
          {
            ...{ kind: 'step', key: 's2', number: null, title: 'Only', single: true },
            ...{ state: 'completed', parts: [{ kind: 'text', key: 's2t', text: 'Single' }] },
          },
          { kind: 'checkpoint', key: 'c1', name: 'Before writing' },
          {
            ...{ kind: 'input-request', key: 'r', prompt: 'Which?', inputTypes: ['text'] },
            ...{ checkpointName: null, answer: 'This' },
          },
          { kind: 'unknown', key: 'u', name: 'poem', text: 'Roses' },
          { kind: 'unknown', key: 'v', name: 'silence' },
        ]),
        'html',
        {},
      ),
    );
    expect(page.querySelector('details summary')?.textContent).to.equal('Thought');
    expect(page.querySelector('details')?.textContent).to.contain('A thought');
    expect(page.querySelectorAll('section')).to.have.length(1);
    expect(page.querySelector('section h3')?.textContent).to.equal('Step 1');
    expect(page.querySelector('section')?.textContent).to.contain('Inner');
    const texts = [...page.querySelectorAll('article > div:not(.box)')];
    expect(texts.map(({ textContent }) => textContent.trim())).to.deep.equal(['Single', 'Roses']);
    expect(
      [...page.querySelectorAll('article > .note')].map(({ textContent }) => textContent),
    ).to.deep.equal(['Before writing']);
    expect(page.querySelector('.box p')?.textContent).to.equal('Which?');
    expect(page.querySelector('.box .plain')?.textContent).to.equal('This');
    expect(
      [...page.querySelectorAll('article > .plain')].map(({ textContent }) => textContent),
    ).to.deep.equal(['Roses']);
  });

  it('names a checkpoint as the message does: with a generated name, by the step before it', async () => {
    const page = parse(
      await serializeThread(
        threadWith([
          { kind: 'checkpoint', key: 'c1', name: '' },
          { kind: 'checkpoint', key: 'c2', name: 'run-1' },
          { kind: 'step', key: 's', number: 2, title: 'Read', single: false, state: 'completed' },
          { kind: 'checkpoint', key: 'c3', name: 'run-1-step-2' },
        ]),
        'html',
        {},
      ),
    );
    expect(
      [...page.querySelectorAll('article > .note')].map(({ textContent }) => textContent),
    ).to.deep.equal(['Checkpoint', 'run-1', 'After step 2: Read']);
  });

  it('declares its encoding, and has the title of the thread as its title and heading', async () => {
    const thread = threadOf(
      'a',
      { a: {} },
      { type: 'thread', set: { title: 'Rivers *of* Europe' } },
    );
    const page = parse(await serializeThread(thread, 'html', {}));
    expect(page.querySelector('meta[charset]')?.getAttribute('charset')).to.equal('utf-8');
    expect([page.title, page.querySelector('h1')?.textContent]).to.deep.equal([
      'Rivers *of* Europe',
      'Rivers *of* Europe',
    ]);
  });

  it('has the title of a call and the state of a tool that is not done in its summary', async () => {
    const tool = (key: string, more: object): PartTree => ({
      ...{ kind: 'tool', key, name: 'rag_search', toolId: key, state: 'done' },
      ...{ input: null, result: null },
      ...more,
    });
    const page = parse(
      await serializeThread(
        threadWith([tool('a', { title: 'Rain' }), tool('b', { state: 'failed' })]),
        'html',
        {},
      ),
    );
    const summaries = [...page.querySelectorAll('summary')];
    expect(summaries.map(({ textContent }) => textContent)).to.deep.equal([
      'Search documents · Rain',
      'Search documents · failed',
    ]);
  });

  it('names an untitled thread', async () => {
    const page = parse(await serializeThread(threadWith([]), 'html', {}));
    expect([page.title, page.querySelector('h1')?.textContent]).to.deep.equal([
      'Conversation',
      'Conversation',
    ]);
  });
});

describe('JSON export', () => {
  it('has null for an unknown time, and no details of errors at any level', async () => {
    const error = { kind: 'error', key: 'e', message: 'It broke.', details: 'secret' } as const;
    const step = {
      kind: 'step',
      key: 's',
      number: 1,
      title: 'Read',
      single: false,
      state: 'completed',
      parts: [error],
    } as const;
    const text = await serializeThread(threadWith([step], { createdAt: null }), 'json', {});
    const { messages } = JSON.parse(text) as ExportedThread;
    expect(messages[0]?.createdAt).to.equal(null);
    expect(messages[0]?.parts).to.deep.equal([{ ...step, parts: [{ ...error, details: null }] }]);
  });
});

describe('totals of an answer', () => {
  it('are not exported in any format', async () => {
    const text = { kind: 'text', key: 't', text: 'Yes.' } as const;
    const usage = { seconds: 3.42, tokens: 918, firstTokenMs: 640 };
    const thread = threadWith([text], { usage });
    for (const format of ['json', 'markdown', 'html'] as const) {
      expect(await serializeThread(thread, format, {}), format).not.to.match(/918|3\.42|640|usage/);
    }
  });
});

describe('Markdown export', () => {
  it('begins with the title of the thread as a heading', async () => {
    const set = { title: 'Rivers *of* Europe' };
    const thread = threadOf('a', { a: {} }, { type: 'thread', set });
    const markdown = await serializeThread(thread, 'markdown', {});
    expect(markdown.startsWith('# Rivers \\*of\\* Europe\n\n## Assistant')).to.equal(true);
  });

  it('lists attachments, and omits an empty title and empty messages', async () => {
    const attachments = [{ id: '1', name: 'a\n*b*.pdf' }];
    const thread = threadWith([], { role: 'user', attachments });
    expect(await serializeThread(thread, 'markdown', {})).to.equal('## You\n\n- a \\*b\\*.pdf\n');
  });

  it('keeps the number or dash with which the name of an attachment begins', async () => {
    const attachments = ['1. Report.pdf', '- draft.pdf'].map((name) => ({ id: name, name }));
    const thread = threadWith([], { role: 'user', attachments });
    expect(await serializeThread(thread, 'markdown', {})).to.equal(
      '## You\n\n- 1\\. Report.pdf\n- \\- draft.pdf\n',
    );
  });

  it('keeps the footnotes of each answer apart', async () => {
    const note = (text: string): PartTree[] => [
      { kind: 'text', key: 't', text: `Yes[^1]\n\n[^1]: ${text}` },
    ];
    const thread = threadOf(
      'b',
      { a: {}, b: { parent: 'a' } },
      { type: 'content', message: 'a', parts: note('First') },
      { type: 'content', message: 'b', parts: note('Second') },
    );
    expect(await serializeThread(thread, 'markdown', {})).to.equal(
      '## Assistant\n\nYes[^1-1]\n\n[^1-1]: First\n\n## Assistant\n\nYes[^1-2]\n\n[^1-2]: Second\n',
    );
  });

  it('ends the code of a stopped answer', async () => {
    const attachments = [{ id: '1', name: 'a.pdf' }];
    const thread = threadWith([{ kind: 'text', key: 't', text: '```\nlet a' }], { attachments });
    expect(await serializeThread(thread, 'markdown', {})).to.equal(
      '## Assistant\n\n```\nlet a\n```\n\n- a.pdf\n',
    );
  });
});

describe('serializeHtml', () => {
  const serialize = (markup: string): string => {
    const template = document.createElement('template');
    template.innerHTML = markup;
    return [...template.content.childNodes].map(serializeHtml).join('');
  };

  it('keeps allowed elements and attributes, and the content of other elements', () => {
    expect(serialize('<p class="a" style="x" onclick="y">One <u>two</u><br></p>')).to.equal(
      '<p class="a">One <u>two</u><br></p>',
    );
    expect(serialize('<blink><b>x</b></blink>')).to.equal('<b>x</b>');
  });

  it('removes scripts and styles with their content', () => {
    expect(serialize('<p>a<style>p { color: red }</style><script>b</script></p>')).to.equal(
      '<p>a</p>',
    );
  });

  it('keeps the items of a long list without their groups', () => {
    const items = '<div class="ubik-items" role="none"><li value="2" role="listitem">b</li></div>';
    expect(serialize(`<ol><li>a</li>${items}</ol>`)).to.equal('<ol><li>a</li><li>b</li></ol>');
  });

  it('keeps only safe URLs of links', () => {
    const hrefs = [
      'https://a.example',
      'http://a',
      'mailto:a@b.c',
      'tel:1',
      '#x',
      'javascript:x',
      '/x',
    ];
    const links = hrefs.map((href) => serialize(`<a href="${href}">l</a>`).includes('href'));
    expect(links).to.deep.equal([true, true, true, true, true, false, false]);
  });

  it('removes elements that need a script or load something, but keeps the label of a citation', () => {
    expect(
      serialize('<button>x</button><img src="a"><svg><text>x</text></svg><!-- x -->'),
    ).to.equal('');
    expect(serialize('<button class="cite">1 &lt;</button>')).to.equal('<sup>[1 &lt;]</sup>');
  });

  it('replaces images by links with the host, and by their description where that is not possible', () => {
    const image = (attributes: string): string =>
      serialize(`<button class="ubik-image" ${attributes}>Load</button>`);
    const source = 'data-source="https://a.example/b.png"';
    const href = 'href="https://a.example/b.png"';
    expect(image(`${source} data-alt="&lt;b&gt;"`)).to.equal(
      `<a ${href}><bdi>&lt;b&gt;</bdi></a> (<bdi>a.example</bdi>)`,
    );
    expect(image(`${source} data-alt=""`)).to.equal(
      `<a ${href}><bdi>https://a.example/b.png</bdi></a> (<bdi>a.example</bdi>)`,
    );
    expect(image('data-source="data:image/png;base64,x" data-alt="A &amp; B"')).to.equal(
      'A &amp; B',
    );
    expect(
      serialize(`<a href="#x"><button class="ubik-image" ${source} data-alt="A"></button></a>`),
    ).to.equal('<a href="#x">A</a>');
    expect(serialize('<img class="ubik-image" src="https://a.example/b.png" alt="A">')).to.equal(
      `<a ${href}><bdi>A</bdi></a> (<bdi>a.example</bdi>)`,
    );
  });

  it('removes what the page has drawn in place of code, which is kept', () => {
    expect(
      serialize('<div class="ubik-code"><div class="ubik-fence">x</div><pre hidden>y</pre></div>'),
    ).to.equal('<div class="ubik-code"><pre>y</pre></div>');
  });

  it('replaces the checkboxes of tasks by characters', () => {
    const box = '<input class="ubik-task" type="checkbox">';
    expect(serialize(`<li>${box} a</li>`)).to.equal('<li>☐ a</li>');
    expect(serialize(`<li>${box.replace('>', ' checked>')} a</li>`)).to.equal('<li>☑ a</li>');
  });

  it('escapes text and attribute values', () => {
    const node = document.createElement('p');
    node.className = '"&<';
    node.textContent = '<a> & "b" \0';
    expect(serializeHtml(node)).to.equal(
      '<p class="&quot;&amp;&lt;">&lt;a&gt; &amp; &quot;b&quot; \uFFFD</p>',
    );
  });
});

describe('HTML export of parts', () => {
  const pageOf = async (...parts: readonly PartTree[]): Promise<Document> =>
    parse(await serializeThread(threadWith(parts), 'html', {}));

  it('has the number and the title of a step', async () => {
    const titles = [];
    for (const [number, title] of [
      [1, 'Read'],
      [2, ''],
      [null, 'Write'],
    ] as const) {
      const step = { kind: 'step', number, title, single: false, state: 'completed' } as const;
      titles.push((await pageOf({ ...step, key: 's' })).querySelector('h3')?.textContent);
    }
    expect(titles).to.deep.equal(['Step 1 · Read', 'Step 2', 'Write']);
  });

  it('has the input and the result of a tool if they are known', async () => {
    const call = {
      kind: 'tool',
      key: 'x',
      name: 'rag_search',
      toolId: '1',
      state: 'done',
    } as const;
    const page = await pageOf({ ...call, input: '{"query":"<x>"}', result: null });
    expect(page.querySelector('summary')?.textContent).to.equal('Search documents');
    const texts = [...page.querySelectorAll('pre')].map(({ textContent }) => textContent);
    expect(texts).to.deep.equal(['{"query":"<x>"}']);
    const finished = await pageOf({ ...call, input: null, result: 'found' });
    expect(finished.querySelector('pre')?.textContent).to.equal('found');
  });

  it('has the message of an error without its details', async () => {
    const page = await pageOf({ kind: 'error', key: 'e', message: 'Broken', details: 'secret' });
    expect(page.querySelector('.error')?.textContent).to.equal('Broken');
    const described = { kind: 'error', key: 'e', message: 'Broken.', advice: 'Mend it.' } as const;
    const other = await pageOf({ ...described, details: null, code: 'E7' });
    expect(other.querySelector('.error')?.textContent).to.equal('Broken. Mend it.');
    const bare = await pageOf({ kind: 'error', key: 'e', message: '', details: null, code: 'E7' });
    expect(bare.querySelector('.error')?.textContent).to.equal(
      'The assistant ended with an error.',
    );
    expect(page.body.textContent).not.to.contain('secret');
  });

  it('renders the text of an answer as Markdown, and that of a user unchanged', async () => {
    const text = { kind: 'text', key: 't', text: '**x** [^1]\n\n[^1]: Note' } as const;
    expect((await pageOf(text)).querySelector('strong')?.textContent).to.equal('x');
    const thread = threadWith([text], { role: 'user' });
    const page = parse(await serializeThread(thread, 'html', {}));
    expect(page.querySelector('strong')).to.equal(null);
    expect(page.querySelector('.plain')?.textContent).to.contain('**x**');
    expect(page.querySelector('article.user h2')?.textContent).to.equal('You');
  });

  it('has the images and tasks of an answer', async () => {
    const text = '![A chart](https://a.example/b.png)\n\n- [x] done\n- [ ] open';
    const page = await pageOf({ kind: 'text', key: 't', text });
    const link = page.querySelector('article a');
    expect([link?.textContent, link?.getAttribute('href')]).to.deep.equal([
      'A chart',
      'https://a.example/b.png',
    ]);
    const items = [...page.querySelectorAll('li')].map(({ textContent }) => textContent);
    expect(items).to.deep.equal(['☑ done', '☐ open']);
  });

  it('has each text in its own direction, whatever that of the title is, and code from left to right', async () => {
    const text = 'Hello.\n\nשלום.\n\n[כותרת](https://a.example/)\n\n- One\n\n```\nלא = 1\n```';
    const prompt = { kind: 'input-request', key: 'i', prompt: 'Which?', answer: 'כן' } as const;
    const thread = threadWith([{ kind: 'text', key: 't', text }, prompt as PartTree]);
    const frame = await showPage({ ...thread, title: 'כותרת' });
    /** The side at which the text of each element starts. */
    const sides = (selector: string): string[] =>
      [...(frame.contentDocument?.querySelectorAll(selector) ?? [])].map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const [content, box] = [range.getBoundingClientRect(), node.getBoundingClientRect()];
        return content.left - box.left < box.right - content.right ? 'left' : 'right';
      });
    expect([sides('h1'), sides('h2'), sides('p'), sides('li'), sides('pre')]).to.deep.equal([
      ['right'],
      ['left'],
      ['left', 'right', 'right', 'left', 'right'],
      ['left'],
      ['left'],
    ]);
    frame.remove();
  });

  it('has code and addresses in right-to-left text from left to right', async () => {
    const text = 'استخدم `foo()` الآن.\n\nانظر <https://a.example/docs/> الآن.';
    const frame = await showPage(threadWith([{ kind: 'text', key: 't', text }]));
    const found = [...(frame.contentDocument?.querySelectorAll('p :is(code, a)') ?? [])];
    expect(found.map(isLeftToRight)).to.deep.equal([true, true]);
    frame.remove();
  });

  it('has unique ids', async () => {
    const text = 'x [^1]\n\n[^1]: Note';
    const page = await pageOf({ kind: 'text', key: 't', text }, { kind: 'text', key: 'u', text });
    const ids = [...page.querySelectorAll('[id]')].map(({ id }) => id);
    expect(ids.length).to.be.above(1);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('shows the host of a source whose title contains another one', async () => {
    const marks = { a: cite('1', { title: 'bank.example', url: 'https://evil.example/' }) };
    const page = await pageOf({ kind: 'text', key: 't', text: '\uE000a\uE001', marks });
    expect(page.querySelector('footer li')?.textContent).to.equal(
      '[1] bank.example · evil.example',
    );
  });

  it('lists all sources when two texts of an answer number their own', async () => {
    const thread = threadWith(
      ['First', 'Second', 'First'].map((title, at) => ({
        ...{ kind: 'text', key: `t${at}`, text: '\uE000a\uE001' },
        marks: { a: cite('1', { title }) },
      })),
    );
    const page = parse(await serializeThread(thread, 'html', {}));
    const rows = [...page.querySelectorAll('footer li')].map((row) => row.textContent);
    expect(rows).to.deep.equal(['[1] First', '[1] Second']);
  });

  it('lists sources at the message that cites them', async () => {
    const content = (key: string, marks?: Record<string, CitationMark>) =>
      ({
        type: 'content',
        message: key,
        parts: [{ kind: 'text', key: 't', text: '\uE000a\uE001', ...(marks && { marks }) }],
      }) as const;
    const thread = threadOf(
      'b',
      { a: {}, b: { parent: 'a' } },
      content('a', { a: cite('1', { title: 'Policy' }) }),
      content('b'),
    );
    const page = parse(await serializeThread(thread, 'html', {}));
    const counts = [...page.querySelectorAll('article')].map(
      (article) => article.querySelectorAll('footer').length,
    );
    expect(counts).to.deep.equal([1, 0]);
  });

  it('marks content that is in another language than the labels', async () => {
    const thread = threadWith([{ kind: 'text', key: 't', text: 'Bonjour' }]);
    const named = { ...thread, title: 'Salut' };
    const mixed = parse(await serializeThread(named, 'html', { lang: 'en', contentLang: 'fr' }));
    expect(mixed.documentElement.lang).to.equal('en');
    expect(mixed.querySelector('h1')?.lang).to.equal('fr');
    expect(mixed.querySelector<HTMLElement>('article > div')?.lang).to.equal('fr');
    const question = threadOf(
      'a',
      { a: { role: 'user', attachments: [{ id: '1', name: 'bonjour.pdf' }] } },
      { type: 'content', message: 'a', parts: [{ kind: 'text', key: 't', text: 'Bonjour' }] },
    );
    const asked = parse(await serializeThread(question, 'html', { lang: 'en', contentLang: 'fr' }));
    const words = asked.querySelector<HTMLElement>('.plain');
    expect([words?.lang, words?.dir]).to.deep.equal(['fr', 'auto']);
    expect(asked.querySelector<HTMLElement>('li')?.lang).to.equal('fr');
    const plain = parse(await serializeThread(named, 'html', { lang: 'en' }));
    expect(plain.documentElement.lang).to.equal('en');
    expect(plain.querySelector('h1')?.hasAttribute('lang')).to.equal(false);
    const untitled = parse(
      await serializeThread(thread, 'html', { lang: 'en', contentLang: 'fr' }),
    );
    expect(untitled.querySelector('h1')?.hasAttribute('lang')).to.equal(false);
  });
});

describe('export of a branch', () => {
  const thread = threadOf('b', {
    q: { role: 'user' },
    a: { parent: 'q' },
    b: { parent: 'q' },
    s: { role: 'system', parent: 'a' },
  });
  const idsOf = async (head?: string): Promise<(string | null)[]> => {
    const text = await serializeThread(thread, 'json', head === undefined ? {} : { head });
    return (JSON.parse(text) as ExportedThread).messages.map(({ id }) => id);
  };

  it('contains the messages up to the given one, by default up to the head', async () => {
    expect(await idsOf()).to.deep.equal(['q', 'b']);
    expect(await idsOf('a')).to.deep.equal(['q', 'a']);
    expect(await idsOf('s')).to.deep.equal(['q', 'a']);
  });
});

describe('JSON export of a thread', () => {
  it('has its title, and all of each message', async () => {
    const parts = [{ kind: 'text', key: 't', text: 'Hi' }] as const;
    const fields = {
      role: 'user',
      attachments: [{ id: '1', name: 'a.pdf' }],
      createdAt: 0,
    } as const;
    const text = await serializeThread({ ...threadWith(parts, fields), title: 'T' }, 'json', {});
    expect(text.endsWith('}\n')).to.equal(true);
    expect(JSON.parse(text)).to.deep.equal({
      format: 'ubik-thread',
      version: 1,
      id: null,
      title: 'T',
      messages: [
        {
          id: 'a',
          role: 'user',
          status: 'streaming',
          createdAt: '1970-01-01T00:00:00.000Z',
          attachments: ['a.pdf'],
          markdown: 'Hi',
          parts,
        },
      ],
    });
  });
});
