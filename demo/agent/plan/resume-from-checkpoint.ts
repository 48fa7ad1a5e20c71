import type { RunStart } from '../run/runner.js';
import type { CheckpointRow } from '../store/checkpoints.js';
import { copyBlocks } from '../run/block.js';

/**
 * A run that begins where a checkpoint was set. What was done before it stays as it is; a hint becomes the next step.
 * At a checkpoint where the agent had asked something, the hint is the answer.
 */
export function resumeFromCheckpoint(checkpoint: CheckpointRow, hint: string | null): RunStart {
  const progress = structuredClone(checkpoint.progress);
  const words = hint?.trim() ?? '';
  progress.restoredFrom = checkpoint.name;
  progress.hint = words === '' ? null : words;
  const asked = checkpoint.metadata['kind'] === 'input';
  if (asked) {
    if (words !== '') progress.memory['answer'] = words;
    // The question is asked or answered again; the old form of it does not belong to the new message.
    const blocks = copyBlocks(checkpoint.blocks).filter((block) => block.kind !== 'input');
    return { progress, base: blocks };
  }
  if (words !== '') {
    progress.steps.splice(progress.cursor, 0, {
      skill: 'take_hint',
      title: 'Take your hint into account',
      args: { hint: words },
    });
  }
  return { progress, base: copyBlocks(checkpoint.blocks) };
}
