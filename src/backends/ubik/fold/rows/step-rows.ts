import type { Key } from '../../../../model/json.js';
import { ACTIVITY, type StepActivityFields, type StepFields } from '../../../../model/part.js';
import {
  asFields,
  readCount,
  readFlag,
  readPercent,
  readText,
  withoutNulls,
  type Fields,
} from '../../wire/fields.js';
import type { EventRow, FoldEvent, Lane } from '../event-row.js';
import type { MessageFold } from '../message-fold.js';

/** A step begins: its block opens at this place of the main text, and the block before it is over. */
export const stepStartedRow: EventRow = {
  lanes: (event, fold) => [
    'main',
    'opens',
    ...blockLanes(event),
    ...runningSteps(fold).map(([number]): Lane => `step:${number}`),
  ],
  part: readStep,
  reduce: (event, fold) => {
    const step = readStep(event);
    const running = runningSteps(fold);
    const key = fold.tell(step);
    for (const [, other] of running) if (other !== key) closeStep(fold, other, 'open-ended');
    fold.outline.set(key, { ...step });
    putActivity(event, fold, { state: 'running', endedAt: null });
  },
};

/** How far a step is. */
export const stepProgressRow: EventRow = {
  lanes: ({ fields }) => [`step-state:${numberOf(fields)}`],
  reduce: (event, fold) => putActivity(event, fold, {}),
};

/** A step is done: what is open in its text is closed. */
export const stepCompletedRow: EventRow = {
  lanes: (event, fold) => {
    const isOnly = isOnlyBlock(numberOf(event.fields), fold);
    return isOnly ? blockLanes(event) : ['opens', ...blockLanes(event)];
  },
  reduce: (event, fold) => {
    const results = fold.takeReport(asFields(event.fields['results']));
    const done = { progress: 100, state: 'completed', endedAt: event.at } as const;
    putActivity(event, fold, { ...done, ...(results !== null && { results }) });
    const block = fold.steps.get(numberOf(event.fields));
    if (block !== undefined) closeStep(fold, block, 'completed');
  },
};

/** Whether a step has a block, and not two. */
export function isOnlyBlock(number: number, { steps, outline }: MessageFold): boolean {
  return steps.has(number) && !outline.has(`step:${number}#2`);
}

/** The number of the step; one that no step has when it is not said. */
function numberOf(fields: Fields): number {
  return readCount(fields, 'step') ?? -1;
}

function readStep({ fields }: FoldEvent): StepFields {
  const number = readCount(fields, 'step');
  const title = readText(fields, 'description') ?? '';
  const single = readFlag(fields, 'single_step_agent') ?? false;
  return { kind: 'step', number, title, single, state: 'running' };
}

/** The step's state and its text. */
function blockLanes({ fields }: FoldEvent): readonly Lane[] {
  const number = numberOf(fields);
  return [`step-state:${number}`, `step:${number}`];
}

function runningSteps({ steps, outline }: MessageFold): [number, Key][] {
  return [...steps].filter(([, key]) => outline.read(key, 'step')?.state === 'running');
}

/** Thoughts and tools end with their step. Plain text does not: a late chunk may be the rest of its last word. */
function closeStep(fold: MessageFold, key: Key, state: 'completed' | 'open-ended'): void {
  fold.outline.set(key, { state });
  if (fold.outline.hasOpen(key)) fold.text(key).closeOpen();
}

/** What an event does not say stays as it was. */
function putActivity(event: FoldEvent, fold: MessageFold, set: Partial<StepActivityFields>): void {
  const { fields, at } = event;
  const number = numberOf(fields);
  if (number < 0) return;
  const key = `@step:${number}`;
  fold.outline.put(key, ACTIVITY, {
    kind: 'step-activity',
    number,
    title: '',
    progress: null,
    status: '',
    results: null,
    state: 'running',
    startedAt: at,
    endedAt: null,
    ...withoutNulls(fold.outline.read(key, 'step-activity') ?? {}),
    ...withoutNulls({
      title: readText(fields, 'description'),
      progress: readPercent(fields, 'progress'),
      status: readText(fields, 'message'),
    }),
    ...set,
  });
}
