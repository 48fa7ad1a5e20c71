export {
  readServerSentEvents,
  type ReadEventsOptions,
  type ServerSentEvent,
} from '../transport/sse.js';
