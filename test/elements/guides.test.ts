/** Runs each sample of the documents in `GUIDES`, unchanged, with the elements. */
import { expect, fixture, html } from '@open-wc/testing';
import * as lit from 'lit';
import type { MarkedExtension } from 'marked';
import markedAlert from 'marked-alert';
import * as markedEmoji from 'marked-emoji';
import type { Draft } from '../../src/backends/backend.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import type { UbikMarkdown } from '../../src/elements/ubik-markdown.js';
import * as elements from '../../src/index.js';
import * as jsonSchema from '../../src/markdown/extras/json-schema.js';
import * as marked from '../../src/markdown/extras/marked.js';
import * as sanitize from '../../src/markdown/extras/sanitize.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import * as mermaid from '../../src/mermaid/mermaid.js';
import { documentOf, ScriptedBackend } from '../controller/scripted-backend.js';
import { readSamples, runSample } from '../helpers/run-sample.js';
import { waitFor } from '../helpers/wait-for.js';
import { setupView } from '../markdown/setup-view.js';
import { nextFrame, setupChat } from './chat-fixture.js';
import { pushPart, questionOf } from './push-part.js';

/** What a sample must do. */
type Check = (code: string) => Promise<void>;

/** The checks of the samples of a document, in their order. A string is the path of another test that runs the sample. */
type Checks = readonly (readonly [title: string, check: Check | string])[];

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** The package, whose registered renderers are removed after the test. */
const packageModule = {
  ...elements,
  registerToolRenderer: (...args: Parameters<typeof elements.registerToolRenderer>) =>
    void cleanups.push(elements.registerToolRenderer(...args)),
  registerPartRenderer: (...args: Parameters<typeof elements.registerPartRenderer>) =>
    void cleanups.push(elements.registerPartRenderer(...args)),
};

const extras = new Map<string, unknown>(
  Object.entries({ marked, sanitize, 'json-schema': jsonSchema }),
);

/** A chat in which a sample runs. */
async function setUp(prepare?: (chat: UbikChat, backend: ScriptedBackend) => void) {
  const page = await setupChat((chat) => {
    prepare?.(chat, chat.controller?.backend as ScriptedBackend);
    const { viewContext } = chat as unknown as { readonly viewContext: object };
    Object.assign(viewContext, { loadExtra: (name: string) => Promise.resolve(extras.get(name)) });
  });
  const { chat, backend } = page;
  return {
    ...page,
    run: (code: string, scope: object = {}, modules: Record<string, object> = {}) =>
      runSample(
        code,
        { chat, UbikElements: packageModule, ...scope },
        { 'ubik-elements': packageModule, ...modules },
      ),
    /** Adds a tool call to the answer, or changes it. */
    call: (name: string, fields: object = {}): Promise<void> =>
      pushPart(page, `tool:${name}`, {
        ...{ kind: 'tool', name, toolId: name, state: 'running', input: null, result: null },
        ...fields,
      }),
    /** Adds the question of a tool that waits. */
    ask: (name: string, fields: object = {}): Promise<void> =>
      pushPart(
        page,
        `@request:tool:${name}`,
        { ...questionOf(name, name), ...fields },
        '@activity',
      ),
    answers: (): unknown[] =>
      backend.streams.filter(({ method }) => method === 'provideInput').map(({ args }) => args[2]),
    /** The texts of the boxes that the page has in the chat. */
    boxes: () => [...chat.children].map(({ textContent }) => textContent),
  };
}

/** An element with Markdown, which a sample gets as its chat. */
async function setUpMarkdown(code: string, content: string, scope: object = {}) {
  const chat = await fixture<UbikMarkdown>(html`<ubik-markdown></ubik-markdown>`);
  await runSample(code, { chat, ...scope }, { 'ubik-elements/extras/mermaid.js': mermaid });
  chat.content = content;
  await chat.updateComplete;
  await nextFrame();
  const root = chat.shadowRoot as ShadowRoot;
  return { chat, root, all: (selector: string) => [...root.querySelectorAll(selector)] };
}

