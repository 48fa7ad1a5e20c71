import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { waitFor } from '../helpers/wait-for.js';
import type { Onboarding } from '../../src/backends/backend.js';
import { registerBackend } from '../../src/controller/registry.js';
import { UbikError } from '../../src/errors.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { registerLocale } from '../../src/locales/locale.js';
import { ScriptedBackend, contentOf, stored } from '../controller/scripted-backend.js';
import { Deferred } from '../helpers/deferred.js';
import { nextFrame, setupChat, setupController } from './chat-fixture.js';
import { NOON, ScriptedClock } from './scripted-clock.js';

/** Waits for pending tasks and the next two frames. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
  await nextFrame();
  await nextFrame();
}

/** Creates a disconnected chat for a registered service; `countBackends` returns how often its backend was created. */
function setupCounted(service: string) {
  let count = 0;
  registerBackend(service, () => {
    count += 1;
    return new ScriptedBackend(() => 0);
  });
  const chat = document.createElement('ubik-chat');
  chat.service = service;
  return { chat, countBackends: () => count };
}

/** Returns the console warnings of `act`. */
async function warningsOf(act: () => Promise<void>): Promise<string[]> {
  const { warn } = console;
  const warnings: string[] = [];
  console.warn = (...values: unknown[]) => void warnings.push(values.join(' '));
  try {
    await act();
  } finally {
    console.warn = warn;
  }
  return warnings;
}

