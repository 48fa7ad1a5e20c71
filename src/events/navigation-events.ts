import type { CheckpointDetail, CheckpointNavigatedDetail, MessageActDetail } from './details.js';
import { after, before, UbikEvent } from './event.js';

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
export class UbikCheckpointNavigatedEvent extends after<CheckpointNavigatedDetail>(
  'ubik-checkpoint-navigated',
) {}

/** Before another version of a message, and what followed it, is shown. */
export class UbikBranchNavigateEvent extends before<MessageActDetail>('ubik-branch-navigate') {}

/** Another version is shown. */
export class UbikBranchNavigatedEvent extends after<MessageActDetail>('ubik-branch-navigated') {}