/** Renders Markdown with the extensions that a sample sets. */
async function drawExtensions(code: string, text: string, modules: Record<string, object> = {}) {
  const chat: { markdownExtensions: readonly MarkedExtension[] } = { markdownExtensions: [] };
  await runSample(code, { chat }, modules);
  const { markdownExtensions: extensions } = chat;
  const loadExtra = (name: string): Promise<unknown> => Promise.resolve(extras.get(name));
  const { box, view, frames, add } = setupView({
    urlPolicy: createUrlPolicy(),
    loadExtra,
    extensions,
  });
  add(text);
  await view.end();
  await waitFor(() => {
    frames.flush();
    return box.querySelector('.ubik-extension');
  });
  return box;
}

let gates = 0;

/** A chat with a gate: `create` returns it before it is added to the document. */
async function setUpGate(create: () => Promise<UbikChat>) {
  const chat = await create();
  const backend = new ScriptedBackend(() => 0);
  const storageKey = `guide-${(gates += 1)}`;
  Object.assign(chat, { backend, storageKey });
  const box = await fixture(html`<div></div>`);
  box.append(chat);
  const root = chat.shadowRoot as ShadowRoot;
  const gate = await waitFor(() => root.querySelector<HTMLElement>('.gate'));
  const field = (): Promise<HTMLElement> =>
    waitFor(() => {
      const found = root.querySelector<HTMLElement>('.field textarea');
      return found?.checkVisibility() && found;
    });
  return { chat, backend, root, gate, field };
}

/** Creates a chat for which a sample sets a gate. */
const createGated = (code: string) => async (): Promise<UbikChat> => {
  const chat = document.createElement('ubik-chat');
  await runSample(code, { chat });
  return chat;
};

/** Waits for the error that the frame in which Mermaid runs is missing, because no test serves it here. */
async function catchMissingFrame(action: () => Promise<unknown>): Promise<string> {
  const { onerror, setTimeout } = window;
  let message: string | undefined;
  // What is sent in place of the frame never replies. The test does not wait for that, and fails if the time for loading Mermaid must pass.
  window.setTimeout = ((handler: () => void, delay: number) =>
    delay < LOAD_TIMEOUT ? setTimeout(handler, 0) : 0) as typeof setTimeout;
  window.onerror = (...[, , , , error]) => {
    message = error?.message ?? '';
    return true;
  };
  try {
    await action();
    return await waitFor(() => message);
  } finally {
    window.onerror = onerror;
    window.setTimeout = setTimeout;
  }
}

/** How long Mermaid may take to load, in ms. */
const LOAD_TIMEOUT = 60_000;

const MERMAID = '```mermaid\ngraph TD; A-->B\n```\n';

