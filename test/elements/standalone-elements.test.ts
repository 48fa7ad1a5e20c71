import { expect, fixture, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import { provideController } from '../../src/elements/base/context-protocol.js';
import { UbikBranchMap } from '../../src/elements/ubik-branch-map.js';
import type { UbikComposer } from '../../src/elements/ubik-composer.js';
import type { UbikInputRequest } from '../../src/elements/ubik-input-request.js';
import type { UbikMarkdown } from '../../src/elements/ubik-markdown.js';
import type { FenceContext } from '../../src/markdown/options.js';
import type { UbikMessage } from '../../src/elements/ubik-message.js';
import type { UbikTranscript } from '../../src/elements/ubik-transcript.js';
import { registerContentFormat } from '../../src/controller/registry.js';
import type { StreamController } from '../../src/controller/controller-types.js';
import { nextFrame, setupChat, setupController } from './chat-fixture.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import { UbikError } from '../../src/errors.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { recordObservations } from './observations.js';
import { Deferred } from '../helpers/deferred.js';
import { waitFor } from '../helpers/wait-for.js';

const STORED = `<<STEP_START>>
Step 1: Look it up ✓
<<TOOL_STEP_START/rag_search:call_1>>
<<TOOL_STEP_INPUT_START>>
{"query": "refunds"}
<<TOOL_STEP_INPUT_END>>
<<TOOL_STEP_RESULT_START>>
{"response": "14 days"}
<<TOOL_STEP_RESULT_END>>
<<TOOL_STEP_END/rag_search:call_1>>
<<STEP_END>>
The answer is **14 days**.`;

const inside = (element: HTMLElement, selector: string): HTMLElement | null =>
  element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;

describe('<ubik-message>', () => {
  it('renders stored content without a service', async () => {
    const message = await fixture<UbikMessage>(
      html`<ubik-message .content=${STORED}></ubik-message>`,
    );
    expect(inside(message, '.step > summary')?.textContent).to.contain('Look it up');
    expect(inside(message, '.tool > summary')?.textContent).to.contain('Search documents');
    expect(inside(message, '.text strong')?.textContent).to.equal('14 days');
  });

  it('renders a request without a form', async () => {
    const content = `<<INPUT_REQUIRED_START>>
Your password?
Expected input types: text
checkpoint_name: c
<<INPUT_REQUIRED_END>>`;
    const message = await fixture<UbikMessage>(
      html`<ubik-message .content=${content}></ubik-message>`,
    );
    expect(inside(message, '.question')?.textContent).to.equal('Your password?');
    expect(inside(message, 'form, input, textarea')).to.equal(null);
  });

  it('keeps rendered blocks when its content grows', async () => {
    const message = await fixture<UbikMessage>(
      html`<ubik-message
        streaming
        content="One.

Two"
      ></ubik-message>`,
    );
    await nextFrame();
    const first = inside(message, '.text p');
    message.content += ' and more.\n\nThree.';
    await message.updateComplete;
    await nextFrame();
    expect(inside(message, '.text p')).to.equal(first);
    expect(inside(message, '.text')?.textContent).to.contain('Two and more.');
  });

  describe('with content that is too long to be parsed at once', () => {
    const long = (word: string): string => `${word} `.repeat(14_000);

    /** A message whose content the test sets. */
    async function setupGrowing() {
      const message = await fixture<UbikMessage>(
        html`<ubik-message streaming content="Short."></ubik-message>`,
      );
      await nextFrame();
      return {
        message,
        node: inside(message, '.message'),
        set: async (content: string): Promise<void> => {
          message.content = content;
          await message.updateComplete;
        },
        shows: (word: string): boolean =>
          inside(message, '.text')?.textContent.includes(word) ?? false,
      };
    }

    for (const isParsed of [true, false]) {
      const when = isParsed ? 'after the first one' : 'while the first one is still parsing';
      it(`shows what another format has parsed ${when}`, async () => {
        const parse = (text: string) => [{ kind: 'text', key: 'text', text } as const];
        const first = new Deferred<ReturnType<typeof parse>>();
        registerContentFormat('first', { parse, parseInSlices: () => first.promise });
        registerContentFormat('second', {
          parse,
          parseInSlices: () => Promise.resolve(parse('By the second')),
        });
        const { message, set, shows } = await setupGrowing();
        message.format = 'first';
        await set(long('word'));
        if (isParsed) {
          first.resolve(parse('By the first'));
          await waitFor(() => shows('By the first'));
        }
        message.format = 'second';
        await waitFor(() => shows('By the second'));
        first.resolve(parse('By the first'));
        await nextFrame();
        await nextFrame();
        expect(shows('By the second')).to.equal(true);
      });
    }

    it('keeps its node, and what it shows, until the content is parsed', async () => {
      const { message, node, set, shows } = await setupGrowing();
      await set(`Short. ${long('first')}`);
      expect(node).not.to.equal(null);
      expect(inside(message, '.message')).to.equal(node);
      expect(shows('Short.')).to.equal(true);
      await waitFor(() => shows('first'));
      expect(inside(message, '.message')).to.equal(node);
    });

    it('is shown although it grows faster than it is parsed, with a cursor at its end', async () => {
      const { set, shows } = await setupGrowing();
      let text = long('first');
      await waitFor(() => {
        text += 'more ';
        void set(`${text}▌`);
        return shows('first');
      });
      await set(`${text}end`);
      await waitFor(() => shows('end'));
      expect(shows('▌')).to.equal(false);
    });

    for (const [when, isParsed, between] of [
      ['by other long content before it was parsed', false, null],
      ['before it was parsed', false, 'Between.'],
      ['after it was parsed', true, 'Between.'],
    ] as const) {
      it(`does not show content that was replaced ${when}`, async () => {
        const { set, shows } = await setupGrowing();
        await set(long('first'));
        if (isParsed) await waitFor(() => shows('first'));
        if (between !== null) {
          await set(between);
          await waitFor(() => shows(between));
        }
        await set(long('second'));
        let hasShownFirst = false;
        await waitFor(() => {
          hasShownFirst ||= shows('first');
          return shows('second');
        });
        expect(hasShownFirst).to.equal(false);
      });
    }
  });

  it('shows plain text when its format cannot be loaded, and loads it again for other content', async () => {
    const failures = [true, true, false];
    registerContentFormat('flaky', () =>
      failures.shift()
        ? Promise.reject(new Error('Offline'))
        : Promise.resolve({ parse: (text) => [{ kind: 'text', key: 'text', text }] }),
    );
    const message = document.createElement('ubik-message');
    const codes: string[] = [];
    message.addEventListener('ubik-error', ({ detail }) => codes.push(detail.code));
    message.format = 'flaky';
    const box = await fixture(html`<div></div>`);
    box.append(message);
    const show = async (content: string): Promise<unknown[]> => {
      message.content = content;
      await waitFor(() => message.shadowRoot?.textContent.includes(content) === true);
      return [inside(message, '.plain') !== null, inside(message, '.text') !== null];
    };
    expect(await show('First')).to.deep.equal([true, false]);
    message.requestUpdate();
    await nextFrame();
    expect(failures.length, 'not for the same content').to.equal(2);
    expect(await show('Second'), 'while it is loading').to.deep.equal([true, false]);
    await waitFor(() => failures.length === 1);
    await nextFrame();
    message.content = 'Third';
    await waitFor(() => inside(message, '.text')?.textContent.includes('Third') === true);
    expect([inside(message, '.plain'), codes]).to.deep.equal([null, ['load-failed']]);
  });

  it('loads its format again only when the growing content is complete, and shows plain text until it is parsed', async () => {
    const parsing = new Deferred<readonly { kind: 'text'; key: string; text: string }[]>();
    let calls = 0;
    registerContentFormat('failing', () => {
      calls += 1;
      return calls === 1
        ? Promise.reject(new Error('Offline'))
        : Promise.resolve({ parse: () => [], parseInSlices: () => parsing.promise });
    });
    const message = document.createElement('ubik-message');
    Object.assign(message, { format: 'failing', streaming: true, content: 'First' });
    const box = await fixture(html`<div></div>`);
    box.append(message);
    await waitFor(() => inside(message, '.plain') !== null);
    for (const content of ['First and', 'First and second', 'word '.repeat(20_000)]) {
      if (content.startsWith('word')) message.streaming = false;
      message.content = content;
      await message.updateComplete;
      await nextFrame();
      if (message.streaming) expect(calls, content).to.equal(1);
    }
    expect([calls, inside(message, '.plain') !== null], 'complete').to.deep.equal([2, true]);
    parsing.resolve([{ kind: 'text', key: 'text', text: 'Parsed' }]);
    await waitFor(() => inside(message, '.text')?.textContent.includes('Parsed') === true);
    expect(inside(message, '.plain')).to.equal(null);
  });

  it('loads its format again for longer content that is complete, and when streaming begins', async () => {
    let calls = 0;
    registerContentFormat('offline', () => {
      calls += 1;
      return Promise.reject(new Error('Offline'));
    });
    const message = document.createElement('ubik-message');
    Object.assign(message, { format: 'offline', content: 'First' });
    const box = await fixture(html`<div></div>`);
    box.append(message);
    await waitFor(() => inside(message, '.plain') !== null);
    expect(calls).to.equal(1);
    message.content = 'First and second';
    await message.updateComplete;
    await nextFrame();
    expect(calls, 'longer content').to.equal(2);
    message.streaming = true;
    await message.updateComplete;
    await nextFrame();
    expect(calls, 'when streaming begins').to.equal(3);
  });

  it('is empty when the framework of the host page sets no content', async () => {
    const message = await fixture<UbikMessage>(
      html`<ubik-message .content=${undefined}></ubik-message>`,
    );
    for (const content of ['**bold**', null, '**again**', undefined]) {
      Object.assign(message, { content });
      const expected = content?.replaceAll('*', '') ?? '';
      await waitFor(() => inside(message, '.body')?.textContent.trim() === expected);
    }
  });

  it('renders a user message as plain text', async () => {
    const message = await fixture<UbikMessage>(
      html`<ubik-message author="user" content="**x** <<thinking>>"></ubik-message>`,
    );
    expect(inside(message, '.plain')?.textContent).to.equal('**x** <<thinking>>');
  });

  it('renders the format of UBIK when the framework of the host page sets none', async () => {
    const message = await fixture<UbikMessage>(
      html`<ubik-message .format=${undefined} content="**bold**"></ubik-message>`,
    );
    await waitFor(() => inside(message, 'strong') !== null);
    expect(inside(message, 'strong')?.textContent).to.equal('bold');
  });

  it('renders content in an unknown format as plain text, and warns', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    const message = await fixture<UbikMessage>(
      html`<ubik-message format="hologram" content="<<STEP_START>> words"></ubik-message>`,
    );
    console.warn = warn;
    expect(inside(message, '.text')?.textContent.trim()).to.equal('<<STEP_START>> words');
    expect(warnings.join()).to.contain('hologram');
  });
});

