import { cancelableEvent, plainEvent, type ThreadDetail } from './event.js';

/** A thread with a new title. */
export interface ThreadRenameDetail extends ThreadDetail {
  readonly title: string;
}

/** Dispatched before a thread is renamed. */
export class UbikThreadRenameEvent extends cancelableEvent<ThreadRenameDetail>(
  'ubik-thread-rename',
) {}

/** Dispatched after a thread was renamed. */
export class UbikThreadRenamedEvent extends plainEvent<ThreadRenameDetail>('ubik-thread-renamed') {}

/** Dispatched before a thread is deleted. The user can undo the deletion for some seconds. */
export class UbikThreadDeleteEvent extends cancelableEvent<ThreadDetail>('ubik-thread-delete') {}

/** Dispatched after the service deleted a thread. */
export class UbikThreadDeletedEvent extends plainEvent<ThreadDetail>('ubik-thread-deleted') {}