describe('<ubik-chat>', () => {
  it('shows greeting and up to four starters, and sends a clicked starter', async () => {
    const { query, text, root, settle, backend } = await setupChat((chat) => {
      chat.greeting = 'Good morning';
      chat.starters = ['One?', 'Two?', 'Three?', 'Four?', 'Five?'];
    });
    expect(text('.greeting')).to.equal('Good morning');
    expect(root.querySelectorAll('.starter').length).to.equal(4);
    query('.starter').focus();
    query('.starter').click();
    await settle();
    expect(backend.stream.args[1]).to.deep.equal({ text: 'One?', attachments: [] });
    expect(query('.empty').hidden).to.equal(true);
    // Compares class names: a failing comparison of elements would print the whole page.
    expect(root.activeElement?.className).to.equal('scroller');
  });

  it('shows a greeting as Markdown, with links relative to linkBase and without HTML', async () => {
    const { chat, query, settle, text } = await setupChat((each) => {
      each.greeting = '# Hello\n\nI know **rivers**. <b>Read</b> [more](/rivers).';
    });
    await settle();
    expect(text('.greeting h1')).to.equal('Hello');
    expect(text('.greeting strong')).to.equal('rivers');
    expect(query('.greeting').querySelector('b, a')).to.equal(null);
    const heading = query('.greeting h1');
    chat.requestUpdate();
    await settle();
    expect(query('.greeting h1'), 'not rendered again').to.equal(heading);
    chat.linkBase = 'https://rivers.example/';
    await settle();
    expect(query<HTMLAnchorElement>('.greeting a').href).to.equal('https://rivers.example/rivers');
    chat.greeting = 'Plain';
    await settle();
    expect(text('.greeting')).to.equal('Plain');
    expect(query('.greeting').querySelector('h1, a')).to.equal(null);
    chat.greeting = 'Read **this** and [that';
    await settle();
    expect(text('.greeting'), 'to its end').to.equal('Read this and [that');
  });

  it('marks the language and direction of greeting and starters', async () => {
    const page = document.documentElement;
    page.lang = 'it';
    try {
      const { chat, query, root, settle } = await setupChat((each) => {
        each.starters = ['Quale?'];
      });
      const langs = (): (string | null)[] =>
        ['.greeting', '.starters', '.starter'].map((name) => query(name).getAttribute('lang'));
      expect(langs()).to.deep.equal(['en', 'en', 'it']);
      chat.greeting = 'Buongiorno';
      chat.starters = [];
      await settle();
      expect([query('.greeting').lang, query('.greeting').dir]).to.deep.equal(['it', 'auto']);
      expect(root.querySelector('.starters')).to.equal(null);
    } finally {
      page.lang = 'en';
    }
  });

  it('shows a greeting without Markdown syntax as plain text', async () => {
    const { query } = await setupChat((each) => {
      each.greeting = "Hi, I'm Ann (a bot): what's up? 1 + 1 = 2";
    });
    expect([...query('.greeting').childNodes].map(({ nodeName }) => nodeName)).to.deep.equal([
      '#text',
    ]);
  });

  it('shows the default greeting when that of the page is empty', async () => {
    const { chat, settle, text } = await setupChat((each) => (each.greeting = 'Hi'));
    expect(text('.greeting')).to.equal('Hi');
    chat.greeting = '';
    await settle();
    expect(text('.greeting')).to.equal('What can I do for you?');
  });

  it('writes a clicked starter into the field with `prefill`', async () => {
    const { query, settle, backend, field, root } = await setupChat((chat) => {
      chat.starters = ['One?'];
      chat.prefill = true;
    });
    query('.starter').click();
    await settle();
    expect(field.value).to.equal('One?');
    expect(root.activeElement).to.equal(field);
    expect(backend.count('send')).to.equal(0);
  });

  it('shows greeting and starters of the service when the host page sets none', async () => {
    const { controller } = setupController();
    const asked = Object.assign(controller, {
      loadOnboarding: () => Promise.resolve({ greeting: 'From the service', starters: ['S?'] }),
    });
    const { text } = await setupChat((chat) => (chat.controller = asked));
    await idle();
    expect(text('.greeting')).to.equal('From the service');
    expect(text('.starters')).to.equal('S?');
  });

  it('loads greeting and starters of the service again when its language changes, and keeps the messages', async () => {
    const answers = new Map<string, Deferred<Onboarding>>();
    let asked = 0;
    const fixture = await setupChat((chat) => {
      chat.lang = 'en';
      Object.assign(chat.controller?.backend ?? {}, {
        loadOnboarding: () => {
          asked += 1;
          const answer = new Deferred<Onboarding>();
          answers.set(chat.lang, answer);
          return answer.promise;
        },
      });
    });
    const { chat, text, settle } = fixture;
    const calls = answers.size;
    chat.requestUpdate();
    await settle();
    expect([answers.size, asked], 'asked once').to.deep.equal([calls, 1]);
    const respond = async (lang: string, greeting: string): Promise<void> => {
      answers.get(lang)?.resolve({ greeting, starters: [`${greeting}?`] });
      await settle();
    };
    const switchTo = async (lang: string): Promise<void> => {
      chat.lang = lang;
      await settle();
    };
    await respond('en', 'Hello');
    expect(text('.greeting')).to.equal('Hello');
    await switchTo('fr');
    expect(text('.greeting'), 'until the new one is loaded').to.equal('Hello');
    await switchTo('zh');
    await respond('zh', '你好');
    // The response to an earlier request comes last.
    await respond('fr', 'Bonjour');
    expect([text('.greeting'), text('.starters')]).to.deep.equal(['你好', '你好?']);
    await fixture.start('Which river?');
    fixture.backend.stream.append(0, 'The Danube.');
    await settle();
    await switchTo('en');
    await respond('en', 'Hello again');
    const messages = [...fixture.root.querySelectorAll('.message')].map((node) => node.textContent);
    expect(messages.length).to.equal(2);
    expect(messages[0]).to.contain('Which river?');
    expect(messages[1]).to.contain('The Danube.');
    chat.startThread();
    await settle();
    expect(text('.greeting')).to.equal('Hello again');
    expect([...answers.keys()].sort()).to.deep.equal(['en', 'fr', 'zh']);
  });

  it('does not show the greeting of a controller that was replaced, and loads none while it is removed', async () => {
    let asked = 0;
    const connect = (answer: Deferred<Onboarding>) => {
      const { controller } = setupController();
      const loadOnboarding = (): Promise<Onboarding> => {
        asked += 1;
        return answer.promise;
      };
      return Object.assign(controller, { loadOnboarding });
    };
    const [first, second] = [new Deferred<Onboarding>(), new Deferred<Onboarding>()];
    const { chat, box, text, settle } = await setupChat((made) => {
      made.controller = connect(first);
    });
    chat.controller = connect(second);
    await settle();
    second.resolve({ greeting: 'Second', starters: [] });
    await settle();
    first.resolve({ greeting: 'First', starters: [] });
    await settle();
    expect(text('.greeting')).to.equal('Second');
    const before = asked;
    box.setAttribute('lang', 'fr');
    chat.requestUpdate();
    await settle();
    expect(asked, 'in another language').to.be.above(before);
    const after = asked;
    chat.remove();
    chat.requestUpdate();
    await settle();
    expect(asked, 'while it is removed').to.equal(after);
  });

  it('passes the current language of the interface to its service', async () => {
    const languages: (() => string)[] = [];
    registerBackend('spoken', ({ language }) => {
      if (language) languages.push(language);
      return new ScriptedBackend(() => 0);
    });
    const getToken = (): string => 'a';
    const add = (lang: string): HTMLElement => {
      const chat = document.createElement('ubik-chat');
      Object.assign(chat, { service: 'spoken', getToken, baseUrl: '/api', threadId: 't', lang });
      document.body.append(chat);
      return chat;
    };
    const chats = [add('de'), add('ja')] as const;
    await idle();
    const [language] = languages;
    expect(languages.length, 'both chats share one backend').to.equal(1);
    expect(language?.()).to.equal('de');
    chats[0].lang = 'zh-TW';
    expect(language?.()).to.equal('zh-TW');
    chats[0].remove();
    expect(language?.(), 'of the element that is left').to.equal('ja');
    chats[1].remove();
  });

  it('creates its backend one microtask after it is connected', async () => {
    const { chat, countBackends } = setupCounted('counted');
    document.body.append(chat);
    chat.baseUrl = 'https://service.example/';
    expect(countBackends()).to.equal(0);
    await Promise.resolve();
    expect(countBackends()).to.equal(1);
    chat.remove();
  });

  it('creates no backend when it is removed in the same task', async () => {
    const { chat, countBackends } = setupCounted('fleeting');
    document.body.append(chat);
    chat.remove();
    await idle();
    expect(countBackends()).to.equal(0);
  });

  it('shares a controller with a chat of the same service, base URL, thread and getToken only', async () => {
    let backends = 0;
    for (const service of ['shared', 'shared-too']) {
      registerBackend(service, () => {
        backends += 1;
        return new ScriptedBackend(() => 0);
      });
    }
    const getToken = (): string => 'a';
    const make = (properties: object = {}): HTMLElement => {
      const chat = document.createElement('ubik-chat');
      const same = { service: 'shared', getToken, baseUrl: '/api', threadId: 't' };
      document.body.append(Object.assign(chat, same, properties));
      return chat;
    };
    const chats = [make(), make()];
    await idle();
    expect(backends, 'the same').to.equal(1);
    for (const other of [
      { getToken: () => 'b' },
      { baseUrl: '/other' },
      { threadId: 'x' },
      { service: 'shared-too' },
    ]) {
      const before = backends;
      chats.push(make(other));
      await idle();
      expect(backends - before, Object.keys(other).join()).to.equal(1);
    }
    chats.forEach((chat) => {
      chat.remove();
    });
  });

  it('keeps answer, draft and stream when it is moved in the document', async () => {
    const { start, chat, box, backend, settle, root, write, field } = await setupChat();
    await start();
    backend.stream.append(0, 'Half an ans');
    await settle();
    write('draft');
    const answer = root.querySelector('.message.assistant');
    const other = document.createElement('div');
    box.append(other);
    other.append(chat);
    await settle();
    backend.stream.append(11, 'wer');
    await settle();
    expect(root.querySelector('.message.assistant')).to.equal(answer);
    expect(answer?.textContent).to.contain('Half an answer');
    expect(field.value).to.equal('draft');
    expect(backend.streams.length).to.equal(1);
  });

  it('shows on reconnection what it missed while it was disconnected', async () => {
    const { start, chat, box, backend, settle, root } = await setupChat();
    await start();
    chat.remove();
    backend.stream.append(0, 'Said behind its back');
    await settle();
    box.append(chat);
    await settle();
    expect(root.querySelector('.message.assistant')?.textContent).to.contain(
      'Said behind its back',
    );
  });

  it('shows that a thread is loading, then the error with a retry button', async () => {
    const backend = new ScriptedBackend(() => 0);
    registerBackend('broken', () => backend);
    let rejectLoading: ((error: Error) => void) | undefined;
    backend.responses.set('loadThread', () => new Promise((_, reject) => (rejectLoading = reject)));
    const chat = document.createElement('ubik-chat');
    Object.assign(chat, { service: 'broken', threadId: 'x' });
    document.body.append(chat);
    await idle();
    const status = chat.shadowRoot?.querySelector('.status-bar');
    expect(status?.textContent).to.contain('Loading the conversation…');
    rejectLoading?.(new UbikError('not-found', 'gone', { status: 404 }));
    await idle();
    expect(status?.textContent).to.contain('This conversation doesn’t exist');
    backend.responses.clear();
    backend.threads.set('x', contentOf('x', [stored('m', 'user', 'Here it is')]));
    status?.querySelector('button')?.click();
    await idle();
    expect(chat.shadowRoot?.querySelector('.message')?.textContent).to.contain('Here it is');
    expect(status?.textContent.trim()).to.equal('');
    chat.remove();
  });

  it('uses UBIK when the framework of the host page sets no service', async () => {
    const chat = document.createElement('ubik-chat');
    Object.assign(chat, { service: undefined, baseUrl: '/no-service', threadId: 'x' });
    document.body.append(chat);
    const status = () => chat.shadowRoot?.querySelector('.status-bar')?.textContent ?? '';
    await waitFor(() => status().includes('This conversation doesn’t exist'));
    chat.remove();
  });

  it('loads the thread that could not be opened when the user retries', async () => {
    const { backend, chat, controller, query, settle, text } = await setupChat((element) => {
      element.threadId = 'a';
    });
    for (const id of ['a', 'b']) {
      backend.threads.set(id, contentOf(id, [stored(id, 'user', `Question of ${id}`)]));
    }
    await chat.openThread('a');
    backend.responses.set('loadThread', () => Promise.reject(new UbikError('network')));
    await chat.openThread('b');
    await settle();
    backend.responses.clear();
    query('.status-bar button').click();
    await settle();
    expect(text('.message')).to.contain('Question of b');
    expect(controller.thread?.id).to.equal('b');
  });

  it('shows the description of the service when a thread cannot be opened', async () => {
    const { backend, chat, settle, text } = await setupChat();
    const serviceError = { description: 'It was archived.', advice: 'Ask the owner.', code: 'E7' };
    backend.responses.set('loadThread', () =>
      Promise.reject(new UbikError('forbidden', { serviceError })),
    );
    await chat.openThread('x');
    await settle();
    expect(text('.status-bar')).to.equal('It was archived. Ask the owner. Retry');
  });

  it('asks to sign in without a token, and loads the thread once getToken is set', async () => {
    const made: boolean[] = [];
    registerBackend('guarded', ({ getToken }) => {
      made.push(getToken !== null);
      const backend = new ScriptedBackend(() => 0);
      backend.threads.set('x', contentOf('x', [stored('m', 'user', 'Private')]));
      if (!getToken) {
        backend.responses.set('loadThread', () => {
          throw new UbikError('unauthorized', 'who?', { status: 401 });
        });
      }
      return backend;
    });
    const chat = document.createElement('ubik-chat');
    Object.assign(chat, { service: 'guarded', threadId: 'x' });
    let asked = 0;
    chat.addEventListener('ubik-auth-required', () => (asked += 1));
    document.body.append(chat);
    await idle();
    expect(asked).to.equal(1);
    expect(chat.shadowRoot?.querySelector('.status-bar')?.textContent).to.contain('Sign in');
    chat.getToken = () => 'token';
    await idle();
    expect(made).to.deep.equal([false, true]);
    expect(chat.shadowRoot?.querySelector('.message')?.textContent).to.contain('Private');
    expect(chat.shadowRoot?.querySelector('.status-bar')?.textContent.trim()).to.equal('');
    chat.remove();
  });

  it('loads the thread after signing in, when getToken is replaced, the user retries or the page opens the thread again', async () => {
    const unauthorized = new UbikError('unauthorized', 'who?', { status: 401 });
    const text = (chat: UbikChat): string | undefined =>
      chat.shadowRoot?.querySelector('.status-bar')?.textContent.replace(/\s+/g, ' ').trim();
    const shown = (chat: UbikChat): string | undefined =>
      chat.shadowRoot?.querySelector('.message')?.textContent.trim();
    let isValid = false;
    const backends: ScriptedBackend[] = [];
    registerBackend('expiring', () => {
      const backend = new ScriptedBackend(() => 0);
      backend.responses.set('loadThread', () => {
        if (!isValid) throw unauthorized;
        return contentOf('x', [stored('m', 'user', 'Private')]);
      });
      backends.push(backend);
      return backend;
    });
    const renewals: readonly ((chat: UbikChat) => Promise<void> | void)[] = [
      (chat) => void (chat.getToken = () => 'new'),
      async (chat) => {
        chat.getToken = null;
        await idle();
        chat.getToken = () => 'new';
      },
      (chat) => chat.shadowRoot?.querySelector<HTMLElement>('.status-bar button')?.click(),
      (chat) => chat.openThread('x'),
    ];
    for (const renew of renewals) {
      isValid = false;
      const chat = document.createElement('ubik-chat');
      const values = { service: 'expiring', threadId: 'x', userKey: 'ann', getToken: () => 'old' };
      document.body.append(Object.assign(chat, values));
      await idle();
      expect(text(chat)).to.equal('Sign in to continue. Retry');
      isValid = true;
      await renew(chat);
      await idle();
      expect([text(chat), shown(chat)], String(renew)).to.deep.equal(['', 'Private']);
      chat.remove();
      await idle();
    }
  });

  it('repeats a rejected request only once until a request succeeds, although each render sets a new getToken', async () => {
    const { backend, chat, query, settle, start, text } = await setupChat();
    const unauthorized = new UbikError('unauthorized', 'who?', { status: 401 });
    let isValid = false;
    backend.responses.set('loadThread', () => {
      if (!isValid) throw unauthorized;
      return contentOf('x', [stored('m', 'user', 'Private')]);
    });
    const render = (): void => void (chat.getToken = () => 'expired');
    render();
    chat.addEventListener('ubik-auth-required', render);
    await chat.openThread('x');
    await settle();
    expect(backend.count('loadThread')).to.equal(2);
    expect(text('.status-bar')).to.equal('Sign in to continue. Retry');
    isValid = true;
    query('.status-bar button').click();
    await settle();
    expect([text('.status-bar'), text('.message')]).to.deep.equal(['', 'Private']);
    await start();
    for (const count of [1, 2]) {
      backend.stream.fail(unauthorized);
      await settle();
      expect(backend.count('rejoin')).to.equal(count);
      backend.stream.begin();
      await settle();
      expect(text('.status-bar')).to.equal('');
    }
    backend.stream.fail(unauthorized);
    await settle();
    backend.stream.fail(unauthorized);
    await settle();
    expect(backend.count('rejoin')).to.equal(3);
    expect(text('.status-bar')).to.equal('Sign in to continue. Retry');
  });

  it('asks to sign in each time that an action without a thread is rejected, until getToken is replaced', async () => {
    const { backend, chat, controller, settle, text } = await setupChat();
    for (const count of [1, 2, 3]) {
      backend.responses.set('listThreads', () => {
        throw new UbikError('unauthorized', 'who?', { status: 401 });
      });
      await controller.listThreads({ page: 1, limit: 20 }).catch(() => undefined);
      await settle();
      expect(text('.status-bar'), `${count}`).to.equal('Sign in to continue.');
      backend.responses.delete('listThreads');
      chat.getToken = () => `token ${count}`;
      await settle();
      expect(text('.status-bar'), `${count}`).to.equal('');
    }
  });

  it('warns with what getToken has thrown, which no event contains', async () => {
    const chat = document.createElement('ubik-chat');
    const getToken = (): Promise<string> => Promise.reject(new Error('the session store is down'));
    Object.assign(chat, { baseUrl: '/nowhere', threadId: 'thread-1', getToken });
    const warnings = await warningsOf(async () => {
      const failed = oneEvent<CustomEvent<object>>(chat, 'ubik-error');
      document.body.append(chat);
      const { detail } = await failed;
      expect(detail).to.include({ code: 'unauthorized', offender: 'getToken' });
      expect(JSON.stringify(detail)).not.to.contain('session store');
    });
    chat.remove();
    expect(warnings).to.deep.equal([
      'ubik-elements: getToken failed; the service has not processed the request. Error: the session store is down',
    ]);
  });

  it('drops the token of its backend when getToken is replaced without a userKey, and when it is set to null', async () => {
    let drops = 0;
    registerBackend('keeping', () => {
      return Object.assign(new ScriptedBackend(() => 0), { forgetToken: () => void (drops += 1) });
    });
    for (const [userKey, expected] of [
      [null, [0, 1, 2]],
      ['visitor', [0, 0, 1]],
    ] as const) {
      const chat = document.createElement('ubik-chat');
      const getToken = (): string => 'first';
      Object.assign(chat, { service: 'keeping', userKey, getToken });
      document.body.append(chat);
      await idle();
      drops = 0;
      const counts: number[] = [];
      for (const next of [getToken, (): string => 'second', null]) {
        chat.getToken = next;
        await chat.updateComplete;
        counts.push(drops);
      }
      expect(counts).to.deep.equal(expected);
      chat.remove();
    }
  });

  it('prepares its backend for the first request when the user begins to write', async () => {
    let count = 0;
    registerBackend('preparing', () => {
      const prepare = (): Promise<void> => Promise.resolve(void (count += 1));
      return Object.assign(new ScriptedBackend(() => 0), { prepare });
    });
    const chat = document.createElement('ubik-chat');
    chat.service = 'preparing';
    document.body.append(chat);
    await idle();
    const field = chat.shadowRoot?.querySelector('textarea');
    field?.focus();
    expect(count).to.equal(0);
    if (field) field.value = 'W';
    field?.dispatchEvent(new InputEvent('input', { bubbles: true }));
    expect(count).to.equal(1);
    chat.remove();
  });

  it('uses the default for an unknown attribute value, and warns once', async () => {
    const warnings = await warningsOf(async () => {
      const { chat, query } = await setupChat();
      const background = (): string => getComputedStyle(query('.ubik')).backgroundColor;
      const initial = background();
      chat.theme = 'dark';
      await chat.updateComplete;
      expect(background()).not.to.equal(initial);
      chat.setAttribute('theme', 'pink');
      await chat.updateComplete;
      expect(background()).to.equal(initial);
      chat.theme = 'dark';
      await chat.updateComplete;
      chat.setAttribute('theme', 'pink');
      await chat.updateComplete;
      chat.service = 'nowhere';
      chat.controller = null;
      await chat.updateComplete;
    });
    expect(warnings.filter((text) => text.includes('theme')).length).to.equal(1);
    expect(warnings.filter((text) => text.includes('"nowhere"')).length).to.equal(1);
  });

  it('knows all documented values of its attributes, and warns about any other', async () => {
    const { chat } = await setupChat();
    const values = {
      theme: ['light', 'dark', 'auto', ''],
      layout: ['inline', 'panel', 'bubble', 'page', ''],
      density: ['comfortable', 'compact', ''],
      imagePolicy: ['link', 'data', 'allow', ' allow https://files.example/', ''],
      html: ['text', 'sanitized', ''],
      drafts: ['on', 'off', ''],
      announce: ['all', 'brief', 'off', ''],
      whileRunning: ['queue', 'stop', 'draft', ''],
      steps: ['summary', 'list', ''],
    };
    const known = await warningsOf(async () => {
      for (const [name, choices] of Object.entries(values)) {
        for (const value of choices) {
          Object.assign(chat, { [name]: value });
          await chat.updateComplete;
        }
      }
    });
    expect(known).to.deep.equal([]);
    const unknown = await warningsOf(async () => {
      for (const name of Object.keys(values)) Object.assign(chat, { [name]: 'odd' });
      await chat.updateComplete;
    });
    expect(unknown.length).to.equal(Object.keys(values).length);
    expect(unknown.join('\n')).to.contain('layout "odd". Use one of: inline, panel, bubble, page.');
  });

  it('warns about unknown values of the other elements, too', async () => {
    const box = await fixture(html`<div></div>`);
    const warnings = await warningsOf(async () => {
      for (const [name, attribute] of [
        ['ubik-transcript', 'steps'],
        ['ubik-composer', 'while-running'],
        ['ubik-markdown', 'html'],
        ['ubik-message', 'image-policy'],
        ['ubik-message', 'author'],
      ] as const) {
        const element = document.createElement(name);
        element.setAttribute(attribute, 'odd');
        box.append(element);
        await element.updateComplete;
      }
    });
    const unknown = warnings.flatMap((text) => /<.* does not know .*(?=\. Use)/.exec(text) ?? []);
    expect(unknown).to.deep.equal([
      '<ubik-transcript> does not know steps "odd"',
      '<ubik-composer> does not know whileRunning "odd"',
      '<ubik-markdown> does not know html "odd"',
      '<ubik-message> does not know imagePolicy "odd"',
      '<ubik-message> does not know author "odd"',
    ]);
  });

  it('renders an element although a framework has set a property without a value to true', async () => {
    const text = document.createElement('ubik-markdown');
    Object.assign(text, { content: 'Shown', html: true });
    const box = await fixture(html`<div></div>`);
    const warnings = await warningsOf(async () => {
      box.append(text);
      await text.updateComplete;
    });
    expect(warnings.join()).to.contain('<ubik-markdown> does not know html "true"');
    await waitFor(() => text.renderRoot.textContent?.includes('Shown'));
  });

  it('loads nothing for a controller of the host page, and a thread only once', async () => {
    const { backend, chat, settle } = await setupChat();
    expect(['listThreads', 'loadThread'].map((name) => backend.count(name))).to.deep.equal([0, 0]);
    backend.threads.set('a', contentOf('a', [stored('m', 'user', 'Question')]));
    await chat.openThread('a');
    chat.threadId = 'a';
    await settle();
    expect(backend.count('loadThread')).to.equal(1);
  });

  it('shows the thread of the last `thread-id`, also when another one is loading', async () => {
    const { backend, chat, controller, settle } = await setupChat();
    const [first, second] = ['a', 'b'].map((id) => contentOf(id, [stored('m', 'user', id)]));
    const slow = new Deferred<unknown>();
    backend.responses.set('loadThread', (id) => (id === 'b' ? slow.promise : first));
    chat.threadId = 'a';
    await settle();
    chat.threadId = 'b';
    await settle();
    chat.threadId = 'a';
    await settle();
    slow.resolve(second);
    await settle();
    expect(controller.thread?.id).to.equal('a');
  });

  it('does not load the shown thread again when `thread-id` is set to its id while another thread is loading', async () => {
    const { backend, chat, controller, settle } = await setupChat();
    const slow = new Deferred<unknown>();
    backend.threads.set('c', contentOf('c', [stored('m', 'user', 'Question')]));
    const { threads } = backend;
    backend.responses.set('loadThread', (id) =>
      id === 'b' ? slow.promise : threads.get(String(id)),
    );
    chat.threadId = 'b';
    await settle();
    controller.switchToNewThread();
    chat.threadId = '';
    await settle();
    expect([chat.currentThreadId, backend.count('loadThread')]).to.deep.equal([null, 1]);
    chat.threadId = 'b';
    await settle();
    await controller.openThread('c');
    chat.threadId = 'c';
    await settle();
    expect([chat.currentThreadId, backend.count('loadThread')]).to.deep.equal(['c', 3]);
  });

  it('opens no thread when the page sets no `thread-id` after the user has left the last one', async () => {
    const { backend, chat, controller, settle } = await setupChat();
    backend.threads.set('a', contentOf('a', [stored('m', 'user', 'Question')]));
    for (const none of ['', null, undefined] as string[]) {
      chat.threadId = 'a';
      await settle();
      controller.switchToNewThread();
      chat.threadId = none;
      await settle();
      expect(chat.currentThreadId, String(none)).to.equal(null);
    }
  });

  it('opens the `thread-id` that the page sets when it cancels the opening of a thread', async () => {
    const { backend, chat, settle } = await setupChat();
    backend.threads.set('a', contentOf('a', [stored('m', 'user', 'Question')]));
    chat.addEventListener('ubik-thread-open', (event) => {
      event.preventDefault();
      chat.threadId = 'a';
    });
    await chat.openThread('a');
    await settle();
    expect(chat.currentThreadId).to.equal('a');
  });

  it('does not show the failure of a thread of the previous controller', async () => {
    const { backend, chat, settle, text } = await setupChat();
    const slow = new Deferred<never>();
    backend.responses.set('loadThread', () => slow.promise);
    void chat.openThread('a');
    await settle();
    const other = setupController();
    other.backend.threads.set('b', contentOf('b', [stored('m', 'user', 'Question')]));
    await other.controller.openThread('b');
    const before = chat.controller;
    const release = before?.retain();
    chat.controller = other.controller;
    await settle();
    slow.reject(new UbikError('server'));
    await settle();
    expect(text('.status-bar')).to.equal('');
    expect(chat.currentThreadId).to.equal('b');
    release?.();
  });

  it('shows the state of the thread that was opened last', async () => {
    const { backend, chat, settle, text } = await setupChat();
    const slow = new Deferred<never>();
    backend.threads.set('b', contentOf('b', [stored('m', 'user', 'Question')]));
    const { threads } = backend;
    backend.responses.set('loadThread', (id) =>
      id === 'slow' ? slow.promise : threads.get(String(id)),
    );
    void chat.openThread('slow');
    await settle();
    expect(text('.status-bar')).to.equal('Loading the conversation…');
    void chat.openThread('b');
    await settle();
    expect([text('.status-bar'), chat.currentThreadId]).to.deep.equal(['', 'b']);
    slow.reject(new UbikError('network'));
    await settle();
    expect(text('.status-bar')).to.equal('');
  });

  it('asks to sign in until a run has started, and shows no greeting meanwhile', async () => {
    const { backend, query, write, press, settle, start, text } = await setupChat();
    write('x');
    press('Enter');
    await settle();
    backend.stream.fail(new UbikError('unauthorized', 'who?', { status: 401 }));
    await settle();
    expect(text('.status-bar')).to.contain('Sign in');
    expect(query('.empty').classList.contains('blank')).to.equal(true);
    await start('Again');
    expect(text('.status-bar')).to.equal('');
    expect(query('.empty').classList.contains('blank')).to.equal(false);
  });

  it('no longer asks to sign in when another thread or controller is shown', async () => {
    const { backend, chat, controller, settle, start, text } = await setupChat();
    backend.threads.set('a', contentOf('a', [stored('m', 'user', 'Question')]));
    const other = setupController();
    for (const act of [
      () => controller.openThread('a'),
      () => void (chat.controller = other.controller),
    ]) {
      await start();
      backend.stream.fail(new UbikError('unauthorized', 'who?', { status: 401 }));
      await settle();
      expect(text('.status-bar')).to.contain('Sign in');
      await act();
      await settle();
      expect(text('.status-bar')).to.equal('');
    }
  });

  it('no longer says why a thread could not be opened when another one is shown, and does not open it later', async () => {
    const { backend, chat, controller, query, settle, start, text } = await setupChat();
    backend.threads.set('b', contentOf('b', [stored('m', 'user', 'Question')]));
    for (const act of [
      () => controller.openThread('b'),
      async () => {
        controller.switchToNewThread();
        await settle();
      },
      () => start(),
    ]) {
      await chat.openThread('gone');
      await settle();
      expect(text('.status-bar')).to.contain('Retry');
      await act();
      await settle();
      expect(text('.status-bar')).not.to.contain('Retry');
      expect(query('.empty').classList.contains('blank')).to.equal(false);
    }
    await controller.openThread('b');
    await start();
    backend.stream.fail(new UbikError('unauthorized', 'who?', { status: 401 }));
    await settle();
    chat.getToken = () => 'token';
    await settle();
    expect(chat.currentThreadId).to.equal('b');
  });

  it('keeps saying why a thread could not be loaded when the page cancels the opening of another thread', async () => {
    const { backend, chat, settle, text } = await setupChat();
    backend.responses.set('loadThread', () =>
      Promise.reject(new UbikError('unauthorized', 'who?', { status: 401 })),
    );
    await chat.openThread('a');
    await settle();
    expect(text('.status-bar')).to.contain('Sign in');
    const cancel = (event: Event): void => {
      event.preventDefault();
    };
    chat.addEventListener('ubik-thread-open', cancel);
    await chat.openThread('b');
    await settle();
    expect(text('.status-bar')).to.contain('Sign in');
    backend.responses.delete('loadThread');
    backend.threads.set('a', contentOf('a', [stored('m', 'user', 'Question')]));
    chat.getToken = () => 'token';
    await settle();
    expect(chat.currentThreadId).to.equal('a');
  });

  it('rejoins a run whose stream was rejected as unauthorized when there is a new token, or on Retry', async () => {
    const { backend, chat, query, settle, start, text } = await setupChat();
    await start();
    const interrupt = async (): Promise<void> => {
      backend.stream.fail(new UbikError('unauthorized', 'who?', { status: 401 }));
      await settle();
      expect(text('.status-bar')).to.equal('Sign in to continue. Retry');
    };
    await interrupt();
    const renewals: readonly (() => Promise<void> | void)[] = [
      () => void (chat.getToken = () => 'first'),
      async () => {
        chat.getToken = null;
        await settle();
        chat.getToken = () => 'second';
      },
      () => query('.status-bar button').click(),
    ];
    for (const renew of renewals) {
      const before = backend.count('rejoin');
      await renew();
      await settle();
      expect(backend.count('rejoin')).to.equal(before + 1);
      expect(text('.status-bar')).to.contain('Reconnecting…');
      await interrupt();
    }
    query('.status-bar button').click();
    await settle();
    backend.stream.begin();
    await settle();
    expect(text('.status-bar')).to.equal('');
  });

  it('reports no error of an aborted request, and passes on errors that are not of this library', async () => {
    const { backend, chat, controller, names, settle } = await setupChat();
    backend.responses.set('loadThread', () => Promise.reject(new UbikError('aborted')));
    await chat.openThread('x');
    await settle();
    expect(names()).to.deep.equal(['ubik-thread-open']);
    const broken = new TypeError('Broken');
    Object.assign(controller, { openThread: () => Promise.reject(broken) });
    let caught: unknown;
    await chat.openThread('y').catch((error: unknown) => (caught = error));
    expect(caught).to.equal(broken);
    expect(names()).not.to.include('ubik-error');
  });

  it('dispatches ubik-error for an invalid base URL, and recovers with a valid one', async () => {
    const warnings = await warningsOf(async () => {
      const { chat, names, text, settle } = await setupChat();
      Object.assign(chat, { controller: null, baseUrl: 'http://[' });
      await settle();
      expect(names().at(-1)).to.equal('ubik-error');
      expect(text('.status-bar')).not.to.equal('');
      chat.baseUrl = 'http://127.0.0.1:9/';
      await settle();
      expect(text('.status-bar')).to.equal('');
    });
    expect(warnings.filter((text) => text.includes('"http://["')).length).to.equal(1);
  });

  it('offers to try again when its service is not registered', async () => {
    const chat = document.createElement('ubik-chat');
    chat.service = 'registered-later';
    document.body.append(chat);
    await idle();
    const status = chat.shadowRoot?.querySelector('.status-bar');
    const backend = new ScriptedBackend(() => 0);
    registerBackend('registered-later', () => backend);
    status?.querySelector('button')?.click();
    await idle();
    expect(status?.textContent.trim()).to.equal('');
    void chat.send('Question');
    await idle();
    expect(backend.count('send')).to.equal(1);
    chat.remove();
  });

  it('tries again to select its service, also after it has shown a thread of another one', async () => {
    const { backend, chat, settle, query, text } = await setupChat();
    backend.threads.set('a', contentOf('a', [stored('m', 'user', 'Question')]));
    await chat.openThread('a');
    await warningsOf(async () => {
      Object.assign(chat, { controller: null, service: 'registered-last' });
      await settle();
    });
    let count = 0;
    registerBackend('registered-last', () => {
      count += 1;
      return new ScriptedBackend(() => 0);
    });
    query('.status-bar button').click();
    await settle();
    expect([text('.status-bar'), chat.currentThreadId, count]).to.deep.equal(['', null, 1]);
  });

  it('opens no thread before its window was opened', async () => {
    const { backend, chat, names } = await setupChat((made) => (made.layout = 'bubble'));
    await chat.openThread('a');
    expect([names(), backend.count('loadThread')]).to.deep.equal([[], 0]);
  });

  it('opens or closes its window with toggle(), by turns when it gets no argument', async () => {
    const { chat } = await setupChat();
    const states = [undefined, undefined, false, true, true].map((open) => {
      chat.toggle(open);
      return chat.open;
    });
    expect(states).to.deep.equal([true, false, false, true, true]);
  });

  it('tells since when the run has been in its state, also before the chat is rendered', async () => {
    const clock = new ScriptedClock();
    const { chat, start, backend, settle } = await setupChat((made) => {
      Object.assign((made as unknown as { viewContext: object }).viewContext, { clock });
    });
    await start();
    expect(chat.run.since).to.equal(NOON);
    clock.pass(5);
    const times: number[] = [];
    chat.addEventListener('ubik-run-completed', () => times.push(chat.run.since));
    backend.stream.finish('complete');
    await settle();
    expect(times).to.deep.equal([NOON + 5000]);
    expect(chat.run.since).to.equal(NOON + 5000);
  });

  it('renders the strings of its locale, and follows changes of locale and lang', async () => {
    registerLocale('xx', { send: 'Senden', placeholder: 'Nachricht…' });
    const { chat, query, field } = await setupChat((made) => (made.lang = 'xx-YY'));
    expect(query('.send').title).to.equal('Senden');
    expect(field.placeholder).to.equal('Nachricht…');
    registerLocale('xx', { send: 'Los' });
    expect(query('.send').title).to.equal('Los');
    chat.lang = 'en';
    await chat.updateComplete;
    expect(query('.send').title).to.equal('Send');
  });

  it('inherits the font family of the host page, but not its other styles of text or its cursor', async () => {
    const style = document.createElement('style');
    style.textContent = `html { letter-spacing: 9px; text-transform: uppercase; color: red; line-height: 5; text-align: right;
      font-style: italic; white-space: pre; word-spacing: 3em; cursor: wait; font-family: serif }`;
    const { query, start } = await setupChat();
    await start();
    const read = (): string[] =>
      ['.plain', 'textarea', '.scroller'].map((selector) => {
        const {
          letterSpacing,
          textTransform,
          color,
          lineHeight,
          textAlign,
          fontStyle,
          whiteSpace,
          wordSpacing,
          cursor,
        } = getComputedStyle(query(selector));
        return [
          letterSpacing,
          textTransform,
          color,
          lineHeight,
          textAlign,
          fontStyle,
          whiteSpace,
          wordSpacing,
          cursor,
        ].join();
      });
    const before = read();
    document.head.append(style);
    expect(read()).to.deep.equal(before);
    expect(getComputedStyle(query('.plain')).fontFamily).to.equal('serif');
    style.remove();
  });

  it('opens the thread when thread-id is set later', async () => {
    const { chat, backend, controller, settle } = await setupChat();
    for (const id of ['a', 'b']) {
      backend.threads.set(id, contentOf(id, [stored(`m-${id}`, 'user', 'Question')]));
      chat.threadId = id;
      await settle();
      expect(controller.thread?.id).to.equal(id);
    }
  });

  it('does not move the focus from the message field when a request arrives', async () => {
    const { start, backend, settle, chat, field } = await setupChat();
    await start();
    field.focus();
    backend.stream.request('@request:c');
    backend.stream.finish('waiting');
    await settle();
    expect(chat.shadowRoot?.activeElement).to.equal(field);
  });
});

