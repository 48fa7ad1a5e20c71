import { insertCheckpoint } from '../store/checkpoints.js';
import { copyBlocks } from './block.js';
import type { RunContext } from './run-context.js';
import type { LiveRun } from './live-run.js';
import type { InputRequiredError } from './run-errors.js';

/**
 * Stores a checkpoint of the run and emits its event: `checkpoint_created`, or `input_required` if there is a question. Its name contains
 * the number of the run, so that it differs from those of other runs of the session.
 *
 * @returns The name of the checkpoint.
 */
export function createCheckpoint(
  context: RunContext,
  run: LiveRun,
  title: string,
  question?: Pick<InputRequiredError, 'prompt' | 'types' | 'more'>,
): string {
  const done = run.blocks.filter((block) => block.kind === 'step').length;
  const name = `run-${String(run.task.number)}-step-${String(done)}-${toSlug(title)}`;
  const time =
    question === undefined
      ? run.emit('checkpoint_created', { checkpoint_name: name }, 'created_at')
      : run.emit('input_required', {
          checkpoint_name: name,
          prompt: question.prompt,
          input_types: question.types,
          ...question.more,
        });
  const { hint, restoredFrom } = run.progress;
  insertCheckpoint(context.database, {
    session_id: run.task.session_id,
    task_id: run.task.id,
    name,
    blocks: copyBlocks(run.blocks),
    progress: structuredClone(run.progress),
    metadata: {
      step: done,
      description: title,
      message_id: run.task.message_id,
      kind: question === undefined ? 'step' : 'input',
      ...(restoredFrom === null ? {} : { restored_from: restoredFrom }),
      ...(hint === null ? {} : { checkpoint_hint: hint }),
    },
    created_at: time,
  });
  return name;
}

function toSlug(text: string): string {
  const words = text
    .toLowerCase()
    .normalize('NFKD')
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
  return words.slice(0, 5).join('-') || 'point';
}