const RENDERERS: Checks = [
  [
    'shows a call by its own text',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      await page.call('get_weather');
      expect(page.boxes()).to.deep.equal(['Looking outside…']);
      await page.call('get_weather', { state: 'done', result: '{"temperature":21}' });
      expect(page.boxes()).to.deep.equal(['21 °C']);
    },
  ],
  [
    'selects tools by their names, tools by their type, and a kind of parts',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      for (const name of ['find_flight', 'other', 'find_train']) await page.call(name);
      await page.call('query', { toolType: 'sql_query' });
      await pushPart(page, 'chart', {
        ...{ kind: 'chart', title: '', chartType: 'line', columns: [], rows: [] },
        ...{ dimension: 'month', measures: [], groupBy: null },
      });
      expect(page.boxes()).to.deep.equal(['tool', 'tool', 'tool', 'chart']);
      expect(page.root.querySelectorAll('.call')).to.have.length(1);
    },
  ],
  [
    'is for one chat',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      await page.call('get_weather');
      expect(page.boxes()).to.deep.equal(['get_weather']);
    },
  ],
  [
    'leaves a call to the built-in view until its input is known',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      await page.call('show_map');
      expect([page.boxes(), page.root.querySelectorAll('.call').length]).to.deep.equal([[], 1]);
      await page.call('show_map', { input: '{"city":"Vienna"}' });
      expect(page.boxes()).to.deep.equal(['Vienna']);
    },
  ],
  [
    'adds a warning to the built-in view',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      await page.call('delete_file');
      const [warning, standard] = page.chat.children[0]?.children ?? [];
      expect(warning?.textContent).to.equal('This changes your files.');
      expect(standard?.shadowRoot?.querySelector('.tool') ?? null).not.to.equal(null);
    },
  ],
  [
    'is a file with a renderer',
    async (code) => {
      const { mapCard } = await runSample(code, {});
      const box = document.createElement('div');
      (mapCard as elements.ToolRenderer).mount(box, { tool: { title: 'Map' } } as never);
      expect(box.textContent).to.equal('Map');
    },
  ],
  [
    'loads the renderer of that file',
    async (code) => {
      const samples = await readSamples('docs/guides/renderers.md');
      const file = await runSample(samples[5] ?? '', {});
      const page = await setUp();
      await page.run(code, {}, { './map-card.js': file });
      await page.start();
      await page.call('show_map', { title: 'Vienna' });
      await waitFor(() => page.boxes().includes('Vienna'));
      expect(page.boxes()).to.deep.equal(['Vienna']);
    },
  ],
  [
    'answers the question of its tool',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      await page.call('choose_seat', { state: 'waiting' });
      await page.ask('choose_seat');
      const button = page.chat.querySelector('button');
      button?.click();
      await page.settle();
      expect(page.answers()).to.deep.equal([{ type: 'json', value: { seat: '12A' } }]);
      page.backend.stream.begin();
      await page.settle();
      expect([button?.isConnected, button?.disabled]).to.deep.equal([true, true]);
    },
  ],
  [
    'asks the page',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      await page.call('find_product', { title: 'Tea' });
      await waitFor(() => page.boxes()[0]);
      expect(page.boxes()).to.deep.equal(['Tea: 12 €']);
    },
  ],
  [
    'defines the Markdown of a call',
    async (code) => {
      const page = await setUp();
      await page.run(code);
      await page.start();
      await page.call('get_weather', { state: 'done', result: '"sunny"' });
      expect(page.boxes()).to.deep.equal(['"sunny"']);
      expect(page.chat.messages.at(-1)?.text).to.equal('**Weather:** "sunny"');
    },
  ],
  [
    'draws with Lit',
    async (code) => {
      const page = await setUp();
      const { weatherCard } = await page.run(code, {}, { lit });
      const renderer = weatherCard as elements.ToolRenderer;
      page.chat.renderers = [{ tool: 'get_weather', renderer }];
      await page.start();
      await page.call('get_weather', { input: '{"city":"Vienna"}' });
      expect(page.boxes()).to.deep.equal(['Vienna: running']);
      await page.call('get_weather', { input: '{"city":"Vienna"}', state: 'done' });
      expect(page.boxes()).to.deep.equal(['Vienna: done']);
    },
  ],
];

const PAGE_TOOLS: Checks = [
  [
    'runs a call that the user allows, and no call with a wrong input',
    async (code) => {
      for (const [row, answer] of [
        [12, { seat: '12A' }],
        [99, 'invalid-input'],
      ] as const) {
        const page = await setUp();
        const requests: unknown[] = [];
        const fetch = (url: string, { body }: RequestInit): Promise<Response> => {
          requests.push([url, body]);
          return Promise.resolve(Response.json({ seat: '12A' }));
        };
        await page.run(code, { fetch });
        await page.start();
        await page.ask('choose_seat', {
          executionId: `guide-${String(row)}`,
          toolInput: { row },
        });
        // A wrong input is refused without asking the user.
        const button = await waitFor(
          () => page.root.querySelector<HTMLElement>('.host .primary') ?? page.answers().length > 0,
        );
        if (typeof button === 'object') {
          expect(page.text('.host .request')).to.contain('Marks a seat in the plan on this page.');
          button.click();
        }
        await waitFor(() => page.answers().length > 0);
        expect(JSON.stringify(page.answers())).to.contain(
          typeof answer === 'string' ? answer : JSON.stringify(answer),
        );
        expect(requests).to.deep.equal(row === 12 ? [['/seats', '{"row":12}']] : []);
      }
    },
  ],
];

