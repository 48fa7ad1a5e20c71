import { plainEvent, UbikEvent, type ThreadDetail } from './event.js';

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
