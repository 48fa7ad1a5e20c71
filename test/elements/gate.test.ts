import { expect, fixture, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '../../src/define.js';
import type { ChatGate } from '../../src/elements/gate/gate-types.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import '../../src/elements/sides/side-panels.js';
import '../../src/elements/window/chat-window.js';
import { LazyModule } from '../../src/dom/lazy-module.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import { UbikError } from '../../src/errors.js';
import type { Json } from '../../src/model/json.js';
import { contentOf, ScriptedBackend, stored } from '../controller/scripted-backend.js';
import { nextFrame, pressKey, setupChat, setupController } from './chat-fixture.js';
import { PASSAGE, setupCitation } from './passage-fixture.js';
import { deepActiveElement } from '../helpers/deep-focus.js';
import '../helpers/load-lazy-modules.js';
import { waitFor } from '../helpers/wait-for.js';

const GATE: ChatGate = {
  title: 'About this assistant',
  text: 'Answers can be wrong. See the **rules**.',
  accept: 'I agree',
};

const FORM: ChatGate = {
  ...GATE,
  schema: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', title: 'Your name' }, order: { type: 'integer' } },
  },
};

/** Number of fixtures, for storage keys that no other test uses. */
let count = 0;

/** A chat with a gate and a scripted service. Records the events of the gate. */
async function setup(prepare: (chat: UbikChat) => void = () => undefined) {
  const backend = new ScriptedBackend(() => 0);
  const chat = document.createElement('ubik-chat');
  chat.style.height = '500px';
  chat.backend = backend;
  chat.gate = GATE;
  chat.storageKey = `gate-${(count += 1)}`;
  const events: unknown[] = [];
  for (const name of ['ubik-gate-pass', 'ubik-gate-passed'] as const) {
    chat.addEventListener(name, ({ type, detail }) => events.push([type, detail]));
  }
  prepare(chat);
  const box = await fixture(html`<div></div>`);
  box.append(chat);
  await chat.updateComplete;
  const root = chat.shadowRoot as ShadowRoot;
  const find = <E extends HTMLElement = HTMLElement>(selector: string): Promise<E> =>
    waitFor(() => root.querySelector<E>(selector));
  return {
    backend,
    chat,
    box,
    root,
    events,
    find,
    pass: async () => (await find('.gate .primary')).click(),
    /** Whether the conversation is shown instead of the gate. */
    isOpen: () =>
      [...root.querySelectorAll('.transcript, .composer')].every((node) => node.checkVisibility()),
    /** Waits until messages can be written. */
    field: () =>
      waitFor(() => {
        const field = root.querySelector<HTMLTextAreaElement>('.field textarea');
        return field?.checkVisibility() && field;
      }),
  };
}

/** Creates the chat again, as after a reload, with the same storage. */
const again = ({ storageKey, userKey, gate }: UbikChat) =>
  setup((chat) => Object.assign(chat, { storageKey, userKey, gate }));

/** A chat whose controller belongs to the page, with a gate of this version. */
const setupConnected = (controller: UbikChat['controller'], version = '1') =>
  setup((chat) =>
    Object.assign(chat, { backend: null, controller, gate: { ...GATE, version }, storageKey: 'k' }),
  );

