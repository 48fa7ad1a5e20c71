import type { CheckpointFields } from '../../../model/part.js';
import { readCount, readText } from '../wire/fields.js';
import type { EventHandler, ReducerEvent } from './event-handler.js';
import { isOnlyBlock } from './step-events.js';

/** Text: into the block of its step, whatever is open; without a step into the main text (R1). */
export const chunkRow: EventHandler = {
  groups: ({ fields }, reducer) => {
    const step = readCount(fields, 'step');
    if (step === null) return ['main'];
    // A step that nobody announced opens in the main text.
    return isOnlyBlock(step, reducer) ? [`step:${step}`] : [`step:${step}`, 'main', 'opens'];
  },
  reduce: ({ fields }, reducer) => {
    const text = readText(fields, 'content') ?? '';
    const number = readCount(fields, 'step');
    if (text === '' || !reducer.takeRoom(text.length)) return;
    const known = number === null ? null : reducer.steps.get(number);
    const step = { kind: 'step', number, title: '', single: false, state: 'running' } as const;
    reducer.text(known === undefined ? reducer.place(step) : known).push(text);
  },
};

/** A checkpoint, at its place in the main text. */
export const checkpointRow: EventHandler = {
  groups: () => ['main', 'opens'],
  part: readCheckpoint,
  reduce: (event, reducer) => {
    const part = readCheckpoint(event);
    if (part.name !== '') reducer.tell(part);
  },
};

function readCheckpoint({ fields }: ReducerEvent): CheckpointFields {
  return { kind: 'checkpoint', name: readText(fields, 'checkpoint_name') ?? '' };
}
