import { expect, fixture, html } from '@open-wc/testing';
import '../../src/define.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import type { UbikComposer } from '../../src/elements/ubik-composer.js';
import type { UbikTranscript } from '../../src/elements/ubik-transcript.js';
import { UbikError } from '../../src/errors.js';
import { loadLanguage } from '../../src/locales/languages.js';
import { findLocale } from '../../src/locales/locale.js';
import { contentOf, stored } from '../controller/scripted-backend.js';
import { nextFrame, setupController } from './chat-fixture.js';

const CONTENT = ['assets-url', 'html', 'image-policy', 'link-base'];
const WRITING = ['long-paste', 'max-length', 'prefill', 'speech', 'while-running'];

/** The attributes of each element. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  'ubik-chat': [
    ...CONTENT,
    ...WRITING,
    ...['agent-id', 'announce', 'assistive', 'base-url', 'debug', 'density', 'drafts'],
    ...[
      'error-details',
      'gate',
      'greeting',
      'lang',
      'layout',
      'message-id',
      'open',
      'pin-question',
    ],
    ...['push', 'service', 'steps', 'storage-key', 'theme', 'thread-id'],
  ],
  'ubik-composer': WRITING,
  'ubik-transcript': [...CONTENT, 'assistive', 'error-details', 'pin-question', 'steps'],
  'ubik-message': [
    ...CONTENT,
    'author',
    'content',
    'error-details',
    'format',
    'steps',
    'streaming',
  ],
  'ubik-markdown': [...CONTENT, 'content', 'streaming'],
  'ubik-input-request': [],
  'ubik-thread-list': [],
  'ubik-documents': [],
  'ubik-checkpoints': [],
  'ubik-branch-map': [],
};

/** Attributes without a value. */
const FLAGS = [
  ...['assistive', 'debug', 'error-details', 'open', 'pin-question', 'prefill', 'push', 'speech'],
  'streaming',
];

/** Attributes that follow their property. */
const REFLECTED = ['density', 'lang', 'layout', 'open', 'push', 'theme'];

const toProperty = (attribute: string): string =>
  attribute.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Expects that an attribute which is set and removed restores the value that its property has without it. */
function expectDefaultWhenRemoved(element: HTMLElement, attribute: string): void {
  const values = element as unknown as Record<string, unknown>;
  const before = values[toProperty(attribute)];
  element.setAttribute(attribute, '12');
  element.removeAttribute(attribute);
  expect(values[toProperty(attribute)], attribute).to.equal(before);
}

describe('attributes of elements', () => {
  for (const [name, attributes] of Object.entries(ATTRIBUTES)) {
    it(`are the listed ones, and set their property: <${name}>`, () => {
      const { observedAttributes } = customElements.get(name) as unknown as {
        readonly observedAttributes: string[];
      };
      expect([...observedAttributes].sort()).to.deep.equal([...attributes].sort());
      // Not connected, so that nothing is requested.
      const element = document.createElement(name);
      const values = element as unknown as Record<string, unknown>;
      for (const attribute of attributes) {
        const before = values[toProperty(attribute)];
        expectDefaultWhenRemoved(element, attribute);
        if (FLAGS.includes(attribute)) {
          expect(before, attribute).to.equal(false);
          element.setAttribute(attribute, '');
          expect(values[toProperty(attribute)], attribute).to.equal(true);
        } else if (typeof before === 'number') {
          element.setAttribute(attribute, '12');
          expect(values[toProperty(attribute)], attribute).to.equal(12);
        } else {
          // A chat has no gate by default.
          expect(before ?? '', attribute).to.be.a('string');
          element.setAttribute(attribute, 'value');
          expect(values[toProperty(attribute)], attribute).to.equal('value');
        }
      }
    });
  }

  it('do not stop the updates of the element when their property has no value', async () => {
    for (const name of ['ubik-chat', 'ubik-transcript', 'ubik-markdown']) {
      const { controller } = setupController();
      const element = Object.assign(document.createElement(name), { controller });
      const box = await fixture(html`<div></div>`);
      box.append(element);
      const { updateComplete } = element as unknown as UbikComposer;
      await updateComplete;
      // Frameworks set null or undefined where their own property has no value.
      for (const value of [null, undefined])
        for (const attribute of ATTRIBUTES[name] ?? []) {
          if (FLAGS.includes(attribute)) continue;
          Object.assign(element, { [toProperty(attribute)]: value });
          await (element as unknown as UbikComposer).updateComplete;
        }
      expect(element.shadowRoot?.querySelector('.ubik'), name).not.to.equal(null);
      element.remove();
    }
  });

  it('follow their property where style sheets of the page may need them', async () => {
    const chat = document.createElement('ubik-chat');
    const names = ATTRIBUTES['ubik-chat'] ?? [];
    const values = chat as unknown as Record<string, unknown>;
    for (const name of names) {
      const before = values[toProperty(name)];
      values[toProperty(name)] =
        typeof before === 'boolean' ? true : typeof before === 'number' ? 3 : 'en';
    }
    chat.controller = setupController().controller;
    const box = await fixture(html`<div></div>`);
    box.append(chat);
    await chat.updateComplete;
    const found = chat.getAttributeNames().filter((name) => names.includes(name));
    chat.remove();
    expect(found.sort()).to.deep.equal(REFLECTED);
  });
});

