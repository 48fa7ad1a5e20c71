import { messageStyles } from '../styles/message.js';
import { partStyles } from '../styles/parts.js';
import { printStyles } from '../styles/print.js';
import { messageWords } from '../../locales/en-messages.js';
import { addWords } from '../../locales/locale.js';

addWords(messageWords);

export { CitationCard } from '../../message/citation-card.js';
export { RequestView } from '../../message/request/request-view.js';
export { MessageList } from '../transcript/message-list.js';
export { StoredMessage } from '../../message/stored-message.js';

/** The looks of messages and their parts. */
export const sheets = [messageStyles, partStyles, printStyles];
