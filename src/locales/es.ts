import { keys } from './es/keys.js';
import { messages } from './es/messages.js';
import { page } from './es/page.js';
import { panels } from './es/panels.js';

/** All words in Spanish. */
export const words = { ...page, ...messages, ...keys, ...panels };
