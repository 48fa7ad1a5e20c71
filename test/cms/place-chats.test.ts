/** The script of the pages of a CMS. The tests respond to the requests for its routes. `<ubik-chat>` is not defined here. */
import { expect } from '@open-wc/testing';
import { Deferred } from '../helpers/deferred.js';
import { waitFor } from '../helpers/wait-for.js';
import { isUbikError, type UbikError } from '../../src/errors.js';

const CONFIG = {
  baseUrl: 'https://agents.example/api/v1',
  session: '/cms/session',
  token: '/cms/token',
  signIn: '/cms/sign-in',
  signInReturn: 'back',
  signInText: 'Sign in to chat',
  failedText: 'The chat could not be loaded.',
  cookieText: 'The chat needs cookies.',
};

type Answer = Response | Promise<Response>;

/** What the script sets. */
interface PlacedChat extends HTMLElement {
  userKey: string | undefined;
  readonly getToken: () => Promise<string>;
}

const answer = (status: number, body: object): Response => Response.json(body, { status });

const session = (userKey: string | null): Response =>
  answer(200, { userKey, nonce: userKey && `nonce of ${userKey}` });

const token = (text: string): Response => answer(200, { access_token: text });

/** The error of a request for a token of a user who is not the visitor any more. */
const CHANGED = 'The visitor is another one.';

/** The response of the token route to a nonce of another user, and after the session has ended. */
const outdated = (status = 403): Response => answer(status, { detail: 'Reload the page.' });

