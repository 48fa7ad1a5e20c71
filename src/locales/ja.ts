import { keys } from './ja/keys.js';
import { messages } from './ja/messages.js';
import { page } from './ja/page.js';
import { panels } from './ja/panels.js';

/** All words in Japanese. */
export const words = { ...page, ...messages, ...keys, ...panels };
