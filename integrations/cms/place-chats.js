/**
 * Puts the chats into a page of a CMS. The page contains an empty `<div class="ubik-chat-place" data-chat="{…}">` for each chat and one
 * `<script type="application/json" class="ubik-chat-config">`. Both are the same for every visitor, so that the page can be cached; the
 * user is known from the session route only.
 *
 * Authors of content can write a `<div>` with any `data-chat`, but no script element. Therefore the addresses of the service and of the
 * routes, to which tokens and nonces are sent, are read from the script element only, and `data-chat` only changes the appearance. The
 * styles in it are checked here, because the server checks only those that it writes: a colour such as `url(…)` would send a request.
 */
(() => {
  'use strict';

  /** Names in `data-chat` that are attributes of `<ubik-chat>`. */
  const ATTRIBUTES = ['layout', 'theme', 'density', 'greeting', 'aria-label'];
  /** Names in `data-chat` that are custom properties of `<ubik-chat>`. */
  const COLOURS = ['accent', 'text', 'background'];
  const COLOUR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;
  const LENGTH = /^\d{1,5}(?:\.\d{1,3})?(?:px|em|rem|vh|svh|dvh)$/;
  /** Layouts with a button that opens the chat. They need no session before the user opens them. */
  const WINDOWS = ['bubble', 'panel'];
  const MAX_STARTERS = 4;
  /** Shortest time in ms between two requests for the session because the page has become visible. */
  const CHECK_INTERVAL = 60_000;

  /** Parses JSON; returns an empty object for any other text. */
  const parse = (text) => {
    try {
      return Object(JSON.parse(text));
    } catch {
      return {};
    }
  };

  /** The configuration of the page; empty until the document is parsed. */
  let config = {};

  /** The request for the session; undefined before the first one, and when another one is to be sent (see `loadSession`). */
  let session;

  /** When the page has last requested the session because it has become visible. */
  let lastCheck = 0;

  /** The chats of the page with their places. */
  const chats = new Map();

  /**
   * Creates the error of a route. Its name makes it an error of the chat, which shows the sentence of the server (`detail`) or one for the code.
   * For any other error of `getToken`, the chat would say that the visitor is not signed in.
   */
  function createRouteError(route, { status }, detail) {
    const error = new Error(`The ${route} route answers with ${status}.`);
    const code = status === 429 ? 'rate-limited' : status < 500 ? 'unauthorized' : 'server';
    const serviceError = detail && { description: String(detail), advice: '', code: '' };
    return Object.assign(error, { name: 'UbikError', code, offender: 'getToken', serviceError });
  }

  /**
   * Asks the server who the visitor is. Resolves to `{ userKey, nonce }`, both null for a guest who may not chat. The request is sent
   * once; again only after a failure, when the token route has refused its nonce, when the visitor has changed, and when the page is shown
   * again.
   */
  function loadSession() {
    session ??= fetch(config.session, { credentials: 'same-origin', cache: 'no-store' })
      .then((response) => {
        if (!response.ok) throw createRouteError('session', response);
        return response.json();
      })
      .catch((error) => {
        session = undefined;
        throw error;
      });
    return session;
  }

  /** Makes `loadSession` send another request, unless one was sent since the given one. */
  function dropSession(request) {
    if (session === request) session = undefined;
  }

  /**
   * Returns the nonce of a user. Rejects when the visitor is someone else by now, because of a sign-in or sign-out in another tab; each place
   * then has a chat of the new user, or a link to sign in. If the browser does not store the cookie of a guest, the guest is a new visitor in
   * each request, and no chat can work. To find that out, the session is requested once more: if it is that of a third visitor, all places
   * say that the chat needs cookies.
   */
  async function loadNonce(userKey) {
    const request = loadSession();
    const current = await request;
    if (current.userKey === userKey) return current.nonce;
    let isStored = true;
    if (current.userKey !== null) {
      dropSession(request);
      const next = await loadSession().catch(() => current);
      isStored = next.userKey === current.userKey;
    }
    for (const [chat, place] of chats) {
      if (!isStored) showNotice(place, createNotice('p', config.cookieText ?? config.failedText));
      else if (current.userKey === null) showSignIn(place);
      else chat.userKey = current.userKey;
    }
    throw new Error('The visitor is another one.');
  }

  /**
   * Requests the session again if it is known and there is a chat: while the page was in the background or in the back/forward cache, the
   * visitor may have signed out or in. If the session cannot be loaded, the known one stays.
   */
  async function checkVisitor() {
    if (![...chats.keys()].some((chat) => chat.isConnected)) return;
    const known = session;
    const visitor = await known?.catch(() => undefined);
    if (!visitor) return;
    dropSession(known);
    try {
      await loadSession();
    } catch {
      session ??= known;
      return;
    }
    await loadNonce(visitor.userKey).catch(() => undefined);
  }

  async function requestToken(userKey) {
    const nonce = await loadNonce(userKey);
    return fetch(config.token, {
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      body: new URLSearchParams({ nonce: nonce ?? '' }),
    });
  }

  /** Returns a token for the user of a chat. Rejects with the sentence of the server when it issues none. */
  async function getToken({ userKey }) {
    let response = await requestToken(userKey);
    if (response.status === 401 || response.status === 403) {
      // A nonce expires, for example in a page that was open overnight. Or the visitor has signed out or in.
      session = undefined;
      response = await requestToken(userKey);
    }
    const body = Object(await response.json().catch(() => null));
    if (!response.ok) throw createRouteError('token', response, body.detail);
    return body.access_token;
  }

  /** Whether an option is a text that a pattern allows. `RegExp.test` alone throws on an object that cannot be converted to a text. */
  const isMatch = (pattern, value) => typeof value === 'string' && pattern.test(value);

  /** Creates the chat of a place. It is not connected to the service before it is in the document. */
  function createChat(place, options) {
    const chat = document.createElement('ubik-chat');
    chats.set(chat, place);
    for (const name of ATTRIBUTES) {
      if (typeof options[name] === 'string' && options[name] !== '') {
        chat.setAttribute(name, options[name]);
      }
    }
    for (const name of COLOURS) {
      if (isMatch(COLOUR, options[name])) chat.style.setProperty(`--ubik-${name}`, options[name]);
    }
    if (Array.isArray(options.starters)) {
      const texts = options.starters.filter((starter) => typeof starter === 'string');
      chat.starters = texts.slice(0, MAX_STARTERS);
    }
    chat.setAttribute('base-url', config.baseUrl);
    if (config.agentId) chat.setAttribute('agent-id', config.agentId);
    chat.getToken = () => getToken(chat);
    return chat;
  }

  /** Creates the element of a sentence: a paragraph or a link. */
  function createNotice(name, text) {
    const notice = document.createElement(name);
    notice.className = 'ubik-chat-notice';
    notice.textContent = text;
    // Without a `tabIndex`, a paragraph cannot get the focus.
    if (name === 'p') notice.tabIndex = -1;
    return notice;
  }

  /** Shows a notice, which takes over the focus of the chat that it replaces. */
  function showNotice(place, notice) {
    const hadFocus = place.contains(document.activeElement);
    place.removeAttribute('data-waiting');
    place.replaceChildren(notice);
    if (hadFocus) notice.focus();
  }

  /** Shows the sign-in link to a guest who may not chat. */
  function showSignIn(place) {
    const url = new URL(config.signIn, location.href);
    url.searchParams.set(config.signInReturn, config.signInPage ?? location.href);
    const link = createNotice('a', config.signInText);
    link.href = url.href;
    showNotice(place, link);
  }

  async function showInline(place, options) {
    place.dataset.waiting = '';
    try {
      const { userKey } = await loadSession();
      if (userKey === null) showSignIn(place);
      else {
        const chat = createChat(place, options);
        chat.userKey = userKey;
        place.removeAttribute('data-waiting');
        place.replaceChildren(chat);
      }
    } catch {
      showNotice(place, createNotice('p', config.failedText));
    }
  }

  /**
   * Shows the button of a chat at once, without a session, so that a page view costs no request to the CMS. The session is requested when
   * the user is about to press the button. The first press before the session is known is held back, and further ones are ignored: a chat
   * that has connected without its `userKey` would connect again. When the session cannot be loaded, the next press tries again.
   */
  function showWindow(place, options) {
    const chat = createChat(place, options);
    const failure = createNotice('p', config.failedText);
    failure.setAttribute('role', 'alert');
    let isReady = false;
    let isHeld = false;
    const prepare = () => loadSession().catch(() => undefined);
    const hold = (event) => {
      const button = event.composedPath().find((node) => node instanceof HTMLButtonElement);
      if (isReady || !button || chat.hasAttribute('open')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isHeld) return;
      isHeld = true;
      failure.remove();
      loadSession().then(
        ({ userKey }) => {
          if (userKey === null) {
            showSignIn(place);
            return;
          }
          isReady = true;
          chat.userKey = userKey;
          // The button may be that of the placeholder, which the chat has replaced in the meantime.
          if (button.isConnected) button.click();
          else chat.open = true;
        },
        () => {
          isHeld = false;
          place.append(failure);
        },
      );
    };
    place.dataset.window = '';
    chat.addEventListener('pointerover', prepare, { once: true });
    chat.addEventListener('focusin', prepare, { once: true });
    chat.addEventListener('click', hold, { capture: true });
    place.replaceChildren(chat);
  }

  function showAll() {
    for (const place of document.querySelectorAll('.ubik-chat-place[data-chat]')) {
      const options = parse(place.dataset.chat);
      place.removeAttribute('data-chat');
      if (isMatch(LENGTH, options.height)) {
        place.style.setProperty('--ubik-chat-height', options.height);
      }
      const isWindow = WINDOWS.includes(options.layout);
      if (isWindow) showWindow(place, options);
      else void showInline(place, options);
    }
  }

  function start() {
    config = parse(document.querySelector('script.ubik-chat-config')?.textContent ?? '');
    if (config.session && config.token && config.baseUrl) showAll();
  }

  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void checkVisitor();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lastCheck < CHECK_INTERVAL) return;
    lastCheck = Date.now();
    void checkVisitor();
  });

  // Plug-ins that combine scripts may move this one to the head.
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
