import { keys } from './de/keys.js';
import { messages } from './de/messages.js';
import { page } from './de/page.js';
import { panels } from './de/panels.js';

/** All words in German. */
export const words = { ...page, ...messages, ...keys, ...panels };
