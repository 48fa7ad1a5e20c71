import {
  cancelableEvent,
  plainEvent,
  UbikEvent,
  type MessageRefDetail,
  type ThreadDetail,
} from './event.js';

/** A checkpoint to be restored. */
export interface CheckpointDetail extends ThreadDetail {
  /** The name of the checkpoint. */
  readonly checkpoint: string;
}

/** A restored checkpoint. */
export interface CheckpointRestoredDetail extends CheckpointDetail {
  /** What the agent should do differently this time; null for nothing. */
  readonly hint: string | null;
}

/** Dispatched before a checkpoint is restored. The host page can change {@link hint} or cancel. */
export class UbikCheckpointRestoreEvent extends UbikEvent<CheckpointDetail> {
  /** What the agent should do differently this time; null for nothing. */
  hint: string | null;

  constructor(detail: CheckpointDetail, hint: string | null) {
    super('ubik-checkpoint-restore', detail, true);
    this.hint = hint;
  }
}

/** Dispatched after a checkpoint was restored, when the agent continues from it. */
export class UbikCheckpointRestoredEvent extends plainEvent<CheckpointRestoredDetail>(
  'ubik-checkpoint-restored',
) {}

/** Dispatched before another version of a message, with the messages after it, is shown. */
export class UbikBranchSwitchEvent extends cancelableEvent<MessageRefDetail>(
  'ubik-branch-switch',
) {}

/** Dispatched after another version was shown. */
export class UbikBranchSwitchedEvent extends plainEvent<MessageRefDetail>('ubik-branch-switched') {}

/** Dispatched after the comparison of a branch with another version was opened. */
export class UbikBranchComparedEvent extends plainEvent<MessageRefDetail>('ubik-branch-compared') {}