describe('the status line of <ubik-chat>', () => {
  for (const [state, words, button] of [
    ['sending', 'Sending…', ''],
    ['stopping', 'Stopping…', ''],
    ['stalled', 'No response for a while. Still waiting…', ''],
    ['rejoining', 'The connection was lost. Reconnecting…', ''],
    ['interrupted', 'The connection was lost and the answer is incomplete.', 'Retry'],
  ] as const) {
    it(`shows that the run is ${state}`, async () => {
      const { start, backend, settle, text } = await setupChat();
      await start();
      backend.stream.push({ type: 'thread', set: { run: { state } } });
      await settle();
      expect(text('.status-bar')).to.equal([words, button].filter(Boolean).join(' '));
    });
  }

  it('does not rejoin an interrupted run of a service that cannot, also with a new token', async () => {
    const { backend, chat, names, settle, start, text } = await setupChat();
    backend.capabilities.delete('rejoin');
    Object.assign(backend, { rejoin: undefined });
    await start();
    backend.stream.fail(new UbikError('unauthorized', 'who?', { status: 401 }));
    await settle();
    expect(text('.status-bar')).to.equal('Sign in to continue.');
    const before = names();
    chat.getToken = () => 'new';
    await settle();
    expect(text('.status-bar')).to.equal('The connection was lost and the answer is incomplete.');
    expect(names()).to.deep.equal(before);
  });

  it('shows that the browser is offline, until it is online again', async () => {
    const { start, settle, text } = await setupChat();
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    window.dispatchEvent(new Event('offline'));
    await settle();
    expect(text('.status-bar')).to.equal('You’re offline. Your draft is saved.');
    await start();
    expect(text('.status-bar')).to.equal(
      'You’re offline. The answer continues when the network is back.',
    );
    Reflect.deleteProperty(navigator, 'onLine');
    window.dispatchEvent(new Event('online'));
    await settle();
    expect(text('.status-bar')).to.equal('');
  });

  it('says in how many seconds it tries to reconnect, and offers to retry now', async () => {
    const { controller, start, backend, settle, text, query } = await setupChat();
    await start();
    const retryAt = Date.now() + 4500;
    backend.stream.push({ type: 'thread', set: { run: { state: 'rejoining', retryAt } } });
    await settle();
    expect(text('.status-bar')).to.match(
      /^The connection was lost\. Trying again in [45] seconds\. Retry now$/,
    );
    let attempts = 0;
    Object.assign(controller, {
      rejoin: () => {
        attempts += 1;
        return Promise.resolve();
      },
    });
    query('.status-bar button').click();
    expect(attempts).to.equal(1);
  });

  it('shows a bar for a pending request out of view, which focuses the request', async () => {
    const { start, backend, settle, query, root, chat } = await setupChat();
    await start();
    backend.stream.request('@request:c');
    backend.stream.append(0, 'Text.\n\n'.repeat(100));
    backend.stream.finish('waiting');
    await settle();
    const scroller = query('.scroller');
    const appeared = new Promise<void>((resolve) => {
      new MutationObserver((_, observer) => {
        if (!root.querySelector('.request-bar')) return;
        observer.disconnect();
        resolve();
      }).observe(query('.status-bar'), { childList: true, subtree: true });
    });
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -100 }));
    scroller.scrollTop = 0;
    await appeared;
    let updates = 0;
    chat.addController({ hostUpdated: () => void (updates += 1) });
    for (let frame = 0; frame < 5; frame += 1) await nextFrame();
    expect(updates, 'observing causes no updates').to.equal(0);
    query('.request-bar').click();
    expect(chat.shadowRoot?.activeElement).to.equal(query('.request textarea'));
    await waitFor(() => root.querySelector('.request-bar') === null);
    scroller.scrollTop = 0;
    await waitFor(() => root.querySelector('.request-bar') !== null);
    query<HTMLTextAreaElement>('.request textarea').value = '2025';
    query<HTMLFormElement>('.request form').requestSubmit();
    await settle();
    backend.stream.begin('task-2');
    await settle();
    expect(root.querySelector('.request-bar'), 'answered').to.equal(null);
  });

  it('shows no bar for an answered request, and moves the focus to the next one', async () => {
    const { start, backend, settle, query, root, field } = await setupChat();
    await start();
    backend.stream.request('@request:1', 'tool');
    backend.stream.request('@request:2', 'tool');
    await settle();
    const fields = [...root.querySelectorAll<HTMLTextAreaElement>('.request textarea')];
    expect(fields.length).to.equal(2);
    const answer = async (at: number): Promise<void> => {
      const [area] = [...root.querySelectorAll<HTMLTextAreaElement>('.request textarea')].slice(at);
      if (!area) throw new Error('There is no request.');
      area.focus();
      area.value = '2025';
      area.form?.requestSubmit();
      await settle();
      backend.stream.begin();
      await settle();
    };
    await answer(0);
    const left = query('.request textarea');
    expect(fields).to.include(left);
    expect(root.activeElement).to.equal(left);
    for (let frame = 0; frame < 5; frame += 1) await nextFrame();
    expect(root.querySelector('.request-bar')).to.equal(null);
    await answer(0);
    expect(root.activeElement).to.equal(field);
  });
});
