import type { Key } from '../../../model/json.js';
import {
  ACTIVITY,
  type CheckpointFields,
  type StepActivityFields,
  type StepFields,
} from '../../../model/part.js';
import {
  asFields,
  readCount,
  readFlag,
  readPercent,
  readText,
  type Fields,
  withoutNulls,
} from '../events/fields.js';
import type { EventHandler, OrderingGroup, ReducerEvent } from './event-handler.js';
import type { MessageReducer } from './message-reducer.js';

/** A step begins: its block opens at this place of the main text, and the block before it is over. */
export const stepStartedRow: EventHandler = {
  groups: (event, reducer) => [
    'main',
    'opens',
    ...blockGroups(event),
    ...runningSteps(reducer).map(([number]): OrderingGroup => `step:${number}`),
  ],
  part: readStep,
  reduce: (event, reducer) => {
    const step = readStep(event);
    const running = runningSteps(reducer);
    const key = reducer.tell(step);
    for (const [, other] of running) if (other !== key) closeStep(reducer, other, 'open-ended');
    reducer.draft.set(key, { ...step });
    putActivity(event, reducer, { state: 'running', endedAt: null });
  },
};

/** How far a step is. */
export const stepProgressRow: EventHandler = {
  groups: ({ fields }) => [`step-state:${numberOf(fields)}`],
  reduce: (event, reducer) => putActivity(event, reducer, {}),
};

/** A step is done: what is open in its text is closed. */
export const stepCompletedRow: EventHandler = {
  groups: (event, reducer) => {
    const isOnly = isOnlyBlock(numberOf(event.fields), reducer);
    return isOnly ? blockGroups(event) : ['opens', ...blockGroups(event)];
  },
  reduce: (event, reducer) => {
    const results = reducer.takeReport(asFields(event.fields['results']));
    const done = { progress: 100, state: 'completed', endedAt: event.at } as const;
    putActivity(event, reducer, { ...done, ...(results !== null && { results }) });
    const block = reducer.steps.get(numberOf(event.fields));
    if (block !== undefined) closeStep(reducer, block, 'completed');
  },
};

/** Whether a step has a block, and not two. */
export function isOnlyBlock(number: number, { steps, draft }: MessageReducer): boolean {
  return steps.has(number) && !draft.has(`step:${number}#2`);
}

/** The number of the step; one that no step has when it is not said. */
function numberOf(fields: Fields): number {
  return readCount(fields, 'step') ?? -1;
}

function readStep({ fields }: ReducerEvent): StepFields {
  const number = readCount(fields, 'step');
  const title = readText(fields, 'description') ?? '';
  const single = readFlag(fields, 'single_step_agent') ?? false;
  return { kind: 'step', number, title, single, state: 'running' };
}

/** The step's state and its text. */
function blockGroups({ fields }: ReducerEvent): readonly OrderingGroup[] {
  const number = numberOf(fields);
  return [`step-state:${number}`, `step:${number}`];
}

function runningSteps({ steps, draft }: MessageReducer): [number, Key][] {
  return [...steps].filter(([, key]) => draft.read(key, 'step')?.state === 'running');
}

/** Thoughts and tools end with their step. Plain text does not: a late chunk may be the rest of its last word. */
function closeStep(reducer: MessageReducer, key: Key, state: 'completed' | 'open-ended'): void {
  reducer.draft.set(key, { state });
  if (reducer.draft.hasOpen(key)) reducer.text(key).closeOpen();
}

/** What an event does not say stays as it was. */
function putActivity(
  event: ReducerEvent,
  reducer: MessageReducer,
  set: Partial<StepActivityFields>,
): void {
  const { fields, at } = event;
  const number = numberOf(fields);
  if (number < 0) return;
  const key = `@step:${number}`;
  reducer.draft.put(key, ACTIVITY, {
    kind: 'step-activity',
    number,
    title: '',
    progress: null,
    status: '',
    results: null,
    state: 'running',
    startedAt: at,
    endedAt: null,
    ...withoutNulls(reducer.draft.read(key, 'step-activity') ?? {}),
    ...withoutNulls({
      title: readText(fields, 'description'),
      progress: readPercent(fields, 'progress'),
      status: readText(fields, 'message'),
    }),
    ...set,
  });
}

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