describe('a standalone <ubik-composer>', () => {
  /** A composer with a scripted controller. */
  async function setup() {
    const conversation = setupController();
    const composer = await fixture<UbikComposer>(
      html`<ubik-composer .controller=${conversation.controller}></ubik-composer>`,
    );
    const root = composer.shadowRoot as ShadowRoot;
    const settle = async (): Promise<void> => {
      await conversation.environment.settle();
      await nextFrame();
      await nextFrame();
    };
    await settle();
    return { ...conversation, composer, root, settle };
  }

  it('focuses its field, and shows the draft that another element has written', async () => {
    const { composer, root, controller, settle } = await setup();
    composer.focus();
    const field = root.querySelector('textarea');
    expect(root.activeElement).to.equal(field);
    controller.setDraft({ text: 'From elsewhere', attachments: [] });
    await settle();
    expect(field?.value).to.equal('From elsewhere');
  });

  it('sends and stops, and shows why a message was not sent', async () => {
    const { composer, root, backend, settle } = await setup();
    const sent = composer.send('Question');
    await settle();
    backend.stream.fail(new UbikError('too-large', 'no', { status: 413 }));
    await settle();
    expect(await sent).to.equal(false);
    expect(root.querySelector('.below [role=alert]')?.textContent.trim()).to.equal(
      'Not sent. This is too large to send.',
    );
    void composer.send('Question');
    await settle();
    backend.stream.begin();
    await settle();
    expect(root.querySelector('.below [role=alert]')).to.equal(null);
    expect(root.querySelector<HTMLElement>('.send')?.title).to.equal('Stop');
    void composer.stop();
    await settle();
    expect(backend.count('stop')).to.equal(1);
    backend.stream.finish('stopped');
    await settle();
    expect(root.querySelector<HTMLElement>('.send')?.title).to.equal('Send');
  });
});

describe('a standalone <ubik-transcript>', () => {
  /** A transcript of a thread with two long answers. */
  async function setup() {
    const conversation = setupController();
    const { backend, controller, environment } = conversation;
    backend.threads.set(
      't',
      contentOf('t', [
        stored('q1', 'user', 'First'),
        stored('a1', 'assistant', 'Paragraph.\n\n'.repeat(40)),
        stored('q2', 'user', 'Second'),
        stored('a2', 'assistant', 'Other.\n\n'.repeat(40)),
      ]),
    );
    await controller.openThread('t');
    const transcript = await fixture<UbikTranscript>(
      html`<ubik-transcript style="height: 300px" .controller=${controller}></ubik-transcript>`,
    );
    const root = transcript.shadowRoot as ShadowRoot;
    const settle = async (): Promise<void> => {
      await environment.settle();
      for (let frame = 0; frame < 4; frame += 1) await nextFrame();
    };
    await settle();
    const scroller = root.querySelector('.scroller') as HTMLElement;
    const fromEnd = (): number =>
      scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    return { ...conversation, transcript, root, settle, scroller, fromEnd };
  }

  it('scrolls to the end and follows it on request', async () => {
    const { controller, transcript, scroller, settle, fromEnd } = await setup();
    expect(fromEnd()).to.be.at.most(1);
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop = 0;
    await settle();
    expect(fromEnd()).to.be.above(100);
    transcript.scrollToEnd();
    expect(fromEnd()).to.be.at.most(1);
    const { scrollHeight } = scroller;
    void controller.send({ text: 'Third\n'.repeat(40), attachments: [] });
    await settle();
    expect(scroller.scrollHeight).to.be.above(scrollHeight + 100);
    expect(fromEnd(), 'follows what is added').to.be.at.most(1);
  });

  it('scrolls to the end of another thread', async () => {
    const { backend, controller, scroller, settle, fromEnd } = await setup();
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop = 100;
    await settle();
    const text = 'Paragraph.\n\n'.repeat(80);
    backend.threads.set('other', contentOf('other', [stored('a3', 'assistant', text)]));
    await controller.openThread('other');
    await settle();
    expect(scroller.scrollHeight).to.be.above(1000);
    expect(fromEnd()).to.be.at.most(1);
  });

  it('shows the branch that ends at its head', async () => {
    const { transcript, root, settle, controller } = await setup();
    const count = (): number => root.querySelectorAll('.message').length;
    expect(count()).to.equal(4);
    const second = [...(controller.thread?.messages.values() ?? [])].find(({ id }) => id === 'a1');
    transcript.head = second?.key ?? null;
    await settle();
    expect(count()).to.equal(2);
    transcript.head = null;
    await settle();
    expect(count()).to.equal(4);
  });

  it('is labelled, and rendered again in another language', async () => {
    const { transcript, root, settle, scroller } = await setup();
    expect([scroller.role, scroller.tabIndex, scroller.ariaLabel]).to.deep.equal([
      'region',
      0,
      'Conversation',
    ]);
    expect(scroller.part.contains('transcript')).to.equal(true);
    const column = root.querySelector('.column');
    expect([column?.role, column?.ariaLabel, column?.classList.contains('is-empty')]).to.deep.equal(
      ['feed', 'Messages', false],
    );
    await loadLanguage('de');
    transcript.lang = 'de';
    await settle();
    expect(scroller.ariaLabel).to.equal(findLocale('de').text('conversation'));
    expect(column?.ariaLabel).to.equal(findLocale('de').text('messages'));
    expect(root.querySelector('.message')?.ariaLabel).to.equal(findLocale('de').text('you'));
  });
});

