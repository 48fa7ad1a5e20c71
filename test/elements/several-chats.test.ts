import { expect } from '@open-wc/testing';
import { registerBackend, type GetToken } from '../../src/controller/registry.js';
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import { ScriptedBackend, contentOf, stored } from '../controller/scripted-backend.js';
import '../helpers/load-lazy-modules.js';
import { nextFrame, setupController } from './chat-fixture.js';
import { recordObservations } from './observations.js';

let services = 0;

/** A service with the threads `a` and `b`, and its own user, so that tests share no stored data. */
function setupService() {
  services += 1;
  const service = `several-${String(services)}`;
  const backends: ScriptedBackend[] = [];
  const usedTokens: string[] = [];
  registerBackend(service, ({ getToken }) => {
    const backend = new ScriptedBackend(() => 0);
    for (const id of ['a', 'b']) {
      backend.threads.set(id, contentOf(id, [stored(`m-${id}`, 'user', `Question ${id}`)]));
    }
    backend.responses.set('loadThread', async (id) => {
      const token = await getToken?.({ reason: 'connect' });
      if (token !== undefined) usedTokens.push(token);
      return backend.threads.get(String(id));
    });
    backends.push(backend);
    return backend;
  });
  const make = (values: Partial<UbikChat> = {}): UbikChat => {
    const chat = document.createElement('ubik-chat');
    return Object.assign(chat, { service, userKey: `user of ${service}`, ...values });
  };
  return { backends, usedTokens, make };
}

/** Connects chats, and waits until their threads are loaded. */
async function mount(...chats: UbikChat[]): Promise<void> {
  document.body.append(...chats);
  await settle();
}

/** Waits for pending tasks and the next two frames. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve));
  await nextFrame();
  await nextFrame();
}

/** Removes chats, as navigating away does. */
async function leave(...chats: UbikChat[]): Promise<void> {
  for (const chat of chats) chat.remove();
  await settle();
}

const threadsOf = (...chats: UbikChat[]): (string | null)[] =>
  chats.map((chat) => chat.currentThreadId);

