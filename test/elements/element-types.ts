/**
 * Type tests of the elements: each line with `@ts-expect-error` must not compile, each other line must. They are never executed;
 * `npm run types` checks them.
 */
import type { UbikChat } from '../../src/elements/ubik-chat.js';
import type { UbikMessage } from '../../src/elements/ubik-message.js';
import type { UbikMessageSendEvent } from '../../src/events/index.js';

/** Properties with a fixed set of values. */
export function setProperties(chat: UbikChat, message: UbikMessage): void {
  chat.layout = 'bubble';
  chat.layout = '';
  chat.imagePolicy = 'allow https://files.example/';
  message.author = 'user';
  // @ts-expect-error -- a misspelled layout
  chat.layout = 'bubbel';
  // @ts-expect-error -- not a theme
  chat.theme = 'pink';
  // @ts-expect-error -- not a density
  chat.density = 'dense';
  // @ts-expect-error -- not a choice of what Enter does
  chat.whileRunning = 'wait';
  // @ts-expect-error -- a boolean is not a choice
  chat.drafts = false;
  // @ts-expect-error -- not an announcement level
  chat.announce = 'none';
  // @ts-expect-error -- not a policy
  chat.imagePolicy = 'deny';
  // @ts-expect-error -- not a policy
  chat.html = 'raw';
  // @ts-expect-error -- the name that the wire format of other services uses
  message.author = 'bot';
}

/** Events on all targets that they bubble to. */
export function listen(chat: UbikChat, root: ShadowRoot): void {
  chat.addEventListener('ubik-input-required', (event) => void event.respond('yes'));
  root.addEventListener('ubik-message-send', (event) => event.detail);
  document.addEventListener('ubik-run-failed', ({ detail }) => detail.code);
  window.addEventListener('ubik-error', ({ detail }) => detail.status);
  // @ts-expect-error -- the class of another event
  document.addEventListener('ubik-error', (_event: UbikMessageSendEvent) => undefined);
}
