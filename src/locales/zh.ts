import { keys } from './zh/keys.js';
import { messages } from './zh/messages.js';
import { page } from './zh/page.js';
import { panels } from './zh/panels.js';

/** All words in simplified Chinese. */
export const words = { ...page, ...messages, ...keys, ...panels };
