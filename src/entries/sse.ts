export { readServerSentEvents } from '../transport/server-sent-events.js';
export type * from '../transport/server-sent-events.js';