/** A chat without a name (`id` or `storageKey`) restores the thread of its number among such chats: see `src/elements/chat/storage-key.ts`. */
describe('chats in a page', () => {
  afterEach(() => {
    for (const chat of document.querySelectorAll('ubik-chat')) chat.remove();
  });

  it('restore their own threads by their order when they have no name', async () => {
    const { make } = setupService();
    const before = [make(), make()] as const;
    await mount(...before);
    await before[0].openThread('a');
    await before[1].openThread('b');
    await leave(...before);
    const after = [make(), make()];
    await mount(...after);
    expect(threadsOf(...after)).to.deep.equal(['a', 'b']);
  });

  for (const name of ['id', 'storageKey'] as const) {
    it(`restore their own threads by "${name}", in any order`, async () => {
      const { make } = setupService();
      const before = [make({ [name]: 'left' }), make({ [name]: 'right' })] as const;
      await mount(...before);
      await before[0].openThread('a');
      await before[1].openThread('b');
      await leave(...before);
      const after = [make({ [name]: 'right' }), make(), make({ [name]: 'left' })];
      await mount(...after);
      expect(threadsOf(...after)).to.deep.equal(['b', null, 'a']);
    });
  }

  it('do not open the thread of a chat that was connected before', async () => {
    const { make } = setupService();
    const first = make();
    await mount(first);
    await first.openThread('a');
    const second = make();
    document.body.prepend(second);
    await settle();
    expect(threadsOf(first, second)).to.deep.equal(['a', null]);
  });

  it('do not share a thread when they share the getToken function', async () => {
    const { make, backends } = setupService();
    const getToken: GetToken = () => 'token';
    const chats = [make({ getToken }), make({ getToken })] as const;
    await mount(...chats);
    await chats[0].openThread('a');
    expect(threadsOf(...chats)).to.deep.equal(['a', null]);
    expect(backends.length).to.equal(2);
  });

  it('keep their own drafts', async () => {
    const { make } = setupService();
    const before = [make(), make()];
    await mount(...before);
    const fields = before.map((chat) => chat.shadowRoot?.querySelector('textarea'));
    fields.forEach((field, at) => {
      if (!field) throw new Error('A chat has no message field.');
      field.value = `Text ${String(at)}`;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await leave(...before);
    const after = [make(), make()];
    await mount(...after);
    const texts = after.map((chat) => chat.shadowRoot?.querySelector('textarea')?.value);
    expect(texts).to.deep.equal(['Text 0', 'Text 1']);
  });

  it('keep their threads when they are reordered', async () => {
    const { make } = setupService();
    const [first, second] = [make(), make()];
    await mount(first, second);
    await first.openThread('a');
    await second.openThread('b');
    document.body.append(second, first);
    await settle();
    expect(threadsOf(first, second)).to.deep.equal(['a', 'b']);
  });

  it('reuse the number of a removed chat with a gate, also when it is rendered once more after the removal', async () => {
    const { make } = setupService();
    const gated = (): UbikChat => make({ gate: { version: '1' } });
    const first = gated();
    await mount(first);
    const pass = (): HTMLElement | null | undefined =>
      first.shadowRoot?.querySelector('.gate .primary');
    for (let turn = 0; turn < 50 && !pass(); turn += 1) await settle();
    pass()?.click();
    await settle();
    await first.openThread('a');
    first.remove();
    first.requestUpdate();
    await settle();
    const second = gated();
    await mount(second);
    for (let turn = 0; turn < 50 && !second.currentThreadId; turn += 1) await settle();
    expect(threadsOf(second)).to.deep.equal(['a']);
  });

  it('reuse the number of a removed chat, but not of a connected one', async () => {
    const { make } = setupService();
    const [first, second] = [make(), make()];
    await mount(first, second);
    await first.openThread('a');
    await second.openThread('b');
    await leave(first);
    // A removed chat may be rendered once more.
    first.requestUpdate();
    await settle();
    const third = make();
    await mount(third);
    expect(threadsOf(second, third)).to.deep.equal(['b', 'a']);
    // The third chat has the number of the first, so the first gets another number, and no thread.
    await mount(first);
    expect(threadsOf(second, third, first)).to.deep.equal(['b', 'a', null]);
  });

  it('release their number for another chat when their settings change', async () => {
    const { make } = setupService();
    const first = make();
    await mount(first);
    await first.openThread('a');
    first.agentId = 'cook';
    await settle();
    expect(threadsOf(first)).to.deep.equal([null]);
    const second = make();
    await mount(second);
    expect(threadsOf(second)).to.deep.equal(['a']);
  });

  it('have no number when they have a controller of the host page', async () => {
    const { make } = setupService();
    const before = make();
    await mount(before);
    await before.openThread('a');
    await leave(before);
    const { controller } = setupController();
    const after = make();
    await mount(make({ controller }), after);
    expect(threadsOf(after)).to.deep.equal(['a']);
  });

  it('do not share threads when their agents differ', async () => {
    const { make } = setupService();
    const first = make({ agentId: 'lawyer' });
    await mount(first);
    await first.openThread('a');
    await leave(first);
    const other = make({ agentId: 'cook' });
    await mount(other);
    expect(threadsOf(other)).to.deep.equal([null]);
    await leave(other);
    const again = make({ agentId: 'lawyer' });
    await mount(again);
    expect(threadsOf(again)).to.deep.equal(['a']);
  });

  it('share one controller for a thread of one user, whatever getToken they have', async () => {
    const { make, backends, usedTokens } = setupService();
    const chats = ['first', 'second'].map((token) =>
      make({ threadId: 'a', getToken: () => token }),
    ) as [UbikChat, UbikChat];
    await mount(...chats);
    expect(backends.length).to.equal(1);
    // The token is requested from the chat that is still connected.
    await leave(chats[0]);
    usedTokens.length = 0;
    await chats[1].openThread('b');
    expect(usedTokens).to.deep.equal(['second']);
  });

  it('no longer share a controller when the thread-id of one of them changes', async () => {
    const { make, backends } = setupService();
    const chats = [make({ threadId: 'a' }), make({ threadId: 'a' })] as const;
    await mount(...chats);
    expect(backends.length).to.equal(1);
    chats[1].threadId = 'b';
    await settle();
    expect(threadsOf(...chats)).to.deep.equal(['a', 'b']);
    chats[0].requestUpdate();
    chats[0].threadId = chats[1].threadId = 'a';
    await settle();
    expect(threadsOf(...chats)).to.deep.equal(['a', 'a']);
    // Properties that change together keep the controller.
    chats[0].threadId = chats[1].threadId = 'b';
    await settle();
    expect(threadsOf(...chats)).to.deep.equal(['b', 'b']);
    expect(backends.length).to.equal(2);
  });

  it('keep their controller when the thread-id of another one changes', async () => {
    const { make, backends } = setupService();
    const chats = [make({ threadId: 'a' }), make({ threadId: 'a' })] as const;
    await mount(...chats);
    chats[0].threadId = chats[1].threadId = 'b';
    await settle();
    const loads = (): number[] => backends.map((backend) => backend.count('loadThread'));
    const before = loads();
    chats[0].requestUpdate();
    chats[1].threadId = 'a';
    await settle();
    expect(threadsOf(...chats)).to.deep.equal(['b', 'a']);
    expect(loads()).to.deep.equal([...before, 1]);
  });

  it('keep saying why another service could not be selected when a new thread is started', async () => {
    const { make } = setupService();
    const chat = make({ threadId: 'a' });
    await mount(chat);
    const status = (): string => chat.shadowRoot?.querySelector('.status-bar')?.textContent ?? '';
    chat.baseUrl = 'https://[';
    await settle();
    const reason = status();
    expect(reason).to.contain('Retry');
    chat.startThread();
    await settle();
    expect([status(), chat.currentThreadId]).to.deep.equal([reason, null]);
  });

  it('open the thread of their thread-id although the user has opened another thread in a chat with the same thread-id', async () => {
    const { make } = setupService();
    const first = make({ threadId: 'a' });
    await mount(first);
    await first.openThread('b');
    const second = make({ threadId: 'a' });
    await mount(second);
    expect(threadsOf(first, second)).to.deep.equal(['b', 'a']);
    // A chat that is moved in the document keeps what it shows.
    document.body.append(first);
    await settle();
    expect(threadsOf(first, second)).to.deep.equal(['b', 'a']);
  });

  it('no longer share a controller when getToken of one of them may be that of another user', async () => {
    for (const getToken of [() => 'another', null]) {
      const { make, backends, usedTokens } = setupService();
      const shared: GetToken = () => 'shared';
      const userKey = getToken ? null : 'someone';
      const chats = ['a', 'a'].map((threadId) => make({ threadId, userKey, getToken: shared }));
      await mount(...chats);
      expect(backends.length).to.equal(1);
      usedTokens.length = 0;
      Object.assign(chats[1] ?? {}, { getToken });
      await settle();
      expect(backends.length).to.equal(2);
      expect(usedTokens).to.deep.equal(getToken ? ['another'] : []);
      expect(threadsOf(...chats)).to.deep.equal(['a', 'a']);
    }
  });

  it('share nothing without userKey when their getToken functions differ', async () => {
    const { make, backends } = setupService();
    const chats = ['first', 'second'].map((token) =>
      make({ threadId: 'a', userKey: null, getToken: () => token }),
    );
    await mount(...chats);
    expect(backends.length).to.equal(2);
  });

  it('share nothing with an empty userKey, such as the id of a signed-out user', async () => {
    for (const userKey of [undefined, '', NaN]) {
      const { make, backends } = setupService();
      const chats = ['first', 'second'].map((token) =>
        make({ threadId: 'a', userKey: userKey as unknown as null, getToken: () => token }),
      );
      await mount(...chats);
      expect(backends.length, String(userKey)).to.equal(2);
    }
  });

  it('connect again when getToken is set later', async () => {
    const { make, backends, usedTokens } = setupService();
    const chat = make({ threadId: 'a' });
    await mount(chat);
    chat.getToken = () => 'late';
    await settle();
    expect(backends.length).to.equal(2);
    expect(usedTokens).to.deep.equal(['late']);
  });

  it('share a thread only if they have the same backend when the host page has set their backends', async () => {
    const [first, second] = [new ScriptedBackend(() => 0), new ScriptedBackend(() => 0)];
    const { make } = setupService();
    for (const backend of [first, second]) backend.threads.set('a', contentOf('a', []));
    const chats = [first, second, second].map((backend) => make({ backend, threadId: 'a' }));
    await mount(...chats);
    expect([first, second].map((backend) => backend.count('loadThread') > 0)).to.deep.equal([
      true,
      true,
    ]);
    void chats[1]?.send('Question');
    await settle();
    const counts = chats.map((chat) => chat.shadowRoot?.querySelectorAll('.message.user').length);
    expect(counts).to.deep.equal([0, 1, 1]);
  });

  it('pass their settings to the service', async () => {
    const created: unknown[][] = [];
    registerBackend('settings', ({ baseUrl, agentId, userKey, getToken }) => {
      created.push([baseUrl, agentId, userKey, getToken]);
      return new ScriptedBackend(() => 0);
    });
    const getToken: GetToken = () => 'token';
    const values = [
      { baseUrl: '/api', agentId: 'cook', userKey: 'ann', getToken },
      { baseUrl: '', agentId: '', userKey: null, getToken: null },
    ];
    await mount(
      ...values.map((each) =>
        Object.assign(document.createElement('ubik-chat'), { service: 'settings', ...each }),
      ),
    );
    const [[url, agent, user, token] = [], none] = created;
    expect([url, agent, user]).to.deep.equal([
      new URL('/api', document.baseURI).href,
      'cook',
      'ann',
    ]);
    expect(typeof token).to.equal('function');
    expect(none).to.deep.equal([null, null, null, null]);
  });

  it('are numbered together when their base URLs are the same in different spellings', async () => {
    const { make } = setupService();
    const urls = ['/service', new URL('/service', document.baseURI).href] as const;
    const before = [make({ baseUrl: urls[0] }), make({ baseUrl: urls[1] })] as const;
    await mount(...before);
    await before[0].openThread('a');
    await before[1].openThread('b');
    await leave(...before);
    const after = [make({ baseUrl: urls[1] }), make({ baseUrl: urls[0] })];
    await mount(...after);
    expect(threadsOf(...after)).to.deep.equal(['a', 'b']);
  });

  it('create threads with the options of the host page', async () => {
    const { make, backends } = setupService();
    const chat = make({ newThread: { title: 'About rivers' } });
    await mount(chat);
    void chat.send('Question');
    await settle();
    const [call] = backends[0]?.calls.filter(({ method }) => method === 'createThread') ?? [];
    expect(call?.args[0]).to.deep.equal({ title: 'About rivers' });
  });

  it('store the draft, unless drafts are off', async () => {
    for (const drafts of ['', 'off'] as const) {
      const { make } = setupService();
      const fieldOf = (chat: UbikChat): HTMLTextAreaElement =>
        chat.shadowRoot?.querySelector('textarea') as HTMLTextAreaElement;
      const before = make({ drafts });
      await mount(before);
      fieldOf(before).value = 'Half a question';
      fieldOf(before).dispatchEvent(new InputEvent('input', { bubbles: true }));
      await leave(before);
      const after = make({ drafts });
      await mount(after);
      expect(fieldOf(after).value).to.equal(drafts === 'off' ? '' : 'Half a question');
      await leave(after);
    }
  });

  it('observe the page only while one of them is connected', async () => {
    const { make } = setupService();
    const observations = recordObservations({ window });
    const chats = ['a', 'a'].map((threadId) => make({ threadId }));
    await mount(...chats);
    const names = ['online', 'pagehide', 'pageshow', 'resume', 'visibilitychange'];
    const observed = (): string[] =>
      names.filter((name) => observations.list().includes(`window ${name}`));
    expect(observed()).to.deep.equal(names);
    await leave(...chats);
    expect(observed()).to.deep.equal([]);
    observations.restore();
  });

  it('load their thread again when the page becomes active', async () => {
    const wake: readonly (readonly [name: string, act: () => void, loads: number])[] = [
      ['visible', () => document.dispatchEvent(new Event('visibilitychange')), 1],
      ['resumed', () => document.dispatchEvent(new Event('resume')), 1],
      ['online', () => window.dispatchEvent(new Event('online')), 1],
      [
        'restored',
        () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
        1,
      ],
      ['loaded', () => window.dispatchEvent(new PageTransitionEvent('pageshow')), 0],
      [
        'hidden',
        () => {
          Object.defineProperty(document, 'hidden', { configurable: true, value: true });
          document.dispatchEvent(new Event('visibilitychange'));
          Reflect.deleteProperty(document, 'hidden');
        },
        0,
      ],
    ];
    for (const [name, act, loads] of wake) {
      const { make, backends } = setupService();
      const chat = make({ threadId: 'a' });
      await mount(chat);
      const before = backends[0]?.count('loadThread') ?? 0;
      act();
      await settle();
      expect((backends[0]?.count('loadThread') ?? 0) - before, name).to.equal(loads);
      await leave(chat);
    }
  });

  it('wait for a token until the scripts of the page have run', async () => {
    let isReady = false;
    const state = (): DocumentReadyState => (isReady ? 'complete' : 'loading');
    Object.defineProperty(document, 'readyState', { configurable: true, get: state });
    try {
      const { make, backends } = setupService();
      const own = new ScriptedBackend(() => 0);
      own.threads.set('a', contentOf('a', []));
      const [waiting, sending, ready, created] = [
        make(),
        make(),
        make({ getToken: () => 'token', id: 'with-token' }),
        make({ backend: own, threadId: 'a' }),
      ];
      await mount(waiting, sending, ready, created);
      expect(backends.length, 'only that with a token').to.equal(1);
      expect(created.currentThreadId).to.equal('a');
      const opened = waiting.openThread('b');
      void sending.send('Question');
      await settle();
      expect(backends.length).to.equal(1);
      isReady = true;
      document.dispatchEvent(new Event('DOMContentLoaded'));
      await opened;
      await settle();
      expect([backends.length, waiting.currentThreadId]).to.deep.equal([3, 'b']);
      const sent = backends.map((backend) => backend.count('send'));
      expect(sent.sort(), 'sent as soon as it is connected').to.deep.equal([0, 0, 1]);
    } finally {
      Reflect.deleteProperty(document, 'readyState');
    }
  });

  it('use the getToken function that was set last also for requests after their removal', async () => {
    const made: (GetToken | null)[] = [];
    registerBackend('removed', ({ getToken }) => {
      made.push(getToken);
      return new ScriptedBackend(() => 0);
    });
    const chat = document.createElement('ubik-chat');
    Object.assign(chat, { service: 'removed', userKey: 'ann', getToken: () => 'first' });
    await mount(chat);
    await leave(chat);
    const tokens: unknown[] = [];
    for (const getToken of [chat.getToken, () => 'second', null]) {
      chat.getToken = getToken;
      tokens.push(await made[0]?.({ reason: 'connect' }));
    }
    expect(tokens, 'null: the user has signed out').to.deep.equal(['first', 'second', '']);
  });

  it('get no token while getToken is null, not even one of the previous user', async () => {
    const made: (GetToken | null)[] = [];
    registerBackend('signed-out', ({ getToken }) => {
      made.push(getToken);
      return new ScriptedBackend(() => 0);
    });
    const make = (): UbikChat => {
      const values = { service: 'signed-out', threadId: 'a', userKey: 'ann' };
      return Object.assign(document.createElement('ubik-chat'), values, {
        getToken: () => 'Alice',
      });
    };
    const [chat, other] = [make(), make()];
    await mount(chat);
    const [getToken] = made;
    const read = (): unknown => getToken?.({ reason: 'connect' });
    const tokens = [read()];
    for (const next of [() => 'Bob', null, undefined as unknown as null]) {
      chat.getToken = next;
      tokens.push(read());
    }
    expect(tokens).to.deep.equal(['Alice', 'Bob', '', '']);
    await mount(other);
    expect(made.length, 'not shared with a chat that has no token').to.equal(2);
    expect(read()).to.equal('');
  });

  it('answer a service that asks for a token and the language while it is created', async () => {
    const answers: unknown[] = [];
    registerBackend('eager', ({ getToken, language }) => {
      answers.push(getToken?.({ reason: 'connect' }), language?.());
      return new ScriptedBackend(() => 0);
    });
    const chat = document.createElement('ubik-chat');
    await mount(Object.assign(chat, { service: 'eager', lang: 'de', getToken: () => 'token' }));
    expect(answers).to.deep.equal(['token', 'de']);
  });

  it('use the getToken function that was set last', async () => {
    const { make, backends, usedTokens } = setupService();
    const chat = make({ threadId: 'a', getToken: () => 'first' });
    await mount(chat);
    chat.getToken = () => 'second';
    await chat.openThread('b');
    expect(usedTokens).to.deep.equal(['first', 'second']);
    expect(backends.length).to.equal(1);
  });
});
