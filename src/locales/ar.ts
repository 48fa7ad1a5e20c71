import { keys } from './ar/keys.js';
import { messages } from './ar/messages.js';
import { page } from './ar/page.js';
import { panels } from './ar/panels.js';

/** All words in Arabic. */
export const words = { ...page, ...messages, ...keys, ...panels };
