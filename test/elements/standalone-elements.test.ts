import { expect, fixture, html } from '@open-wc/testing';
import { provideController } from '../../src/elements/base/context-protocol.js';
import { UbikBranchMap } from '../../src/elements/ubik-branch-map.js';
import type { UbikInputRequest } from '../../src/elements/ubik-input-request.js';
import type { UbikMarkdown } from '../../src/elements/ubik-markdown.js';
import type { UbikMessage } from '../../src/elements/ubik-message.js';
import type { UbikTranscript } from '../../src/elements/ubik-transcript.js';
import { nextFrame, setupChat, setupController } from './chat-fixture.js';

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

  it('renders a user message as plain text', async () => {
    const message = await fixture<UbikMessage>(
      html`<ubik-message author="user" content="**x** <<thinking>>"></ubik-message>`,
    );
    expect(inside(message, '.plain')?.textContent).to.equal('**x** <<thinking>>');
  });

  it('renders content in an unknown format as plain text, and warns', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    const message = await fixture<UbikMessage>(
      html`<ubik-message format="hologram" content="plain words"></ubik-message>`,
    );
    console.warn = warn;
    expect(inside(message, '.text')?.textContent.trim()).to.equal('plain words');
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

  it('loads images from allowed origins, and asks before it loads others', async () => {
    const content = '![a](https://ok.invalid/img/a.png) ![b](https://ok.invalid/other/b.png)';
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown
        image-policy="allow https://ok.invalid/img/ https://more.invalid"
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

  it('renders diagrams with renderDiagram, and raw HTML as text by default', async () => {
    const text = await fixture<UbikMarkdown>(
      html`<ubik-markdown
        .content=${'```pie\n1 2\n```\n\n<b>raw</b>'}
        .renderDiagram=${(_language: string, source: string, box: HTMLElement) => {
          box.textContent = `drawn ${source}`;
        }}
      ></ubik-markdown>`,
    );
    await nextFrame();
    expect(inside(text, '.ubik-diagram')?.textContent).to.equal('drawn 1 2\n');
    expect(inside(text, '.text')?.textContent).to.contain('<b>raw</b>');
    expect([text.html, document.createElement('ubik-markdown').html]).to.deep.equal([
      'text',
      'text',
    ]);
  });

  it('requests no remote image by default', async () => {
    const markdown = await fixture<UbikMarkdown>(
      html`<ubik-markdown content="![a](https://pictures.example/a.png)"></ubik-markdown>`,
    );
    expect(inside(markdown, 'img')).to.equal(null);
    expect(inside(markdown, 'button')?.textContent).to.contain('pictures.example');
  });
});

describe('elements of one controller', () => {
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

  it('keep a half-written answer when they are moved in the document', async () => {
    const { controller, start, backend, settle, box } = await setupChat();
    const request = await fixture<UbikInputRequest>(
      html`<ubik-input-request .controller=${controller}></ubik-input-request>`,
    );
    await start();
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await settle();
    const field = inside(request, 'textarea') as HTMLTextAreaElement;
    field.value = 'half a tho';
    box.append(request);
    await settle();
    expect(inside(request, 'textarea')).to.equal(field);
    expect(field.value).to.equal('half a tho');
  });

  it('show pending requests outside of the chat, and send their answers', async () => {
    const { controller, start, backend, settle } = await setupChat();
    const request = await fixture<UbikInputRequest>(
      html`<ubik-input-request .controller=${controller}></ubik-input-request>`,
    );
    await start();
    expect(inside(request, '.request')).to.equal(null);
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await settle();
    const field = inside(request, 'textarea') as HTMLTextAreaElement;
    field.value = '2025';
    (inside(request, 'form') as HTMLFormElement).requestSubmit();
    await settle();
    expect(backend.count('provideInput')).to.equal(1);
  });
});

describe('an element without a controller', () => {
  /** Returns the console warnings while `draw` runs. */
  async function warningsOf(draw: () => Promise<unknown>): Promise<string> {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    await draw();
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
});
