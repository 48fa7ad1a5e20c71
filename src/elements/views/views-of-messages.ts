import { messageStyles } from '../styles/message.js';
import { partStyles } from '../styles/parts.js';
import { printStyles } from '../styles/print.js';
import { messageWords } from '../../locales/en-messages.js';
import { addWords } from '../../locales/locale.js';

addWords(messageWords);

export { CitationCard } from '../../parts/citation-card.js';
export { RequestView } from '../../parts/request/request-view.js';
export { MessageList } from '../transcript/message-list.js';
export { StoredMessage } from '../../parts/stored-message.js';

/** The looks of messages and their parts. */
export const sheets = [messageStyles, partStyles, printStyles];