const GATE: Checks = [
  [
    'shows a text that the user accepts',
    async (code) => {
      const { gate, field } = await setUpGate(createGated(code));
      expect(gate.ariaLabel).to.equal('Before you start');
      const link = await waitFor(() => gate.querySelector('a'));
      expect(link.href).to.equal('https://example.org/privacy');
      const button = gate.querySelector<HTMLElement>('.primary');
      expect(button?.textContent.trim()).to.equal('I agree');
      button?.click();
      await field();
    },
  ],
  [
    'shows a form whose values are the context of the first message',
    async (code) => {
      const { chat, backend, gate, field } = await setUpGate(createGated(code));
      backend.capabilities.add('context');
      const name = await waitFor(() => gate.querySelector<HTMLTextAreaElement>('[name=field-0]'));
      name.value = 'Ada';
      expect(gate.textContent).to.contain('Topic').and.to.contain('Order number');
      // The first radio button of the topic, "Orders".
      gate.querySelector<HTMLInputElement>('[name=field-1]')?.click();
      gate.querySelector<HTMLElement>('.primary')?.click();
      await field();
      const data = { name: 'Ada', topic: 'Orders' };
      expect(chat.context).to.deep.equal({ title: 'Your details', data });
      expect(chat.newThread).to.deep.equal({ options: { prompt_variables: data } });
      await chat.ready;
      void chat.send('Hello');
      await waitFor(() => backend.count('send') > 0);
      expect((backend.stream.args[1] as Draft).context?.data).to.deep.equal(data);
      backend.stream.begin();
      await waitFor(() => chat.context === null);
    },
  ],
];

const GATE_MARKUP: Checks = [
  [
    'has a form of the page',
    async (code) => {
      const template = document.createElement('template');
      template.innerHTML = code;
      const chat = document.importNode(template.content, true).firstElementChild as UbikChat;
      const { field } = await setUpGate(() => Promise.resolve(chat));
      const passed: unknown[] = [];
      chat.addEventListener('ubik-gate-passed', ({ detail }) => passed.push(detail));
      const button = chat.querySelector('button');
      expect(button?.checkVisibility()).to.equal(true);
      button?.click();
      expect(passed, 'a checkbox is required').to.deep.equal([]);
      chat.querySelector('input')?.click();
      button?.click();
      await field();
      expect(passed).to.deep.equal([{ version: '2026-11', values: { terms: 'on' } }]);
    },
  ],
];

const MARKDOWN_EXTENSIONS: Checks = [
  [
    'draws alerts and emoji of two packages',
    async (code) => {
      const box = await drawExtensions(code, '> [!NOTE]\n> Mind the gap.\n\nHi :wave:\n', {
        'marked-alert': { default: markedAlert },
        'marked-emoji': markedEmoji,
      });
      expect(box.querySelector('.markdown-alert-title')?.textContent).to.equal('Note');
      expect(box.textContent).to.contain('Hi 👋');
    },
  ],
  [
    'draws links to tickets',
    async (code) => {
      const box = await drawExtensions(code, 'See #42 and `#43`, not # or #x.\n');
      const links = [...box.querySelectorAll<HTMLAnchorElement>('a.ticket')];
      expect(links.map(({ href, rel }) => [href, rel])).to.deep.equal([
        ['https://tickets.example/42', 'noopener noreferrer nofollow ugc'],
      ]);
      expect(box.textContent).to.equal('See #42 and #43, not # or #x.');
    },
  ],
  ['imports the copies of an app', 'test/hosts/own-marked.host.ts'],
  [
    'adds a style sheet',
    async (code) => {
      const { root } = await setUpMarkdown(code, 'Text');
      const alert = document.createElement('div');
      alert.className = 'markdown-alert';
      root.append(alert);
      expect(getComputedStyle(alert).borderInlineStartWidth).to.equal('4px');
    },
  ],
];

