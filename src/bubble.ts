import { watchBubbles } from './elements/window/stand-in.js';

/**
 * The smallest beginning of a page with a chat in a bubble: the button alone. `ubik-elements.min.mjs` beside this script, and with
 * it the chat, is fetched when somebody is about to press it.
 *
 * @example
 * <script src="ubik-bubble.min.js" defer></script>
 * <ubik-chat layout="bubble" base-url="/api/ubik"></ubik-chat>
 */
const script = document.currentScript;
const place = script instanceof HTMLScriptElement ? script.src : document.baseURI;

const chat = new URL('ubik-elements.min.mjs', place).href;
let tries = 0;

// Browsers remember of a module that it could not be fetched: the next try asks for another address (whatwg/html#6768).
watchBubbles(() => import((tries += 1) === 1 ? chat : `${chat}?${String(tries)}`));