// Comes before the other tests, the first of which loads the code of the gate for all of them.
describe('the code of a gate', () => {
  it('is requested again on request when it could not be loaded; the gate stays closed until then', async () => {
    const own = LazyModule.prototype.load;
    let attempts = 0;
    LazyModule.prototype.load = function load() {
      if (this.value) return own.call(this);
      attempts += 1;
      return Promise.reject(new UbikError('load-failed'));
    };
    const errors: string[] = [];
    try {
      const { chat, backend, root, field } = await setup((element) =>
        element.addEventListener('ubik-error', ({ detail }) => errors.push(detail.code)),
      );
      const retry = await waitFor(() =>
        [...root.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Retry'),
      );
      expect([root.querySelector('.gate'), backend.calls]).to.deep.equal([null, []]);
      expect(errors).to.deep.equal(['load-failed']);
      const announced = (): unknown => root.querySelector('[aria-live]')?.childElementCount;
      expect(announced()).to.equal(1);
      const before = attempts;
      chat.requestUpdate();
      await chat.updateComplete;
      expect([attempts, announced()], 'not in each update').to.deep.equal([before, 1]);
      retry.click();
      await waitFor(() => announced() === 2);
      LazyModule.prototype.load = own;
      retry.click();
      (await waitFor(() => root.querySelector<HTMLElement>('.gate .primary'))).click();
      await field();
      expect(errors.length).to.equal(2);
    } finally {
      LazyModule.prototype.load = own;
    }
  });
});

describe('the gate of a chat', () => {
  it('is shown instead of the conversation, and nothing is requested until it is passed', async () => {
    const { backend, chat, root, events, find, pass, field, isOpen } = await setup();
    const gate = await find('.gate');
    expect(gate.ariaLabel).to.equal('About this assistant');
    await waitFor(() => gate.querySelector('strong'));
    expect(getComputedStyle(gate).overscrollBehavior).to.equal('contain');
    expect(gate.querySelector('h2')?.textContent).to.equal('About this assistant');
    expect(gate.querySelector('.primary')?.textContent.trim()).to.equal('I agree');
    expect(gate.querySelector('.error-text')?.textContent).to.equal('');
    expect(isOpen()).to.equal(false);
    expect(await chat.send('Too early')).to.equal(false);
    await expect(chat).to.be.accessible();
    expect(backend.calls).to.deep.equal([]);
    await pass();
    await field();
    expect(root.querySelector('.gate')).to.equal(null);
    await chat.ready;
    void chat.send('Now');
    await waitFor(() => backend.count('createThread') > 0);
    const detail = { version: '', values: {} };
    expect(events).to.deep.equal([
      ['ubik-gate-pass', detail],
      ['ubik-gate-passed', detail],
    ]);
  });

  it('asks the page for no token before it is passed', async () => {
    const reasons: string[] = [];
    const { chat, pass, find, field } = await setup((element) => {
      element.backend = null;
      element.baseUrl = '/no-service';
      element.getToken = ({ reason }) => {
        reasons.push(reason);
        return 'token';
      };
    });
    await find('.gate .primary');
    expect(reasons).to.deep.equal([]);
    await pass();
    await field();
    void chat.send('Now');
    await waitFor(() => reasons.length > 0);
  });

  it('stays closed when the page cancels ubik-gate-pass', async () => {
    const { chat, backend, isOpen, events, pass, find, field } = await setup();
    chat.addEventListener('ubik-gate-pass', (event) => event.preventDefault());
    await pass();
    await chat.updateComplete;
    expect(isOpen()).to.equal(false);
    expect([events.length, backend.calls.length]).to.deep.equal([1, 0]);
    expect((await find('.gate')).isConnected).to.equal(true);
    chat.gate = null;
    await field();
  });

  it('has the fields of a schema, whose values are in the event before the chat connects', async () => {
    const seen: unknown[] = [];
    const { backend, chat, find, pass, root, events, field } = await setup((element) => {
      element.gate = FORM;
      element.addEventListener('ubik-gate-passed', ({ detail }) => {
        seen.push([detail.values, element.currentThreadId]);
        element.newThread = { options: { prompt_variables: detail.values } };
      });
    });
    const name = await find<HTMLTextAreaElement>('.gate [name=field-0]');
    await pass();
    await waitFor(() => root.querySelector('.gate .error-text:not(:empty)'));
    await waitFor(() => deepActiveElement() === name);
    expect(events).to.deep.equal([]);
    name.value = 'Ada';
    await pass();
    await field();
    expect(seen).to.deep.equal([[{ name: 'Ada' }, null]]);
    await chat.ready;
    void chat.send('Hello');
    await waitFor(() => backend.count('createThread') > 0);
    const [created] = backend.calls.filter(({ method }) => method === 'createThread');
    expect(JSON.stringify(created?.args)).to.contain('Ada');
  });

  it('may have a form of the page, which passes it when it is submitted', async () => {
    const { chat, find, events, root, field } = await setup((element) => {
      element.gate = '2';
      const form = document.createElement('form');
      form.slot = 'gate';
      form.append(
        ...['topic', 'topic', 'name'].map((name) =>
          Object.assign(document.createElement('input'), { name, value: `${name}!` }),
        ),
        Object.assign(document.createElement('input'), { name: 'file', type: 'file' }),
        Object.assign(document.createElement('button'), { textContent: 'Go' }),
      );
      element.append(form);
    });
    const gate = await find('.gate');
    expect(gate.ariaLabel).to.equal('Before you start');
    const form = chat.querySelector('form') as HTMLFormElement;
    expect(form.checkVisibility()).to.equal(true);
    const stop = (event: Event): void => event.preventDefault();
    form.addEventListener('submit', stop, { once: true });
    form.querySelector('button')?.click();
    expect(events).to.deep.equal([]);
    form.querySelector('button')?.click();
    const values = { topic: ['topic!', 'topic!'], name: 'name!', file: '' };
    expect(events.at(-1)).to.deep.equal(['ubik-gate-passed', { version: '2', values }]);
    await field();
    expect([root.querySelector('.gate'), form.checkVisibility()]).to.deep.equal([null, false]);
  });

  it('is remembered for its version, user and storage key', async () => {
    const first = await setup((chat) =>
      Object.assign(chat, { userKey: 'ann', gate: { ...GATE, version: '1' } }),
    );
    await first.pass();
    await first.field();
    const stored = Object.keys(localStorage).filter((key) => key.includes(first.chat.storageKey));
    expect(stored.length).to.equal(1);
    // Without the address of the page, because a gate is remembered on each page of a site.
    expect(stored[0]).not.to.contain(encodeURIComponent(location.origin));
    first.chat.remove();
    let isShown = false;
    const same = await setup((chat) => {
      const { storageKey, userKey, gate } = first.chat;
      Object.assign(chat, { storageKey, userKey, gate });
      const hostUpdated = (): void => {
        isShown ||= chat.shadowRoot?.querySelector('.gate') != null;
      };
      chat.addController({ hostUpdated });
    });
    await same.field();
    expect(isShown, 'not even for a moment').to.equal(false);
    expect(same.events).to.deep.equal([]);
    for (const other of [
      { gate: { ...GATE, version: '2' } },
      { userKey: 'bob' },
      { storageKey: `${first.chat.storageKey}-other` },
    ]) {
      const next = await setup((chat) => {
        const { storageKey, userKey, gate } = first.chat;
        Object.assign(chat, { storageKey, userKey, gate, ...other });
      });
      await next.find('.gate .primary');
      expect(next.backend.calls).to.deep.equal([]);
    }
  });

  it('is shown once per page view when nothing can be stored, or when it has no version', async () => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    try {
      for (const gate of [GATE, { ...GATE, version: '1' }]) {
        const first = await setup((chat) => (chat.gate = gate));
        await first.pass();
        await first.field();
        first.chat.remove();
        await (await again(first.chat)).field();
      }
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  it('is shown when the storage cannot be read', async () => {
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    try {
      const { pass, field } = await setup((chat) => (chat.gate = { ...GATE, version: '1' }));
      await pass();
      await field();
    } finally {
      Storage.prototype.getItem = getItem;
    }
  });

  it('gets the focus of the chat, which moves to the message field when it is passed', async () => {
    const { chat, find, pass, field } = await setup();
    chat.focus();
    const gate = await find('.gate');
    await waitFor(() => deepActiveElement() === gate);
    (await find('.gate .primary')).focus();
    await pass();
    const input = await field();
    await waitFor(() => deepActiveElement() === input);
  });

  it('does not take the focus from the page', async () => {
    const { box, find, pass, field, chat } = await setup();
    const button = document.createElement('button');
    box.append(button);
    button.focus();
    await find('.gate');
    await pass();
    await field();
    await chat.updateComplete;
    expect(deepActiveElement()).to.equal(button);
  });

  it('keeps what the page composes: the text is in the field, and is not sent', async () => {
    const { backend, chat, find, pass, field } = await setup();
    const composed = chat.compose({ text: 'From a button', send: true, focus: true });
    const gate = await find('.gate');
    await waitFor(() => deepActiveElement() === gate);
    await pass();
    expect(await composed).to.equal(false);
    expect((await field()).value).to.equal('From a button');
    expect(backend.count('send')).to.equal(0);
  });

  it('is in the window of a bubble, and is loaded when that opens', async () => {
    const { chat, root, find, pass, field } = await setup((element) => (element.layout = 'bubble'));
    const launcher = await find('.launcher');
    expect(root.querySelector('.gate')).to.equal(null);
    launcher.focus();
    launcher.click();
    const gate = await find('.gate');
    await waitFor(() => deepActiveElement() === gate);
    expect(gate.checkVisibility()).to.equal(true);
    await pass();
    const input = await field();
    await waitFor(() => deepActiveElement() === input || matchMedia('(pointer: coarse)').matches);
    expect(chat.open).to.equal(true);
  });

  it('that is set later hides the conversation, and nothing is sent meanwhile', async () => {
    const { backend, chat, find, field, isOpen } = await setup((element) => (element.gate = null));
    await field();
    await chat.ready;
    const before = backend.calls.length;
    chat.gate = GATE;
    await find('.gate .primary');
    expect(isOpen()).to.equal(false);
    expect(await chat.send('No')).to.equal(false);
    expect(backend.calls.length).to.equal(before);
  });

  it('hides the conversation also in print', async () => {
    const { chat, find, field, root } = await setup((element) => (element.gate = null));
    await field();
    await chat.ready;
    await lazyViews.load();
    chat.gate = GATE;
    await find('.gate .primary');
    await emulateMedia({ media: 'print' });
    try {
      const shown = ['.gate', '.transcript'].map((name) =>
        root.querySelector(name)?.checkVisibility(),
      );
      expect(shown).to.deep.equal([true, false]);
    } finally {
      await emulateMedia({ media: 'screen' });
    }
  });

  it('that is set later takes the focus from what it hides, but not from elsewhere', async () => {
    const { chat, find, pass, field, root } = await setup((element) => {
      const list = document.createElement('div');
      list.slot = 'start';
      list.append(document.createElement('button'));
      const link = document.createElement('button');
      link.slot = 'footer';
      element.append(list, link);
      element.style.width = '1000px';
      element.gate = null;
    });
    const input = await field();
    await chat.ready;
    const [thread, link] = [...chat.querySelectorAll('button')];
    await waitFor(() => root.querySelector('.side.start')?.checkVisibility());
    for (const [version, node] of [
      ['1', input],
      ['2', root.querySelector<HTMLElement>('.scroller')],
      ['3', thread],
    ] as const) {
      node?.focus();
      expect(deepActiveElement(), version).to.equal(node);
      chat.gate = { ...GATE, version };
      await waitFor(() => deepActiveElement().matches('.gate'));
      await pass();
      await field();
    }
    link?.focus();
    chat.gate = { ...GATE, version: '4' };
    await find('.gate');
    await chat.updateComplete;
    expect(deepActiveElement()).to.equal(link);
  });

  it('that is set later makes what the page composes wait, also its files', async () => {
    const { backend, chat, find, pass, field, root } = await setup((element) => {
      element.gate = null;
      Object.assign(element.backend as object, { capabilities: new Set(['upload']) });
    });
    await field();
    await chat.ready;
    chat.gate = GATE;
    await find('.gate .primary');
    const attachments = [new File(['text'], 'a.txt')];
    const composed = chat.compose({ text: 'Yes', attachments, send: true });
    await import('../../src/elements/composer/compose.js');
    for (let turn = 0; turn < 5; turn += 1) await chat.updateComplete;
    expect(root.querySelector<HTMLTextAreaElement>('.field textarea')?.value).to.equal('');
    expect(backend.count('uploadDocument')).to.equal(0);
    await pass();
    const input = await field();
    await waitFor(() => input.value === 'Yes');
    await waitFor(() => backend.count('uploadDocument') === 1);
    expect(await composed).to.equal(false);
    expect(backend.count('send')).to.equal(0);
  });

  it('hides the columns of the previous user, and takes no files for their thread', async () => {
    const { backend, chat, find, pass, field, root } = await setup((element) => {
      element.style.width = '1200px';
      element.userKey = 'ann';
      Object.assign(element.backend as object, { capabilities: new Set(['upload']) });
      const panel = document.createElement('div');
      panel.slot = 'start';
      panel.textContent = 'Threads of Ann';
      element.append(panel);
    });
    await pass();
    await field();
    await chat.ready;
    const column = root.querySelector('.side.start') as HTMLElement;
    await waitFor(() => column.checkVisibility());
    chat.userKey = 'bob';
    await find('.gate .primary');
    expect(column.checkVisibility()).to.equal(false);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['text'], 'secret.txt'));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    const calls = backend.calls.length;
    chat.dispatchEvent(drop);
    expect([drop.defaultPrevented, backend.calls.length]).to.deep.equal([false, calls]);
    await pass();
    await field();
    expect(column.checkVisibility()).to.equal(true);
  });

  it('renders its text again only when it has changed, so that a selection stays', async () => {
    const { chat, root, find } = await setup();
    const rules = await find('.gate strong');
    const text = (): string => root.querySelector('.gate')?.textContent ?? '';
    chat.gate = { ...GATE, title: 'Another title' };
    await waitFor(() => text().includes('Another title'));
    expect(rules.isConnected).to.equal(true);
    chat.gate = { ...GATE, text: 'Only **this**.' };
    await waitFor(() => text().includes('Only this.'));
    expect(text()).not.to.contain('rules');
  });

  it('follows content options that are set later in its text', async () => {
    const { chat, find } = await setup((made) => {
      made.gate = { ...GATE, text: 'See the [rules](/rules).' };
    });
    const text = await find('.gate .text');
    await waitFor(() => text.querySelector('.ubik-link'));
    expect(text.querySelector('a')).to.equal(null);
    chat.linkBase = 'https://a.example/';
    await chat.updateComplete;
    for (let frames = 0; frames < 3; frames += 1) await nextFrame();
    expect(text.querySelector('a')?.href).to.equal('https://a.example/rules');
  });

  it('follows the language and the direction of the chat', async () => {
    const { find } = await setup((chat) => {
      chat.lang = 'ar';
      chat.gate = { text: 'نص' };
    });
    const gate = await find('.gate');
    await waitFor(() => gate.ariaLabel === 'قبل أن تبدأ');
    expect(getComputedStyle(gate).direction).to.equal('rtl');
    expect(gate.querySelector('.primary')?.textContent.trim()).to.equal('متابعة');
  });

  it('without a version is neither read from the storage nor written to it', async () => {
    const used: string[] = [];
    const { getItem, setItem } = Storage.prototype;
    Storage.prototype.getItem = function get(key) {
      used.push(key);
      return getItem.call(this, key);
    };
    Storage.prototype.setItem = function set(key, value) {
      used.push(key);
      setItem.call(this, key, value);
    };
    try {
      const { chat, find, pass, field } = await setup();
      await find('.gate .primary');
      await pass();
      await field();
      const own = used.filter((key) => key.includes(`%22${chat.storageKey}%22`));
      expect(own.filter((key) => key.includes('gate%20'))).to.deep.equal([]);
    } finally {
      Object.assign(Storage.prototype, { getItem, setItem });
    }
  });

  it('is remembered by the controller of the page, in its storage', async () => {
    const { controller } = setupController();
    const first = await setupConnected(controller);
    await first.pass();
    await first.field();
    expect(await controller.storage.get('gate k')).to.equal('1');
    await (await setupConnected(controller)).field();
    const other = setupController().controller;
    other.storage.set('gate k', '1');
    await (await setupConnected(other)).field();
    const fresh = await setupConnected(setupController().controller);
    await fresh.find('.gate .primary');
    expect(fresh.isOpen()).to.equal(false);
  });

  it('is not shown before the storage has answered about its current version', async () => {
    const { controller } = setupController();
    const answers: ((stored: Json | null) => void)[] = [];
    Object.defineProperty(controller, 'storage', {
      value: {
        get: (name: string) =>
          name.startsWith('gate')
            ? new Promise<Json | null>((resolve) => answers.push(resolve))
            : Promise.resolve(null),
        set: () => undefined,
      },
    });
    const { chat, root, find, isOpen } = await setupConnected(controller);
    await waitFor(() => answers.length === 1);
    expect(root.querySelector('.gate')).to.equal(null);
    chat.gate = { ...GATE, version: '2' };
    await waitFor(() => answers.length === 2);
    answers[0]?.(null);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    await chat.updateComplete;
    expect([root.querySelector('.gate'), isOpen()], 'another version').to.deep.equal([null, false]);
    answers[1]?.('1');
    await find('.gate .primary');
  });

  it('takes the focus each time that the chat gets it, but not from a control outside when another gate follows', async () => {
    const { box, chat, find, root } = await setup((element) => (element.gate = '1'));
    const button = document.createElement('button');
    box.append(button);
    chat.focus();
    const gate = await find('.gate');
    await waitFor(() => deepActiveElement() === gate);
    button.focus();
    chat.focus();
    await waitFor(() => deepActiveElement() === gate);
    button.focus();
    chat.gate = { ...GATE, version: '2' };
    await waitFor(() => root.querySelector('.gate h2'));
    await chat.updateComplete;
    expect(deepActiveElement()).to.equal(button);
  });

  it('has only the parts that are set, and shows an unclosed mark of Markdown as text', async () => {
    const { chat, find, root } = await setup((element) => (element.gate = { text: 'Not **bold' }));
    const gate = await find('.gate');
    await waitFor(() => gate.textContent.includes('**bold'));
    expect(gate.querySelector('h2')).to.equal(null);
    expect(gate.querySelector('.primary')?.textContent.trim()).to.equal('Continue');
    chat.gate = { title: 'Only a title' };
    await waitFor(() => root.querySelector('.gate h2'));
    expect([root.querySelector('.gate .text'), root.querySelector('.gate bdi')]).to.deep.equal([
      null,
      null,
    ]);
  });

  it('offers to load its fields again when they could not be loaded', async () => {
    const errors: string[] = [];
    const { load } = lazyViews;
    lazyViews.load = () => Promise.reject(new UbikError('load-failed'));
    try {
      const { events, find, pass, root, field } = await setup((element) => {
        element.gate = FORM;
        element.addEventListener('ubik-error', ({ detail }) => errors.push(detail.code));
      });
      await find('.gate .primary');
      expect(root.querySelector('.gate [name=field-0]')).to.equal(null);
      expect(root.querySelector('.gate .error-text')?.textContent ?? '').to.not.equal('');
      expect(errors).to.include('load-failed');
      lazyViews.load = load;
      await pass();
      const name = await find<HTMLTextAreaElement>('.gate [name=field-0]');
      expect(events).to.deep.equal([]);
      expect(root.querySelector('.gate [role=alert]')?.textContent).to.equal('');
      name.value = 'Ada';
      await pass();
      await field();
    } finally {
      lazyViews.load = load;
    }
  });

  it('removes its error when the values are valid, also when the page cancels ubik-gate-pass', async () => {
    const { chat, find, pass, events, root } = await setup((element) => (element.gate = FORM));
    chat.addEventListener('ubik-gate-pass', (event) => event.preventDefault());
    const name = await find<HTMLTextAreaElement>('.gate [name=field-0]');
    const error = (): string | undefined => root.querySelector('.gate .error-text')?.textContent;
    await pass();
    await waitFor(() => error() !== '');
    name.value = 'Ada';
    await pass();
    await chat.updateComplete;
    expect([error(), events.length]).to.deep.equal(['', 1]);
  });
});

describe('a gate that appears while a conversation is shown', () => {
  /** What shows the conversation outside of the messages: its name, the width of the chat, how it is opened, and its selector. */
  const CASES: readonly (readonly [
    name: string,
    width: number,
    open: (fixture: Awaited<ReturnType<typeof setupCitation>>) => unknown,
    selector: string,
  ])[] = [
    ['a passage beside the messages', 1300, () => undefined, '.details-area'],
    ['a passage over the messages', 400, () => undefined, '.details-area'],
    [
      'the menu of a message',
      1300,
      ({ press, query }) => press(query('.assistant .more')),
      '.message-menu',
    ],
    [
      'the card of a citation',
      1300,
      ({ query }) => {
        query('.scroller').focus();
        query('.cite').focus();
      },
      '.cite-card:popover-open',
    ],
    [
      'a modal dialog',
      1300,
      ({ query }) => {
        query('.scroller').focus();
        pressKey(query('.scroller'), '?');
      },
      'dialog',
    ],
    [
      'a drawer',
      400,
      ({ query }) => {
        query('.side-toggle-start').click();
      },
      '.side.open',
    ],
  ];

  for (const [name, width, open, selector] of CASES) {
    it(`closes ${name}, and takes the focus from it`, async () => {
      const fixture = await setupCitation(
        () => PASSAGE,
        undefined,
        (element) => {
          element.style.width = `${width}px`;
          element.append(Object.assign(document.createElement('div'), { slot: 'start' }));
        },
      );
      const { chat, root, query, settle } = fixture;
      if (selector !== '.details-area') query('.passage .head button').click();
      await open(fixture);
      await waitFor(() => root.querySelector(selector));
      chat.gate = GATE;
      await waitFor(() => root.querySelector('.gate'));
      for (let turn = 0; turn < 3; turn += 1) await settle();
      expect(root.querySelector(selector) === null).to.equal(true);
      expect(query('.main').inert).to.equal(false);
      expect(deepActiveElement()).to.equal(query('.gate'));
    });
  }

  for (const [what, attach] of [
    ['in another element of the chat', (box) => box],
    [
      'in an element inside of that, such as one of a renderer',
      (box) => box.appendChild(document.createElement('div')).attachShadow({ mode: 'open' }),
    ],
  ] satisfies [string, (box: Element) => Node][]) {
    it(`closes a dialog ${what}`, async () => {
      const { chat, root, settle, controller, backend } = await setupChat((element) => {
        element.style.width = '1300px';
        element.append(
          Object.assign(document.createElement('ubik-checkpoints'), { slot: 'start' }),
        );
      });
      backend.threads.set('t', contentOf('t', [stored('q', 'user', 'One')]));
      await controller.openThread('t');
      await settle();
      const panel = chat.querySelector('ubik-checkpoints')?.shadowRoot as ShadowRoot;
      const dialog = document.createElement('dialog');
      attach(panel.querySelector('.ubik') as Element).appendChild(dialog);
      dialog.showModal();
      chat.gate = GATE;
      await waitFor(() => root.querySelector('.gate'));
      expect(dialog.open).to.equal(false);
    });
  }

  it('leaves the focus outside of the chat when it closes a drawer', async () => {
    const { chat, box, query, root, settle } = await setupCitation(
      () => PASSAGE,
      '',
      (element) => {
        element.style.width = '400px';
        element.append(Object.assign(document.createElement('div'), { slot: 'start' }));
      },
    );
    query('.passage .head button').click();
    query('.side-toggle-start').click();
    const button = document.createElement('button');
    box.append(button);
    button.focus();
    chat.gate = GATE;
    await waitFor(() => root.querySelector('.gate'));
    await settle();
    expect(root.querySelector('.side.open') === null).to.equal(true);
    expect(deepActiveElement()).to.equal(button);
  });

  it('opens no passage whose code has loaded meanwhile', async () => {
    const { chat, root, query, settle } = await setupCitation(() => PASSAGE);
    query('.passage .head button').click();
    chat.gate = GATE;
    query('.cite').click();
    await settle();
    expect(root.querySelector('.details-area') === null).to.equal(true);
  });

  it('hides the conversation from screen readers and the page, and announces nothing of its run', async () => {
    const { chat, root, start, settle, backend, query } = await setupChat();
    let length = 0;
    const pushText = async (text: string): Promise<void> => {
      backend.stream.append(length, text);
      length += text.length;
      await settle();
    };
    const heard = (): string[] =>
      [...root.querySelectorAll('[aria-live]')].map(({ textContent }) => textContent);
    await start('Secret question');
    await pushText('One secret. Two secrets. ');
    await waitFor(() => heard().join('').includes('secret'));
    await pushText('Three secrets. ');
    chat.gate = GATE;
    const gate = await waitFor(() => root.querySelector<HTMLElement>('.gate'));
    await settle();
    expect(heard()).to.deep.equal(['', '']);
    await pushText('Four secrets. ');
    for (let frame = 0; frame < 20; frame += 1) await settle();
    backend.stream.finish('complete');
    await settle();
    expect(heard()).to.deep.equal(['', '']);
    expect(chat.messages).to.deep.equal([]);
    gate.focus();
    await settle();
    pressKey(gate, 'F8');
    expect(heard()).to.deep.equal(['No messages yet.', '']);
    query('.gate .primary').click();
    await chat.updateComplete;
    expect(chat.messages.length).to.equal(2);
  });
});
