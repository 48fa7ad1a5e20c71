import {
  plainEvent,
  cancelableEvent,
  UbikEvent,
  type ThreadDetail,
  type MessageActDetail,
} from './event.js';

/** A thread that gets another title. */
export interface ThreadRenameDetail extends ThreadDetail {
  readonly title: string;
}

/** The way back to a checkpoint. */
export interface CheckpointDetail extends ThreadDetail {
  readonly checkpoint: string;
}

/** The way back that was taken. */
export interface CheckpointNavigatedDetail extends CheckpointDetail {
  readonly hint: string | null;
}

/** Before another thread is shown. */
export class UbikThreadOpenEvent extends cancelableEvent<ThreadDetail>('ubik-thread-open') {}

/** Another thread is shown. */
export class UbikThreadOpenedEvent extends plainEvent<ThreadDetail>('ubik-thread-opened') {}

/** Before the first message of a new conversation makes its thread. */
export class UbikThreadCreateEvent extends cancelableEvent<ThreadDetail>('ubik-thread-create') {}

/** The service has made a thread. */
export class UbikThreadCreatedEvent extends plainEvent<ThreadDetail>('ubik-thread-created') {}

/** Before a thread gets another title. */
export class UbikThreadRenameEvent extends cancelableEvent<ThreadRenameDetail>(
  'ubik-thread-rename',
) {}

/** A thread has another title. */
export class UbikThreadRenamedEvent extends plainEvent<ThreadRenameDetail>('ubik-thread-renamed') {}

/** Before a thread is deleted: the person can still take it back for some seconds. */
export class UbikThreadDeleteEvent extends cancelableEvent<ThreadDetail>('ubik-thread-delete') {}

/** The service has deleted a thread. */
export class UbikThreadDeletedEvent extends plainEvent<ThreadDetail>('ubik-thread-deleted') {}

/** Before the deletion of a thread is taken back. Cancel it and the thread goes when its time is over. */
export class UbikThreadUndeleteEvent extends cancelableEvent<ThreadDetail>(
  'ubik-thread-undelete',
) {}

/** The deletion of a thread was taken back: the service has never heard of it. */
export class UbikThreadUndeletedEvent extends plainEvent<ThreadDetail>('ubik-thread-undeleted') {}

/** Before the conversation goes back to a checkpoint. The host may change the hint, or cancel. */
export class UbikCheckpointNavigateEvent extends UbikEvent<CheckpointDetail> {
  /** What the agent is told to do differently from there; null for nothing. */
  hint: string | null;

  constructor(detail: CheckpointDetail, hint: string | null) {
    super('ubik-checkpoint-navigate', detail, true);
    this.hint = hint;
  }
}

/** The conversation went back to a checkpoint and the agent goes on from there. */
export class UbikCheckpointNavigatedEvent extends plainEvent<CheckpointNavigatedDetail>(
  'ubik-checkpoint-navigated',
) {}

/** Before another version of a message, and what followed it, is shown. */
export class UbikBranchNavigateEvent extends cancelableEvent<MessageActDetail>(
  'ubik-branch-navigate',
) {}

/** Another version is shown. */
export class UbikBranchNavigatedEvent extends plainEvent<MessageActDetail>(
  'ubik-branch-navigated',
) {}
