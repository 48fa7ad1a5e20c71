import { cancelableEvent, plainEvent, type ThreadDetail } from './event.js';

/** Dispatched before another thread is opened, or the thread list starts a new one (`threadId` null). */
export class UbikThreadOpenEvent extends cancelableEvent<ThreadDetail>('ubik-thread-open') {}

/** Dispatched after another thread was opened, or the thread list has started a new one (`threadId` null). */
export class UbikThreadOpenedEvent extends plainEvent<ThreadDetail>('ubik-thread-opened') {}

/** Dispatched before the first message, upload or linked document creates a thread. */
export class UbikThreadCreateEvent extends cancelableEvent<ThreadDetail>('ubik-thread-create') {}

/** Dispatched after the service created a thread. */
export class UbikThreadCreatedEvent extends plainEvent<ThreadDetail>('ubik-thread-created') {}
