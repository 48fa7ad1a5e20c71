import type { CheckpointFields } from '../../../../model/part.js';
import { readCount, readText } from '../../wire/fields.js';
import type { EventRow, FoldEvent } from '../event-row.js';
import { isOnlyBlock } from './step-rows.js';

/** Text: into the block of its step, whatever is open; without a step into the main text (R1). */
export const chunkRow: EventRow = {
  lanes: ({ fields }, fold) => {
    const step = readCount(fields, 'step');
    if (step === null) return ['main'];
    // A step that nobody announced opens in the main text.
    return isOnlyBlock(step, fold) ? [`step:${step}`] : [`step:${step}`, 'main', 'opens'];
  },
  reduce: ({ fields }, fold) => {
    const text = readText(fields, 'content') ?? '';
    const number = readCount(fields, 'step');
    if (text === '' || !fold.takeRoom(text.length)) return;
    const known = number === null ? null : fold.steps.get(number);
    const step = { kind: 'step', number, title: '', single: false, state: 'running' } as const;
    fold.text(known === undefined ? fold.place(step) : known).push(text);
  },
};

/** A checkpoint, at its place in the main text. */
export const checkpointRow: EventRow = {
  lanes: () => ['main', 'opens'],
  part: readCheckpoint,
  reduce: (event, fold) => {
    const part = readCheckpoint(event);
    if (part.name !== '') fold.tell(part);
  },
};

function readCheckpoint({ fields }: FoldEvent): CheckpointFields {
  return { kind: 'checkpoint', name: readText(fields, 'checkpoint_name') ?? '' };
}
