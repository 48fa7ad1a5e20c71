export { UbikEvent, type MessageRefDetail, type ThreadDetail } from './event.js';
export type { UbikEventMap } from './event-map.js';
export * from './chat-events.js';
export * from './document-events.js';
export * from './message-events.js';
export * from './run-events.js';
export * from './thread-events.js';
