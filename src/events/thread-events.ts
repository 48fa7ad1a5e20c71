import type { ThreadDetail, ThreadRenameDetail } from './details.js';
import { after, before } from './event.js';

/** Before another thread is shown. */
export class UbikThreadOpenEvent extends before<ThreadDetail>('ubik-thread-open') {}

/** Another thread is shown. */
export class UbikThreadOpenedEvent extends after<ThreadDetail>('ubik-thread-opened') {}

/** Before the first message of a new conversation makes its thread. */
export class UbikThreadCreateEvent extends before<ThreadDetail>('ubik-thread-create') {}

/** The service has made a thread. */
export class UbikThreadCreatedEvent extends after<ThreadDetail>('ubik-thread-created') {}

/** Before a thread gets another title. */
export class UbikThreadRenameEvent extends before<ThreadRenameDetail>('ubik-thread-rename') {}

/** A thread has another title. */
export class UbikThreadRenamedEvent extends after<ThreadRenameDetail>('ubik-thread-renamed') {}

/** Before a thread is deleted: the person can still take it back for some seconds. */
export class UbikThreadDeleteEvent extends before<ThreadDetail>('ubik-thread-delete') {}

/** The service has deleted a thread. */
export class UbikThreadDeletedEvent extends after<ThreadDetail>('ubik-thread-deleted') {}

/** Before the deletion of a thread is taken back. Cancel it and the thread goes when its time is over. */
export class UbikThreadUndeleteEvent extends before<ThreadDetail>('ubik-thread-undelete') {}

/** The deletion of a thread was taken back: the service has never heard of it. */
export class UbikThreadUndeletedEvent extends after<ThreadDetail>('ubik-thread-undeleted') {}
