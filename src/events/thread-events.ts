import {
  plainEvent,
  cancelableEvent,
  UbikEvent,
  type ThreadDetail,
  type MessageRefDetail,
} from './event.js';

/** A thread with a new title. */
export interface ThreadRenameDetail extends ThreadDetail {
  readonly title: string;
}

/** A checkpoint to be restored. */
export interface CheckpointDetail extends ThreadDetail {
  readonly checkpoint: string;
}

/** A restored checkpoint. */
export interface CheckpointRestoredDetail extends CheckpointDetail {
  readonly hint: string | null;
}

/** Dispatched before another thread is opened. */
export class UbikThreadOpenEvent extends cancelableEvent<ThreadDetail>('ubik-thread-open') {}

/** Dispatched after another thread was opened. */
export class UbikThreadOpenedEvent extends plainEvent<ThreadDetail>('ubik-thread-opened') {}

/** Dispatched before the first message or upload creates a thread. */
export class UbikThreadCreateEvent extends cancelableEvent<ThreadDetail>('ubik-thread-create') {}

/** Dispatched after the service created a thread. */
export class UbikThreadCreatedEvent extends plainEvent<ThreadDetail>('ubik-thread-created') {}

/** Dispatched before a thread is renamed. */
export class UbikThreadRenameEvent extends cancelableEvent<ThreadRenameDetail>(
  'ubik-thread-rename',
) {}

/** Dispatched after a thread was renamed. */
export class UbikThreadRenamedEvent extends plainEvent<ThreadRenameDetail>('ubik-thread-renamed') {}

/** Dispatched before a thread is deleted; the user can undo this for some seconds. */
export class UbikThreadDeleteEvent extends cancelableEvent<ThreadDetail>('ubik-thread-delete') {}

/** Dispatched after the service deleted a thread. */
export class UbikThreadDeletedEvent extends plainEvent<ThreadDetail>('ubik-thread-deleted') {}

/** Dispatched before a checkpoint is restored. The host page may change {@link hint} or cancel. */
export class UbikCheckpointRestoreEvent extends UbikEvent<CheckpointDetail> {
  /** What the agent should do differently from here; null for nothing. */
  hint: string | null;

  constructor(detail: CheckpointDetail, hint: string | null) {
    super('ubik-checkpoint-restore', detail, true);
    this.hint = hint;
  }
}

/** Dispatched after a checkpoint was restored; the agent continues from there. */
export class UbikCheckpointRestoredEvent extends plainEvent<CheckpointRestoredDetail>(
  'ubik-checkpoint-restored',
) {}

/** Dispatched before another version of a message, with what follows it, is shown. */
export class UbikBranchSwitchEvent extends cancelableEvent<MessageRefDetail>(
  'ubik-branch-switch',
) {}

/** Dispatched after another version was shown. */
export class UbikBranchSwitchedEvent extends plainEvent<MessageRefDetail>('ubik-branch-switched') {}
