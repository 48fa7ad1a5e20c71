/**
 * The bubble script: shows the launcher alone. Loads the chat (`ubik-elements.min.mjs` beside this script) when the user is about to press
 * the launcher, or at once for a chat with `open`.
 *
 * @example
 * <script src="ubik-bubble.min.js" defer></script>
 * <ubik-chat layout="bubble" base-url="/api/ubik"></ubik-chat>
 */
import { showBubblePlaceholders } from './elements/window/bubble-placeholder.js';
import { warnOnce } from './dom/warn-once.js';

const scriptUrl = import.meta.url;
// The chat has the query of this script, which a site changes with each version: a cached chat of another version would request deleted files.
const query = new URL(scriptUrl).search;
const chatUrl = new URL(`ubik-elements.min.mjs${query}`, scriptUrl).href;
let attempts = 0;

showBubblePlaceholders(() => {
  // A failed module import is cached by its URL (whatwg/html#6768): the next attempt uses another URL.
  const url = (attempts += 1) === 1 ? chatUrl : `${chatUrl}${query ? '&' : '?'}${String(attempts)}`;
  return import(url).catch((cause: unknown) => {
    warnOnce(
      `${chatUrl} could not be loaded. It must be in the same folder as the script. If it is on another origin than the page, its server must allow CORS.`,
    );
    throw cause;
  });
});