describe('elements whose code cannot be loaded', () => {
  let value: typeof lazyViews.value;

  beforeEach(async () => {
    value = await lazyViews.load();
    lazyViews.value = undefined;
  });
  afterEach(() => {
    Reflect.deleteProperty(lazyViews, 'load');
    lazyViews.value = value;
  });

  it('show the text of a <ubik-message>, and report the failure', async () => {
    for (const [cause, code] of [
      [new UbikError('load-failed'), 'load-failed'],
      [new TypeError('Broken'), 'load-failed'],
      [new UbikError('network'), 'network'],
    ] as const) {
      lazyViews.load = () => Promise.reject(cause);
      const codes: string[] = [];
      const message = document.createElement('ubik-message');
      message.addEventListener('ubik-error', ({ detail }) => codes.push(detail.code));
      message.content = 'Some **words**';
      const box = await fixture(html`<div></div>`);
      box.append(message);
      await nextFrame();
      await message.updateComplete;
      expect(message.shadowRoot?.querySelector('.plain')?.textContent.trim()).to.equal(
        'Some **words**',
      );
      expect(codes).to.deep.equal([code]);
    }
  });

  it('report the failure once, show the question, and offer to load the messages again', async () => {
    let requests = 0;
    lazyViews.load = () => {
      requests += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    const { backend, controller, environment } = setupController();
    backend.threads.set(
      't',
      contentOf('t', [stored('q', 'user', 'How long?'), stored('a', 'assistant', 'Long.')]),
    );
    const chat = document.createElement('ubik-chat');
    const codes: string[] = [];
    chat.addEventListener('ubik-error', ({ detail }) => codes.push(detail.code));
    chat.controller = controller;
    const box = await fixture(html`<div></div>`);
    box.append(chat);
    const settle = async (): Promise<void> => {
      await environment.settle();
      for (let frame = 0; frame < 4; frame += 1) await nextFrame();
    };
    await settle();
    expect(requests, 'nothing to render').to.equal(0);
    await controller.openThread('t');
    await settle();
    const root = chat.shadowRoot as ShadowRoot;
    expect(requests).to.be.above(0);
    expect(codes).to.deep.equal(['load-failed']);
    expect(root.querySelector('.question-placeholder')?.textContent).to.equal('How long?');
    expect(root.querySelector('.empty')?.checkVisibility()).to.equal(false);
    const status = root.querySelector('.status-bar .line');
    expect(status?.querySelector('button')?.textContent.trim()).to.equal('Retry');
    const before = requests;
    status?.querySelector('button')?.click();
    await settle();
    expect(requests).to.be.above(before);
    expect(codes, 'reported once').to.deep.equal(['load-failed']);
    void controller.send({ text: 'And?', attachments: [] });
    await settle();
    backend.stream.begin();
    await settle();
    const beforeText = requests;
    backend.stream.append(0, 'Wide.');
    await settle();
    expect(requests, 'the next change tries again').to.be.above(beforeText);
    lazyViews.value = value;
    lazyViews.load = () => Promise.resolve(value as NonNullable<typeof value>);
    root.querySelector<HTMLElement>('.status-bar .line button')?.click();
    await settle();
    expect(root.querySelectorAll('.message').length).to.equal(4);
    expect(root.querySelector('.question-placeholder')).to.equal(null);
    expect(root.querySelector('.status-bar .line')).to.equal(null);
  });
});

describe('the code of the messages', () => {
  it('is prefetched when the user has begun to write, and not before', async () => {
    const own = lazyViews.prefetch.bind(lazyViews);
    let prefetched = 0;
    lazyViews.prefetch = () => {
      prefetched += 1;
      own();
    };
    try {
      const { backend, controller } = setupController();
      const chat = document.createElement('ubik-chat');
      chat.controller = controller;
      const box = await fixture(html`<div></div>`);
      box.append(chat);
      await nextFrame();
      controller.switchToNewThread();
      backend.threads.set('t', contentOf('t', [stored('q', 'user', 'How long?')]));
      await controller.openThread('t');
      await nextFrame();
      expect(prefetched).to.equal(0);
      controller.setDraft({ text: 'I', attachments: [] });
      await nextFrame();
      expect(prefetched).to.be.above(0);
    } finally {
      Reflect.deleteProperty(lazyViews, 'prefetch');
    }
  });
});
