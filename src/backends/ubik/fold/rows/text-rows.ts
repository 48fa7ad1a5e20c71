import { readCount, readText } from '../../wire/fields.js';
import type { EventRow, FoldEvent } from '../event-row.js';
import { isOnlyBlock } from './step-rows.js';

/** Text: into the block of its step, whatever is open; without a step into the main text (R1). */
export const chunkRow: EventRow = {
  lanes: ({ fields }, { steps }) => {
    const step = readCount(fields, 'step');
    if (step === null) return ['main'];
    // A step that nobody announced opens in the main text.
    return steps.has(step) ? [`step:${step}`] : [`step:${step}`, 'main'];
  },
  isAppend: ({ fields }, fold) => {
    const step = readCount(fields, 'step');
    return step === null || isOnlyBlock(step, fold);
  },
  reduce: ({ fields }, fold) => {
    const text = readText(fields, 'content') ?? '';
    const number = readCount(fields, 'step');
    if (text === '' || !fold.hasRoomFor(text.length)) return;
    const known = number === null ? null : fold.steps.get(number);
    const step = { kind: 'step', number, title: '', single: false, state: 'running' } as const;
    fold.text(known === undefined ? fold.place(step) : known).push(text);
  },
};

/** A checkpoint, at its place in the main text. */
export const checkpointRow: EventRow = {
  lanes: () => ['main'],
  construct: (event) => `checkpoint ${readName(event)}`,
  reduce: (event, fold) => {
    const name = readName(event);
    const fields = { kind: 'checkpoint', name } as const;
    if (name !== '' && fold.tell(`checkpoint ${name}`, fields) === null) fold.place(fields);
  },
};

function readName({ fields }: FoldEvent): string {
  return readText(fields, 'checkpoint_name') ?? '';
}
