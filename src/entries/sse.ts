export { readServerSentEvents } from '../stream/server-sent-events.js';
export type * from '../stream/server-sent-events.js';
