import { readCount, readText } from '../../wire/fields.js';
import type { EventRow } from '../event-row.js';
import type { FoldEvent } from '../fold-event.js';
import type { MessageFold } from '../message-fold.js';

/** Text: into the block of its step, whatever is open; without a step into the main text (R1). */
export const chunkRow: EventRow = {
  lanes: ({ fields }, fold) => {
    const step = readCount(fields, 'step');
    if (step === null) return ['main'];
    // A step that nobody announced opens in the main text.
    return fold.step(step) ? [`step:${step}`] : [`step:${step}`, 'main'];
  },
  isAppend: ({ fields }, fold) => {
    const step = readCount(fields, 'step');
    return step === null || fold.step(step)?.count === 1;
  },
  reduce: ({ fields }, fold) => {
    const text = readText(fields, 'content') ?? '';
    if (text === '' || !fold.hasRoomFor(text.length)) return;
    const step = readCount(fields, 'step');
    fold.texts.push(step === null ? null : blockOf(step, fold), text);
  },
};

/** A checkpoint, at its place in the main text. */
export const checkpointRow: EventRow = {
  lanes: () => ['main'],
  isAppend: () => false,
  construct: (event) => ({ kind: 'checkpoint', name: readName(event) }),
  reduce: (event, fold) => {
    const name = readName(event);
    if (name === '') return;
    fold.constructs.tell({ kind: 'checkpoint', name });
    if (claimPlaced(fold, name)) return;
    fold.texts.place(() => {
      const key = fold.keys.named(`checkpoint:${name}`);
      fold.outline.put(key, null, { kind: 'checkpoint', name });
      fold.constructs.claim(key);
      return key;
    });
  },
};

/** Whether one of that name stands in the content already and no event has told of it yet. */
function claimPlaced(fold: MessageFold, name: string): boolean {
  const nature = `checkpoint:${name}`;
  let key = nature;
  for (let count = 2; fold.outline.get(key); count += 1) {
    if (fold.constructs.claim(key)) return true;
    key = `${nature}#${count}`;
  }
  return false;
}

function readName({ fields }: FoldEvent): string {
  return readText(fields, 'checkpoint_name') ?? '';
}

/** A step that nobody announced stands at the end. */
function blockOf(number: number, fold: MessageFold): string {
  const known = fold.step(number);
  if (known) return known.key;
  return fold.openStep({ kind: 'step', number, title: '', single: false, state: 'running' }, false);
}