describe('<ubik-markdown>', () => {
  it('renders its content, and keeps rendered blocks when it grows', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown content="# Title" streaming></ubik-markdown>`,
    );
    await nextFrame();
    const title = inside(markdown, 'h1');
    expect(title?.textContent).to.equal('Title');
    markdown.content = '# Title\n\nSome *text*';
    await markdown.updateComplete;
    await nextFrame();
    expect(inside(markdown, 'h1')).to.equal(title);
    markdown.streaming = false;
    await markdown.updateComplete;
    expect(inside(markdown, 'em')?.textContent).to.equal('text');
    markdown.content = '# Other';
    await markdown.updateComplete;
    await nextFrame();
    expect(inside(markdown, '.text')?.textContent.trim()).to.equal('Other');
  });

  it('appends text', async () => {
    const markdown = await fixture<UbikMarkdown>(html`<ubik-markdown streaming></ubik-markdown>`);
    markdown.appendText('one ');
    markdown.appendText('two');
    markdown.streaming = false;
    await markdown.updateComplete;
    expect(inside(markdown, 'p')?.textContent).to.equal('one two');
  });

  it('is printed with the rest of a text that is still being rendered', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown content="Short."></ubik-markdown>`,
    );
    await nextFrame();
    const text = (): string => inside(markdown, '.text')?.textContent ?? '';
    expect(text()).to.contain('Short.');
    markdown.content += `${'\n\nA paragraph of several words.'.repeat(4000)}\n\nThe last sentence.`;
    await markdown.updateComplete;
    expect(text()).to.not.contain('The last sentence.');
    window.dispatchEvent(new Event('beforeprint'));
    expect(text()).to.contain('The last sentence.');
    window.dispatchEvent(new Event('afterprint'));
  });

  it('loads images from allowed origins, and shows a button for others', async () => {
    const content = '![a](https://ok.invalid/img/a.png) ![b](https://ok.invalid/other/b.png)';
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown
        image-policy=" allow https://ok.invalid/img/  https://more.invalid "
        .content=${content}
      ></ubik-markdown>`,
    );
    await nextFrame();
    expect(inside(text, 'img')?.getAttribute('src')).to.equal('https://ok.invalid/img/a.png');
    expect(inside(text, 'button.ubik-image')?.textContent).to.contain('b');
  });

  it('focuses a footnote without dispatching ubik-link-open', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown .content=${'a[^1]\n\n[^1]: Note.'}></ubik-markdown>`,
    );
    await nextFrame();
    let fired = 0;
    text.addEventListener('ubik-link-open', () => (fired += 1));
    inside(text, '.ubik-footnote > a')?.click();
    expect(text.shadowRoot?.activeElement?.textContent).to.contain('Note.');
    expect(fired).to.equal(0);
  });

  it('focuses an image that is loaded with the keyboard in place of its button', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown .content=${'![A](https://a.invalid/a.png) ![B](https://b.invalid/b.png)'}>
      </ubik-markdown>`,
    );
    await nextFrame();
    const [first, second] = text.renderRoot.querySelectorAll<HTMLElement>('button.ubik-image');
    first?.focus();
    first?.click();
    const focused = (): string | undefined => text.shadowRoot?.activeElement?.outerHTML;
    expect(focused()).to.match(/^<img .*alt="A"/);
    second?.click();
    expect(focused(), 'without the focus').to.match(/^<img .*alt="A"/);
  });

  it('draws fences with renderFence, and renders raw HTML as text by default', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown
        .content=${'```pie\n1 2\n```\n\n<b>raw</b>'}
        .renderFence=${(_info: string, source: string, { box }: FenceContext) => {
          box.textContent = `drawn ${source}`;
        }}
      ></ubik-markdown>`,
    );
    await nextFrame();
    expect(inside(text, '.ubik-fence')?.textContent).to.equal('drawn 1 2\n');
    expect(inside(text, '.text')?.textContent).to.contain('<b>raw</b>');
    expect([text.html, document.createElement('ubik-markdown').html]).to.deep.equal([
      'text',
      'text',
    ]);
  });

  it('dispatches ubik-link-open with the absolute address of a link in a drawing', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown
        .content=${'```pie\n1 2\n```\n'}
        .renderFence=${(_info: string, _source: string, { box }: FenceContext) => {
          box.innerHTML =
            '<svg><a href="/one#two"><text>One</text></a><a><text>None</text></a></svg>';
        }}
      ></ubik-markdown>`,
    );
    await nextFrame();
    const urls: unknown[] = [];
    text.addEventListener('ubik-link-open', (event) => {
      urls.push(event.detail.url);
      event.preventDefault();
    });
    for (const node of text.shadowRoot?.querySelectorAll('svg text') ?? [])
      node.dispatchEvent(
        new MouseEvent('click', { bubbles: true, composed: true, cancelable: true }),
      );
    expect(urls).to.deep.equal([new URL('/one#two', document.baseURI).href]);
  });

  it('lets linkHandler follow links, after ubik-link-open and once', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown
        link-base="https://app.test/"
        .content=${'[a](/page) [b](note:1) [c](javascript:1)'}
      ></ubik-markdown>`,
    );
    await nextFrame();
    const order: string[] = [];
    let result: unknown = true;
    let isCancelled = false;
    text.addEventListener('ubik-link-open', (event) => {
      order.push(`event ${event.detail.url}`);
      if (isCancelled) event.preventDefault();
    });
    text.linkHandler = ({ href, host }, event) => {
      order.push(`handler ${href} ${host} ${event.type}`);
      if (result === 'prevent') event.preventDefault();
      return result;
    };
    const follow = (index: number, init: MouseEventInit = {}): boolean => {
      order.length = 0;
      const event = new MouseEvent('click', {
        bubbles: true,
        cancelable: true,
        composed: true,
        ...init,
      });
      let isFollowed = false;
      // Keeps the page, and records whether the browser would follow the link.
      const keep = (clicked: Event): void => {
        isFollowed = !clicked.defaultPrevented;
        clicked.preventDefault();
      };
      addEventListener('click', keep, { once: true });
      text.shadowRoot?.querySelectorAll('a')[index]?.dispatchEvent(event);
      return isFollowed;
    };
    const url = 'https://app.test/page';
    expect(text.shadowRoot?.querySelectorAll('a').length).to.equal(1);
    expect(follow(0)).to.equal(false);
    expect(order).to.deep.equal([`event ${url}`, `handler ${url} app.test click`]);
    result = 'prevent';
    expect(follow(0)).to.equal(false);
    for (result of [undefined, false, Promise.resolve(true)]) expect(follow(0)).to.equal(true);
    result = true;
    for (const modifier of ['ctrlKey', 'metaKey', 'shiftKey', 'altKey']) {
      expect(follow(0, { [modifier]: true }), `new tab: ${modifier}`).to.equal(true);
      expect(order).to.deep.equal([`event ${url}`]);
    }
    isCancelled = true;
    expect(follow(0), 'cancelled').to.equal(false);
    expect(order).to.deep.equal([`event ${url}`]);
    isCancelled = false;
    text.linkSchemes = ['note'];
    await text.updateComplete;
    await nextFrame();
    expect(follow(1)).to.equal(false);
    expect(order).to.deep.equal(['event note:1', 'handler note:1  click']);
    text.linkSchemes = undefined;
    await text.updateComplete;
    await nextFrame();
    expect(text.shadowRoot?.querySelectorAll('a').length).to.equal(1);
  });

  it('dispatches ubik-diagnostic for a scheme of links that is ignored', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown .content=${'[a](javascript:alert(1)) [b](note:1)'}></ubik-markdown>`,
    );
    const details: object[] = [];
    text.addEventListener('ubik-diagnostic', ({ detail }) => details.push(detail));
    text.linkSchemes = ['note', 'javascript'];
    await text.updateComplete;
    await nextFrame();
    const message =
      '"linkSchemes" cannot contain "javascript": such links run code or read data. Remove it.';
    const expected = { code: 'misuse', message, status: null, offender: 'linkSchemes' };
    expect(details).to.deep.equal([expected]);
    expect(text.shadowRoot?.querySelectorAll('a').length).to.equal(1);
    text.content += ' [c](javascript:alert(2))';
    await text.updateComplete;
    await nextFrame();
    expect(details.length, 'once for each value').to.equal(1);
  });

  it('replaces its content, also what was appended, with the new one', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown content="One two" streaming></ubik-markdown>`,
    );
    const shows = async (content: string): Promise<string | undefined> => {
      markdown.content = content;
      await markdown.updateComplete;
      await nextFrame();
      return inside(markdown, '.text')?.textContent.trim();
    };
    markdown.appendText(' three');
    expect(await shows('One two four')).to.equal('One two four');
    expect(await shows('One')).to.equal('One');
    expect(await shows('Two')).to.equal('Two');
    expect(await shows('')).to.equal('');
    expect(await shows('Five')).to.equal('Five');
  });

  it('requests no remote image by default', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown content="![a](https://pictures.example/a.png)"></ubik-markdown>`,
    );
    expect(inside(markdown, 'img')).to.equal(null);
    expect(inside(markdown, 'button')?.textContent).to.contain('pictures.example');
  });
});

/** A chat whose agent asks a question, and an element outside of it that shows the question. */
async function setupRequest() {
  const conversation = await setupChat();
  const { controller, start, backend, settle } = conversation;
  const request = await fixture<UbikInputRequest>(
    html`<ubik-input-request .controller=${controller}></ubik-input-request>`,
  );
  await start();
  expect(inside(request, '.request')).to.equal(null);
  backend.stream.request('@request:c');
  backend.stream.finish('waiting');
  await settle();
  return { ...conversation, request, field: inside(request, 'textarea') as HTMLTextAreaElement };
}

describe('standalone elements', () => {
  it('connect to their controller property', async () => {
    const { controller, backend, environment } = setupController();
    const transcript = await fixture<UbikTranscript>(
      html`<ubik-transcript .controller=${controller}></ubik-transcript>`,
    );
    const sent = controller.send({ text: 'Hi', attachments: [] });
    await environment.settle();
    backend.stream.begin();
    await sent;
    await nextFrame();
    await nextFrame();
    expect(inside(transcript, '.message.user')?.textContent).to.contain('Hi');
  });

  it('connect to the controller of the enclosing element, even when it is set later', async () => {
    const { controller } = setupController();
    controller.setDraft({ text: 'from outside', attachments: [] });
    const box = await fixture(html`<div></div>`);
    const chat = document.createElement('ubik-chat');
    const composer = document.createElement('ubik-composer');
    chat.append(composer);
    box.append(chat);
    await composer.updateComplete;
    expect(inside(composer, 'textarea')).not.to.equal(null);
    chat.controller = controller;
    await chat.updateComplete;
    await Promise.resolve();
    expect((inside(composer, 'textarea') as HTMLTextAreaElement).value).to.equal('from outside');
  });

  it('connect to the controller that replaces another one, and observe the first no longer', async () => {
    const [first, second] = [setupController().controller, setupController().controller];
    const observations = recordObservations({}, [first]);
    second.setDraft({ text: 'of the second', attachments: [] });
    const chat = document.createElement('ubik-chat');
    const composer = document.createElement('ubik-composer');
    chat.append(composer);
    chat.controller = first;
    const box = await fixture(html`<div></div>`);
    box.append(chat);
    await nextFrame();
    const before = observations.list();
    expect(before).to.include('retained');
    chat.requestUpdate();
    composer.requestUpdate();
    await nextFrame();
    expect(observations.list(), 'connected once').to.deep.equal(before);
    chat.controller = second;
    await nextFrame();
    await nextFrame();
    expect((inside(composer, 'textarea') as HTMLTextAreaElement).value).to.equal('of the second');
    expect(observations.list()).to.deep.equal([]);
    observations.restore();
  });

  it('neither show nor use a controller after the property was set to null, until it is set again', async () => {
    const { controller, backend, environment } = setupController();
    const observations = recordObservations({}, [controller]);
    const box = await fixture(
      html`<div>
        <ubik-transcript .controller=${controller}></ubik-transcript>
        <ubik-composer .controller=${controller}></ubik-composer>
        <ubik-input-request .controller=${controller}></ubik-input-request>
      </div>`,
    );
    const [transcript, composer, request] = box.children as unknown as [
      UbikTranscript,
      UbikComposer,
      UbikInputRequest,
    ];
    const show = async (value: StreamController | null): Promise<unknown[]> => {
      for (const each of [transcript, composer, request]) each.controller = value;
      await environment.settle();
      await nextFrame();
      await nextFrame();
      return [
        inside(transcript, '.message') !== null,
        inside(composer, 'textarea')?.matches(':placeholder-shown'),
        inside(request, '.request') !== null,
        observations.list().length > 0,
      ];
    };
    void controller.send({ text: 'Hi', attachments: [] });
    await environment.settle();
    backend.stream.begin();
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await environment.settle();
    controller.setDraft({ text: 'half a thought', attachments: [] });
    expect(await show(controller)).to.deep.equal([true, false, true, true]);
    expect(await show(null)).to.deep.equal([false, true, false, false]);
    expect(await composer.send('2025')).to.equal(false);
    expect(backend.count('provideInput')).to.equal(0);
    expect(await show(controller)).to.deep.equal([true, false, true, true]);
    observations.restore();
  });

  it('no longer use the controller of an element after they were moved out of it', async () => {
    const { controller } = setupController();
    controller.setDraft({ text: 'of the chat', attachments: [] });
    const chat = document.createElement('ubik-chat');
    const composer = document.createElement('ubik-composer');
    chat.append(composer);
    chat.controller = controller;
    const box = await fixture(html`<div></div>`);
    box.append(chat);
    await nextFrame();
    await nextFrame();
    const field = inside(composer, 'textarea') as HTMLTextAreaElement;
    expect(field.value).to.equal('of the chat');
    box.append(composer);
    await nextFrame();
    await nextFrame();
    expect([field.value, await composer.send('x')]).to.deep.equal(['', false]);
  });

  it('keep their own controller inside another provider, and do not ask for one', async () => {
    const { controller } = setupController();
    controller.setDraft({ text: 'own', attachments: [] });
    const box = await fixture(html`<div></div>`);
    let requests = 0;
    box.addEventListener('context-request', () => (requests += 1));
    provideController(box as HTMLElement)(setupController().controller);
    const composer = document.createElement('ubik-composer');
    composer.controller = controller;
    box.append(composer);
    await composer.updateComplete;
    expect([inside(composer, 'textarea') instanceof HTMLTextAreaElement, requests]).to.deep.equal([
      true,
      0,
    ]);
    expect((inside(composer, 'textarea') as HTMLTextAreaElement).value).to.equal('own');
  });

  it('connect through shadow roots to a provider that appears later, until they are removed', async () => {
    const [first, second] = [setupController(), setupController()];
    const around = await fixture<HTMLElement>(html`<div></div>`);
    const wrapper = around.appendChild(document.createElement('div'));
    const composer = document.createElement('ubik-composer');
    wrapper.attachShadow({ mode: 'open' }).append(composer);
    await composer.updateComplete;
    let updates = 0;
    composer.addController({ hostUpdated: () => void (updates += 1) });
    document.dispatchEvent(Object.assign(new Event('context-provider'), { context: 'other' }));
    await nextFrame();
    expect(updates, 'another context').to.equal(0);
    const observations = recordObservations({}, [first.controller, second.controller]);
    const provide = provideController(around);
    provide(first.controller);
    await nextFrame();
    await nextFrame();
    const before = observations.list();
    expect(before.filter((each) => each === 'retained').length).to.equal(1);
    composer.remove();
    expect(observations.list()).to.deep.equal([]);
    provide(second.controller);
    await nextFrame();
    expect(observations.list(), 'removed').to.deep.equal([]);
    wrapper.shadowRoot?.append(composer);
    await nextFrame();
    await nextFrame();
    expect(observations.list()).to.deep.equal(before);
    expect(inside(composer, 'textarea')).not.to.equal(null);
    observations.restore();
  });

  it('are updated by changes of the thread, but not by each chunk', async () => {
    const { controller, environment, backend } = setupController();
    const transcript = await fixture<UbikTranscript>(
      html`<ubik-transcript .controller=${controller}></ubik-transcript>`,
    );
    const request = await fixture<UbikInputRequest>(
      html`<ubik-input-request .controller=${controller}></ubik-input-request>`,
    );
    const settle = async (): Promise<void> => {
      await environment.settle();
      await nextFrame();
      await nextFrame();
    };
    void controller.send({ text: 'Hi', attachments: [] });
    await settle();
    backend.stream.begin();
    await settle();
    const updated: HTMLElement[] = [];
    for (const each of [transcript, request])
      each.addController({ hostUpdated: () => void updated.push(each) });
    backend.stream.append(0, 'Some text');
    await settle();
    expect(updated).to.deep.equal([]);
    backend.stream.request('@request:c');
    await settle();
    expect(updated).to.include(request);
  });

  it('warn once when there is no controller, and show nothing', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    const transcript = await fixture<UbikTranscript>(html`<ubik-transcript></ubik-transcript>`);
    await Promise.resolve();
    console.warn = warn;
    expect(warnings.filter((text) => text.includes('<ubik-transcript>')).length).to.equal(1);
    expect(inside(transcript, '.message')).to.equal(null);
  });

  it('load the code of requests once for each request while it cannot be loaded', async () => {
    const { controller, start, backend, settle } = await setupChat();
    const { load, value } = lazyViews;
    const request = await fixture<UbikInputRequest>(
      html`<ubik-input-request .controller=${controller}></ubik-input-request>`,
    );
    await start();
    let count = 0;
    lazyViews.value = undefined;
    lazyViews.load = () => {
      count += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    try {
      backend.stream.request('@request:c');
      await settle();
      for (let updates = 0; updates < 3; updates += 1) {
        request.requestUpdate();
        await settle();
      }
      expect(count).to.equal(1);
      backend.stream.request('@request:d');
      await settle();
      expect(count).to.equal(2);
      lazyViews.value = value;
      request.requestUpdate();
      await settle();
      expect(inside(request, 'textarea')).not.to.equal(null);
    } finally {
      Object.assign(lazyViews, { load, value });
    }
  });

  it('keep a half-written answer when they are moved in the document', async () => {
    const { box, request, settle, field } = await setupRequest();
    field.value = 'half a tho';
    box.append(request);
    await settle();
    expect(inside(request, 'textarea')).to.equal(field);
    expect(field.value).to.equal('half a tho');
  });

  it('show the request of another controller, whose message has the same key', async () => {
    const conversations = [setupController(), setupController()] as const;
    const request = await fixture<UbikInputRequest>(
      html`<ubik-input-request></ubik-input-request>`,
    );
    for (const { controller, backend, environment } of conversations) {
      void controller.send({ text: 'Hi', attachments: [] });
      await environment.settle();
      backend.stream.begin();
      backend.stream.request('@request:c');
      await environment.settle();
    }
    const [first, second] = conversations;
    const keys = conversations.map(({ backend }) => backend.stream.keys.answer);
    expect(keys[0]).to.equal(keys[1]);
    const fields: (Element | null)[] = [];
    for (const { controller, environment } of conversations) {
      request.controller = controller;
      await environment.settle();
      await nextFrame();
      await nextFrame();
      const field = inside(request, 'textarea') as HTMLTextAreaElement;
      fields.push(field);
      field.value = '2025';
    }
    expect(fields[0]).not.to.equal(fields[1]);
    (inside(request, 'form') as HTMLFormElement).requestSubmit();
    await second.environment.settle();
    const counts = [first, second].map(({ backend }) => backend.count('provideInput'));
    expect(counts).to.deep.equal([0, 1]);
  });

  it('show pending requests outside of the chat, and keep an answer that the service rejects', async () => {
    const { backend, request, settle, field } = await setupRequest();
    field.value = '2025';
    (inside(request, 'form') as HTMLFormElement).requestSubmit();
    await settle();
    expect(backend.count('provideInput')).to.equal(1);
    backend.stream.fail(new UbikError('invalid', { status: 422 }));
    await settle();
    expect(inside(request, 'textarea')).to.equal(field);
    expect(field.value).to.equal('2025');
    expect(inside(request, '[role=alert]')?.textContent).not.to.equal('');
  });

  it('keep a half-written answer when the service rejects a message, until it accepts one', async () => {
    const { controller, backend, request, settle, field } = await setupRequest();
    field.value = 'half a tho';
    const send = async (): Promise<void> => {
      controller.send({ text: '2025', attachments: [] }).catch(() => undefined);
      await settle();
    };
    await send();
    backend.stream.fail(new UbikError('invalid', { status: 422 }));
    await settle();
    expect(inside(request, 'textarea')).to.equal(field);
    expect(field.value).to.equal('half a tho');
    await send();
    expect(inside(request, 'textarea')).to.equal(field);
    backend.stream.begin();
    await settle();
    expect(inside(request, '.request')).to.equal(null);
  });

  it('ask the host page again when they are shown again, and show the form if it does not answer', async () => {
    const { controller, environment, backend } = setupController();
    const box = await fixture(html`<div></div>`);
    const show = async (isCancelled: boolean): Promise<UbikTranscript> => {
      const transcript = document.createElement('ubik-transcript');
      transcript.controller = controller;
      transcript.addEventListener('ubik-input-required', (event) => {
        if (isCancelled) event.preventDefault();
      });
      box.replaceChildren(transcript);
      await environment.advance(0);
      await nextFrame();
      await nextFrame();
      return transcript;
    };
    void controller.send({ text: 'Hi', attachments: [] });
    await environment.settle();
    backend.stream.begin();
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await environment.settle();
    const first = await show(true);
    expect(inside(first, '.request')?.dataset['state']).to.equal('external');
    first.remove();
    await environment.advance(0);
    const second = await show(false);
    expect(inside(second, '.request textarea')).to.not.equal(null);
  });

  it('show requests in another language in the same nodes, and none when another conversation is shown', async () => {
    const { controller, start, backend, settle } = await setupChat();
    const request = await fixture<UbikInputRequest>(
      html`<ubik-input-request .controller=${controller}></ubik-input-request>`,
    );
    await start();
    backend.stream.request('@request:1', 'tool');
    backend.stream.request('@request:2', 'tool');
    await settle();
    const shown = (): HTMLElement[] => [
      ...(request.shadowRoot?.querySelectorAll<HTMLElement>('.request') ?? []),
    ];
    const nodes = shown();
    expect(nodes.length).to.equal(2);
    const button = (): string | undefined => nodes[0]?.querySelector('button')?.textContent.trim();
    const english = button();
    await loadLanguage('de');
    request.lang = 'de';
    await settle();
    expect(button()).to.not.equal(english);
    expect(shown(), 'the same').to.deep.equal(nodes);
    controller.switchToNewThread();
    await settle();
    expect(shown()).to.deep.equal([]);
  });

  it('show requests when their code has loaded, and report that it cannot be loaded', async () => {
    const value = await lazyViews.load();
    for (const works of [true, false]) {
      const { controller, start, backend, settle } = await setupChat();
      await start();
      backend.stream.request('@request:c');
      await settle();
      lazyViews.value = undefined;
      lazyViews.load = () => {
        if (!works) return Promise.reject(new UbikError('load-failed'));
        lazyViews.value = value;
        return Promise.resolve(value);
      };
      try {
        const request = document.createElement('ubik-input-request');
        const codes: string[] = [];
        request.addEventListener('ubik-error', ({ detail }) => codes.push(detail.code));
        request.controller = controller;
        const box = await fixture(html`<div></div>`);
        box.append(request);
        await settle();
        expect([inside(request, 'form') !== null, codes.length > 0]).to.deep.equal([works, !works]);
        request.remove();
      } finally {
        Reflect.deleteProperty(lazyViews, 'load');
        lazyViews.value = value;
      }
    }
  });
});

describe('a provider of a controller', () => {
  interface Asked {
    readonly event: Event;
    readonly received: StreamController[];
    readonly unsubscribe: () => void;
  }

  /** Asks for a context, as the elements of other libraries do. */
  function ask(
    node: HTMLElement,
    { context = 'ubik-controller', subscribe = true, withCallback = true } = {},
  ): Asked {
    const received: StreamController[] = [];
    let end: (() => void) | undefined;
    const callback = (controller: StreamController, unsubscribe?: () => void): void => {
      received.push(controller);
      end = unsubscribe;
    };
    const init = { bubbles: true, composed: true, cancelable: true };
    const event = Object.assign(new Event('context-request', init), {
      ...{ context, subscribe },
      ...(withCallback && { callback }),
    });
    node.dispatchEvent(event);
    return { event, received, unsubscribe: () => end?.() };
  }

  it('responds to requests for its context only, instead of an outer provider', async () => {
    const [outer, { controller }] = [setupController(), setupController()];
    const around = await fixture<HTMLElement>(
      html`<div>
        <div><p></p></div>
      </div>`,
    );
    const [inner, node] = [around.firstElementChild, around.querySelector('p')];
    if (!(inner instanceof HTMLElement) || !node) throw new Error('The nodes are missing.');
    provideController(around)(outer.controller);
    const other = ask(node, { context: 'other' });
    const without = ask(node, { withCallback: false });
    expect([other, without].map(({ event }) => event.defaultPrevented)).to.deep.equal([
      false,
      false,
    ]);
    expect(ask(node).received).to.deep.equal([outer.controller]);
    const provide = provideController(inner);
    const early = ask(node);
    expect([early.event.defaultPrevented, early.received]).to.deep.equal([true, []]);
    const events: Event[] = [];
    around.addEventListener('context-provider', (event) => events.push(event));
    provide(controller);
    expect(early.received).to.deep.equal([controller]);
    expect(
      events.map((event) => (event as unknown as Asked & { context: string }).context),
    ).to.deep.equal(['ubik-controller']);
  });

  it('delivers later controllers to subscribers only', async () => {
    const [first, second] = [setupController().controller, setupController().controller];
    const node = await fixture<HTMLElement>(html`<div></div>`);
    const provide = provideController(node);
    provide(first);
    const once = ask(node, { subscribe: false });
    const subscribed = ask(node);
    const ended = ask(node);
    ended.unsubscribe();
    provide(second);
    expect(once.received).to.deep.equal([first]);
    expect(subscribed.received).to.deep.equal([first, second]);
    expect(ended.received).to.deep.equal([first]);
  });
});

describe('an element without a controller', () => {
  /** Returns the console warnings while `act` runs. */
  async function warningsOf(act: () => Promise<unknown>): Promise<string> {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    await act();
    await nextFrame();
    console.warn = warn;
    return warnings.join('\n');
  }

  it('does not warn inside a provider that has no controller yet', async () => {
    const around = await fixture<HTMLElement>(html`<div></div>`);
    provideController(around);
    const warnings = await warningsOf(async () => {
      const map = new UbikBranchMap();
      around.append(map);
      await map.updateComplete;
    });
    expect(warnings).to.equal('');
  });

  it('warns when no enclosing element provides a controller', async () => {
    const warnings = await warningsOf(() => fixture(html`<ubik-branch-map></ubik-branch-map>`));
    expect(warnings).to.contain('<ubik-branch-map> has no controller');
  });

  it('warns only when all scripts of the page have run', async () => {
    let isReady = false;
    const state = (): DocumentReadyState => (isReady ? 'complete' : 'loading');
    Object.defineProperty(document, 'readyState', { configurable: true, get: state });
    try {
      const early = await warningsOf(() => fixture(html`<ubik-checkpoints></ubik-checkpoints>`));
      expect(early).to.equal('');
      const late = await warningsOf(async () => {
        isReady = true;
        document.dispatchEvent(new Event('DOMContentLoaded'));
        await nextFrame();
      });
      expect(late).to.contain('<ubik-checkpoints> has no controller');
    } finally {
      Reflect.deleteProperty(document, 'readyState');
    }
  });

  it('does not warn while it shows static content, and inserts its own content as the first child of the shadow root', async () => {
    const list = document.createElement('ubik-thread-list');
    const content = document.createElement('div');
    content.setAttribute('data-static', '');
    list.attachShadow({ mode: 'open' }).append(content);
    const box = await fixture(html`<div></div>`);
    const warnings = await warningsOf(async () => {
      box.append(list);
      await list.updateComplete;
    });
    expect(warnings).to.equal('');
    const [own, ...others] = [...(list.shadowRoot?.children ?? [])];
    expect([own?.className, others.at(-1)]).to.deep.equal(['ubik', content]);
  });
});

describe('the accent colour of the page', () => {
  it('is copied when an element is connected or moved, and when the colour scheme changes', async () => {
    const style = document.createElement('style');
    style.textContent = `.red { accent-color: red } .auto { accent-color: auto }
      @media (prefers-color-scheme: dark) { .red { accent-color: blue } }`;
    document.head.append(style);
    const own = window.getComputedStyle;
    const read: Element[] = [];
    window.getComputedStyle = (element, pseudo) => {
      read.push(element);
      return own(element, pseudo);
    };
    try {
      const [red, auto] = [document.createElement('div'), document.createElement('div')];
      red.className = 'red';
      auto.className = 'auto';
      const box = await fixture(html`<div></div>`);
      box.append(red, auto);
      const [first, second] = [
        document.createElement('ubik-markdown'),
        document.createElement('ubik-markdown'),
      ];
      const accentOf = async (element: HTMLElement): Promise<string | undefined> => {
        await nextFrame();
        await nextFrame();
        return inside(element, '.ubik')?.style.getPropertyValue('--_page-accent');
      };
      red.append(first);
      expect(await accentOf(first)).to.equal('rgb(255, 0, 0)');
      read.length = 0;
      auto.append(second);
      expect(await accentOf(second)).to.equal('');
      expect(read.includes(first), 'read again').to.equal(false);
      auto.append(first);
      expect(await accentOf(first), 'moved').to.equal('');
      red.append(first);
      await accentOf(first);
      await emulateMedia({ colorScheme: 'dark' });
      expect(await accentOf(first), 'dark').to.equal('rgb(0, 0, 255)');
      first.remove();
      await accentOf(first);
      read.length = 0;
      await emulateMedia({ colorScheme: 'light' });
      await accentOf(second);
      expect([read.includes(first), read.includes(second)], 'removed').to.deep.equal([false, true]);
    } finally {
      await emulateMedia({ colorScheme: 'light' });
      window.getComputedStyle = own;
      style.remove();
    }
  });
});

describe('a click in an element', () => {
  it('dispatches ubik-link-open before a link is followed, which the page may prevent', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown
        .content=${'[One](https://a.example/) and **two** <https://b.example/>'}
      ></ubik-markdown>`,
    );
    await nextFrame();
    const urls: string[] = [];
    let isPrevented = true;
    text.addEventListener('ubik-link-open', (event) => {
      urls.push(event.detail.url);
      if (isPrevented) event.preventDefault();
    });
    /** Clicks, and returns whether the link is followed. */
    const follows = (node: Element | null, init: (event: MouseEvent) => void = () => undefined) => {
      const event = new MouseEvent('click', { bubbles: true, composed: true, cancelable: true });
      node?.addEventListener('click', () => init(event), { once: true });
      let isFollowed = true;
      const end = (late: Event): void => {
        isFollowed = !late.defaultPrevented;
        late.preventDefault();
      };
      window.addEventListener('click', end, { once: true });
      node?.dispatchEvent(event);
      return isFollowed;
    };
    const link = inside(text, 'a');
    expect([follows(link), urls]).to.deep.equal([false, ['https://a.example/']]);
    isPrevented = false;
    expect([follows(link), urls.length]).to.deep.equal([true, 2]);
    expect([follows(inside(text, 'strong')), urls.length]).to.deep.equal([true, 2]);
    follows(link, (event) => event.preventDefault());
    expect(urls.length, 'handled by something else').to.equal(2);
    const download = inside(text, '.text')?.appendChild(document.createElement('a'));
    follows(download ?? null);
    expect(urls.length, 'without an address').to.equal(2);
    Object.assign(download ?? {}, { href: 'https://c.example/', download: 'c.txt' });
    follows(download ?? null);
    expect(urls.length, 'a download').to.equal(2);
  });
});

