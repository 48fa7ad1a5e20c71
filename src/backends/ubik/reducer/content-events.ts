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
  readString,
  type Fields,
  omitNulls,
} from '../../fields.js';
import type { EventHandler, OrderingGroup, ReducerEvent } from './event-handler.js';
import type { MessageReducer } from './message-reducer.js';

/** Reduces the start of a step: adds it to the main text, and closes the other running steps. */
export const stepStartedHandler: EventHandler = {
  groups: (event, reducer) => [
    'main',
    'opens',
    ...getStepGroups(event),
    ...listRunningSteps(reducer).map(([number]): OrderingGroup => `step:${number}`),
  ],
  part: readStep,
  reduce: (event, reducer) => {
    const step = readStep(event);
    const running = listRunningSteps(reducer);
    const key = reducer.resolvePart(step);
    for (const [, other] of running) if (other !== key) closeStep(reducer, other, 'open-ended');
    reducer.builder.set(key, { ...step });
    updateStepActivity(event, reducer, { state: 'running', endedAt: null });
  },
};

/** Reduces the progress of a step. */
export const stepProgressHandler: EventHandler = {
  groups: ({ fields }) => [`step-state:${readStepNumber(fields)}`],
  reduce: (event, reducer) => updateStepActivity(event, reducer, {}),
};

/** Reduces the completion of a step: closes the open parts in its text. */
export const stepCompletedHandler: EventHandler = {
  groups: (event, reducer) => {
    const isOnly = hasSinglePart(readStepNumber(event.fields), reducer);
    return isOnly ? getStepGroups(event) : ['opens', ...getStepGroups(event)];
  },
  reduce: (event, reducer) => {
    const results = reducer.acceptReport(asFields(event.fields['results']));
    const done = { progress: 100, state: 'completed', endedAt: event.time } as const;
    updateStepActivity(event, reducer, { ...done, ...(results !== null && { results }) });
    const key = reducer.steps.get(readStepNumber(event.fields));
    if (key !== undefined) closeStep(reducer, key, 'completed');
  },
};

/** Whether a number identifies exactly one step part. A second part with this number has the suffix `#2` in its key. */
export function hasSinglePart(number: number, { steps, builder }: MessageReducer): boolean {
  return steps.has(number) && !builder.has(`step:${number}#2`);
}

/** Reads the number of the step; -1, which no step has, when it is missing. */
function readStepNumber(fields: Fields): number {
  return readCount(fields, 'step') ?? -1;
}

function readStep({ fields }: ReducerEvent): StepFields {
  const number = readCount(fields, 'step');
  const title = readString(fields, 'description') ?? '';
  const single = readFlag(fields, 'single_step_agent') ?? false;
  return { kind: 'step', number, title, single, state: 'running' };
}

/** Returns the ordering groups of the state and the text of a step. */
function getStepGroups({ fields }: ReducerEvent): readonly OrderingGroup[] {
  const number = readStepNumber(fields);
  return [`step-state:${number}`, `step:${number}`];
}

function listRunningSteps({ steps, builder }: MessageReducer): [number, Key][] {
  return [...steps].filter(([, key]) => builder.get(key, 'step')?.state === 'running');
}

/**
 * Closes thinking parts and tools together with their step. Plain text stays open, because a late chunk may contain the rest of its last
 * word.
 */
function closeStep(reducer: MessageReducer, key: Key, state: 'completed' | 'open-ended'): void {
  reducer.builder.set(key, { state });
  if (reducer.builder.hasOpenChild(key)) reducer.parserFor(key).closeOpen();
}

/**
 * Updates the activity of a step. Fields that the event does not contain stay unchanged; if a completed step starts again, they get their
 * defaults.
 */
function updateStepActivity(
  event: ReducerEvent,
  reducer: MessageReducer,
  set: Partial<StepActivityFields>,
): void {
  const { fields, time } = event;
  const number = readStepNumber(fields);
  if (number < 0) return;
  const key = `@step:${number}`;
  const known = reducer.builder.get(key, 'step-activity');
  const startsAgain = known?.state === 'completed' && set.state === 'running';
  reducer.builder.put(key, ACTIVITY, {
    kind: 'step-activity',
    number,
    title: '',
    progress: null,
    status: '',
    results: null,
    state: 'running',
    startedAt: time,
    endedAt: null,
    ...omitNulls(startsAgain ? {} : (known ?? {})),
    ...omitNulls({
      title: readString(fields, 'description'),
      progress: readPercent(fields, 'progress'),
      status: readString(fields, 'message'),
    }),
    ...set,
  });
}

/**
 * Reduces a chunk of text: appends it to its step, whichever step is open; without a step, to the main text (UBIK R1). Adds the step if no
 * event has started it.
 */
export const chunkHandler: EventHandler = {
  groups: ({ fields }, reducer) => {
    const step = readCount(fields, 'step');
    if (step === null) return ['main'];
    // A step without a start event is added to the main text.
    return hasSinglePart(step, reducer) ? [`step:${step}`] : [`step:${step}`, 'main', 'opens'];
  },
  reduce: ({ fields }, reducer) => {
    const text = readString(fields, 'content') ?? '';
    const number = readCount(fields, 'step');
    if (text === '' || !reducer.reserveText(text.length)) return;
    const known = number === null ? null : reducer.steps.get(number);
    const step = { kind: 'step', number, title: '', single: false, state: 'running' } as const;
    reducer.parserFor(known === undefined ? reducer.insertPart(step) : known).push(text);
  },
};

/** Reduces a checkpoint: adds it to the main text. One without a name is ignored. */
export const checkpointHandler: EventHandler = {
  groups: () => ['main', 'opens'],
  part: readCheckpoint,
  reduce: (event, reducer) => {
    const part = readCheckpoint(event);
    if (part.name !== '') reducer.resolvePart(part);
  },
};

function readCheckpoint({ fields }: ReducerEvent): CheckpointFields {
  return { kind: 'checkpoint', name: readString(fields, 'checkpoint_name') ?? '' };
}
