import { watchBubbles } from './elements/window/placeholder.js';
import { warnOnce } from './dom/warn-once.js';

/**
 * The smallest beginning of a page with a chat in a bubble: the button alone. `ubik-elements.min.mjs` beside this script, and with
 * it the chat, is fetched when somebody is about to press it.
 *
 * @example
 * <script src="ubik-bubble.min.js" defer></script>
 * <ubik-chat layout="bubble" base-url="/api/ubik"></ubik-chat>
 */
const chat = new URL('ubik-elements.min.mjs', import.meta.url).href;
let tries = 0;

watchBubbles(() => {
  // Browsers remember of a module that it could not be fetched: the next try asks for another address (whatwg/html#6768).
  const address = (tries += 1) === 1 ? chat : `${chat}?${String(tries)}`;
  return import(address).catch((cause: unknown) => {
    warnOnce(
      `${chat} could not be loaded. It has to lie beside the script. If this is not the origin of the page, its server has to allow CORS.`,
    );
    throw cause;
  });
});
