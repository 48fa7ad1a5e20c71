import { keys } from './fr/keys.js';
import { messages } from './fr/messages.js';
import { page } from './fr/page.js';
import { panels } from './fr/panels.js';

/** All words in French. */
export const words = { ...page, ...messages, ...keys, ...panels };