const FENCES_AND_LINKS: Checks = [
  [
    'draws bars while the fence grows',
    async (code) => {
      const { chat, all } = await setUpMarkdown(code, '');
      chat.streaming = true;
      await chat.updateComplete;
      const bars = (): unknown[] =>
        (all('meter') as HTMLMeterElement[]).map(({ title, value, max }) => [title, value, max]);
      chat.appendText('```bars 50\nApples: 12\nPea');
      await nextFrame();
      expect(bars()).to.deep.equal([['Apples', 12, 50]]);
      chat.appendText('rs: 30\n```\n\n```js\n1\n```\n');
      await nextFrame();
      expect(bars()).to.deep.equal([
        ['Apples', 12, 50],
        ['Pears', 30, 50],
      ]);
      expect(all('pre:not([hidden])').length).to.equal(1);
    },
  ],
  [
    'draws a picture that it loads',
    async (code) => {
      const urls: string[] = [];
      const fetch = (url: string): Promise<Response> => {
        urls.push(url);
        return Promise.resolve(
          new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } }),
        );
      };
      const { root } = await setUpMarkdown(code, '```route\nVienna Linz\n```\n', { fetch });
      const image = await waitFor(() => root.querySelector<HTMLImageElement>('.ubik-fence img'));
      expect(image.alt.trim()).to.equal('Vienna Linz');
      expect(image.src).to.match(/^blob:/);
      expect(urls).to.deep.equal(['/map?route=Vienna%20Linz%0A']);
    },
  ],
  [
    'follows links to own pages with a router',
    async (code) => {
      const pages: string[] = [];
      const { all } = await setUpMarkdown(code, '[a](/page?x=1) [b](https://b.test/)', {
        navigate: (page: string) => pages.push(page),
      });
      const prevented = all('a').map((link) => {
        const event = new MouseEvent('click', { bubbles: true, cancelable: true, composed: true });
        let isPrevented = false;
        const keep = (clicked: Event): void => {
          isPrevented = clicked.defaultPrevented;
          clicked.preventDefault();
        };
        addEventListener('click', keep, { once: true });
        link.dispatchEvent(event);
        return isPrevented;
      });
      expect(prevented).to.deep.equal([true, false]);
      expect(pages).to.deep.equal(['/page?x=1']);
    },
  ],
  [
    'allows links to apps',
    async (code) => {
      const { all } = await setUpMarkdown(code, '[a](obsidian://x) [b](web+note:1) [c](other:1)');
      expect(all('a').map((link) => (link as HTMLAnchorElement).protocol)).to.deep.equal([
        'obsidian:',
        'web+note:',
      ]);
    },
  ],
];

const MERMAID_GUIDE: Checks = [
  [
    'draws a diagram in a frame (test/hostile/mermaid.e2e.ts checks the drawing)',
    async (code) => {
      const error = await catchMissingFrame(() => setUpMarkdown(code, MERMAID));
      expect(error).to.contain('/vendor/mermaid.html did not answer');
    },
  ],
  [
    'draws fences of another language itself',
    async (code) => {
      const error = await catchMissingFrame(async () => {
        const { all } = await setUpMarkdown(code, `\`\`\`lines\none\ntwo\n\`\`\`\n\n${MERMAID}`);
        expect(all('.ubik-fence')[0]?.textContent).to.equal('2 lines');
      });
      expect(error).to.contain('/vendor/mermaid.html did not answer');
    },
  ],
];

const MERMAID_MARKUP: Checks = [
  [
    'is a script of a page with the script tag',
    async (markup) => {
      const [, code = ''] = /<script type="module">([^]*?)<\/script>/.exec(markup) ?? [];
      const { chat } = await setUp();
      await runSample(code, {}, { '/assets/extras/mermaid.js': mermaid });
      expect(chat.renderFence).to.be.a('function');
    },
  ],
];

