/** All that draws messages: one file, fetched with the first of them. */
export { CitationCard } from './citation-card.js';
export { MessageView } from './message-view.js';
export { RequestView } from './request/request-view.js';
export { StoredMessage } from './stored-message.js';