describe('the script of CMS pages', () => {
  const { fetch } = window;
  let page: HTMLElement;
  let answers: Answer[];
  /** The path of each request; that of the token route with its nonce. */
  let requests: string[];
  let loads = 0;

  beforeEach(() => {
    page = document.createElement('main');
    document.body.append(page);
    answers = [];
    requests = [];
    window.fetch = (url, init) => {
      const nonce = init?.body instanceof URLSearchParams ? init.body.get('nonce') : null;
      requests.push([url as string, ...(nonce === null ? [] : [nonce])].join(' '));
      return Promise.resolve(answers.shift() ?? Promise.reject(new Error('No answer is left.')));
    };
  });

  afterEach(() => {
    window.fetch = fetch;
    page.remove();
  });

  /** Adds a place for each layout to the page, and runs the script. The routes give the answers one after another. */
  const show = (
    layouts: readonly string[],
    ...first: readonly Answer[]
  ): Promise<readonly HTMLElement[]> =>
    showChats(
      layouts.map((layout) => ({ layout })),
      ...first,
    );

  /** Adds a place with each `data-chat`. */
  async function showChats(
    chats: readonly object[],
    ...first: readonly Answer[]
  ): Promise<readonly HTMLElement[]> {
    answers.push(...first);
    const config = document.createElement('script');
    config.type = 'application/json';
    config.className = 'ubik-chat-config';
    config.text = JSON.stringify(CONFIG);
    const places = chats.map((chat) => {
      const place = document.createElement('div');
      place.className = 'ubik-chat-place';
      place.dataset['chat'] = JSON.stringify(chat);
      return place;
    });
    const script = document.createElement('script');
    // Another URL, because the script runs once for each.
    script.src = `/integrations/cms/place-chats.js?load=${String((loads += 1))}`;
    const loaded = new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
    });
    page.append(config, ...places, script);
    await loaded;
    return places;
  }

  const findChat = (place: HTMLElement | undefined): Promise<PlacedChat> =>
    waitFor(() => place?.querySelector<PlacedChat>('ubik-chat'));

  /** Returns the message of the error with which a token is refused. */
  const refusalOf = (promise: Promise<string>): Promise<string> =>
    promise.then(
      (text) => `It returned ${text}.`,
      (error: unknown) => (error as Error).message,
    );

  it('accepts colours and a height that request nothing, and no other styles', async () => {
    const forged = {
      accent: 'url(https://evil.example/p.png)',
      text: '#0a7d55\n',
      background: 'image-set("https://evil.example/p.png" 1x)',
      height: '1px;x',
    };
    const object = { toString: 0, valueOf: 0 };
    const objects = { accent: object, text: object, background: object, height: object };
    const allowed = { accent: '#0a7d55', text: '#ABC', background: '#fff', height: '30.5rem' };
    const places = await showChats(
      [forged, { ...objects, starters: [object] }, allowed].map((styles) => ({
        layout: 'bubble',
        ...styles,
      })),
    );
    for (const [place, styles] of [
      [places[0], { accent: '', text: '', background: '', height: '' }],
      [places[1], { accent: '', text: '', background: '', height: '' }],
      [places[2], allowed],
    ] as const) {
      const { style } = await findChat(place);
      const read = (name: string): string => style.getPropertyValue(`--ubik-${name}`);
      const height = place?.style.getPropertyValue('--ubik-chat-height');
      const colours = {
        accent: read('accent'),
        text: read('text'),
        background: read('background'),
      };
      expect({ ...colours, height }).to.deep.equal(styles);
    }
  });

  it('requests another nonce when the first one has expired', async () => {
    const [place] = await show(['inline'], session('ann'), outdated(), session('ann'), token('t'));
    expect(await (await findChat(place)).getToken()).to.equal('t');
  });

  for (const status of [401, 403]) {
    it(`switches all chats to another user who has signed in, and rejects the token request of the first user (${String(status)})`, async () => {
      const places = await show(['inline', 'inline'], session('ann'), outdated(status));
      const [chat, other] = [await findChat(places[0]), await findChat(places[1])];
      expect(chat.userKey).to.equal('ann');
      answers.push(session('bob'), session('bob'));
      expect(await refusalOf(chat.getToken())).to.equal(CHANGED);
      expect([chat.userKey, other.userKey]).to.deep.equal(['bob', 'bob']);
      answers.push(token('of bob'));
      expect(await other.getToken()).to.equal('of bob');
      expect(requests.at(-1)).to.equal('/cms/token nonce of bob');
    });
  }

  for (const [status, code] of [
    [403, 'unauthorized'],
    [429, 'rate-limited'],
    [502, 'server'],
  ] as const) {
    it(`rejects with an error that has a code and contains the explanation of the server (${String(status)})`, async () => {
      const [place] = await show(['inline'], session('ann'));
      const chat = await findChat(place);
      const refusals = [1, 2].map(() => answer(status, { detail: 'Please wait.' }));
      answers.push(refusals[0] as Response);
      if (status === 403) answers.push(session('ann'), refusals[1] as Response);
      const error = await chat.getToken().catch((cause: unknown) => cause);
      expect(isUbikError(error)).to.equal(true);
      expect((error as UbikError).code).to.equal(code);
      expect((error as UbikError).serviceError?.description).to.equal('Please wait.');
    });
  }

  it('rejects with the code server when the session route fails', async () => {
    const [place] = await show(['inline'], session('ann'), outdated(), answer(503, {}));
    const error = await (await findChat(place)).getToken().catch((cause: unknown) => cause);
    expect(isUbikError(error) && [error.code, error.serviceError]).to.deep.equal([
      'server',
      undefined,
    ]);
  });

  it('refuses a token to a request that begins while the new user is being loaded', async () => {
    const places = await show(['inline', 'inline'], session('ann'), outdated());
    const [chat, other] = [await findChat(places[0]), await findChat(places[1])];
    const loading = new Deferred<Response>();
    answers.push(loading.promise, token('of bob'));
    const first = refusalOf(chat.getToken());
    await waitFor(() => requests.length === 3);
    const second = refusalOf(other.getToken());
    answers.unshift(session('bob'));
    loading.resolve(session('bob'));
    expect([await first, await second]).to.deep.equal([CHANGED, CHANGED]);
  });

  it('replaces the chats by a link when the user has signed out and guests may not chat', async () => {
    const [place] = await show(['inline'], session('ann'), outdated(401), session(null));
    const chat = await findChat(place);
    expect(await refusalOf(chat.getToken())).to.equal(CHANGED);
    expect(place?.textContent).to.equal(CONFIG.signInText);
    expect(chat.isConnected).to.equal(false);
  });

  it('replaces all chats by a notice that cookies are needed when each request is that of a new guest', async () => {
    const places = await show(['inline', 'inline', 'bubble'], session('g1'), outdated(401));
    const [chat, other] = [await findChat(places[0]), await findChat(places[1])];
    answers.push(session('g2'), session('g3'));
    const field = document.createElement('input');
    chat.append(field);
    field.focus();
    expect(await refusalOf(chat.getToken())).to.equal(CHANGED);
    expect([chat.userKey, other.userKey]).to.deep.equal(['g1', 'g1']);
    const texts = places.map((place) => [...place.children].map((node) => node.textContent));
    expect(texts).to.deep.equal(places.map(() => [CONFIG.cookieText]));
    expect(document.activeElement).to.equal(places[0]?.firstElementChild);
    expect(answers).to.deep.equal([]);
  });

  it('switches the chat to a user who has signed in, even if the request that confirms the user fails', async () => {
    const [place] = await show(['inline'], session('ann'), outdated(), session('bob'));
    const chat = await findChat(place);
    expect(await refusalOf(chat.getToken())).to.equal(CHANGED);
    expect([chat.userKey, chat.isConnected]).to.deep.equal(['bob', true]);
  });

  describe('in a page that is shown again', () => {
    const { now } = Date;
    afterEach(() => (Date.now = now));

    const goBack = (persisted = true) =>
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));
    const becomeVisible = () => document.dispatchEvent(new Event('visibilitychange'));

    it('switches the chat to the user who has signed in, and replaces it by a link after a sign-out', async () => {
      const [place] = await show(['inline'], session('ann'));
      const chat = await findChat(place);
      answers.push(session('bob'), session('bob'));
      goBack();
      await waitFor(() => chat.userKey === 'bob');
      answers.push(session(null));
      goBack();
      expect((await findNotice(place ?? page)).textContent).to.equal(CONFIG.signInText);
      goBack();
      expect(answers).to.deep.equal([]);
      expect(requests.length).to.equal(4);
    });

    it('requests the session when it becomes visible, but not twice in a minute, and not before the session was requested', async () => {
      let time = now();
      Date.now = () => time;
      const [place = page] = await show(['bubble']);
      const chat = await findChat(place);
      becomeVisible();
      goBack(false);
      goBack();
      expect(requests).to.deep.equal([]);
      answers.push(session('ann'), session('ann'), token('t'));
      chat.dispatchEvent(new Event('focusin'));
      time += 60_000;
      becomeVisible();
      await waitFor(() => requests.length === 2);
      time += 59_999;
      becomeVisible();
      chat.userKey = 'ann';
      expect(await chat.getToken()).to.equal('t');
      expect(requests.length).to.equal(3);
    });

    it('switches the chat to the user who has signed in, even if the request that confirms the user fails', async () => {
      const [place] = await show(['inline'], session('ann'));
      const chat = await findChat(place);
      answers.push(session('bob'), answer(500, {}));
      goBack();
      await waitFor(() => chat.userKey === 'bob');
      answers.push(session('bob'), token('t'));
      expect(await chat.getToken()).to.equal('t');
      expect(chat.isConnected).to.equal(true);
    });

    it('keeps the known session when the session cannot be loaded again', async () => {
      const [place] = await show(['inline'], session('ann'), answer(500, {}));
      const chat = await findChat(place);
      goBack();
      await waitFor(() => requests.length === 2);
      // The failure is handled before the next task.
      await new Promise((resolve) => setTimeout(resolve));
      answers.push(token('t'));
      expect(await chat.getToken()).to.equal('t');
    });
  });

  /** Shows a chat with a button in the corner, and counts the presses that reach the button. */
  async function showWindow(...first: readonly Answer[]) {
    const [place = page] = await show(['bubble'], ...first);
    const chat = await findChat(place);
    const button = document.createElement('button');
    let presses = 0;
    button.addEventListener('click', () => (presses += 1));
    chat.append(button);
    return { place, chat, button, presses: () => presses };
  }

  const findNotice = (place: HTMLElement): Promise<HTMLElement> =>
    waitFor(() => place.querySelector<HTMLElement>('.ubik-chat-notice'));

  it('withholds presses until the session is known, then presses the button once', async () => {
    const loading = new Deferred<Response>();
    const { chat, button, presses } = await showWindow(loading.promise);
    button.click();
    button.click();
    expect([presses(), requests.length]).to.deep.equal([0, 1]);
    loading.resolve(session('ann'));
    await waitFor(presses);
    // The promises of all presses are settled before the next task.
    await new Promise((resolve) => setTimeout(resolve));
    expect([presses(), chat.userKey]).to.deep.equal([1, 'ann']);
    button.click();
    expect(presses()).to.equal(2);
  });

  for (const isFocused of [true, false]) {
    it(`shows a link to a guest who may not chat, and ${isFocused ? 'moves the focus from the button to it' : 'does not move the focus to it from elsewhere'}`, async () => {
      const { place, button } = await showWindow(session(null));
      if (isFocused) button.focus();
      button.click();
      const link = await findNotice(place);
      expect(link.textContent).to.equal(CONFIG.signInText);
      expect(document.activeElement === link).to.equal(isFocused);
    });
  }

  it('announces that the session could not be loaded, and tries again with the next press', async () => {
    const { place, chat, button, presses } = await showWindow(answer(500, {}), answer(500, {}));
    for (const attempt of [1, 2]) {
      button.focus();
      button.click();
      expect(place.querySelector('.ubik-chat-notice'), String(attempt)).to.equal(null);
      const notice = await findNotice(place);
      expect([notice.role, notice.textContent]).to.deep.equal(['alert', CONFIG.failedText]);
      expect(document.activeElement).to.equal(button);
    }
    answers.push(session('ann'));
    button.click();
    await waitFor(presses);
    expect([...place.children]).to.deep.equal([chat]);
  });
});