const COMPOSER: Checks = [
  [
    'suggests commands, and people that it searches',
    async (code) => {
      const page = await setUp();
      const fetch = (url: string): Promise<Response> =>
        Promise.resolve(Response.json([{ name: `Ada ${url}`, team: 'Rivers' }]));
      await page.run(code, { fetch });
      const { field, root, settle } = page;
      field.focus();
      await settle();
      const type = async (text: string, expected: string): Promise<void> => {
        field.value = text;
        field.setSelectionRange(text.length, text.length);
        page.write(text);
        await waitFor(() => root.querySelector('[role=option] .name')?.textContent === expected);
      };
      await type('@a', '@Ada /people?q=a');
      await page.start('Question');
      page.backend.stream.finish('complete');
      await settle();
      await type('/cl', '/clear');
      page.press('Enter');
      await settle();
      expect(page.names()).to.include('ubik-suggestion-chosen');
      expect(page.chat.messages).to.deep.equal([]);
    },
  ],
  [
    'fills the field, and sends a message with a file',
    async (code) => {
      const page = await setUp((_chat, backend) => backend.capabilities.add('upload'));
      const { backend, settle, field } = page;
      await page.controller.loadUploads();
      backend.responses.set('uploadDocument', () =>
        documentOf('d1', { name: 'a.txt', status: 'pending' }),
      );
      const values: string[] = [];
      field.addEventListener('focus', () => values.push(field.value));
      const done = page.run(code, { file: new File(['text'], 'a.txt') });
      while (backend.count('send') === 0) await settle();
      backend.stream.begin();
      await done;
      expect(values).to.deep.equal(['Compare these two offers.']);
      const { text, attachments } = backend.stream.args[1] as Draft;
      expect([text, attachments.map(({ name }) => name)]).to.deep.equal([
        'What is in it?',
        ['a.txt'],
      ]);
    },
  ],
  [
    'suggests follow-up questions',
    async (code) => {
      const page = await setUp();
      const suggest = (id: string) => Promise.resolve({ questions: [`Why ${typeof id}?`] });
      await page.run(code, { suggest });
      await page.start();
      page.backend.stream.append(0, 'An answer');
      page.backend.stream.finish('complete');
      await page.settle();
      const button = await waitFor(() =>
        [...page.root.querySelectorAll('button')].find(({ textContent }) =>
          textContent.includes('Why '),
        ),
      );
      expect(button.checkVisibility()).to.equal(true);
    },
  ],
  [
    'sends a context, until the user removes it',
    async (code) => {
      const page = await setUp((_chat, backend) => backend.capabilities.add('context'));
      await page.settle();
      const removed: string[] = [];
      await page.run(code, { deselect: (title: string) => removed.push(title) });
      await page.settle();
      expect(page.text('.context .chip > span')).to.equal('Context: Danube');
      await page.start();
      const { context } = page.backend.stream.args[1] as Draft;
      expect(context?.data).to.deep.equal({ river: 'Danube', length_km: 2850 });
      page.query('.context button').click();
      await page.settle();
      expect(removed).to.deep.equal(['Danube']);
    },
  ],
];

const GUIDES: readonly (readonly [document: string, language: string, checks: Checks])[] = [
  ['guides/renderers.md', 'js', RENDERERS],
  ['guides/page-tools.md', 'js', PAGE_TOOLS],
  ['guides/gate.md', 'js', GATE],
  ['guides/gate.md', 'html', GATE_MARKUP],
  ['guides/markdown-extensions.md', 'js', MARKDOWN_EXTENSIONS],
  ['guides/fences-and-links.md', 'js', FENCES_AND_LINKS],
  ['guides/mermaid.md', 'js', MERMAID_GUIDE],
  ['guides/mermaid.md', 'html', MERMAID_MARKUP],
  ['composer.md', 'js', COMPOSER],
];

for (const [document, language, checks] of GUIDES) {
  describe(`sample of docs/${document} (${language})`, () => {
    const read = (): Promise<string[]> => readSamples(`docs/${document}`, language);

    it('is run by a test', async () => {
      expect(await read()).to.have.length(checks.length);
    });

    for (const [index, [title, check]] of checks.entries()) {
      if (typeof check === 'string') continue;
      it(`${String(index + 1)} ${title}`, async () => {
        await check((await read())[index] ?? '');
      });
    }
  });
}
