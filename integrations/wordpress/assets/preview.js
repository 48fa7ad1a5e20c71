/** Shows the chat of a preview. Its backend has no service behind it, so that it sends no request. */
(() => {
  'use strict';

  const fail = () => Promise.reject(new Error('A preview has no service.'));
  const place = document.querySelector('.ubik-chat-preview');
  const { layout, greeting, theme, starters = [], ...options } = JSON.parse(place.dataset.chat);
  const chat = document.createElement('ubik-chat');
  for (const [name, value] of Object.entries({ layout, greeting, theme })) {
    if (value) chat.setAttribute(name, value);
  }
  for (const name of ['accent', 'text', 'background']) {
    if (options[name]) chat.style.setProperty(`--ubik-${name}`, options[name]);
  }
  chat.starters = starters;
  chat.drafts = 'off';
  chat.backend = {
    name: 'preview',
    capabilities: new Set(),
    idleTimeout: 60_000,
    createThread: fail,
    loadThread: fail,
    async *send() {
      await fail();
    },
  };
  place.replaceChildren(chat);
})();
