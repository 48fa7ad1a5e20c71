import { messageStyles } from '../styles/message.js';
import { partStyles } from '../styles/parts.js';
import { printStyles } from '../styles/print.js';
import { messageStrings } from '../../locales/en-messages.js';
import { addDefaultStrings } from '../../locales/locale.js';

addDefaultStrings(messageStrings);

export { CitationCard } from '../../message/citation-card.js';
export { RequestView } from '../../message/request/request-view.js';
export { MessageList } from './message-list.js';
export { StandaloneMessage } from '../../message/standalone-message.js';

/** Style sheets of messages and their parts. */
export const sheets = [messageStyles, partStyles, printStyles];
