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

watchBubbles(() => import(new URL('ubik-elements.min.mjs', place).href));
