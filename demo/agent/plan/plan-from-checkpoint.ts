import type { RunStart } from '../run/runner.js';
import type { CheckpointRow } from '../store/checkpoints.js';
import { copyBlocks } from '../run/block.js';

/**
 * Plans a run that continues from a checkpoint. The content before it is copied; a hint becomes the next step.
 * At a checkpoint of an input request, the hint is the answer.
 */
export function planFromCheckpoint(checkpoint: CheckpointRow, hint: string | null): RunStart {
  const progress = structuredClone(checkpoint.progress);
  const words = hint?.trim() ?? '';
  progress.restoredFrom = checkpoint.name;
  progress.hint = words === '' ? null : words;
  const asked = checkpoint.metadata['kind'] === 'input';
  if (asked) {
    if (words !== '') progress.memory['answer'] = words;
    // The new run asks the question again, or uses the hint as its answer, so the old input block is removed.
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