describe('actions of views', () => {
  it('exist only when the service has their capability', async () => {
    const { chat, backend } = await setupChat();
    const { actions } = (chat as unknown as { viewContext: { actions: Record<string, unknown> } })
      .viewContext;
    for (const [capability, names] of [
      ['input', ['provideInput']],
      ['checkpoints', ['restore']],
      ['edit', ['edit']],
      ['regenerate', ['regenerate']],
      ['branches', ['switchBranch', 'openBranchMap', 'compareBranches', 'loadVersion']],
      ['tool-files', ['loadToolFile']],
      ['citations', ['loadPassage']],
    ] as const) {
      Object.assign(backend, { loadToolFile: () => undefined, loadPassage: () => undefined });
      backend.capabilities.delete(capability);
      const typesOf = () => names.map((name) => typeof actions[name]);
      expect(typesOf(), capability).to.deep.equal(names.map(() => 'undefined'));
      backend.capabilities.add(capability);
      expect(typesOf(), capability).to.deep.equal(names.map(() => 'function'));
    }
    expect(actions['storesTimes']).to.equal(false);
    backend.capabilities.add('times');
    expect(actions['storesTimes']).to.equal(true);
    expect(actions['isInternalField']).to.equal(undefined);
    Object.assign(backend, { isInternalField: (name: string) => name === 'execution_id' });
    const isInternalField = actions['isInternalField'] as (name: string) => boolean;
    expect(['execution_id', 'query'].map(isInternalField)).to.deep.equal([true, false]);
    expect(actions['thread']).to.equal(chat.controller?.thread);
    Object.assign(backend, { loadMessage: undefined });
    expect(actions['loadVersion']).to.equal(undefined);
  });
});
